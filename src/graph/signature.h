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

/* The edges with d_j - c_i == sigma_ij, the structure of the leading Jacobian
 * (class kept, weight sigma). */
const Incidence *signature_leading(const Incidence *sigma, const Offsets *o,
                                   Arena *out);

/* Asserts the promises of Offsets. */
void offsets_check(const Incidence *sigma, const Offsets *o);

#endif
