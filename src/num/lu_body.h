/* lu_body.h - LU with partial pivoting for one type of numbers.
 *
 * Included once for each: REAL is the type, NAME(x) the name of a function for
 * it, ABS its absolute value. The order of all sums is fixed, and zeros are
 * skipped.
 */
/* SPDX-License-Identifier: BSD-3-Clause */

/* Brings the largest entry of column k at or below the diagonal to it; false
 * if it is 0. */
static bool NAME(find_pivot)(int n, REAL *a, int k, int *pivot)
{
    const REAL *column = a + (size_t)k * (size_t)n;
    int best = k;
    for (int i = k + 1; i < n; i++)
        if (ABS(column[i]) > ABS(column[best]))
            best = i;
    pivot[k] = best;
    for (int j = 0; j < n && best != k; j++) {
        REAL *other = a + (size_t)j * (size_t)n;
        REAL held = other[k];
        other[k] = other[best];
        other[best] = held;
    }
    return column[k] != 0 && isfinite(column[k]);
}

/* Factorises in place; false if a pivot is 0 or not finite. */
static bool NAME(factor)(int n, REAL *a, int *pivot)
{
    for (int k = 0; k < n; k++) {
        REAL *column = a + (size_t)k * (size_t)n;
        if (!NAME(find_pivot)(n, a, k, pivot))
            return false;
        for (int i = k + 1; i < n; i++)
            column[i] /= column[k];
        for (int j = k + 1; j < n; j++) {
            REAL *other = a + (size_t)j * (size_t)n, factor = other[k];
            for (int i = k + 1; i < n && factor != 0; i++)
                other[i] -= column[i] * factor;
        }
    }
    return true;
}

static void NAME(solve_one)(int n, const REAL *lu, const int *pivot, REAL *x)
{
    for (int k = 0; k < n; k++) {
        REAL held = x[k];
        x[k] = x[pivot[k]];
        x[pivot[k]] = held;
    }
    for (int k = 0; k < n; k++) {
        const REAL *column = lu + (size_t)k * (size_t)n;
        for (int i = k + 1; i < n && x[k] != 0; i++)
            x[i] -= column[i] * x[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        const REAL *column = lu + (size_t)k * (size_t)n;
        x[k] /= column[k];
        for (int i = 0; i < k && x[k] != 0; i++)
            x[i] -= column[i] * x[k];
    }
}
