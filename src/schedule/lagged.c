/* lagged.c - who pays for old values.
 *
 * An equation that a plan gives old values (inline/lagged.c) is solved for one
 * variable v. With the new values it has r left over, and by itself would move
 * v by r / (dr/dv): that is what v is off by, as far as this equation goes. A
 * residual of a torn block need not have the unknown that it is paired with:
 * then v is another variable of the equation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "schedule/schedule_internal.h"

/* The variable that equation `eqn` gives, as an entry of the table, or NONE. */
static int given_by(const Schedule *s, int eqn)
{
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        for (int k = 0; k < b->nchain; k++)
            if (b->chain[k].eqn == eqn)
                return b->chain[k].var;
        for (int k = 0; k < b->ntorn; k++)
            if (b->residual_eqn[k] == eqn)
                return b->torn[k];
    }
    return NONE;
}

static int find_end_eqn(Maker *m, const char *name)
{
    for (int i = 0; i < m->system->neqn; i++) {
        const InlinedEqn *e = &m->system->eqn[i];
        if (e->kind == IE_MODEL && e->stage == DIFF_END &&
            !strcmp(inlined_eqn_name(m->d, e, m->work), name))
            return i;
    }
    return NONE;
}

/* dr/dv, by all names that v has in the equation; EXPR_NONE: there is none. */
static Expr slope_of(Maker *m, Expr r, int var)
{
    const InlinedSystem *system = m->system;
    Expr sum =
        expr_diff_of(expr_diff_new(m->dag, m->d->var[var].leaf, m->work), r);
    for (int i = 0; sum != EXPR_NONE && i < system->nalias; i++) {
        const InlinedAlias *a = &system->alias[i];
        if (a->target != var)
            continue;
        Expr part = expr_diff_of(
            expr_diff_new(m->dag, m->d->var[a->var].leaf, m->work), r);
        if (part == EXPR_NONE)
            return EXPR_NONE;
        sum = a->sign < 0 ? expr_sub(m->dag, sum, part)
                          : expr_add(m->dag, sum, part);
    }
    return sum;
}

/* What the equation has old values of moves nothing. */
static bool is_old(const InlinedLagged *d, Expr leaf)
{
    for (int k = 0; k < d->lag.n; k++)
        if (d->lag.at[k].now == leaf)
            return true;
    return false;
}

static int without_alias(const InlinedSystem *s, int var)
{
    for (int i = 0; i < s->nalias; i++)
        if (s->alias[i].var == var)
            return s->alias[i].target;
    return var;
}

typedef struct Leaves {
    Vec(Expr) leaf;
    Arena *arena;
} Leaves;

static void add_leaf(void *context, const Dag *d, Expr e)
{
    Leaves *l = context;
    if (expr_op(d, e) == EX_VAR)
        vec_push(l->arena, &l->leaf, e);
}

/* Variables that are no states first, then those that enter linearly. */
static int rank_of(const Maker *m, int var, Expr slope)
{
    double x;
    return 2 * !m->d->var[var].is_state + expr_is_const(m->dag, slope, &x);
}

/* The variable that pays, and dr/dv of it; NONE: there is none. */
static int find_payer(Maker *m, const Schedule *s, const InlinedLagged *d,
                      Expr *slope)
{
    int eqn = find_end_eqn(m, d->eqn), order, best = -1;
    int var = eqn == NONE ? NONE : given_by(s, eqn), found = NONE;
    Leaves all = {.arena = m->work};
    if (eqn == NONE)
        return NONE;
    if (var != NONE) {
        *slope = slope_of(m, d->residual, var);
        if (*slope != EXPR_NONE && !expr_is_zero(m->dag, *slope))
            return var;
    }
    expr_walk(m->dag, &d->residual, 1, add_leaf, &all);
    for (int i = 0; i < all.leaf.n; i++) {
        if (is_old(d, all.leaf.at[i]) ||
            !expr_is_var(m->dag, all.leaf.at[i], &var, &order) ||
            m->d->var[var].kind != IV_VALUE)
            continue;
        var = without_alias(m->system, var);
        Expr by = slope_of(m, d->residual, var);
        if (by == EXPR_NONE || expr_is_zero(m->dag, by) ||
            rank_of(m, var, by) <= best)
            continue;
        best = rank_of(m, var, by);
        found = var;
        *slope = by;
    }
    return found;
}

static void add_shares(Maker *m, const InlinedLagged *d, Expr slope,
                       SchedLagged *out)
{
    out->nlag = d->lag.n;
    out->share = NEW_ARRAY(m->arena, Expr, d->lag.n + 1);
    out->change = NEW_ARRAY(m->arena, Expr, d->lag.n + 1);
    for (int k = 0; k < d->lag.n; k++) {
        const InlinedLag *v = &d->lag.at[k];
        ExprDiff *by = expr_diff_new(m->dag, v->now, m->work);
        Expr part = expr_diff_of(by, d->residual);
        if (part == EXPR_NONE) {
            out->nlag = NONE;
            return;
        }
        out->share[k] = expr_div(m->dag, part, slope);
        out->change[k] = expr_sub(m->dag, v->now, v->old);
    }
}

void lagged_make(Maker *m, Schedule *s)
{
    const Inlined *d = m->d;
    if (!m->system->method || d->nlagged == 0)
        return;
    s->lagged = NEW_ARRAY(m->arena, SchedLagged, d->nlagged + 1);
    for (int i = 0; i < d->nlagged; i++) {
        Expr slope;
        int var = find_payer(m, s, &d->lagged[i], &slope);
        if (var == NONE)
            continue;
        SchedLagged *out = &s->lagged[s->nlagged++];
        out->var = var;
        out->correction = expr_div(m->dag, d->lagged[i].residual, slope);
        add_shares(m, &d->lagged[i], slope, out);
    }
}
