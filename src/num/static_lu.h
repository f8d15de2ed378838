/* static_lu.h - LU factors whose every operation is known beforehand.
 *
 *   in    a pattern, and values of it in many samples
 *   out   StaticLu   the order of pivots and all operations, as tables
 *   next  lower/factor.h makes straight-line code of it, num/table.h tables for
 *         the loops of runtime/takt_rt_factor.h
 *
 * 1. The matrix is brought to block triangular form: only the diagonal blocks
 *    are factorised, entries beside them stay as they are, so a reducible
 *    matrix does not fill (Duff, Erisman, Reid, Direct Methods for Sparse
 *    Matrices, ch. 6; as KLU does).
 * 2. In each block the pivots are chosen once, from all samples: at each step
 *    the cheapest (by one of the measures of num/order.h) among those that are
 *    at least `threshold` of the largest entry of their column in every
 *    sample, rows and columns being scaled to largest entries near 1 (Ruiz,
 *    RAL-TR-2001-034), so that units do not matter. One sample is not enough:
 * an entry proportional to sin(q) can vanish elsewhere.
 * 3. Several measures and random choices among equals are tried; the order with
 *    the fewest operations is kept.
 *
 * Entries are numbered: 0 .. nnz-1 as given, then the fill. With pivot k at
 * (row[k], col[k]), a factorisation is, for k = 0, 1, ...:
 *
 *     inverse[k] = 1 / entry[pivot[k]]
 *     for each l of column k below the pivot:  entry[l] *= inverse[k]
 *         for each u of row k right of it:
 *             entry[next target] -= entry[l] * entry[u]
 *
 * where rows and columns end with their block. A solution goes through the
 * blocks b = 0, 1, ...: rhs[row] -= entry[o] * x[ocol] for the entries beside
 * the diagonal block, whose x is known by then; then both substitutions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_STATIC_LU_H
#define TAKT_NUM_STATIC_LU_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct StaticLu {
    int n;
    int nnz;           /* entries given */
    int nentry;        /* with fill */
    int nblock;        /* diagonal blocks */
    const int *start;  /* size nblock+1: pivots of block b */
    const int *row;    /* row of pivot k */
    const int *col;    /* column of pivot k */
    const int *pivot;  /* entry of pivot k */
    const int *lstart; /* size n+1: l of pivot k: lstart[k] .. lstart[k+1]-1 */
    const int *l;      /* entries of L below pivot k */
    const int *lrow;   /* and the rows they stand in */
    const int *ustart; /* likewise for the rows of U */
    const int *u;
    const int *ucol;
    const int *ostart; /* and for what stands beside the diagonal block */
    const int *o;
    const int *ocol;
    const int *target; /* entries updated, in the order of the loops above */
    int ntarget;
    double weakest;   /* smallest pivot over its column's largest entry, over
                         all pivots and samples, after scaling */
    double largest;   /* entry of L in the samples, not scaled; at least 1 */
    long flops;       /* of a factorisation and a solution */
    long solve_flops; /* of a solution alone */
} StaticLu;

/* Chooses pivots and makes the tables. entry[s * nnz + k] is entry k, at
 * (row[k], col[k]), in sample s; no two entries share a place. An entry that
 * is zero in all samples counts all the same. With nsample 0 the structure
 * alone decides. Lives in `arena`. Returns NULL if the pattern is singular, or
 * if at some step no entry passes the threshold in all samples. */
const StaticLu *static_lu_new(int n, int nnz, const int *row, const int *col,
                              const double *entry, int nsample,
                              double threshold, Arena *arena);

/* The same with a small part of the effort: for those who compare matrices and
 * factorise none of them. */
const StaticLu *static_lu_rough(int n, int nnz, const int *row, const int *col,
                                const double *entry, int nsample,
                                double threshold, Arena *arena);

/* What the factors of a pattern cost, for those who choose patterns. */
typedef struct StaticLuCount {
    int nnz;          /* of L, U and the pivots, and beside diagonal blocks */
    int nblock;       /* diagonal blocks */
    int largest;      /* size of the largest */
    long flops;       /* of a factorisation and a solution */
    long solve_flops; /* of a solution alone */
} StaticLuCount;
/* The same for samples along a run: no pivot may change its sign from sample to
 * sample, unless it stands alone in its column. Between the samples it would
 * vanish, and be no pivot there. Columns that are `late` (NULL: none) come
 * after the others as far as pivots pass, so that what they change has the
 * factors of the others. */
const StaticLu *static_lu_steady(int n, int nnz, const int *row, const int *col,
                                 const double *entry, int nsample,
                                 double threshold, const bool *late,
                                 Arena *arena);

/* The same choice as static_lu_new, but only counted, and quicker: one measure
 * is tried. Returns false where that returns NULL. */
bool static_lu_count(int n, int nnz, const int *row, const int *col,
                     const double *entry, int nsample, double threshold,
                     StaticLuCount *count);

/* Factorises in place: entry has size nentry, the first nnz are the matrix, the
 * rest need not be set. inverse has size n. */
void static_lu_factor(const StaticLu *f, double *entry, double *inverse);
/* Solves with the factors; x (size n) comes from rhs, which is changed. */
void static_lu_solve(const StaticLu *f, const double *entry,
                     const double *inverse, double *rhs, double *x);

#endif
