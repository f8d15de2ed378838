/* delay.c - what a cut of a block does to its iteration, and to its steps.
 *
 * B - A has few columns that are not 0, those of the cut unknowns: with E their
 * unit vectors, G = B^-1 (B - A) = X E' for X = B^-1 (B - A) E. So the
 * eigenvalues of G that are not 0 are those of the small matrix H = E' X, the
 * norm of G is that of X, and G^k = X H^(k-1) E'. One LU of B a sample is all
 * that depends on the size of the block. The same holds for the step with old
 * values, whose columns are those of C and of the cut.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/delay.h"

#include <math.h>
#include <stdlib.h>

#include "graph/cuts.h"
#include "num/dense.h"
#include "tune/delay_internal.h"

DelayOptions delay_defaults(void)
{
    return (DelayOptions){.tolerance = 1e-6,
                          .most_iterations = 1000,
                          .most_edges = 2,
                          .most_cuts = 20,
                          .margin = 1e-3,
                          .work = 100000000};
}

int delay_edge(const DelayBlock *b, const char *eqn, const char *var)
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

/* --- products with few columns ----------------------------------------------
 */

/* A matrix of n rows whose only columns are column[0 .. nc-1]. */
typedef struct Columns {
    int n, nc;
    int *column;   /* size nc, ascending */
    double *value; /* n * nc */
} Columns;

static Columns columns_new(int n, const bool *has, Arena *work)
{
    Columns c = {.n = n, .column = NEW_ARRAY(work, int, n + 1)};
    for (int j = 0; j < n; j++)
        if (has[j])
            c.column[c.nc++] = j;
    c.value = NEW_ARRAY(work, double, (size_t)n *(size_t)c.nc + 1);
    return c;
}

/* Rows of the columns themselves: nc * nc. */
static double *small_part(const Columns *x, Arena *work)
{
    int nc = x->nc;
    double *h = NEW_ARRAY(work, double, (size_t)nc *(size_t)nc + 1);
    for (int c = 0; c < nc; c++)
        for (int i = 0; i < nc; i++)
            h[i + c * nc] = x->value[x->column[i] + (size_t)c * (size_t)x->n];
    return h;
}

static double norm_of(const Columns *x, Arena *work)
{
    size_t size = (size_t)x->n * (size_t)x->nc;
    double *copy = NEW_ARRAY(work, double, size + 1);
    double *s = NEW_ARRAY(work, double, x->n + 1);
    memcpy(copy, x->value, size * sizeof *copy);
    if (x->nc == 0)
        return 0;
    return dense_svd(x->n, x->nc, copy, s, NULL, NULL) ? s[0] : INFINITY;
}

/* value := value * h */
static void multiply(Columns *x, const double *h, double *row)
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

static double radius_of(const Columns *x, Arena *work)
{
    return dense_spectral_radius(x->nc, small_part(x, work));
}

/* --- the matrices of a sample
 * -------------------------------------------------- */

typedef struct Judge {
    const DelayBlock *b;
    const DelayOptions *o;
    const bool *cut;   /* size nedge */
    bool *cut_column;  /* size n */
    bool *old_column;  /* size n: of C, in any sample */
    bool *both_column; /* size n */
} Judge;

/* A, or B if `cut` is given. */
static double *matrix_of(const DelayBlock *b, int sample, const bool *cut,
                         Arena *work)
{
    size_t n = (size_t)b->n;
    double *m = NEW_ARRAY(work, double, n *n + 1);
    const double *value = b->value + (size_t)sample * (size_t)b->inc->nedge;
    for (int i = 0; i < b->n; i++)
        for (int k = b->inc->start[i]; k < b->inc->start[i + 1]; k++)
            if (!cut || !cut[k])
                m[(size_t)i + (size_t)b->inc->var[k] * n] = value[k];
    return m;
}

/* Adds factor * (A - B) to the columns. */
static void add_cut(const Judge *j, int sample, double factor, Columns *to)
{
    const DelayBlock *b = j->b;
    const double *value = b->value + (size_t)sample * (size_t)b->inc->nedge;
    for (int c = 0; c < to->nc; c++)
        for (int i = 0; i < b->n; i++) {
            int k = incidence_find(b->inc, i, to->column[c]);
            if (k != NONE && j->cut[k])
                to->value[i + (size_t)c * (size_t)b->n] += factor * value[k];
        }
}

static void add_old(const Judge *j, int sample, double factor, Columns *to)
{
    size_t n = (size_t)j->b->n;
    const double *old = j->b->old + (size_t)sample * n * n;
    for (int c = 0; c < to->nc; c++)
        for (size_t i = 0; i < n; i++)
            to->value[i + (size_t)c * n] +=
                factor * old[i + (size_t)to->column[c] * n];
}

/* --- between iterations
 * ----------------------------------------------------------- */

/* The smallest k with |G^k| <= tolerance. */
static int count_iterations(const Judge *j, Columns *x, Arena *work)
{
    double *h = small_part(x, work);
    double *row = NEW_ARRAY(work, double, x->nc + 1);
    for (int k = 1; k <= j->o->most_iterations; k++) {
        Arena *local = arena_new();
        double norm = norm_of(x, local);
        arena_free(local);
        if (norm <= j->o->tolerance)
            return k;
        if (!isfinite(norm))
            break;
        multiply(x, h, row);
    }
    return NONE;
}

static void judge_iterate(const Judge *j, int sample, const double *lu,
                          const int *pivot, DelayCut *cut, Arena *work)
{
    Columns x = columns_new(j->b->n, j->cut_column, work);
    add_cut(j, sample, -1, &x); /* B - A */
    dense_lu_solve(x.n, lu, pivot, x.value, x.nc);
    double radius = radius_of(&x, work);
    cut->norm = fmax(cut->norm, norm_of(&x, work));
    cut->radius = fmax(cut->radius, radius);
    int n = radius < 1 ? count_iterations(j, &x, work) : NONE;
    if (n == NONE)
        cut->iterations = NONE;
    else if (cut->iterations != NONE && n > cut->iterations)
        cut->iterations = n;
}

/* --- between steps
 * ------------------------------------------------------------------ */

/* Of R0 = -A^-1 C in a sample; NaN where that is not known. */
static double own_radius(const Judge *j, int sample)
{
    if (!j->b->old)
        return NAN;
    Arena *work = arena_new();
    double *m = matrix_of(j->b, sample, NULL, work);
    int *pivot = NEW_ARRAY(work, int, j->b->n + 1);
    double radius = INFINITY;
    if (dense_lu_factor(j->b->n, m, pivot)) {
        Columns x = columns_new(j->b->n, j->old_column, work);
        add_old(j, sample, -1, &x);
        dense_lu_solve(x.n, m, pivot, x.value, x.nc);
        radius = radius_of(&x, work);
    }
    arena_free(work);
    return radius;
}

static void judge_step(const Judge *j, int sample, const double *lu,
                       const int *pivot, DelayCut *cut, Arena *work)
{
    if (!j->b->old) {
        cut->step_radius = NAN;
        cut->step_sound = false;
        return;
    }
    Columns x = columns_new(j->b->n, j->both_column, work);
    add_old(j, sample, -1, &x);
    add_cut(j, sample, -1, &x);
    dense_lu_solve(x.n, lu, pivot, x.value, x.nc);
    double radius = radius_of(&x, work);
    double allowed = fmax(1, own_radius(j, sample)) * (1 + j->o->margin);
    cut->step_radius = fmax(cut->step_radius, radius);
    cut->step_sound = cut->step_sound && radius <= allowed;
}

/* --- one cut
 * ----------------------------------------------------------------------------
 */

static bool judge_sample(const Judge *j, int sample, DelayCut *cut)
{
    Arena *work = arena_new();
    double *m = matrix_of(j->b, sample, j->cut, work);
    int *pivot = NEW_ARRAY(work, int, j->b->n + 1);
    bool regular = dense_lu_factor(j->b->n, m, pivot);
    if (regular) {
        judge_iterate(j, sample, m, pivot, cut, work);
        judge_step(j, sample, m, pivot, cut, work);
    }
    arena_free(work);
    return regular;
}

static int by_size(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x < y) - (x > y);
}

/* Does no block of two equations and more need another one's unknown? */
static bool is_parallel(const DelayBlock *b, const bool *cut, const Blt *blt,
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

static void describe(const DelayBlock *b, const int *edge, int nedge,
                     const bool *cut, const Blt *blt, DelayCut *out,
                     Arena *arena)
{
    int *copy = NEW_ARRAY(arena, int, nedge + 1);
    int *size = NEW_ARRAY(arena, int, blt->nblock + 1);
    out->eqn = NEW_ARRAY(arena, const char *, nedge + 1);
    out->var = NEW_ARRAY(arena, const char *, nedge + 1);
    for (int k = 0; k < nedge; k++) {
        int i = 0;
        copy[k] = edge[k];
        while (b->inc->start[i + 1] <= edge[k])
            i++;
        out->eqn[k] = b->eqn[i];
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
double delay_work(const DelayBlock *b, const int *size, int nblock, int k)
{
    double factor = 0, solve = b->inc->nedge;
    for (int c = 0; c < nblock; c++) {
        double n = size[c];
        factor += n * n * n / 3;
        solve += n * n;
    }
    return k == NONE ? INFINITY : factor + k * solve;
}

static void find_columns(Judge *j, Arena *work)
{
    const DelayBlock *b = j->b;
    size_t n = (size_t)b->n;
    j->cut_column = NEW_ARRAY(work, bool, n + 1);
    j->old_column = NEW_ARRAY(work, bool, n + 1);
    j->both_column = NEW_ARRAY(work, bool, n + 1);
    for (int k = 0; k < b->inc->nedge; k++)
        if (j->cut && j->cut[k])
            j->cut_column[b->inc->var[k]] = true;
    size_t total = b->old ? (size_t)b->nsample * n * n : 0;
    for (size_t k = 0; k < total; k++)
        if (b->old[k] != 0)
            j->old_column[k / n % n] = true;
    for (size_t c = 0; c < n; c++)
        j->both_column[c] = j->cut_column[c] || j->old_column[c];
}

bool delay_judge(const DelayBlock *b, const int *edge, int nedge,
                 const DelayOptions *o, DelayCut *cut, Arena *arena)
{
    *cut = (DelayCut){.step_sound = true};
    Arena *work = arena_new();
    const Blt *blt = cuts_blocks(b->inc, edge, nedge, work);
    bool ok = blt != NULL;
    if (ok) {
        bool *is_cut = NEW_ARRAY(work, bool, b->inc->nedge + 1);
        for (int k = 0; k < nedge; k++)
            is_cut[edge[k]] = true;
        Judge j = {.b = b, .o = o, .cut = is_cut};
        find_columns(&j, work);
        describe(b, edge, nedge, is_cut, blt, cut, arena);
        for (int s = 0; s < b->nsample && ok; s++)
            ok = judge_sample(&j, s, cut);
        cut->work = delay_work(b, cut->size, cut->nblock, cut->iterations);
        cut->step_work = delay_work(b, cut->size, cut->nblock, 1);
    }
    arena_free(work);
    return ok;
}

double delay_own_radius(const DelayBlock *b, const DelayOptions *o)
{
    Arena *work = arena_new();
    Judge j = {.b = b, .o = o};
    find_columns(&j, work);
    double most = b->old ? 0 : NAN;
    for (int s = 0; s < b->nsample; s++)
        most = b->old ? fmax(most, own_radius(&j, s)) : NAN;
    arena_free(work);
    return most;
}
