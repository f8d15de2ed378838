/* network.h - what connections make of a model: nodes, and devices between
 * them.
 *
 *   made by   network_find()        Flat -> Network
 *   read by   simplify/, inline/    which equations keep their unknowns apart
 *             schedule/formulation.c
 *
 * A pin is a connector with one flow and one potential: voltage and current,
 * temperature and flow of heat, angle and torque. Connected potentials are
 * equal, a node; connected flows sum to zero, its conservation. Both are known
 * from the connections: no class has a name here. A connector through which a
 * part of the model is seen from outside is a wire: the flows of what is inside
 * are those of the pins there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FLAT_NETWORK_H
#define TAKT_FLAT_NETWORK_H

#include "flat/flat.h"

typedef struct NetworkPin {
    int potential, flow; /* variables */
    int device;          /* component that has the connector */
    int node;
} NetworkPin;

/* voltage = potential of pin a - that of pin b, up to the sign. */
typedef struct NetworkVoltage {
    int var;
    int a, b; /* pins of one device */
    int eqn;
} NetworkVoltage;

typedef struct NetworkNode {
    bool is_inner; /* no connection of the model itself, or connector of one of
                      its own components, leads there */
} NetworkNode;

typedef struct Network {
    NetworkPin *pin; /* of devices */
    int npin;
    NetworkNode *node;
    int nnode;
    NetworkVoltage *voltage;
    int nvoltage;
    bool *is_flow; /* by equation: conservation of a node */
    bool *is_kept; /* by equation: that, or a voltage. Its unknowns stay apart,
                      though it may say that two of them are equal */
} Network;

/* Lives in `arena`; without pins where the model has no such connectors. */
const Network *network_find(const Flat *f, Arena *arena);

#endif
