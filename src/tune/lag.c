/* lag.c - what a cut of a block does to its iteration, and to its steps.
 *
 * The cut entries A - B = D E' stand in few columns, E their unit vectors. With
 * Y = A^-1 D and K = E' Y, Woodbury's identity (Gustafsson 2021, (105), too)
 * gives
 *
 *     B^-1 D = Y (I - K)^-1,     G = B^-1 (B - A) = X E',  X = -Y (I - K)^-1
 *
 * so the eigenvalues of G that are not 0 are those of the small matrix H =
 * E' X, the norm of G is that of X, and G^k = X H^(k-1) E'. One LU of A a
 * sample serves all cuts of a block. The step with old values needs W = A^-1 C,
 * of which only the columns of states are not 0, and B^-1 C = W - X (E' W).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/lag.h"

#include <math.h>
#include <stdlib.h>

#include "graph/cuts.h"
#include "num/dense.h"
#include "tune/lag_internal.h"

LagOptions lag_defaults(void)
{
    return (LagOptions){.tolerance = 1e-6,
                        .most_iterations = 1000,
                        .most_edges = 2,
                        .most_cuts = 20,
                        .margin = 1e-3,
                        .work = 100000000};
}

int lag_edge(const LagBlock *b, const char *eqn, const char *var)
{
    for (int i = 0; i < b->n; i++) {
        if (strcmp(b->eqn[i], eqn) != 0)
            continue;
        for (int k = b->inc->start[i]; k < b->inc->start[i + 1]; k++)
            if (strcmp(b->var[b->inc->var[k]], var) == 0)
                return k;
    }
    return NONE;
}

int lag_eqn_of(const LagBlock *b, int edge)
{
    int low = 0, high = b->n;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (b->inc->start[mid] <= edge)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* ---- products with few columns ---- */

static LagColumns columns_new(int n, const bool *has, Arena *work)
{
    LagColumns c = {.n = n, .column = NEW_ARRAY(work, int, n + 1)};
    for (int j = 0; j < n; j++)
        if (has[j])
            c.column[c.nc++] = j;
    c.value = NEW_ARRAY(work, double, (size_t)n *(size_t)c.nc + 1);
    return c;
}

/* Rows of the columns themselves: nc * nc. */
static double *small_part(const LagColumns *x, Arena *work)
{
    int nc = x->nc;
    double *h = NEW_ARRAY(work, double, (size_t)nc *(size_t)nc + 1);
    for (int c = 0; c < nc; c++)
        for (int i = 0; i < nc; i++)
            h[i + c * nc] = x->value[x->column[i] + (size_t)c * (size_t)x->n];
    return h;
}

static double norm_of(const LagColumns *x)
{
    return dense_norm_2(x->n, x->nc, x->value);
}

/* value := value * h */
static void multiply(LagColumns *x, const double *h, double *row)
{
    for (int i = 0; i < x->n; i++) {
        for (int c = 0; c < x->nc; c++) {
            row[c] = 0;
            for (int k = 0; k < x->nc; k++)
                row[c] +=
                    x->value[i + (size_t)k * (size_t)x->n] * h[k + c * x->nc];
        }
        for (int c = 0; c < x->nc; c++)
            x->value[i + (size_t)c * (size_t)x->n] = row[c];
    }
}

static double radius_of(const LagColumns *x, Arena *work)
{
    return dense_spectral_radius(x->nc, small_part(x, work));
}

/* ---- what all cuts of a block share ---- */

static double *matrix_of(const LagBlock *b, int sample, Arena *arena)
{
    size_t n = (size_t)b->n;
    double *m = NEW_ARRAY(arena, double, n *n + 1);
    const double *value = b->value + (size_t)sample * (size_t)b->inc->nedge;
    for (int i = 0; i < b->n; i++)
        for (int k = b->inc->start[i]; k < b->inc->start[i + 1]; k++)
            m[(size_t)i + (size_t)b->inc->var[k] * n] = value[k];
    return m;
}

/* W = A^-1 C, and from the eigenvalues mu of R0 = -W what a step may grow by:
 * the model itself by exp(tau lambda), mu = 1/(1 - tau lambda). */
static void solve_old(const LagBlock *b, int sample, const bool *has,
                      LagPoint *p, Arena *arena)
{
    size_t n = (size_t)b->n;
    const double *old = b->old + (size_t)sample * n * n;
    p->w = columns_new(b->n, has, arena);
    for (int c = 0; c < p->w.nc; c++)
        for (size_t i = 0; i < n; i++)
            p->w.value[i + (size_t)c * n] = old[i + (size_t)p->w.column[c] * n];
    dense_lu_solve(b->n, p->lu, p->pivot, p->w.value, p->w.nc);
    Arena *work = arena_new();
    double *h = small_part(&p->w, work);
    double *re = NEW_ARRAY(work, double, 2 * n + 1), *im = re + n;
    p->own = p->allowed = INFINITY;
    if (dense_eigenvalues(p->w.nc, h, re, im)) {
        p->own = 0;
        p->allowed = 1;
        for (int i = 0; i < p->w.nc; i++) {
            double size = hypot(re[i], im[i]);
            p->own = fmax(p->own, size);
            if (size > 0)
                p->allowed = fmax(p->allowed, exp(1 + re[i] / (size * size)));
        }
        p->allowed = fmax(p->allowed, p->own);
    }
    arena_free(work);
}

/* The first sample with the numbers of sample s: those of a linear model are
 * all the same. */
static int first_like(const LagBlock *b, int s)
{
    size_t ne = (size_t)b->inc->nedge, nn = (size_t)b->n * (size_t)b->n;
    for (int k = 0; k < s; k++)
        if (!memcmp(b->value + (size_t)k * ne, b->value + (size_t)s * ne,
                    ne * sizeof *b->value) &&
            (!b->old || !memcmp(b->old + (size_t)k * nn,
                                b->old + (size_t)s * nn, nn * sizeof *b->old)))
            return k;
    return s;
}

LagBase *lag_base_new(const LagBlock *b, Arena *arena)
{
    size_t n = (size_t)b->n;
    LagBase *base = NEW(arena, LagBase);
    bool *has = NEW_ARRAY(arena, bool, n + 1);
    size_t total = b->old ? (size_t)b->nsample * n * n : 0;
    for (size_t k = 0; k < total; k++)
        if (b->old[k] != 0)
            has[k / n % n] = true;
    base->point = NEW_ARRAY(arena, LagPoint, b->nsample + 1);
    base->own_radius = b->old ? 0 : NAN;
    base->regular = true;
    for (int s = 0; s < b->nsample && base->regular; s++) {
        LagPoint *p = &base->point[s];
        p->same = first_like(b, s);
        if (p->same < s) {
            *p = base->point[p->same];
            continue;
        }
        p->lu = matrix_of(b, s, arena);
        p->pivot = NEW_ARRAY(arena, int, n + 1);
        base->regular = dense_lu_factor(b->n, p->lu, p->pivot);
        if (!base->regular || !b->old)
            continue;
        solve_old(b, s, has, p, arena);
        base->own_radius = fmax(base->own_radius, p->own);
    }
    return base;
}

/* ---- a cut in a sample ---- */

typedef struct Judge {
    const LagBlock *b;
    const LagBase *base;
    const LagOptions *o;
    const int *edge;
    int nedge;
    bool *column; /* size n: of the cut */
} Judge;

/* X of the sample; false if B is singular. */
static bool cut_columns(const Judge *j, int sample, LagColumns *x, Arena *work)
{
    const LagBlock *b = j->b;
    const LagPoint *p = &j->base->point[sample];
    const double *value = b->value + (size_t)sample * (size_t)b->inc->nedge;
    *x = columns_new(b->n, j->column, work);
    int nc = x->nc;
    for (int k = 0; k < j->nedge; k++)
        for (int c = 0; c < nc; c++)
            if (x->column[c] == b->inc->var[j->edge[k]]) {
                int i = lag_eqn_of(b, j->edge[k]);
                x->value[i + (size_t)c * (size_t)b->n] = value[j->edge[k]];
            }
    dense_lu_solve(b->n, p->lu, p->pivot, x->value, nc); /* Y */
    double *m = small_part(x, work);
    double *unit = NEW_ARRAY(work, double, (size_t)nc *(size_t)nc + 1);
    int *pivot = NEW_ARRAY(work, int, nc + 1);
    for (int k = 0; k < nc * nc; k++) {
        bool diagonal = k % (nc + 1) == 0;
        m[k] = (diagonal ? 1 : 0) - m[k]; /* I - K */
        unit[k] = diagonal ? -1 : 0;
    }
    double norm = dense_norm(nc, nc, m);
    if (!dense_lu_factor(nc, m, pivot) ||
        dense_lu_rcond(nc, m, pivot, norm) < 1e-14)
        return false;
    dense_lu_solve(nc, m, pivot, unit, nc); /* -(I - K)^-1 */
    multiply(x, unit, NEW_ARRAY(work, double, nc + 1));
    return true;
}

/* ---- between iterations ---- */

/* The smallest k with |G^k| <= tolerance. */
static int count_iterations(const Judge *j, LagColumns *x, Arena *work)
{
    double *h = small_part(x, work);
    double *row = NEW_ARRAY(work, double, x->nc + 1);
    for (int k = 1; k <= j->o->most_iterations; k++) {
        double norm = norm_of(x);
        if (norm <= j->o->tolerance)
            return k;
        if (!isfinite(norm))
            break;
        multiply(x, h, row);
    }
    return NONE;
}

/* `x` is used up. */
static void judge_iterate(const Judge *j, LagColumns *x, LagCut *cut,
                          Arena *work)
{
    double radius = radius_of(x, work);
    cut->norm = fmax(cut->norm, norm_of(x));
    cut->radius = fmax(cut->radius, radius);
    int n = radius < 1 ? count_iterations(j, x, work) : NONE;
    if (n == NONE)
        cut->iterations = NONE;
    else if (cut->iterations != NONE && n > cut->iterations)
        cut->iterations = n;
}

/* ---- between steps ---- */

/* R = -B^-1 (C + A - B) on the columns of C and of the cut: -W + X (E' W) and
 * X. */
static void judge_step(const Judge *j, int sample, const LagColumns *x,
                       LagCut *cut, Arena *work)
{
    const LagPoint *p = &j->base->point[sample];
    size_t n = (size_t)j->b->n;
    bool *has = NEW_ARRAY(work, bool, n + 1);
    for (int c = 0; c < p->w.nc; c++)
        has[p->w.column[c]] = true;
    for (int c = 0; c < x->nc; c++)
        has[x->column[c]] = true;
    LagColumns r = columns_new(j->b->n, has, work);
    int *place = NEW_ARRAY(work, int, n + 1);
    for (int c = 0; c < r.nc; c++)
        place[r.column[c]] = c;
    for (int c = 0; c < p->w.nc; c++) {
        double *to = r.value + (size_t)place[p->w.column[c]] * n;
        const double *w = p->w.value + (size_t)c * n;
        for (size_t i = 0; i < n; i++) {
            to[i] = -w[i];
            for (int k = 0; k < x->nc; k++)
                to[i] += x->value[i + (size_t)k * n] * w[x->column[k]];
        }
    }
    for (int c = 0; c < x->nc; c++) {
        double *to = r.value + (size_t)place[x->column[c]] * n;
        for (size_t i = 0; i < n; i++)
            to[i] += x->value[i + (size_t)c * n];
    }
    double radius = radius_of(&r, work);
    cut->step_radius = fmax(cut->step_radius, radius);
    cut->step_sound =
        cut->step_sound && radius <= p->allowed * (1 + j->o->margin);
}

/* ---- one cut ---- */

/* `steps`: judge old values between steps too. */
static bool judge_sample(const Judge *j, int sample, bool steps, LagCut *cut)
{
    Arena *work = arena_new();
    LagColumns x;
    bool regular = cut_columns(j, sample, &x, work);
    if (regular && steps)
        judge_step(j, sample, &x, cut, work);
    if (regular)
        judge_iterate(j, &x, cut, work);
    arena_free(work);
    return regular;
}

static int by_size(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

/* Does no block of two equations and more need another one's unknown? */
static bool is_parallel(const LagBlock *b, const bool *cut, const Blt *blt,
                        Arena *work)
{
    int *of_eqn = NEW_ARRAY(work, int, b->n + 1);
    int *of_var = NEW_ARRAY(work, int, b->n + 1);
    for (int c = 0; c < blt->nblock; c++)
        for (int k = blt->start[c]; k < blt->start[c + 1]; k++)
            of_eqn[blt->eqn[k]] = of_var[blt->var[k]] = c;
    for (int i = 0; i < b->n; i++)
        for (int k = b->inc->start[i]; k < b->inc->start[i + 1]; k++)
            if (!cut[k] && of_eqn[i] != of_var[b->inc->var[k]])
                return false;
    return true;
}

static void describe(const LagBlock *b, const int *edge, int nedge,
                     const bool *cut, const Blt *blt, LagCut *out, Arena *arena)
{
    int *copy = NEW_ARRAY(arena, int, nedge + 1);
    int *size = NEW_ARRAY(arena, int, blt->nblock + 1);
    out->eqn = NEW_ARRAY(arena, const char *, nedge + 1);
    out->var = NEW_ARRAY(arena, const char *, nedge + 1);
    for (int k = 0; k < nedge; k++) {
        copy[k] = edge[k];
        out->eqn[k] = b->eqn[lag_eqn_of(b, edge[k])];
        out->var[k] = b->var[b->inc->var[edge[k]]];
    }
    for (int c = 0; c < blt->nblock; c++)
        size[c] = blt->start[c + 1] - blt->start[c];
    qsort(size, (size_t)blt->nblock, sizeof *size, by_size);
    Arena *work = arena_new();
    out->parallel = is_parallel(b, cut, blt, work);
    arena_free(work);
    out->nedge = nedge;
    out->edge = copy;
    out->nblock = blt->nblock;
    out->size = size;
}

/* Multiplications: factors of dense blocks once, and k solutions with all
 * residuals. */
double lag_work(const LagBlock *b, const int *size, int nblock, int k)
{
    double factor = 0, solve = b->inc->nedge;
    for (int c = 0; c < nblock; c++) {
        double n = size[c];
        factor += n * n * n / 3;
        solve += n * n;
    }
    return k == NONE ? INFINITY : factor + k * solve;
}

bool lag_judge_with(const LagBlock *b, const LagBase *base, const int *edge,
                    int nedge, const LagOptions *o, bool steps, LagCut *cut,
                    Arena *arena)
{
    bool has_old = steps && b->old;
    *cut = (LagCut){.step_sound = has_old, .step_radius = has_old ? 0 : NAN};
    Arena *work = arena_new();
    const Blt *blt = cuts_blocks(b->inc, edge, nedge, work);
    bool ok = blt != NULL && base->regular;
    if (ok) {
        bool *is_cut = NEW_ARRAY(work, bool, b->inc->nedge + 1);
        Judge j = {b, base, o, edge, nedge, NEW_ARRAY(work, bool, b->n + 1)};
        for (int k = 0; k < nedge; k++) {
            is_cut[edge[k]] = true;
            j.column[b->inc->var[edge[k]]] = true;
        }
        describe(b, edge, nedge, is_cut, blt, cut, arena);
        for (int s = 0; s < b->nsample && ok; s++)
            if (base->point[s].same == s) /* all figures are maxima */
                ok = judge_sample(&j, s, has_old, cut);
        cut->work = lag_work(b, cut->size, cut->nblock, cut->iterations);
        cut->step_work = lag_work(b, cut->size, cut->nblock, 1);
    }
    arena_free(work);
    return ok;
}

bool lag_judge(const LagBlock *b, const int *edge, int nedge,
               const LagOptions *o, LagCut *cut, Arena *arena)
{
    Arena *work = arena_new();
    const LagBase *base = lag_base_new(b, work);
    bool ok = lag_judge_with(b, base, edge, nedge, o, true, cut, arena);
    arena_free(work);
    return ok;
}
