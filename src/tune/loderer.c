/* loderer.c - traces of the change of a step, and what really happens.
 *
 * The matrices are those of the whole system, dense: with B = L - tau Df and
 * B~ = L - tau J, eM = (B~^-1 - B^-1) tau Df. On the space of cluster k it is
 * M_kk = u_k B eM v_k, since u_k B v_k = I; the first-order changes of its
 * eigenvalues are those from a_k to a_k + M_kk.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/loderer.h"

#include "num/dense.h"
#include "tune/assign.h"
#include "tune/step.h"
#include "tune/tune_internal.h"

#define PI     3.14159265358979323846
#define SLOW   0.1  /* tau |mu| of a mode that no bound is taken from */
#define DAMPED 0.01 /* |lambda~| below which nobody sees a mode ring */

/* The whole step, exact and sparsed. */
typedef struct Change {
    int n;
    double *b;     /* L - tau Df */
    double *exact; /* B^-1 L */
    double *em;    /* eM */
    double *delta; /* tau (Df - J) */
    double *first; /* B^-1 delta */
} Change;

static bool solve(int n, const double *m, double *rhs, Arena *arena)
{
    double *lu = NEW_ARRAY(arena, double, (size_t)n *(size_t)n + 1);
    int *pivot = NEW_ARRAY(arena, int, n + 1);
    memcpy(lu, m, (size_t)n * (size_t)n * sizeof *m);
    if (!dense_lu_factor(n, lu, pivot))
        return false;
    dense_lu_solve(n, lu, pivot, rhs, n);
    return all_finite(rhs, (size_t)n * (size_t)n);
}

static bool change_make(const PencilSet *p, int sample, double tau,
                        const bool *keep, const double *frozen, Change *c,
                        Arena *arena)
{
    int n = p->n;
    size_t size = (size_t)n * (size_t)n;
    const Pencil *at = &p->sample[sample];
    double *inexact = NEW_ARRAY(arena, double, size + 1);
    *c = (Change){n,
                  NEW_ARRAY(arena, double, size + 1),
                  NEW_ARRAY(arena, double, size + 1),
                  NEW_ARRAY(arena, double, size + 1),
                  NEW_ARRAY(arena, double, size + 1),
                  NEW_ARRAY(arena, double, size + 1)};
    pencil_iteration_matrix(p, sample, tau, NULL, NULL, c->b);
    pencil_iteration_matrix(p, sample, tau, keep, frozen, inexact);
    for (size_t i = 0; i < size; i++) {
        c->delta[i] = inexact[i] - c->b[i];
        c->first[i] = c->delta[i];
        c->exact[i] = at->l[i];
        c->em[i] = tau * at->df[i];
    }
    double *other = NEW_ARRAY(arena, double, size + 1);
    memcpy(other, c->em, size * sizeof *other);
    bool is_regular =
        solve(n, c->b, c->exact, arena) && solve(n, c->b, c->first, arena) &&
        solve(n, inexact, c->em, arena) && solve(n, c->b, other, arena);
    for (size_t i = 0; i < size; i++)
        c->em[i] -= other[i];
    return is_regular;
}

static double trace_of_product(int n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)n; j++)
            sum += a[i + j * (size_t)n] * b[j + i * (size_t)n];
    return sum;
}

/* tr(B^-1 delta (I - B^-1 L)) */
static double linear_trace(const Change *c)
{
    double sum = -trace_of_product(c->n, c->first, c->exact);
    for (size_t i = 0; i < (size_t)c->n; i++)
        sum += c->first[i + i * (size_t)c->n];
    return sum;
}

/* ---- sums over eigenvalues ---- */
/* Pairs two sets of eigenvalues. */
static void pair_up(int n, const double complex *from, const double complex *to,
                    int *pair, Arena *arena)
{
    double *cost = NEW_ARRAY(arena, double, (size_t)n *(size_t)n + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            cost[i + (size_t)j * (size_t)n] = cabs(from[i] - to[j]);
    assign_bottleneck(n, cost, pair);
}

/* The sum of |change|^2 of the eigenvalues from a to a + m, both k * k. */
static double square_change(int k, const double *a, const double *m,
                            TuneCode *code)
{
    if (k == 1)
        return m[0] * m[0];
    Arena *local = arena_new();
    size_t size = (size_t)k * (size_t)k;
    double *moved = NEW_ARRAY(local, double, size);
    double complex *from = NEW_ARRAY(local, double complex, k);
    double complex *to = NEW_ARRAY(local, double complex, k);
    int *pair = NEW_ARRAY(local, int, k);
    for (size_t i = 0; i < size; i++)
        moved[i] = (a ? a[i] : 0) + m[i];
    TuneCode first = a ? step_eigenvalues(k, a, from) : TUNE_FINE;
    TuneCode second = step_eigenvalues(k, moved, to);
    if (first != TUNE_FINE || second != TUNE_FINE)
        *code = TUNE_NO_CONVERGENCE;
    pair_up(k, from, to, pair, local);
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += pow(cabs(from[i] - to[pair[i]]), 2);
    arena_free(local);
    return sum;
}

/* Of one cluster, and of the algebraic zeros with c NULL. */
static double cluster_square(const Spectrum *s, const ModeCluster *c,
                             const Change *change, TuneCode *code)
{
    int n = s->n, ny = s->n - s->nx, m = c ? c->size : ny;
    Arena *local = arena_new();
    double *left = NEW_ARRAY(local, double, (size_t)m *(size_t)n + 1);
    double *moved = NEW_ARRAY(local, double, (size_t)m *(size_t)n + 1);
    double *small = NEW_ARRAY(local, double, (size_t)m *(size_t)m + 1);
    if (c) {
        matrix_product(m, n, n, c->u, change->b, left);
        matrix_product(m, n, n, left, change->em, moved);
        matrix_product(m, n, m, moved, c->v, small);
    } else { /* rows Df_22^-1 [Df_21, Df_22], columns of the algebraic ones */
        double *rows = NEW_ARRAY(local, double, (size_t)m *(size_t)n + 1);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < ny; i++)
                rows[i + (size_t)j * (size_t)ny] =
                    -change->b[s->nx + i + (size_t)j * (size_t)n] / s->tau;
        matrix_product(ny, ny, n, s->inverse, rows, left);
        matrix_product(ny, n, n, left, change->em, moved);
        memcpy(small, moved + (size_t)ny * (size_t)s->nx,
               (size_t)ny * (size_t)ny * sizeof *small);
    }
    double sum = square_change(m, c ? c->a : NULL, small, code);
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
static void real_changes(const PencilSet *p, const Spectrum *s,
                         const bool *keep, const double *frozen,
                         Indicators *out)
{
    Arena *local = arena_new();
    StepMatrix exact = step_matrix(p, s->sample, s->tau, 1, NULL, NULL, local);
    StepMatrix m = step_matrix(p, s->sample, s->tau, 1, keep, frozen, local);
    int count = m.n > exact.n ? m.n : exact.n;
    double complex *from = NEW_ARRAY(local, double complex, count + 1);
    double complex *to = NEW_ARRAY(local, double complex, count + 1);
    int *pair = NEW_ARRAY(local, int, count + 1);
    if (m.code == TUNE_FINE)
        m.code = exact.code;
    if (m.code == TUNE_FINE)
        m.code = step_eigenvalues(exact.n, exact.m, from);
    if (m.code == TUNE_FINE)
        m.code = step_eigenvalues(m.n, m.m, to);
    out->code = m.code;
    pair_up(count, from, to, pair, local);
    double complex sum = 0;
    double square = 0;
    for (int i = 0; i < count && out->code == TUNE_FINE; i++) {
        double complex other = to[pair[i]];
        double change = cabs(other - from[i]);
        out->d_r += change;
        sum += other - from[i];
        square += change * change;
        if (cabs(other) > DAMPED && !is_oscillation(s, from[i]))
            out->worst_argument = fmax(out->worst_argument, fabs(carg(other)));
    }
    out->abs_sum = cabs(sum);
    out->root_square = sqrt(square);
    out->is_ringing = out->worst_argument > PI / 2;
    arena_free(local);
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
    real_changes(p, s, keep, frozen, &out);
    Arena *local = arena_new();
    Change change;
    if (out.code == TUNE_FINE &&
        !change_make(p, s->sample, s->tau, keep, frozen, &change, local))
        out.code = TUNE_SINGULAR;
    if (out.code == TUNE_FINE) {
        out.d_s = fabs(linear_trace(&change));
        out.d_s_printed = 2 * out.d_s; /* B^-1 (L + tau Df) = 2 B^-1 L - I */
        double trace = 0;
        for (size_t i = 0; i < (size_t)p->n; i++)
            trace += change.em[i + i * (size_t)p->n];
        out.d_1 = fabs(trace);
        out.d_2_square = trace_of_product(p->n, change.em, change.em);
        out.d_2 = sqrt(fmax(0, out.d_2_square));
        double sum = 0;
        for (int k = 0; k < s->ncluster; k++)
            sum += cluster_square(s, &s->cluster[k], &change, &out.code);
        if (p->n > p->nx)
            sum += cluster_square(s, NULL, &change, &out.code);
        out.d_2c = sqrt(sum);
    }
    arena_free(local);
    bounds(s, &out);
    out.fits_c1 = out.code == TUNE_FINE && out.d_1 <= out.c1;
    out.fits_c2 = out.code == TUNE_FINE && out.d_2c * out.d_2c <= out.c2;
    return out;
}
