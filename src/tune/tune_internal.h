/* tune_internal.h - what the files of tune/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_TUNE_INTERNAL_H
#define TAKT_TUNE_TUNE_INTERNAL_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* c (n * k) = a b, a is n * m and b is m * k, by columns. */
void matrix_product(int n, int m, int k, const double *a, const double *b,
                    double *c);

/* Scales the rows, then the columns of an n * n matrix by powers of two so that
 * the largest entry of each is near 1: a := diag(row) a diag(col). The small
 * entries have no say, as they have none in an elimination with pivoting. */
void matrix_equilibrate(int n, double *a, double *row, double *col);

/* A factorised n * n matrix; NULL if it is singular to working precision, *bad
 * is then the column where elimination stopped, or NONE. */
typedef struct Sparse Sparse;
Sparse *sparse_factor(int n, const double *m, int *bad);
void sparse_solve(const Sparse *s, double *rhs); /* in place */
void sparse_free(Sparse *s);                     /* NULL is allowed */

#endif
