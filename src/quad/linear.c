/* linear.c - dense LU with row exchanges, in quadruple precision. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "quad/quad.h"

static void swap(Quad *a, Quad *b)
{
    Quad t = *a;
    *a = *b;
    *b = t;
}

static int largest(int n, const Quad *column, int from)
{
    int best = from;
    for (int i = from + 1; i < n; i++)
        if (quad_abs(column[i]) > quad_abs(column[best]))
            best = i;
    return best;
}

bool quad_factor(int n, Quad *a, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int p = pivot[k] = largest(n, a + k * n, k);
        for (int j = 0; p != k && j < n; j++)
            swap(&a[k + j * n], &a[p + j * n]);
        if (!(quad_abs(a[k + k * n]) > 0))
            return false;
        for (int i = k + 1; i < n; i++)
            a[i + k * n] /= a[k + k * n];
        for (int j = k + 1; j < n; j++) {
            Quad u = a[k + j * n];
            for (int i = k + 1; u != 0 && i < n; i++)
                a[i + j * n] -= a[i + k * n] * u;
        }
    }
    return true;
}

void quad_solve(int n, const Quad *a, const int *pivot, Quad *x)
{
    for (int k = 0; k < n; k++)
        if (pivot[k] != k)
            swap(&x[k], &x[pivot[k]]);
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            x[i] -= a[i + k * n] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        x[k] /= a[k + k * n];
        for (int i = 0; i < k; i++)
            x[i] -= a[i + k * n] * x[k];
    }
}
