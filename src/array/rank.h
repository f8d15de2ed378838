/* rank.h - ranks of scaled matrices, with the gap that decided.
 *
 * Singular values by LAPACK, of each connected part of the matrix by itself. A
 * value counts if it is at least `keep` of the largest of its part, usually
 * RANK_KEEP; one between RANK_DROP and RANK_KEEP leaves the rank undecided, and
 * that is said.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_RANK_H
#define TAKT_ARRAY_RANK_H

#include <stdbool.h>

typedef struct Rank {
    int rank;
    double kept;    /* smallest singular value that counts over the largest of
                       its part; 1 where there is none */
    double dropped; /* largest that does not, over the largest */
    bool undecided; /* one lies between the limits */
} Rank;

/* Scales the rows, then the columns by their largest entries; entries below
 * 1e-11 of their row become 0. By columns. */
void rank_scale(int nrow, int ncol, double *a);
/* Of the columns from .. to-1 of `a` (nrow rows), which is kept. A matrix with
 * a value that is not finite has rank NONE. */
Rank rank_find(int nrow, int from, int to, const double *a, double keep);
static const double RANK_KEEP = 1e-6, RANK_DROP = 1e-11;
/* The smallest and largest singular value of a matrix: false if not finite. */
bool rank_extremes(int nrow, int ncol, const double *a, double *least,
                   double *largest);

#endif
