/* scale.c - questions that runs ask of the equations: of which size quantities
 * are, who reads an expression, whether functions may be called again. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "inline/inlined.h"

bool inlined_has_scale(const Inlined *d, int entry)
{
    const InlinedVar *v = &d->var[entry];
    return v->kind == IV_VALUE && v->stage == DIFF_END && !v->is_discrete;
}

double inlined_state_scale(const Inlined *d, int entry, double start)
{
    int v = d->var[entry].sys_var;
    double x = 0;
    if (v == NONE || d->var[entry].order > 0 ||
        d->sys->var[v].nominal == EXPR_NONE ||
        !expr_is_const(d->dag, d->sys->var[v].nominal, &x) || x == 0)
        return 0;
    return fmax(fabs(x), isfinite(start) ? fabs(start) : 0);
}

int inlined_entry_of(const Inlined *d, Expr leaf)
{
    int var = NONE, order = 0;
    return expr_is_var(d->dag, leaf, &var, &order) && var < d->nvar ? var
                                                                    : NONE;
}

double inlined_band_scale(const Inlined *d, int relation)
{
    Expr now = d->relation[relation].now;
    Arena *work = arena_new();
    Expr *leaf;
    double scale = 1, x = 0;
    int n = expr_leaves(d->dag, now, &leaf, work);
    for (int i = 0; i < n; i++) {
        int k = inlined_entry_of(d, leaf[i]);
        if (k == NONE || d->var[k].sys_var == NONE)
            continue;
        Expr e = d->sys->var[d->var[k].sys_var].nominal;
        if (e != EXPR_NONE && expr_is_const(d->dag, e, &x) && x != 0)
            scale = fmin(scale, fabs(x));
    }
    arena_free(work);
    return scale;
}

bool inlined_is_number(const Inlined *d, int relation, int side)
{
    Arena *work = arena_new();
    Expr *leaf;
    bool is = true;
    int n = expr_leaves(
        d->dag, expr_arg(d->dag, d->relation[relation].now, side), &leaf, work);
    for (int i = 0; i < n; i++) {
        int k = inlined_entry_of(d, leaf[i]);
        is &= k != NONE && d->var[k].kind == IV_PARAMETER;
    }
    arena_free(work);
    return is;
}

const InlinedEqn *inlined_find_reader(const Inlined *d, Expr part)
{
    const InlinedSystem *s = &d->system[d->event];
    for (int i = 0; i < s->neqn; i++)
        if (expr_contains(d->dag, s->eqn[i].lhs, part) ||
            expr_contains(d->dag, s->eqn[i].rhs, part))
            return &s->eqn[i];
    return NULL;
}

bool inlined_has_effects(const Inlined *d)
{
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(d->dag, i)); i++)
        if (f->is_impure || f->foreign)
            return true;
    return false;
}

bool inlined_delay_varies(const Inlined *d, int i)
{
    Arena *local = arena_new();
    Expr *leaf, time = d->delay[i].delay;
    int var, order, n = expr_leaves(d->dag, time, &leaf, local);
    bool varies = expr_has_op(d->dag, time, EX_TIME);
    for (int k = 0; k < n; k++)
        varies |= expr_is_var(d->dag, leaf[k], &var, &order) &&
                  d->var[var].kind != IV_PARAMETER;
    arena_free(local);
    return varies;
}
