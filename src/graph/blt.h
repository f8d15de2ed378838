/* blt.h - order the equations into blocks that can be solved one by one.
 *
 *   in    Incidence   which unknowns occur in which equation
 *   out   Blt         the blocks, first to solve first
 *   next  tear.h      makes the blocks of more than one equation smaller
 *
 * The order is found in two steps: a maximum matching gives each equation the
 * unknown it is solved for, and the strongly connected components of the
 * matched graph are the blocks (Duff and Reid, ACM TOMS 4(2), 1978). The
 * blocks do not depend on which maximum matching was taken.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_BLT_H
#define TAKT_GRAPH_BLT_H

#include "graph/incidence.h"
#include "graph/match.h"

/* Position k says: solve equation eqn[k] for unknown var[k]. Block b holds the
 * positions start[b] .. start[b+1]-1, which must be solved together. Every
 * unknown of eqn[k] is solved in the block of k or in an earlier one. Within a
 * block, equations keep their source order, so that a small edit of the model
 * gives a small change of the generated code. */
typedef struct Blt {
    int n;            /* number of positions */
    int nblock;       /* number of blocks */
    const int *eqn;   /* size n */
    const int *var;   /* size n */
    const int *start; /* size nblock+1 */
} Blt;

/* Orders the equations of `inc`, which must be as many as the unknowns. The
 * result lives in `out`. Returns NULL if there is no complete matching; dm.h
 * says why. Near O(nedge). */
const Blt *blt_order(const Incidence *inc, Arena *out);

/* The same for a given complete matching: it decides var[k], and nothing
 * else. Time O(nedge). */
const Blt *blt_order_matched(const Incidence *inc, const Match *m, Arena *out);

int blt_largest(const Blt *blt); /* size of the largest block, 0 if n == 0 */

/* Asserts the promises above. */
void blt_check(const Incidence *inc, const Blt *blt);

#endif
