/* signature.h - how often each equation must be differentiated (Pryce).
 *
 *   in    Incidence whose weight is the order of the highest derivative of
 *         unknown j in equation i, sigma_ij >= 0
 *   out   Offsets     c_i, d_j and a transversal of highest value
 *   next  src/reduce/ differentiates equation i c_i times
 *
 * Pryce, BIT 41(2), 2001: a transversal (one unknown an equation) with the
 * largest sum of sigma, and the smallest c_i >= 0, d_j with
 *
 *     d_j - c_i >= sigma_ij   everywhere,   equal on the transversal.
 *
 * Equation i is differentiated c_i times; d_j is the order to which unknown j
 * then occurs. The equations that hold with equality are the structure of the
 * leading Jacobian.
 *
 * The transversal is an assignment problem, solved by shortest augmenting
 * paths from all free equations at once (Dijkstra with the duals c, d as
 * potentials), with all paths of that length turned over by match_grow(). The
 * smallest duals then follow by one more Dijkstra. Worst case
 * O(n nedge log n); in models, where sigma is 0 to 2, a few passes.
 *
 * pantelides.h does the same by the older method; the results are equal.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_SIGNATURE_H
#define TAKT_GRAPH_SIGNATURE_H

#include "graph/incidence.h"
#include "graph/match.h"

typedef struct Offsets {
    int n;              /* equations, and unknowns */
    const int *c;       /* size n: differentiations of an equation */
    const int *d;       /* size n: highest order of an unknown */
    const Match *match; /* complete, of edges with d_j - c_i == sigma_ij */
    long value;         /* sum of sigma over it = degrees of freedom of the
                           model = sum d - sum c */
    int index;          /* structural index: max c, plus 1 if some d is 0 */
} Offsets;

/* Fills in value and index. The arrays are kept, not copied. */
const Offsets *offsets_new(int n, const int *c, const int *d, const Match *m,
                           Arena *out);

/* NULL if the system is not square or has no transversal (see dm.h). */
const Offsets *signature_offsets(const Incidence *sigma, Arena *out);

/* A complete matching of largest total weight (weights of any sign), or NULL.
 */
const Match *signature_transversal(const Incidence *inc, Arena *out);

/* From unknowns that are listed with their derivatives to sigma.
 *   inc    equations x variables, each derivative a variable of its own
 *   der    size nvar of inc: the derivative of a variable, or NONE; no cycles
 *   out    equations x unknowns; unknown base[j] of `inc` is column j,
 *          column[v] is where variable v went (its column), order[v] how often
 *          it is differentiated there; all in `out` */
typedef struct Sigma {
    const Incidence *inc;
    const int *base;   /* size inc->nvar */
    const int *column; /* size nvar of the given graph */
    const int *order;  /* size nvar of the given graph */
} Sigma;
Sigma signature_sigma(const Incidence *inc, const int *der, Arena *out);

/* The edges with d_j - c_i == sigma_ij, the structure of the leading Jacobian
 * (class kept, weight sigma). */
const Incidence *signature_leading(const Incidence *sigma, const Offsets *o,
                                   Arena *out);

/* Asserts the promises of Offsets. */
void offsets_check(const Incidence *sigma, const Offsets *o);

#endif
