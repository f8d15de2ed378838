/* cuts.c - which entries of the iteration matrix the plan takes out.
 *
 * A cut names an equation of the model and a variable, and holds for every
 * stage. Cuts of kind "step" changed the equation itself, in inline/.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "schedule/schedule_internal.h"

/* Does the name of the equation, without its stage, equal `name`? */
static bool has_name(Maker *m, int eqn, const char *name)
{
    DiffEqn e = m->system->eqn[eqn];
    e.stage = DIFF_END;
    return strcmp(diff_eqn_name(m->d, &e, m->work), name) == 0;
}

static void find_all(Maker *m)
{
    const Plan *plan = m->d->plan;
    int n = m->system->neqn;
    m->cut_of_eqn = NEW_ARRAY(m->work, int, n + 1);
    for (int i = 0; i < n; i++) {
        m->cut_of_eqn[i] = NONE;
        for (int k = plan->ncut - 1; k >= 0; k--)
            if (plan->cut[k].kind != CUT_STEP &&
                has_name(m, i, plan->cut[k].eqn))
                m->cut_of_eqn[i] = k;
    }
}

const PlanCut *cuts_of_plan(Maker *m, int eqn, int entry)
{
    const Plan *plan = m->d->plan;
    if (!plan || plan->ncut == 0 || !m->system->method)
        return NULL;
    if (!m->cut_of_eqn)
        find_all(m);
    int first = m->cut_of_eqn[eqn];
    if (first == NONE)
        return NULL;
    const DiffVar *v = &m->d->var[entry];
    if (v->sys_var == NONE)
        return NULL;
    for (int k = first; k < plan->ncut; k++) {
        const PlanCut *c = &plan->cut[k];
        if (c->kind == CUT_STEP || !has_name(m, eqn, c->eqn))
            continue;
        int sign, at = sys_find_var(m->d->sys, c->var);
        if (at != NONE && sys_resolve(m->d->sys, at, &sign) == v->sys_var)
            return c;
    }
    return NULL;
}
