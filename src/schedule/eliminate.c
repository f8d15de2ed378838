/* eliminate.c - a linear loop inside of a chain, solved on handles.
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

/* Code beyond this is better left to the iteration's own factorisation. */
enum { MOST_FLOPS = 20000 };

/* The pivots, from all samples, as strong as they can be. */
static const StaticLu *choose_pivots(const Part *p, Arena *arena)
{
    const Maker *m = p->m;
    int nnz = p->inc->nedge, ns = m->value ? m->samples->nsample : 0;
    if (ns == 0)
        return NULL;
    Arena *work = arena_new();
    int *row = NEW_ARRAY(work, int, nnz + 1);
    double *entry = NEW_ARRAY(work, double, (size_t)ns *(size_t)nnz + 1);
    bool finite = true;
    for (int i = 0; i < p->n; i++)
        for (int k = p->inc->start[i]; k < p->inc->start[i + 1]; k++)
            row[k] = i;
    for (int s = 0; s < ns; s++)
        for (int k = 0; k < nnz; k++) {
            double x = m->value[(size_t)s * (size_t)m->inc->nedge +
                                (size_t)p->edge[k]];
            entry[(size_t)s * (size_t)nnz + (size_t)k] = x;
            finite = finite && isfinite(x);
        }
    const StaticLu *lu = NULL;
    for (double limit = 0.1; finite && !lu && limit > 9e-5; limit /= 10)
        lu =
            static_lu_new(p->n, nnz, row, p->inc->var, entry, ns, limit, arena);
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

void eliminate_apply(Dag *d, const SchedLoop *loop, Expr *rhs, Expr *x)
{
    const StaticLu *f = loop->lu;
    for (int k = 0; k < f->n; k++)
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            Expr part = expr_mul(d, loop->entry[f->l[i]], rhs[f->row[k]]);
            rhs[f->lrow[i]] = expr_sub(d, rhs[f->lrow[i]], part);
        }
    for (int k = f->n - 1; k >= 0; k--) {
        Expr b = rhs[f->row[k]];
        for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++)
            b = expr_sub(d, b,
                         expr_mul(d, loop->entry[f->u[j]], x[f->ucol[j]]));
        x[f->col[k]] = expr_mul(d, b, loop->inverse[k]);
    }
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

bool eliminate_solve(Part *p, SchedLoop *loop, Expr *value)
{
    Maker *m = p->m;
    const StaticLu *lu = choose_pivots(p, m->work);
    for (int k = 0; k < p->n; k++)
        if (m->residual[p->eqn[k]] == EXPR_NONE)
            return false;
    if (!lu)
        return false;
    loop->lu = lu;
    loop->nnz = lu->nnz;
    loop->flops = lu->flops;
    loop->entry = NEW_ARRAY(m->work, Expr, lu->nentry + 1);
    loop->inverse = NEW_ARRAY(m->work, Expr, lu->n + 1);
    for (int k = 0; k < lu->nentry; k++)
        loop->entry[k] =
            k < lu->nnz ? m->slope[p->edge[k]] : expr_real(m->dag, 0);
    Expr *rhs = NEW_ARRAY(m->work, Expr, p->n + 1);
    right_sides(p, rhs);
    factorise(m->dag, lu, loop->entry, loop->inverse);
    eliminate_apply(m->dag, loop, rhs, value);
    return true;
}
