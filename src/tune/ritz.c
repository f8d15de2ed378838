/* ritz.c - Arnoldi's method from a fixed vector. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/ritz.h"

#include <stdint.h>

#include "base/arena.h"
#include "num/eigen.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

enum { SHORTER = RITZ_STEPS - 6 };

/* w := m v, rows by columns. */
static void multiply(int n, const double *m, const double *v, double *w)
{
    memset(w, 0, (size_t)n * sizeof *w);
    for (int j = 0; j < n; j++) {
        const double *column = m + (size_t)j * (size_t)n;
        for (int i = 0; i < n; i++)
            w[i] += column[i] * v[j];
    }
}

static double product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Takes off w what lies in the first k vectors of the basis, and adds it to
 * column h; twice, which leaves nothing. Returns the length of the rest. */
static double orthogonalise(int n, int k, const double *basis, double *w,
                            double *h)
{
    for (int c = 0; c < 2 * k; c++) {
        const double *b = basis + (size_t)(c % k) * (size_t)n;
        double part = product(n, b, w);
        h[c % k] += part;
        for (int i = 0; i < n; i++)
            w[i] -= part * b[i];
    }
    return sqrt(product(n, w, w));
}

/* Every mode has a part in it, the same on every machine. */
static void start(int n, double *v)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        v[i] = 0.5 + (double)(state >> 40) / (double)(1 << 24);
    }
    double size = sqrt(product(n, v, v));
    for (int i = 0; i < n; i++)
        v[i] /= size;
}

/* h (RITZ_STEPS * RITZ_STEPS) restricted to the Krylov space; returns its size,
 * less if that has an end. */
static int arnoldi(int n, const double *m, double *h, Arena *arena)
{
    double *basis = NEW_ARRAY(arena, double, (size_t)n *(RITZ_STEPS + 1) + 1);
    start(n, basis);
    for (int k = 0; k < RITZ_STEPS; k++) {
        double *w = basis + (size_t)(k + 1) * (size_t)n;
        double *column = h + (size_t)k * RITZ_STEPS;
        multiply(n, m, basis + (size_t)k * (size_t)n, w);
        double size = sqrt(product(n, w, w));
        double rest = orthogonalise(n, k + 1, basis, w, column);
        if (!(rest > 1e-12 * size))
            return k + 1;
        if (k + 1 < RITZ_STEPS)
            column[k + 1] = rest;
        for (int i = 0; i < n; i++)
            w[i] /= rest;
    }
    return RITZ_STEPS;
}

/* The eigenvalues of the leading k * k part of h. */
static bool values_of(const double *h, int k, double complex *value)
{
    double part[RITZ_STEPS * RITZ_STEPS];
    for (int j = 0; j < k; j++)
        memcpy(part + (size_t)j * (size_t)k, h + (size_t)j * RITZ_STEPS,
               (size_t)k * sizeof *part);
    return step_eigenvalues(k, part, value) == TUNE_FINE;
}

int ritz_values(int n, const double *m, double complex *value)
{
    Arena *local = arena_new();
    size_t size = (size_t)n * (size_t)n;
    double *copy = NEW_ARRAY(local, double, size + 1);
    double *scale = NEW_ARRAY(local, double, n + 1);
    double h[RITZ_STEPS * RITZ_STEPS] = {0};
    double complex all[RITZ_STEPS], fewer[RITZ_STEPS];
    memcpy(copy, m, size * sizeof *copy);
    eigen_balance(n, copy, scale);
    int k = arnoldi(n, copy, h, local), count = 0;
    arena_free(local);
    bool ends = k < RITZ_STEPS; /* then they are eigenvalues */
    if (!values_of(h, k, all) || (!ends && !values_of(h, SHORTER, fewer)))
        return 0;
    for (int i = 0; i < k; i++) {
        bool is_settled = ends;
        for (int j = 0; j < SHORTER && !is_settled; j++)
            is_settled = cabs(all[i] - fewer[j]) <= RITZ_SETTLED;
        if (is_settled)
            value[count++] = all[i];
    }
    return count;
}
