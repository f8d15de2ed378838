/* complete.c - Gauss-Newton with minimum-norm steps.
 *
 * The factors are a complete orthogonal decomposition, J P = Q [L 0] Z of the
 * rank asked for: QR with column pivoting, then LQ of its leading rows. Where
 * the rank is that of all rows and all derivatives are free, as in a partition,
 * it is the structured RQ of rq.h.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/complete.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array/rq.h"
#include "base/lapack.h"

enum { MOST_ITERATIONS = 60, MOST_HALVINGS = 12, MOST_REUSED = 12 };
static const double SLOW = 0.3;        /* contraction with old factors */
static const double CONVERGED = 1e-13; /* of a correction, relative */
static const double RANK_TOLERANCE = 1e-12;
static const double FAR_APART = 1e10; /* rows of which one is lost beside
                                         another */

struct Complete {
    Array *a;
    const ArrayRows *rows; /* NULL: all of F_k */
    int k, m, n;           /* rows; all columns */
    int *first;            /* rows: order at which a column occurs, NONE */
    int nfree;
    int *free; /* columns that may move */
    int given; /* rank, or NONE */
    bool scaled;
    const double *unit; /* m: of the rows; NULL: 1 */
    double *jacobian;   /* m * n */
    double *f, *step, *trial;
    double *row_scale, *col_scale; /* m; n */
    double *size;                  /* m: of the terms of each row */
    /* factors */
    bool has_factors;
    int rank;
    double *q, *tau_q; /* m * nfree: R, reflectors */
    double *l, *tau_l; /* rank * nfree */
    lapack_int *pivot;
    Rq *rq;           /* NULL: the factors above are used */
    int *order;       /* free column of each of its columns */
    int *spare;       /* n: for the same */
    double tolerance; /* of a correction, relative */
    CompleteStats stats;
    Arena *arena;
};

static void set_column_scale(Complete *c)
{
    double factor = 1;
    for (int q = 0; q <= c->k + 1; q++) {
        for (int j = 0; j < c->a->n; j++)
            c->col_scale[q * c->a->n + j] = c->a->col[j].nominal * factor;
        factor *= (q + 1) / c->a->span;
    }
}

/* All derivatives and some of x, full row rank: (61). The free columns begin
 * with those of x. */
static void make_whole_rq(Complete *c, int first)
{
    if (!c->rq || c->rq->m != first)
        c->rq = rq_new(c->k, c->a->n, first, c->arena);
    for (int j = 0; j < c->nfree; j++)
        c->order[j] = j < c->m ? first + j : j - c->m;
}

/* The same for some rows: the columns that a block row is the first to need,
 * and where these are too few, of x or of those that were left over. */
static void make_rows_rq(Complete *c, int first)
{
    int size[ARRAY_MOST + 1] = {0}, at = 0, nspare = first;
    int *spare = c->spare;
    for (int i = 0; i < c->m; i++)
        size[c->rows->row[i] / c->a->n]++;
    for (int j = 0; j < first; j++)
        spare[j] = j;
    for (int b = 0, end = 0; b <= c->k; b++) {
        end += size[b];
        for (int j = first; j < c->nfree; j++) {
            if (c->first[c->free[j]] != b)
                continue;
            if (at < end)
                c->order[at++] = j;
            else
                spare[nspare++] = j;
        }
        while (at < end && nspare > 0)
            c->order[at++] = spare[--nspare];
    }
    while (nspare > 0)
        c->order[at++] = spare[--nspare];
    if (!c->rq || c->rq->ncol != c->nfree)
        c->rq = rq_new_blocks(c->k, size, c->nfree - c->m, c->arena);
}

static void make_rq(Complete *c)
{
    int first = 0;
    while (first < c->nfree && c->free[first] < c->a->n)
        first++;
    bool can = c->given == c->m && !c->scaled && first > 0;
    if (can && !c->rows && c->nfree - first == c->m)
        make_whole_rq(c, first);
    else if (can && c->rows && c->nfree >= c->m)
        make_rows_rq(c, first);
    else
        c->rq = NULL;
}

void complete_set_free(Complete *c, const bool *free, int rank)
{
    c->nfree = 0;
    for (int j = 0; j < c->n; j++)
        if (free[j] && (!c->first || j < c->a->n || c->first[j] != NONE))
            c->free[c->nfree++] = j;
    c->given = rank;
    c->has_factors = false;
    make_rq(c);
}

static Complete *allocate(Array *a, int k, const ArrayRows *rows, Arena *arena)
{
    Complete *c = NEW(arena, Complete);
    c->a = a;
    c->k = k;
    c->rows = rows;
    c->m = rows ? rows->nrow : (k + 1) * a->n;
    c->n = (k + 2) * a->n;
    c->tolerance = CONVERGED;
    c->arena = arena;
    size_t size = (size_t)c->m * (size_t)c->n;
    c->free = NEW_ARRAY(arena, int, c->n);
    c->order = NEW_ARRAY(arena, int, c->n);
    c->spare = NEW_ARRAY(arena, int, c->n);
    c->jacobian = NEW_ARRAY(arena, double, size);
    c->q = NEW_ARRAY(arena, double, size);
    c->l = NEW_ARRAY(arena, double, size);
    c->tau_q = NEW_ARRAY(arena, double, c->n);
    c->tau_l = NEW_ARRAY(arena, double, c->n);
    c->pivot = NEW_ARRAY(arena, lapack_int, c->n);
    c->f = NEW_ARRAY(arena, double, c->m);
    c->step = NEW_ARRAY(arena, double, c->n);
    c->trial = NEW_ARRAY(arena, double, c->n);
    c->row_scale = NEW_ARRAY(arena, double, c->m);
    c->col_scale = NEW_ARRAY(arena, double, c->n);
    c->size = NEW_ARRAY(arena, double, c->m);
    set_column_scale(c);
    return c;
}

Complete *complete_new(Array *a, int k, const bool *free, int rank, bool scaled,
                       Arena *arena)
{
    Complete *c = allocate(a, k, NULL, arena);
    c->scaled = scaled;
    complete_set_free(c, free, rank);
    return c;
}

/* The first order of a row in which each column stands. */
static void find_first(Complete *c)
{
    const Array *a = c->a;
    c->first = NEW_ARRAY(c->arena, int, c->n);
    for (int j = 0; j < c->n; j++)
        c->first[j] = NONE;
    for (int i = 0; i < a->nentry; i++) {
        const ArrayEntry *e = &a->entry[i];
        for (int q = 0; q <= c->k + 1; q++) {
            int order = e->is_der ? q - 1 : q,
                *at = &c->first[q * a->n + e->col];
            if (order <= c->rows->limit[e->row] && (*at == NONE || order < *at))
                *at = order < 0 ? 0 : order;
        }
    }
}

Complete *complete_new_rows(Array *a, const ArrayRows *rows, const bool *free,
                            int rank, bool scaled, Arena *arena)
{
    Complete *c = allocate(a, rows->k, rows, arena);
    c->scaled = scaled;
    find_first(c);
    complete_set_free(c, free, rank);
    return c;
}

void complete_set_tolerance(Complete *c, double tolerance)
{
    c->tolerance = tolerance;
}

void complete_forget(Complete *c)
{
    c->has_factors = false;
}

const CompleteStats *complete_stats(const Complete *c)
{
    return &c->stats;
}

/* ---- factors ---- */

static void find_residual(Complete *c, double t, const double *z)
{
    if (c->rows)
        array_residual_rows(c->a, c->rows, t, z, c->f);
    else
        array_residual(c->a, c->k, t, z, c->f);
}

static void find_jacobian(Complete *c, double t, const double *z)
{
    if (c->rows)
        array_jacobian_rows(c->a, c->rows, t, z, c->f, c->jacobian);
    else
        array_jacobian(c->a, c->k, t, z, c->f, c->jacobian);
}

/* The free columns of the Jacobian, scaled. Returns false if not finite. */
static bool take_columns(Complete *c)
{
    size_t m = (size_t)c->m;
    for (int i = 0; i < c->m; i++)
        c->row_scale[i] = c->scaled ? 0 : c->unit ? c->unit[i] : 1;
    for (int j = 0; j < c->nfree; j++) {
        const double *from = c->jacobian + (size_t)c->free[j] * m;
        double s = c->col_scale[c->free[j]];
        for (int i = 0; i < c->m; i++) {
            c->q[(size_t)j * m + (size_t)i] = s * from[i];
            if (!isfinite(from[i]))
                return false;
            if (c->scaled)
                c->row_scale[i] = fmax(c->row_scale[i], fabs(s * from[i]));
        }
    }
    for (int i = 0; i < c->m && c->scaled; i++)
        c->row_scale[i] = c->row_scale[i] > 0 ? 1 / c->row_scale[i] : 1;
    for (int j = 0; j < c->nfree && (c->scaled || c->unit); j++)
        for (int i = 0; i < c->m; i++)
            c->q[(size_t)j * m + (size_t)i] *= c->row_scale[i];
    return true;
}

static int rank_of(const Complete *c)
{
    int most = c->m < c->nfree ? c->m : c->nfree, rank = 0;
    if (c->given != NONE)
        return c->given < most ? c->given : most;
    double first = most > 0 ? fabs(c->q[0]) : 0;
    while (rank < most && fabs(c->q[(size_t)rank * (size_t)(c->m + 1)]) >
                              RANK_TOLERANCE * first)
        rank++;
    return rank;
}

static bool factorise_rq(Complete *c)
{
    for (int j = 0; j < c->nfree; j++) {
        const double *from = c->q + (size_t)c->order[j] * (size_t)c->m;
        for (int i = 0; i < c->m; i++)
            c->rq->a[(size_t)i * (size_t)c->nfree + (size_t)j] = from[i];
    }
    c->rank = c->m;
    return rq_factor(c->rq);
}

static void apply_rq(Complete *c)
{
    rq_solve(c->rq, c->f, c->trial);
    for (int j = 0; j < c->nfree; j++) {
        int col = c->free[c->order[j]];
        c->step[col] = c->col_scale[col] * c->trial[j];
    }
}

static bool factorise(Complete *c)
{
    c->has_factors = false;
    if (!take_columns(c))
        return false;
    c->stats.jacobians++;
    if (c->rq)
        return c->has_factors = factorise_rq(c);
    for (int j = 0; j < c->nfree; j++)
        c->pivot[j] = 0;
    if (lapack()->dgeqp3(LAPACK_COL_MAJOR, c->m, c->nfree, c->q, c->m, c->pivot,
                         c->tau_q) != 0)
        return false;
    int r = c->rank = rank_of(c);
    for (int j = 0; j < c->nfree; j++)
        for (int i = 0; i < r; i++)
            c->l[(size_t)j * (size_t)r + (size_t)i] =
                i <= j ? c->q[(size_t)j * (size_t)c->m + (size_t)i] : 0;
    if (r > 0 &&
        lapack()->dgelqf(LAPACK_COL_MAJOR, r, c->nfree, c->l, r, c->tau_l) != 0)
        return false;
    c->has_factors = true;
    return true;
}

double complete_condition(const Complete *c)
{
    double least = INFINITY, most = 0;
    if (c->rq)
        return 1 / rq_ratio(c->rq, &least, &most);
    for (int i = 0; i < c->rank; i++) {
        double x = fabs(c->q[(size_t)i * (size_t)(c->m + 1)]);
        least = fmin(least, x);
        most = fmax(most, x);
    }
    return c->rank == 0 ? 1 : least / most;
}

bool complete_finds(const Complete *c, int column)
{
    return !c->first || c->first[column] != NONE;
}

long complete_flops(const Complete *c)
{
    return c->rq ? c->rq->flops : 0;
}

double complete_estimate(const Complete *c)
{
    return c->rq ? rq_condition(c->rq) : 1 / complete_condition(c);
}

/* step := J^+ f, in the scale of z; f is destroyed. */
static bool apply(Complete *c)
{
    int r = c->rank;
    for (int j = 0; j < c->n; j++)
        c->step[j] = 0;
    if (r == 0)
        return true;
    if (c->rq)
        return apply_rq(c), true;
    int most = c->m > c->nfree ? c->m : c->nfree;
    double *b = c->trial; /* n >= m */
    for (int i = 0; i < most; i++)
        b[i] = i < c->m ? c->row_scale[i] * c->f[i] : 0;
    int reflectors = c->m < c->nfree ? c->m : c->nfree;
    if (lapack()->dormqr(LAPACK_COL_MAJOR, 'L', 'T', c->m, 1, reflectors, c->q,
                         c->m, c->tau_q, b, c->m))
        return false;
    for (int i = r; i < most; i++)
        b[i] = 0;
    if (lapack()->dtrtrs(LAPACK_COL_MAJOR, 'L', 'N', 'N', r, 1, c->l, r, b,
                         r) ||
        lapack()->dormlq(LAPACK_COL_MAJOR, 'L', 'T', c->nfree, 1, r, c->l, r,
                         c->tau_l, b, c->nfree))
        return false;
    for (int j = 0; j < c->nfree; j++) {
        int col = c->free[c->pivot[j] - 1];
        c->step[col] = c->col_scale[col] * b[j];
    }
    return true;
}

/* The largest correction, relative to the size of what it corrects. Higher
 * derivatives are nobody's result: they may be less exact. */
static double size_of_step(const Complete *c, const double *z)
{
    const double higher = c->tolerance > CONVERGED ? 1e-2 : 1;
    double most = 0;
    for (int j = 0; j < c->n; j++) {
        double x = fabs(c->step[j]) / fmax(c->col_scale[j], fabs(z[j]));
        x *= j < 2 * c->a->n ? 1 : higher;
        most = x > most || isnan(x) ? x : most;
    }
    return most;
}

bool complete_set_units(Complete *c, double t, const double *z)
{
    double *unit = NEW_ARRAY(c->arena, double, c->m), least = INFINITY,
           most = 0;
    find_jacobian(c, t, z);
    for (int i = 0; i < c->m; i++) {
        for (int j = 0; j < c->n; j++) {
            double x = c->jacobian[(size_t)j * (size_t)c->m + (size_t)i];
            unit[i] = fmax(unit[i], fabs(x) * c->col_scale[j]);
        }
        if (unit[i] == 0 || !isfinite(unit[i])) {
            unit[i] = 1;
            continue;
        }
        least = fmin(least, unit[i]);
        most = fmax(most, unit[i]);
        unit[i] = 1 / unit[i];
    }
    if (!(most > FAR_APART * least))
        return false;
    c->unit = unit;
    c->has_factors = false;
    return true;
}

/* ---- iterations ---- */

bool complete_solve(Complete *c, double t, double *z, bool reuse)
{
    double last = INFINITY;
    bool is_old = reuse && c->has_factors;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        if (!is_old) {
            find_jacobian(c, t, z);
            if (!factorise(c))
                return false;
        } else {
            find_residual(c, t, z);
        }
        c->stats.residuals++;
        if (!apply(c))
            return false;
        double size = size_of_step(c, z);
        if (!isfinite(size) || size > 1e12)
            return false;
        for (int j = 0; j < c->n; j++)
            z[j] -= c->step[j];
        c->stats.contraction = isfinite(last) && last > 0 ? size / last : 0;
        if (size < c->tolerance || (!is_old && size < 1e3 * c->tolerance &&
                                    c->stats.contraction > SLOW))
            return true; /* or as far as rounding goes */
        /* With old factors the iteration is Newton's simplified one; with new
         * ones that serve for a whole solve it is (17) from its start on. */
        is_old = reuse && c->stats.contraction < SLOW && i < MOST_REUSED;
        last = size;
    }
    return false;
}

bool complete_factor(Complete *c, double t, const double *z)
{
    find_jacobian(c, t, z);
    return factorise(c);
}

bool complete_frozen(Complete *c, double t, double *z)
{
    for (int i = 0; i < 10 * MOST_ITERATIONS; i++) {
        find_residual(c, t, z);
        if (!apply(c))
            return false;
        double size = size_of_step(c, z);
        for (int j = 0; j < c->n; j++)
            z[j] -= c->step[j];
        if (!isfinite(size) || size < CONVERGED)
            return isfinite(size);
    }
    return false;
}

/* ---- consistent values ---- */

/* The terms of each row at z: what is left over is to be small beside them. */
static void find_sizes(Complete *c, const double *z)
{
    for (int i = 0; i < c->m; i++)
        c->size[i] = 0;
    for (int j = 0; j < c->n; j++) {
        const double *x = c->jacobian + (size_t)j * (size_t)c->m;
        double scale = fmax(c->col_scale[j], fabs(z[j]));
        for (int i = 0; i < c->m; i++)
            c->size[i] = fmax(c->size[i], scale * fabs(x[i]));
    }
}

/* Largest residual beside the terms of its row. */
static double scaled_norm(const Complete *c, const double *f, int *worst)
{
    double most = 0;
    for (int i = 0; i < c->m; i++) {
        double x = c->size[i] > 0 ? fabs(f[i]) / c->size[i] : fabs(f[i]);
        if (x > most || isnan(x)) {
            most = x;
            *worst = i;
        }
        if (isnan(x))
            return INFINITY;
    }
    return most;
}

/* One damped step; returns the new norm of the residual, or that of before. */
static double damped_step(Complete *c, double t, double *z, double before,
                          double *moved, int *worst)
{
    double *trial = NEW_ARRAY(c->arena, double, c->n);
    double *f = NEW_ARRAY(c->arena, double, c->m), rho = 1;
    *moved = size_of_step(c, z);
    for (int h = 0; h < MOST_HALVINGS; h++, rho /= 2) {
        for (int j = 0; j < c->n; j++)
            trial[j] = z[j] - rho * c->step[j];
        array_residual(c->a, c->k, t, trial, f);
        c->stats.residuals++;
        double after = scaled_norm(c, f, worst);
        if (after <= before * (1 - 0.1 * rho) || after < 1e-14) {
            memcpy(z, trial, (size_t)c->n * sizeof *z);
            *moved *= rho;
            return after;
        }
    }
    return before;
}

/* Iterates until F_k = 0 or nothing helps; returns the scaled residual. */
static double relax(Complete *c, double t, double *z, int *iterations,
                    int *worst)
{
    double norm = INFINITY;
    for (int i = 0; i < MOST_ITERATIONS; i++) {
        double moved;
        find_jacobian(c, t, z);
        if (!factorise(c))
            return INFINITY;
        find_sizes(c, z);
        norm = scaled_norm(c, c->f, worst);
        if (!apply(c))
            return INFINITY;
        double after = damped_step(c, t, z, norm, &moved, worst);
        ++*iterations;
        bool is_small = norm < 1e-9 && moved < 1e-10;
        if (after < 1e-14 || is_small || !(after < 0.999 * norm))
            return fmin(after, norm);
        norm = after;
    }
    return norm;
}

/* What may move: derivatives always, x by stage, variables whose derivative
 * does not occur before the others. */
static void set_stage(const Array *a, int stage, int ncol, bool *free)
{
    for (int j = 0; j < ncol; j++)
        free[j] = j >= a->n || stage == 2;
    for (int j = 0; j < a->n && stage < 2; j++) {
        const ArrayColumn *c = &a->col[j];
        free[j] = c->order > 0 || !a->sys->var[c->var].fixed;
    }
    for (int i = 0; i < a->nentry && stage == 0; i++)
        if (a->entry[i].is_der && a->col[a->entry[i].col].order == 0)
            free[a->entry[i].col] = false;
}

/* With these columns free; z stays as it was if that leads nowhere. */
static void relax_free(Array *a, int k, double t, const bool *free, double *z,
                       Consistent *out)
{
    Arena *local = arena_new();
    int ncol = (k + 2) * a->n;
    double *start = NEW_ARRAY(local, double, ncol);
    memcpy(start, z, (size_t)ncol * sizeof *z);
    Complete *c = complete_new(a, k, free, NONE, true, local);
    out->residual = relax(c, t, z, &out->iterations, &out->worst_row);
    if (!isfinite(out->residual))
        memcpy(z, start, (size_t)ncol * sizeof *z);
    arena_free(local);
    out->found = out->residual < 1e-9;
}

Consistent array_make_consistent_at(Array *a, int k, double t, double *z,
                                    const bool *holds)
{
    Consistent out = {.residual = INFINITY, .moved_column = NONE};
    Arena *arena = arena_new();
    int ncol = (k + 2) * a->n;
    bool *free = NEW_ARRAY(arena, bool, ncol);
    for (int j = 0; j < ncol; j++)
        free[j] = j >= a->n || !holds[j];
    relax_free(a, k, t, free, z, &out);
    arena_free(arena);
    return out;
}

Consistent array_make_consistent(Array *a, int k, double t, double *z)
{
    Consistent out = {.residual = INFINITY, .moved_column = NONE};
    Arena *arena = arena_new();
    int ncol = (k + 2) * a->n;
    bool *free = NEW_ARRAY(arena, bool, ncol);
    for (int stage = 0; stage < 3 && !out.found; stage++) {
        set_stage(a, stage, ncol, free);
        out.stage = stage;
        relax_free(a, k, t, free, z, &out);
    }
    arena_free(arena);
    return out;
}
