/* dae.c - the F-matrices of multistep formulas in DAE form, by LAPACK. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "theory/dae.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/die.h"
#include "base/lapack.h"
#include "theory/theory_internal.h"

enum { N = 3, MOST = 2 * N * 16 };

typedef struct Pair { /* A x + B x' = 0, by columns */
    int n;
    double a[N * N], b[N * N];
} Pair;

static void checked(int info)
{
    if (info == LAPACK_WORK_MEMORY_ERROR)
        die("out of memory");
}

/* x := m^-1 x, ncol columns. */
static bool solve(const double *m, int n, double *x, int ncol)
{
    double lu[N * N];
    int pivot[N];
    memcpy(lu, m, sizeof(double) * (size_t)(n * n));
    int info = lapack()->dgesv(LAPACK_COL_MAJOR, n, ncol, lu, n, pivot, x, n);
    checked(info);
    return info == 0;
}

static void product(const double *a, const double *b, int n, double *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i + j * n] = 0;
            for (int k = 0; k < n; k++)
                c[i + j * n] += a[i + k * n] * b[k + j * n];
        }
}

static double largest(double *f, int n)
{
    double re[MOST], im[MOST], most = 0, none[1];
    int info = lapack()->dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, f, n, re, im,
                               none, 1, none, 1);
    checked(info);
    for (int i = 0; i < n; i++)
        most = fmax(most, hypot(re[i], im[i]));
    return info == 0 ? most : NAN;
}

/* Columns of F that belong to a past value with the weights b of B and a of A:
 * of x_{n+1}, and of w_{n+1} after it. */
static void put_past(double *f, int size, const Pair *p, const double *left,
                     const double *slope, double b, double a, int col,
                     int row_w)
{
    int n = p->n;
    double x[N * N], w[N * N];
    for (int i = 0; i < n * n; i++)
        x[i] = b * p->b[i] + a * p->a[i];
    if (!solve(left, n, x, n))
        return;
    product(slope, x, n, w);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            f[i + (col + j) * size] = x[i + j * n];
            if (row_w > 0)
                f[row_w + i + (col + j) * size] = w[i + j * n];
        }
}

/* The largest eigenvalue of F. has_slopes: w is part of the history. */
static double radius(const Method *m, const Pair *p, double h, bool has_slopes)
{
    int n = p->n, back = m->nback, half = back * n;
    int size = has_slopes ? 2 * half : half;
    double f[MOST * MOST], left[N * N], slope[N * N] = {0};
    assert(size <= MOST);
    memset(f, 0, sizeof(double) * (size_t)(size * size));
    for (int i = 0; i < n * n; i++)
        left[i] = m->alpha[0] * p->b[i] + h * m->beta[0] * p->a[i];
    if (has_slopes) {
        for (int i = 0; i < n * n; i++)
            slope[i] = -p->a[i];
        if (!solve(p->b, n, slope, n))
            return NAN;
    }
    for (int k = 1; k <= back; k++) {
        put_past(f, size, p, left, slope, -m->alpha[k],
                 m->kind == MK_ONELEG ? -h * m->beta[k] : 0, (k - 1) * n,
                 has_slopes ? half : 0);
        if (has_slopes)
            put_past(f, size, p, left, slope, h * m->beta[k], 0,
                     half + (k - 1) * n, half);
    }
    for (int part = 0; part < (has_slopes ? 2 : 1); part++)
        for (int i = n; i < half; i++)
            f[part * half + i + (part * half + i - n) * size] = 1;
    return largest(f, size);
}

/* (8.17) to (8.25): the part of a singular B that has derivatives. */
static bool reduce(Pair *p, int rank)
{
    int n = p->n, rest = n - rank;
    double u[N * N], s[N], vt[N * N], work[N], b[N * N], t[N * N], a[N * N];
    double v[N * N], ut[N * N];
    memcpy(b, p->b, sizeof b);
    checked(lapack()->dgesvd(LAPACK_COL_MAJOR, 'A', 'A', n, n, b, n, s, u, n,
                             vt, n, work));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            v[i + j * n] = vt[j + i * n];
            ut[i + j * n] = u[j + i * n];
        }
    product(ut, p->a, n, t);
    product(t, v, n, a);
    double a22[N * N], z[N * N];
    for (int i = 0; i < rest; i++) {
        for (int j = 0; j < rest; j++)
            a22[i + j * rest] = a[rank + i + (rank + j) * n];
        for (int j = 0; j < rank; j++)
            z[i + j * rest] = a[rank + i + j * n];
    }
    if (!solve(a22, rest, z, rank))
        return false;
    memset(p->b, 0, sizeof p->b);
    for (int i = 0; i < rank; i++) {
        for (int j = 0; j < rank; j++) {
            p->a[i + j * rank] = a[i + j * n];
            for (int k = 0; k < rest; k++)
                p->a[i + j * rank] -= a[i + (rank + k) * n] * z[k + j * rest];
        }
        p->b[i + i * rank] = s[i];
    }
    p->n = rank;
    return true;
}

typedef struct DaeCase {
    const char *name;
    int n, rank;
    double b[N * N]; /* by columns; of 3 rows: made of mix */
    bool as_it_is;   /* singular, and not reduced */
} DaeCase;

static const DaeCase dae_case[DAE_TESTS] = {
    {"B = I", 2, 2, {1, 0, 0, 1}, false},
    {"B = [2 1; -1 3]", 2, 2, {2, -1, 1, 3}, false},
    {"B = [1 1000; 0 1]", 2, 2, {1, 0, 1000, 1}, false},
    {"B = [1 1; 1 1.0001]", 2, 2, {1, 1, 1, 1.0001}, false},
    {"B of 3 rows, reduced by (8.25)", 3, 2, {0}, false},
    {"B of 3 rows, as it is", 3, 2, {0}, true},
};

/* M = L K R: L mixes the equations and R the unknowns of z' = S z,
 * 0 = z1 - 2 z2 + z3. */
static void mix(const double *k, double *m)
{
    static const double l[N * N] = {1, 2, 0, -1, 1, 3, 0, 1, 2};
    static const double r[N * N] = {2, 1, 0, 0, 1, 1, 1, -1, 3};
    double t[N * N];
    product(l, k, N, t);
    product(t, r, N, m);
}

/* The pair with eigenvalues on the unit circle, (8.14). */
static Pair pair_of(const DaeCase *c, double angle)
{
    Pair p = {.n = c->n};
    double s[4] = {0, -1, 1, 2 * cos(angle)};
    if (c->n == 2) {
        memcpy(p.b, c->b, sizeof p.b);
        product(c->b, s, 2, p.a);
        for (int i = 0; i < 4; i++)
            p.a[i] = -p.a[i];
        return p;
    }
    const double derivatives[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    const double values[N * N] = {-s[0], -s[1], 1, -s[2], -s[3], -2, 0, 0, 1};
    mix(derivatives, p.b);
    mix(values, p.a);
    return p;
}

static double condition_of(const DaeCase *c)
{
    Pair p = pair_of(c, 1);
    double s[N], none[1], work[N];
    checked(lapack()->dgesvd(LAPACK_COL_MAJOR, 'N', 'N', c->n, c->n, p.b, c->n,
                             s, none, 1, none, 1, work));
    return s[0] / s[c->rank - 1];
}

static bool has_slopes(const Method *m)
{
    for (int k = 1; k <= m->nback; k++)
        if (m->beta[k] != 0 && m->kind == MK_MULTISTEP)
            return true;
    return false;
}

static double difference_at(const Method *m, const DaeCase *c, double angle,
                            double h)
{
    Pair p = pair_of(c, angle);
    bool slopes = has_slopes(m);
    if (c->rank < c->n && (!c->as_it_is || slopes) && !reduce(&p, c->rank))
        return NAN;
    double want = theory_growth(m, h * cos(angle), h * sin(angle));
    if (p.n > c->rank && m->kind == MK_ONELEG)   /* what is algebraic follows */
        want = fmax(want, multistep_far_out(m)); /* the roots of sigma */
    double got = radius(m, &p, h, slopes);
    return fabs(got - want) / want;
}

void dae_test(const Method *m, DaeTest test[DAE_TESTS])
{
    const double pi = acos(-1);
    for (int k = 0; k < DAE_TESTS; k++) {
        const DaeCase *c = &dae_case[k];
        test[k] = (DaeTest){c->name, c->rank, condition_of(c), 0};
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 10; j++) {
                double d = difference_at(m, c, pi * (i + 0.5) / 40,
                                         0.05 * pow(2.2, j));
                test[k].difference = d <= test[k].difference
                                         ? test[k].difference
                                         : d; /* not a number stays */
            }
    }
}
