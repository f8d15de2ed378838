/* wide.c - dense.c's LU in long double. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/wide.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define REAL    Wide
#define NAME(x) x##_wide
#define ABS     fabsl
#include "num/lu_body.h"

bool wide_lu_factor(int n, Wide *a, int *pivot)
{
    return factor_wide(n, a, pivot);
}

void wide_lu_solve(int n, const Wide *lu, const int *pivot, Wide *rhs, int nrhs)
{
    for (int j = 0; j < nrhs; j++)
        solve_one_wide(n, lu, pivot, rhs + (size_t)j * (size_t)n);
}

void wide_product(int n, int m, int k, const Wide *a, const Wide *b, Wide *c)
{
    size_t rows = (size_t)n;
    memset(c, 0, rows * (size_t)k * sizeof *c);
    for (size_t j = 0; j < (size_t)k; j++)
        for (size_t l = 0; l < (size_t)m; l++) {
            Wide factor = b[l + j * (size_t)m];
            for (size_t i = 0; i < rows && factor != 0; i++)
                c[i + j * rows] += a[i + l * rows] * factor;
        }
}
