/* lagged.c - who pays for old values.
 *
 * An equation that a plan gives old values (inline/lagged.c) is solved for one
 * variable v. With the new values it has r left over, and by itself would move
 * v by r / (dr/dv): that is what v is off by, as far as this equation goes.
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

void lagged_make(Maker *m, Schedule *s)
{
    const Inlined *d = m->d;
    if (!m->system->method || d->nlagged == 0)
        return;
    s->lagged = NEW_ARRAY(m->arena, SchedLagged, d->nlagged + 1);
    for (int i = 0; i < d->nlagged; i++) {
        int eqn = find_end_eqn(m, d->lagged[i].eqn);
        int var = eqn == NONE ? NONE : given_by(s, eqn);
        Expr r = d->lagged[i].residual;
        Expr slope = var == NONE ? EXPR_NONE : slope_of(m, r, var);
        if (slope == EXPR_NONE || expr_is_zero(m->dag, slope))
            continue;
        s->lagged[s->nlagged++] =
            (SchedLagged){var, expr_div(m->dag, r, slope)};
    }
}
