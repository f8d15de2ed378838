/* factor.c - elimination on expressions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/factor.h"

/* The loops of num/static_lu.c, on handles. */
static void eliminate(Dag *d, const StaticLu *f, Expr *entry, Expr *inverse)
{
    const int *target = f->target;
    Expr one = expr_real(d, 1);
    for (int k = 0; k < f->n; k++) {
        inverse[k] = expr_div(d, one, entry[f->pivot[k]]);
        for (int i = f->lstart[k]; i < f->lstart[k + 1]; i++) {
            Expr m = entry[f->l[i]] = expr_mul(d, entry[f->l[i]], inverse[k]);
            for (int j = f->ustart[k]; j < f->ustart[k + 1]; j++, target++) {
                Expr change = expr_mul(d, m, entry[f->u[j]]);
                entry[*target] = expr_sub(d, entry[*target], change);
            }
        }
    }
}

static Expr less(Dag *d, Expr b, Expr a, Expr x)
{
    return expr_sub(d, b, expr_mul(d, a, x));
}

static void substitute(Dag *d, const StaticLu *f, int block, const Expr *entry,
                       const Expr *inverse, Expr *rhs, Expr *x)
{
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
        x[f->col[k]] = expr_mul(d, b, inverse[k]);
    }
}

void factor_unroll(Dag *dag, SchedBlock *b, const StaticLu *lu, Arena *arena)
{
    Arena *local = arena_new();
    Expr *entry = NEW_ARRAY(local, Expr, lu->nentry + 1);
    Expr *inverse = NEW_ARRAY(local, Expr, lu->n);
    Expr *rhs = NEW_ARRAY(local, Expr, lu->n);
    Expr zero = expr_real(dag, 0);
    for (int k = 0; k < lu->nentry; k++)
        entry[k] = k < lu->nnz ? b->jac.value[k] : zero;
    for (int i = 0; i < lu->n; i++)
        rhs[i] = b->residual[i];
    b->delta = NEW_ARRAY(arena, Expr, lu->n);
    eliminate(dag, lu, entry, inverse);
    for (int k = 0; k < lu->nblock; k++)
        substitute(dag, lu, k, entry, inverse, rhs, b->delta);
    arena_free(local);
}
