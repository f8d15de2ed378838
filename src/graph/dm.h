/* dm.h - where there are too many equations, and where too few.
 *
 *   in    Incidence, of any shape
 *   out   Dm          three parts, none of which depends on the matching
 *
 * The coarse decomposition of Dulmage and Mendelsohn (Can. J. Math. 10, 1958):
 *
 *                  under   well   over      unknowns
 *     under      [   x       x      x  ]    fewer equations than unknowns
 *     well       [           x      x  ]    as many: a complete matching
 *     over       [                  x  ]    more equations than unknowns
 *
 * A system is structurally regular if and only if `under` and `over` are empty.
 * Each equation of the over-determined part could be the one too many, each
 * unknown of the under-determined part the one that lacks an equation: the
 * parts are what a message has to name.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_DM_H
#define TAKT_GRAPH_DM_H

#include "graph/incidence.h"
#include "graph/match.h"

typedef enum DmPart { DM_UNDER, DM_WELL, DM_OVER, DM_NPART } DmPart;

typedef struct DmList {
    int neqn, nvar;
    const int *eqn; /* size neqn, ascending */
    const int *var; /* size nvar, ascending */
} DmList;

typedef struct Dm {
    DmList part[DM_NPART];
    const unsigned char *part_of_eqn; /* size neqn of the graph, DmPart */
    const unsigned char *part_of_var; /* size nvar of the graph, DmPart */
    const Match *match;               /* a maximum matching */
    int surplus;                      /* equations without an unknown */
    int missing;                      /* unknowns without an equation */
} Dm;

/* Near O(nedge). */
const Dm *dm_split(const Incidence *inc, Arena *out);

/* The connected pieces of one part: piece_of_eqn and piece_of_var (sizes of
 * the graph, NONE outside of the part) are written; returns their number. Two
 * mistakes far from each other in a model are two pieces, so that each gets
 * its own message. */
int dm_pieces(const Incidence *inc, const Dm *dm, DmPart part,
              int *piece_of_eqn, int *piece_of_var);

#endif
