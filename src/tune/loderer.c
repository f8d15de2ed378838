/* loderer.c - traces of the change of a step, and what really happens.
 *
 * The matrices are those of the whole system, dense, in long double: with
 * B = L - tau Df and B~ = L - tau J, the change of the step is
 *
 *     eM = B~^-1 tau Df - B^-1 tau Df = -B~^-1 (B~ - B) B^-1 (L - B),
 *
 * where nothing cancels. On the space of cluster k it is M_kk = u_k B eM v_k,
 * since u_k B v_k = I; the first-order changes of its eigenvalues are those
 * from a_k to a_k + M_kk.
 *
 * A step that remembers n variables has n eigenvalues; single ones may be so
 * badly conditioned that a small change of the step is lost in the rounding of
 * its eigenvalues. How far
 * they can be believed is seen by computing them again in double: what that
 * changes, times the quotient of the two roundings.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/loderer.h"

#include <float.h>

#include "num/eigen.h"
#include "tune/assign.h"
#include "tune/tune_internal.h"

#define CAUTION 30 /* one sample of rounding may be a lucky one */

#define PI     3.14159265358979323846
#define SLOW   0.1  /* tau |mu| of a mode that no bound is taken from */
#define DAMPED 0.01 /* |lambda~| below which nobody sees a mode ring */

/* The whole step, exact and sparsed; n * n each. */
typedef struct Change {
    int n;
    const double *b; /* L - tau Df */
    Wide *exact;     /* B^-1 L */
    Wide *sparsed;   /* B~^-1 (L + B~ - B) */
    Wide *em;        /* eM */
    Wide *first;     /* B^-1 (B~ - B) */
} Change;

static bool solve(int n, const double *m, Wide *rhs, Arena *arena)
{
    size_t size = (size_t)n * (size_t)n;
    Wide *lu = NEW_ARRAY(arena, Wide, size + 1);
    int *pivot = NEW_ARRAY(arena, int, n + 1);
    for (size_t i = 0; i < size; i++)
        lu[i] = m[i];
    if (!wide_lu_factor(n, lu, pivot))
        return false;
    wide_lu_solve(n, lu, pivot, rhs, n);
    for (size_t i = 0; i < size; i++)
        if (!isfinite(rhs[i]))
            return false;
    return true;
}

static bool change_make(const PencilSet *p, int sample, double tau,
                        const bool *keep, const double *frozen, Change *c,
                        Arena *arena)
{
    int n = p->n;
    size_t size = (size_t)n * (size_t)n;
    const double *l = p->sample[sample].l;
    double *b = NEW_ARRAY(arena, double, size + 1);
    double *inexact = NEW_ARRAY(arena, double, size + 1);
    Wide *rest = NEW_ARRAY(arena, Wide, size + 1); /* B^-1 (L - B) */
    *c = (Change){n,
                  b,
                  NEW_ARRAY(arena, Wide, size + 1),
                  NEW_ARRAY(arena, Wide, size + 1),
                  NEW_ARRAY(arena, Wide, size + 1),
                  NEW_ARRAY(arena, Wide, size + 1)};
    pencil_iteration_matrix(p, sample, tau, NULL, NULL, b);
    pencil_iteration_matrix(p, sample, tau, keep, frozen, inexact);
    for (size_t i = 0; i < size; i++) {
        Wide delta = (Wide)inexact[i] - b[i];
        c->first[i] = delta;
        c->exact[i] = l[i];
        c->sparsed[i] = l[i] + delta;
        rest[i] = (Wide)b[i] - l[i];
    }
    Wide *delta = NEW_ARRAY(arena, Wide, size + 1);
    memcpy(delta, c->first, size * sizeof *delta);
    if (!solve(n, b, c->exact, arena) || !solve(n, b, c->first, arena) ||
        !solve(n, b, rest, arena) || !solve(n, inexact, c->sparsed, arena))
        return false;
    wide_product(n, n, n, delta, rest, c->em);
    return solve(n, inexact, c->em, arena);
}

static double trace_of_product(int n, const Wide *a, const Wide *b)
{
    Wide sum = 0;
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)n; j++)
            sum += a[i + j * (size_t)n] * b[j + i * (size_t)n];
    return (double)sum;
}

/* tr(B^-1 delta (I - B^-1 L)) */
static double linear_trace(const Change *c)
{
    Wide sum = -trace_of_product(c->n, c->first, c->exact);
    for (size_t i = 0; i < (size_t)c->n; i++)
        sum += c->first[i + i * (size_t)c->n];
    return (double)sum;
}

/* ---- sums over eigenvalues ---- */
/* Pairs two sets of eigenvalues. */
static void pair_up(int n, const WideComplex *from, const WideComplex *to,
                    int *pair, Arena *arena)
{
    double *cost = NEW_ARRAY(arena, double, (size_t)n *(size_t)n + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i + (size_t)j * (size_t)n] = (double)cabsl(from[i] - to[j]);
    assign_bottleneck(n, cost, pair);
}

/* The eigenvalues of an n * n matrix, by doubles if not is_wide. */
static bool values_of(int n, const Wide *m, bool is_wide, WideComplex *value)
{
    size_t size = (size_t)n * (size_t)n;
    Arena *local = arena_new();
    Wide *copy = NEW_ARRAY(local, Wide, size + 1);
    Wide *re = NEW_ARRAY(local, Wide, 2 * n + 1), *im = re + n;
    double *narrow = NEW_ARRAY(local, double, size + 1);
    double *x = NEW_ARRAY(local, double, 2 * n + 1), *y = x + n;
    for (size_t i = 0; i < size; i++) {
        copy[i] = m[i];
        narrow[i] = (double)m[i];
    }
    bool is_fine = is_wide ? eigen_values_wide(n, copy, re, im)
                           : eigen_values(n, narrow, x, y);
    for (int i = 0; i < n; i++)
        value[i] = is_wide ? CMPLXL(re[i], im[i]) : CMPLXL(x[i], y[i]);
    arena_free(local);
    return is_fine;
}

/* The sum of |change|^2 of the eigenvalues from a to a + m, both k * k. */
static double square_change(int k, const double *a, const double *m,
                            TuneCode *code)
{
    if (k == 1)
        return m[0] * m[0];
    Arena *local = arena_new();
    size_t size = (size_t)k * (size_t)k;
    Wide *before = NEW_ARRAY(local, Wide, size);
    Wide *after = NEW_ARRAY(local, Wide, size);
    WideComplex *from = NEW_ARRAY(local, WideComplex, k);
    WideComplex *to = NEW_ARRAY(local, WideComplex, k);
    int *pair = NEW_ARRAY(local, int, k);
    for (size_t i = 0; i < size; i++) {
        before[i] = a ? a[i] : 0;
        after[i] = before[i] + m[i];
    }
    if (!values_of(k, before, true, from) || !values_of(k, after, true, to))
        *code = TUNE_NO_CONVERGENCE;
    pair_up(k, from, to, pair, local);
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += pow((double)cabsl(from[i] - to[pair[i]]), 2);
    arena_free(local);
    return sum;
}

/* Of one cluster, and of the algebraic zeros with c NULL; `em` is eM. */
static double cluster_square(const Spectrum *s, const ModeCluster *c,
                             const double *b, const double *em, TuneCode *code)
{
    int n = s->n, ny = s->n - s->nx, m = c ? c->size : ny;
    Arena *local = arena_new();
    double *left = NEW_ARRAY(local, double, (size_t)m *(size_t)n + 1);
    double *moved = NEW_ARRAY(local, double, (size_t)m *(size_t)n + 1);
    double *small = NEW_ARRAY(local, double, (size_t)m *(size_t)m + 1);
    if (c) {
        matrix_product(m, n, n, c->u, b, left);
        matrix_product(m, n, n, left, em, moved);
        matrix_product(m, n, m, moved, c->v, small);
    } else { /* rows Df_22^-1 [Df_21, Df_22], columns of the algebraic ones */
        double *rows = NEW_ARRAY(local, double, (size_t)m *(size_t)n + 1);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < ny; i++)
                rows[i + (size_t)j * (size_t)ny] =
                    -b[s->nx + i + (size_t)j * (size_t)n] / s->tau;
        matrix_product(ny, ny, n, s->inverse, rows, left);
        matrix_product(ny, n, n, left, em, moved);
        memcpy(small, moved + (size_t)ny * (size_t)s->nx,
               (size_t)ny * (size_t)ny * sizeof *small);
    }
    double sum = square_change(m, c ? c->a : NULL, small, code);
    arena_free(local);
    return sum;
}

static double corrected_sum(const Spectrum *s, const Change *c, TuneCode *code)
{
    size_t size = (size_t)c->n * (size_t)c->n;
    Arena *local = arena_new();
    double *em = NEW_ARRAY(local, double, size + 1), sum = 0;
    for (size_t i = 0; i < size; i++)
        em[i] = (double)c->em[i];
    for (int k = 0; k < s->ncluster; k++)
        sum += cluster_square(s, &s->cluster[k], c->b, em, code);
    if (s->n > s->nx)
        sum += cluster_square(s, NULL, c->b, em, code);
    arena_free(local);
    return sum;
}

/* Is the mode nearest to this eigenvalue an oscillation? */
static bool is_oscillation(const Spectrum *s, double complex lambda)
{
    int best = NONE;
    for (int i = 0; i < s->nmode; i++)
        if (best == NONE || cabs(s->mode[i].lambda - lambda) <
                                cabs(s->mode[best].lambda - lambda))
            best = i;
    return best != NONE && s->mode[best].kind == MODE_OSCILLATORY;
}

/* d_r and its kin, from the eigenvalues of both steps; and the arguments. Both
 * are computed in the same way: ill-conditioned eigenvalues differ by more than
 * these sums from one way to another. */
static void real_changes(const Spectrum *s, const Change *c, bool is_wide,
                         Indicators *out)
{
    int n = c->n;
    Arena *local = arena_new();
    WideComplex *from = NEW_ARRAY(local, WideComplex, n + 1);
    WideComplex *to = NEW_ARRAY(local, WideComplex, n + 1);
    int *pair = NEW_ARRAY(local, int, n + 1);
    if (!values_of(n, c->exact, is_wide, from) ||
        !values_of(n, c->sparsed, is_wide, to))
        out->code = TUNE_NO_CONVERGENCE;
    pair_up(n, from, to, pair, local);
    WideComplex sum = 0;
    double square = 0;
    for (int i = 0; i < n && out->code == TUNE_FINE; i++) {
        WideComplex change = to[pair[i]] - from[i];
        double complex other = (double complex)to[pair[i]];
        double size = (double)cabsl(change);
        out->d_r += size;
        sum += change;
        square += size * size;
        if (cabs(other) > DAMPED && !is_oscillation(s, (double complex)from[i]))
            out->worst_argument = fmax(out->worst_argument, fabs(carg(other)));
    }
    out->abs_sum = (double)cabsl(sum);
    out->root_square = sqrt(square);
    out->is_ringing = out->worst_argument > PI / 2;
    arena_free(local);
}

/* How well d_r and root_square are known: never better than the eigenvalues
 * themselves, whose sum of sizes is `size`. */
static double rounding_of(const Spectrum *s, const Change *c,
                          const Indicators *wide)
{
    Indicators narrow = {.code = TUNE_FINE};
    real_changes(s, c, false, &narrow);
    double change = fmax(fabs(narrow.d_r - wide->d_r),
                         fabs(narrow.root_square - wide->root_square));
    double size = wide->d_r;
    for (int i = 0; i < s->nmode; i++)
        size += cabs(s->mode[i].lambda);
    return CAUTION * (change * (double)(LDBL_EPSILON / (Wide)DBL_EPSILON) +
                      size * (double)LDBL_EPSILON);
}

static void traces(const Change *c, Indicators *out)
{
    Wide trace = 0, size = 0;
    for (size_t i = 0; i < (size_t)c->n; i++) {
        Wide entry = c->em[i + i * (size_t)c->n];
        trace += entry;
        size += fabsl(entry);
    }
    out->d_s = fabs(linear_trace(c));
    out->d_s_printed = 2 * out->d_s; /* B^-1 (L + tau Df) = 2 B^-1 L - I */
    out->d_1 = (double)fabsl(trace);
    out->trace_rounding = DBL_EPSILON * (double)size;
    out->d_2_square = trace_of_product(c->n, c->em, c->em);
    out->d_2 = sqrt(fmax(0, out->d_2_square));
}

static void bounds(const Spectrum *s, Indicators *out)
{
    out->c1 = INFINITY;
    for (int i = 0; i < s->nmode; i++)
        if (s->mode[i].kind != MODE_SLOW || cabs(s->mode[i].mu) * s->tau > SLOW)
            out->c1 = fmin(out->c1, fabs(1 - cabs(s->mode[i].lambda)));
    out->c2 = out->c1 * out->c1;
}

Indicators loderer_indicators(const PencilSet *p, const Spectrum *s,
                              const bool *keep, const double *frozen)
{
    Indicators out = {.code = s->code};
    if (s->code != TUNE_FINE)
        return out;
    Arena *local = arena_new();
    Change change;
    if (!change_make(p, s->sample, s->tau, keep, frozen, &change, local))
        out.code = TUNE_SINGULAR;
    if (out.code == TUNE_FINE)
        real_changes(s, &change, true, &out);
    if (out.code == TUNE_FINE) {
        out.rounding = rounding_of(s, &change, &out);
        traces(&change, &out);
        out.d_2c = sqrt(corrected_sum(s, &change, &out.code));
    }
    arena_free(local);
    bounds(s, &out);
    out.fits_c1 = out.code == TUNE_FINE && out.d_1 <= out.c1;
    out.fits_c2 = out.code == TUNE_FINE && out.d_2c * out.d_2c <= out.c2;
    return out;
}
