/* eliminate.c - a linear loop inside a chain, solved on handles.
 *
 * A y = -r(0), where A are the slopes of the equations and r(0) the residuals
 * at y = 0. The elimination of num/static_lu.c is carried out on handles of the
 * DAG, with pivots that are sound in every sample. The factors are kept: a
 * derivative of y needs another solution with them, and no derivative of the
 * elimination (jacobian.c),
 *
 *     A dy/dx = -(dr/dx)      with y held in r.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "num/static_lu.h"
#include "schedule/schedule_internal.h"

/* Code beyond this is better left to the iteration's own factorisation. Of
 * large loops it is first counted by one measure, whether the best order of all
 * is worth looking for: that is seldom better by a tenth. */
enum { MOST_FLOPS = 20000, LARGE = 200 };

/* Points around the first sample, besides the samples themselves. */
enum { PERTURBED = 8 };

/* Entries of the loop's matrix: the samples, then the points around. */
static bool evaluate(const Part *p, double *entry)
{
    const Maker *m = p->m;
    int nnz = p->inc->nedge, ns = m->samples->nsample;
    Arena *work = arena_new();
    Expr *root = NEW_ARRAY(work, Expr, nnz + 1);
    double *x = NEW_ARRAY(work, double, m->d->nvar + 1);
    for (int k = 0; k < nnz; k++)
        root[k] = m->slope[p->edge[k]];
    EdgesValues values = edges_values(m, root, nnz, work);
    for (int s = 0; s < ns; s++)
        edges_values_at(&values, m->samples->value[s],
                        entry + (size_t)s * (size_t)nnz);
    unsigned long long random = 1;
    for (int s = ns; s < ns + PERTURBED; s++) {
        edges_shake(m, &random, x);
        edges_values_at(&values, x, entry + (size_t)s * (size_t)nnz);
    }
    bool finite = true;
    for (size_t k = 0; k < (size_t)(ns + PERTURBED) * (size_t)nnz; k++)
        finite = finite && isfinite(entry[k]);
    arena_free(work);
    return finite;
}

typedef struct Matrix {
    int n, nnz, nsample;
    const int *row, *col;
    const double *entry;
} Matrix;

static bool is_hopeless(const Matrix *a, double limit)
{
    StaticLuCount count;
    return a->n > LARGE &&
           static_lu_count(a->n, a->nnz, a->row, a->col, a->entry, a->nsample,
                           limit, &count) &&
           count.flops > MOST_FLOPS + MOST_FLOPS / 10;
}

/* The pivots, from all points, as strong as they can be. */
static const StaticLu *choose_pivots(const Part *p, Arena *arena)
{
    const Maker *m = p->m;
    int nnz = p->inc->nedge, ns = m->samples ? m->samples->nsample : 0;
    if (ns == 0)
        return NULL;
    Arena *work = arena_new();
    int *row = NEW_ARRAY(work, int, nnz + 1);
    double *entry =
        NEW_ARRAY(work, double, (size_t)(ns + PERTURBED) * (size_t)nnz + 1);
    for (int i = 0; i < p->n; i++)
        for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++)
            row[k] = i;
    Matrix a = {p->n, nnz, ns + PERTURBED, row, p->inc->var, entry};
    const StaticLu *lu = NULL;
    bool search = evaluate(p, entry);
    for (double limit = 0.1; search && !lu && limit > 9e-5; limit /= 10) {
        search = !is_hopeless(&a, limit);
        lu = search ? static_lu_new(a.n, nnz, row, a.col, entry, a.nsample,
                                    limit, arena)
                    : NULL;
    }
    arena_free(work);
    return lu && lu->flops <= MOST_FLOPS ? lu : NULL;
}

static void factorise(Dag *d, const StaticLu *f, Expr *entry, Expr *inverse)
{
    const int *target = f->target;
    for (int k = 0; k < f->n; k++) {
        inverse[k] = expr_div(d, expr_real(d, 1), entry[f->pivot[k]]);
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            Expr l = entry[f->l[i]] = expr_mul(d, entry[f->l[i]], inverse[k]);
            for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++, target++)
                entry[*target] =
                    expr_sub(d, entry[*target], expr_mul(d, l, entry[f->u[j]]));
        }
    }
}

static Expr less(Dag *d, Expr b, Expr a, Expr x)
{
    return expr_sub(d, b, expr_mul(d, a, x));
}

static void substitute(Dag *d, const SchedLoop *loop, int block, Expr *rhs,
                       Expr *x)
{
    const StaticLu *f = loop->lu;
    const Expr *entry = loop->entry;
    int begin = f->start[block], end = f->start[block + 1];
    for (int k = begin; k < end; k++)
        for (int i = f->ostart[k]; i < f->ostart[k + 1]; i++)
            rhs[f->row[k]] =
                less(d, rhs[f->row[k]], entry[f->o[i]], x[f->ocol[i]]);
    for (int k = begin; k < end; k++)
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++)
            rhs[f->lrow[i]] =
                less(d, rhs[f->lrow[i]], entry[f->l[i]], rhs[f->row[k]]);
    for (int k = end - 1; k >= begin; k--) {
        Expr b = rhs[f->row[k]];
        for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++)
            b = less(d, b, entry[f->u[j]], x[f->ucol[j]]);
        x[f->col[k]] = expr_mul(d, b, loop->inverse[k]);
    }
}

void eliminate_apply(Dag *d, const SchedLoop *loop, Expr *rhs, Expr *x)
{
    for (int b = 0; b < loop->lu->nblock; b++)
        substitute(d, loop, b, rhs, x);
}

void eliminate_factor(Dag *d, const StaticLu *lu, const Expr *entry,
                      SchedLoop *loop, Arena *arena)
{
    loop->lu = lu;
    loop->nnz = lu->nnz;
    loop->flops = lu->flops;
    loop->entry = NEW_ARRAY(arena, Expr, lu->nentry + 1);
    loop->inverse = NEW_ARRAY(arena, Expr, lu->n + 1);
    for (int k = 0; k < lu->nentry; k++)
        loop->entry[k] = k < lu->nnz ? entry[k] : expr_real(d, 0);
    factorise(d, lu, loop->entry, loop->inverse);
}

/* -r(0) of every equation */
static void right_sides(const Part *p, Expr *rhs)
{
    Maker *m = p->m;
    Arena *work = arena_new();
    Expr zero = expr_real(m->dag, 0);
    ExprMap *map = expr_map_new(m->dag, NULL, NULL, work);
    for (int k = 0; k < p->n; k++)
        expr_map_fix(map, m->d->var[m->system->unknown[p->var[k]]].leaf, zero);
    for (int k = 0; k < p->n; k++)
        rhs[k] = expr_neg(m->dag, expr_map(map, m->residual[p->eqn[k]]));
    arena_free(work);
}

bool eliminate_slopes(Part *p, SchedLoop *loop)
{
    Maker *m = p->m;
    for (int k = 0; k < p->inc->nedge; k++)
        if (m->slope[p->edge[k]] == EXPR_NONE)
            return false;
    const StaticLu *lu = choose_pivots(p, m->work);
    if (!lu)
        return false;
    Expr *entry = NEW_ARRAY(m->work, Expr, lu->nnz + 1);
    for (int k = 0; k < lu->nnz; k++)
        entry[k] = m->slope[p->edge[k]];
    eliminate_factor(m->dag, lu, entry, loop, m->work);
    return true;
}

bool eliminate_solve(Part *p, SchedLoop *loop, Expr *value)
{
    Maker *m = p->m;
    for (int k = 0; k < p->n; k++)
        if (m->residual[p->eqn[k]] == EXPR_NONE)
            return false;
    if (!eliminate_slopes(p, loop))
        return false;
    Expr *rhs = NEW_ARRAY(m->work, Expr, p->n + 1);
    right_sides(p, rhs);
    eliminate_apply(m->dag, loop, rhs, value);
    return true;
}
