/* step.c - the step as a matrix, over the variables it remembers.
 *
 * The columns of L + tau (Df - J) that are remembered are the right-hand sides
 * of as many sparse solutions; of each solution the remembered rows are kept.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/step.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "num/eigen.h"
#include "tune/tune_internal.h"

enum { MOST_ORDER = 8 };

static bool is_exact(const PencilSet *p, int k, const bool *keep,
                     const double *frozen, size_t at)
{
    if (frozen && !isnan(frozen[k]))
        return false;
    if (!keep || keep[k])
        return true;
    for (int s = 0; s < p->nsample; s++)
        if (p->sample[s].df[at] != 0)
            return false;
    return true;
}

/* States, then the other columns with an inexact entry; returns how many. */
static int find_remembered(const PencilSet *p, const bool *keep,
                           const double *frozen, int *var)
{
    int count = 0;
    for (int j = 0; j < p->n; j++) {
        bool is_remembered = j < p->nx;
        for (int k = p->start[j]; k < p->start[j + 1] && !is_remembered; k++)
            is_remembered =
                !is_exact(p, k, keep, frozen,
                          (size_t)p->row[k] + (size_t)j * (size_t)p->n);
        if (is_remembered)
            var[count++] = j;
    }
    return count;
}

/* m (count * count) of one step of linearly implicit Euler. */
static TuneCode euler_matrix(const PencilSet *p, int s, double tau,
                             const bool *keep, const double *frozen,
                             const int *var, int count, double *m, int *bad)
{
    Arena *local = arena_new();
    size_t n = (size_t)p->n;
    const Pencil *at = &p->sample[s];
    double *b = NEW_ARRAY(local, double, n *n + 1);
    double *rhs = NEW_ARRAY(local, double, n + 1);
    pencil_iteration_matrix(p, s, tau, keep, frozen, b);
    if (!all_finite(b, n * n) || !all_finite(at->df, n * n)) {
        arena_free(local);
        return TUNE_NOT_FINITE;
    }
    Sparse *f = sparse_factor(p->n, b, bad);
    TuneCode code = f ? TUNE_FINE : TUNE_SINGULAR;
    for (int c = 0; c < count && code == TUNE_FINE; c++) {
        /* column of L + tau (Df - J) = B + tau Df */
        size_t from = (size_t)var[c] * n;
        for (size_t i = 0; i < n; i++)
            rhs[i] = b[from + i] + tau * at->df[from + i];
        for (int k = p->start[var[c]]; k < p->start[var[c] + 1]; k++)
            if ((!keep || keep[k]) && !(frozen && !isnan(frozen[k])))
                rhs[p->row[k]] = at->l[from + (size_t)p->row[k]];
        sparse_solve(f, rhs);
        for (int r = 0; r < count; r++)
            m[r + (size_t)c * (size_t)count] = rhs[var[r]];
    }
    sparse_free(f);
    arena_free(local);
    if (code == TUNE_FINE && !all_finite(m, (size_t)count * (size_t)count))
        code = TUNE_SINGULAR;
    return code;
}

/* Adds w_j m(tau/j)^j for j = 1 .. order. */
static TuneCode extrapolate(const PencilSet *p, int s, double tau, int order,
                            const bool *keep, const double *frozen,
                            const int *var, int count, double *sum, int *bad)
{
    Arena *local = arena_new();
    size_t size = (size_t)count * (size_t)count;
    double *m = NEW_ARRAY(local, double, size + 1);
    double *power = NEW_ARRAY(local, double, size + 1);
    double *next = NEW_ARRAY(local, double, size + 1);
    TuneCode code = TUNE_FINE;
    for (int j = 1; j <= order && code == TUNE_FINE; j++) {
        code = euler_matrix(p, s, tau / j, keep, frozen, var, count, m, bad);
        memcpy(power, m, size * sizeof *m);
        for (int i = 1; i < j; i++) {
            matrix_product(count, count, count, m, power, next);
            double *old = power;
            power = next;
            next = old;
        }
        double weight = 1;
        for (int i = 1; i <= order; i++)
            weight *= i == j ? 1 : (double)j / (j - i);
        for (size_t i = 0; i < size; i++)
            sum[i] += weight * power[i];
    }
    if (code == TUNE_FINE && !all_finite(sum, size))
        code = TUNE_SINGULAR;
    arena_free(local);
    return code;
}

StepMatrix step_matrix(const PencilSet *p, int s, double tau, int order,
                       const bool *keep, const double *frozen, Arena *arena)
{
    assert(order <= MOST_ORDER);
    if (p->n == 0)
        return (StepMatrix){.bad = NONE};
    int *var = NEW_ARRAY(arena, int, p->n + 1);
    int count = find_remembered(p, keep, frozen, var);
    double *m = NEW_ARRAY(arena, double, (size_t)count *(size_t)count + 1);
    int bad = NONE;
    TuneCode code =
        order > 1
            ? extrapolate(p, s, tau, order, keep, frozen, var, count, m, &bad)
            : euler_matrix(p, s, tau, keep, frozen, var, count, m, &bad);
    if (code != TUNE_FINE)
        return (StepMatrix){.code = code, .bad = bad};
    return (StepMatrix){TUNE_FINE, count, var, m, NONE};
}

static int larger_first(const void *a, const void *b)
{
    double complex x = *(const double complex *)a;
    double complex y = *(const double complex *)b;
    double ax = cabs(x), ay = cabs(y);
    if (ax != ay)
        return ax > ay ? -1 : 1;
    if (creal(x) != creal(y))
        return creal(x) > creal(y) ? -1 : 1;
    return cimag(x) == cimag(y) ? 0 : cimag(x) > cimag(y) ? -1 : 1;
}

TuneCode step_eigenvalues(int n, const double *m, double complex *value)
{
    for (int i = 0; i < n; i++)
        value[i] = 0;
    if (n == 0)
        return TUNE_FINE;
    size_t size = (size_t)n * (size_t)n;
    if (!all_finite(m, size))
        return TUNE_NOT_FINITE;
    Arena *local = arena_new();
    double *copy = NEW_ARRAY(local, double, size);
    double *re = NEW_ARRAY(local, double, n);
    double *im = NEW_ARRAY(local, double, n);
    memcpy(copy, m, size * sizeof *m);
    bool is_fine = eigen_values(n, copy, re, im) && all_finite(re, (size_t)n) &&
                   all_finite(im, (size_t)n);
    for (int i = 0; i < n && is_fine; i++)
        value[i] = CMPLX(re[i], im[i]);
    arena_free(local);
    if (!is_fine)
        return TUNE_NO_CONVERGENCE;
    qsort(value, (size_t)n, sizeof *value, larger_first);
    return TUNE_FINE;
}

double step_radius(int n, const double *m, TuneCode *code)
{
    Arena *local = arena_new();
    double complex *value = NEW_ARRAY(local, double complex, n + 1);
    *code = step_eigenvalues(n, m, value);
    double radius = cabs(value[0]);
    arena_free(local);
    return radius;
}
