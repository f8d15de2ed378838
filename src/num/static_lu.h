/* static_lu.h - LU factors whose every operation is known beforehand.
 *
 * The pivots are chosen once, here, from many samples of the matrix: at each
 * step the pivot with the least Markowitz count (Duff, Erisman, Reid, Direct
 * Methods for Sparse Matrices, ch. 7) among those that are at least `threshold`
 * of the largest entry of their column in every sample. One sample is not
 * enough: an entry proportional to sin(q) can vanish elsewhere. After that the
 * positions of all entries, fill included, and the order of all operations are
 * data, and a factorisation is a walk through tables (static_factor), or
 * straight-line code made from them (lower/).
 *
 * Entries are numbered: 0 .. nnz-1 as given, then the fill. With pivot k at
 * (row[k], col[k]), a factorisation is, for k = 0, 1, ...:
 *
 *     inverse[k] = 1 / entry[pivot[k]]
 *     for each l of column k below the pivot:  entry[l] *= inverse[k]
 *         for each u of row k right of it:     entry[next target] -= entry[l] *
 * entry[u]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_STATIC_LU_H
#define TAKT_NUM_STATIC_LU_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct StaticLu {
    int n;
    int nnz;          /* entries given */
    int nentry;       /* with fill */
    const int *row;   /* row of pivot k */
    const int *col;   /* column of pivot k */
    const int *pivot; /* entry of pivot k */
    const int
        *lstart;     /* size n+1: l of pivot k are lstart[k] .. lstart[k+1]-1 */
    const int *l;    /* entries of L below pivot k */
    const int *lrow; /* and the rows they stand in */
    const int *ustart; /* likewise for the rows of U */
    const int *u;
    const int *ucol;
    const int *target; /* entries updated, in the order of the loops above */
    int ntarget;
    double weakest; /* smallest pivot over its column's largest entry, over
                       all pivots and samples */
    long flops;     /* of a factorisation and a solution */
} StaticLu;

/* Chooses pivots and makes the tables. entry[s * nnz + k] is entry k, at
 * (row[k], col[k]), in sample s; no two entries share a place. An entry that
 * is zero in all samples counts all the same. Lives in `arena`. Returns NULL if
 * at some step no entry passes the threshold in all samples. */
const StaticLu *static_lu_new(int n, int nnz, const int *row, const int *col,
                              const double *entry, int nsample,
                              double threshold, Arena *arena);

/* Factorises in place: entry has size nentry, the first nnz are the matrix, the
 * rest need not be set. inverse has size n. */
void static_lu_factor(const StaticLu *f, double *entry, double *inverse);
/* Solves with the factors; x (size n) comes from rhs, which is changed. */
void static_lu_solve(const StaticLu *f, const double *entry,
                     const double *inverse, double *rhs, double *x);

#endif
