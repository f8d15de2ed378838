/* pulse.h - what functions of time do between the points of a run.
 *
 *   made of   inline/inlined.h   the model's equations and their parameters
 *   read by   sim/               what the grid does not see; where steps end
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PULSE_PULSE_H
#define TAKT_PULSE_PULSE_H

#include "inline/inlined.h"

/* A piece of time in which a function of it is not what the points around show:
 * within a step of the grid, or else a point that a step should end at. */
typedef struct Pulse {
    double from, to;
    Expr what;
} Pulse;

typedef struct PulseList {
    Pulse *at;
    int n, cap;
} PulseList;

typedef struct PulseInput {
    const Inlined *inlined;
    const int *slot;     /* of each of its entries, or NONE */
    const double *value; /* by slot: those of parameters count */
    double start, stop, step;
    long nstep;
    bool on_grid; /* else steps have the length that they like */
} PulseInput;

/* All of them, by time. Lives in `arena`. */
const PulseList *pulse_find(const PulseInput *in, Arena *arena);
/* The first beginning in (from + least, to), or `to`. */
double pulse_next(const PulseList *list, double from, double to, double least);

#endif
