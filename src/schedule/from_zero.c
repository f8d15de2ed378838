/* from_zero.c - linear blocks as they are where all iteration variables are 0.
 *
 * One solution from anywhere is the same, up to rounding. From 0 on the chain
 * and the residuals have none of the terms with iteration variables in them: a
 * machine is left with gravity and gyroscopic forces, no accelerations. What
 * the block had before is not asked for, so it need not be kept.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

static bool may_begin_at_zero(const Maker *m, const SchedBlock *b)
{
    if ((b->kind != SK_CONSTANT && b->kind != SK_LINEAR) || b->nloop > 0 ||
        b->ninvariant > 0 || !m->options.jacobian)
        return false;
    for (int k = 0; k < b->ntorn; k++) {
        const InlinedVar *v = &m->d->var[b->torn[k]];
        if (v->kind != IV_VALUE || v->correction != EXPR_NONE)
            return false;
    }
    return true;
}

void from_zero_make(Maker *m, SchedBlock *b)
{
    if (!may_begin_at_zero(m, b))
        return;
    ExprMap *map = expr_map_new(m->dag, NULL, NULL, m->work);
    for (int k = 0; k < b->ntorn; k++)
        expr_map_fix(map, m->d->var[b->torn[k]].leaf, expr_real(m->dag, 0));
    SchedAssign *chain = NEW_ARRAY(m->arena, SchedAssign, b->nchain + 1);
    Expr *residual = NEW_ARRAY(m->arena, Expr, b->ntorn + 1);
    for (int k = 0; k < b->nchain; k++) {
        chain[k] = b->chain[k];
        chain[k].value = expr_map(map, b->chain[k].value);
    }
    for (int k = 0; k < b->ntorn; k++)
        residual[k] = expr_map(map, b->residual[k]);
    b->chain_from_zero = chain;
    b->residual_from_zero = residual;
}
