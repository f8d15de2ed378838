/* bench_array.c - the structured RQ beside a QR that knows no structure.
 *
 *   bench_array INDEX rq|qr   does it, for callgrind to count
 *
 * On a random matrix of the form (61) with n = m = 10. `qr` is Householder's QR
 * of all of it, written as the RQ is: plain loops over what lies side by side.
 * bench/rq.sh makes a table of these.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array/rq.h"

enum { N = 10, M = 10 };

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 2 * ((double)(*seed >> 8) / 0xffffff) - 1;
}

static void fill(Rq *q)
{
    unsigned seed = 17;
    for (int i = 0; i < q->nrow; i++)
        for (int j = 0; j < q->ncol; j++)
            if (j / N <= i / N || j >= q->nrow)
                q->a[i * q->ncol + j] = noise(&seed);
}

static void reflect(const double *v, double beta, double *x, int from, int n)
{
    double s = 0;
    for (int i = from; i < n; i++)
        s += v[i] * x[i];
    s *= beta;
    for (int i = from; i < n; i++)
        x[i] -= s * v[i];
}

/* QR of a by columns; the diagonal of R goes to d. */
void count_qr(double *a, int nrow, int ncol, double *d);
void count_qr(double *a, int nrow, int ncol, double *d)
{
    for (int k = 0; k < nrow; k++) {
        double *v = a + k * nrow, norm = 0;
        for (int i = k; i < nrow; i++)
            norm += v[i] * v[i];
        norm = sqrt(norm);
        double sign = v[k] < 0 ? -1 : 1;
        v[k] += sign * norm;
        d[k] = -sign * norm;
        double beta = 1 / (norm * fabs(v[k]));
        for (int j = k + 1; j < ncol; j++)
            reflect(v, beta, a + j * nrow, k, nrow);
    }
}

int main(int argc, char **argv)
{
    int index = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 0;
    if (index < 1 || index > 20) {
        fputs("usage: bench_array INDEX rq|qr\n", stderr);
        return 2;
    }
    Arena *arena = arena_new();
    Rq *q = rq_new(index, N, M, arena);
    fill(q);
    double *a = NEW_ARRAY(arena, double, q->nrow * q->ncol);
    double *d = NEW_ARRAY(arena, double, q->nrow);
    for (int i = 0; i < q->nrow; i++)
        for (int j = 0; j < q->ncol; j++)
            a[j * q->nrow + i] = q->a[i * q->ncol + j];
    if (!strcmp(argv[2], "rq"))
        rq_factor(q);
    else
        count_qr(a, q->nrow, q->ncol, d);
    printf("%g\n", q->a[0] + a[0] + d[0]);
    arena_free(arena);
    return 0;
}
