/* clusters.h - eigenvalues that belong together, and their spaces.
 *
 *   in    a regular pair (A, B) of real n * n matrices, B regular
 *   out   Clusters   disjoint sets of eigenvalues of A v = lambda B v, each
 *                    with bases of its right and left space
 *   next  spectrum.h, criterion.h
 *
 * Schiela 2002, 4.1, with B^-1 A in the place of the pair: its Schur form
 * (num/eigen.h) is reordered twice for each set, with the set at the top and at
 * the bottom, and the first and last columns of its vectors are orthogonal
 * bases X_k of the right space and B^T Y_k of the left one. Then Y_k^T A X_l =
 * Y_k^T B X_l = 0 for k != l (4.19).
 *
 * Which eigenvalues go together: conjugate pairs; those nearer than
 * `tightness`, relative to 1 at least; and those that cannot be told apart:
 * while a projector X_k B_k^-1 Y_k^T B has a norm above `worst_projector` its
 * set is united with the nearest one (after Bavely and Stewart, SIAM J. Numer.
 * Anal. 16(2), 1979). So multiple and defective eigenvalues end in one set,
 * where first-order sums make sense.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_CLUSTERS_H
#define TAKT_TUNE_CLUSTERS_H

#include <complex.h>

#include "base/arena.h"
#include "tune/outcome.h"

typedef struct ClusterOptions {
    double tightness;       /* 0: 1e-6 */
    double worst_projector; /* 0: 1e5 */
} ClusterOptions;

typedef struct Cluster {
    int size;            /* m >= 1 */
    const int *member;   /* size m: places in Clusters.value */
    double complex mean; /* of its eigenvalues; real unless rounding */
    const double *x;     /* n * m, orthonormal columns: right space */
    const double *u;     /* m * n: B_k^-1 Y_k^T, so that u B x = I */
    const double *a;     /* m * m: B_k^-1 A_k, the pair on this space */
    double projector;    /* Frobenius norm of x u B, 1 or more */
} Cluster;

typedef struct Clusters {
    TuneCode code;
    int n;
    const double complex *value; /* size n, conjugate pairs side by side */
    int ncluster;
    const Cluster *cluster;
} Clusters;

/* Both matrices by columns, left alone. `options` may be NULL. Lives in
 * `arena`; on failure code says why and ncluster is 0. O(n^3) and O(n^2) for
 * each pair of a cluster. */
const Clusters *clusters_find(int n, const double *a, const double *b,
                              const ClusterOptions *options, Arena *arena);

#endif
