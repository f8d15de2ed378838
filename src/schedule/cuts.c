/* cuts.c - which entries of the iteration matrix the plan takes out.
 *
 * A cut names a row and a column of the matrix: an equation, the integration
 * formula "int(x)" or one of the model, and a variable; it holds for every
 * stage. Cuts of the equation itself (plan/cuts.def) were made in inline/.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "schedule/schedule_internal.h"

/* The cuts of a plan by the names of their equations. */
typedef struct Cut {
    const PlanCut *cut;
    int sys_var, order; /* of the column, resolved; NONE: no such variable */
    bool found;         /* an entry of the matrix */
} Cut;

struct Cuts {
    int n;
    Cut *cut;   /* ascending by name of the equation, then as in the plan */
    int *first; /* by equation of the system: its cuts ... */
    int *end;   /* ... are first .. end-1 */
};

static int by_name(const void *a, const void *b)
{
    const Cut *x = a, *y = b;
    int order = strcmp(x->cut->eqn, y->cut->eqn);
    return order ? order : (x->cut > y->cut) - (x->cut < y->cut);
}

/* The first cut whose equation is not before `name` (after: not the name). */
static int lower_bound(const Cuts *c, const char *name, bool after)
{
    int low = 0, high = c->n;
    while (low < high) {
        int mid = low + (high - low) / 2;
        int order = strcmp(c->cut[mid].cut->eqn, name);
        if (order < 0 || (after && order == 0))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Is the equation a row of the iteration matrix? A Rosenbrock method evaluates
 * the model beside it. */
static bool has_matrix_row(const Method *method, const InlinedEqn *e)
{
    return !method || method->kind != MK_ROSENBROCK || e->kind == IE_LINEAR ||
           e->kind == IE_INTEGRATION;
}

static Cuts *cuts_new(Maker *m)
{
    const Plan *plan = m->d->plan;
    int neqn = m->system->neqn;
    Cuts *c = NEW(m->work, Cuts);
    c->cut = NEW_ARRAY(m->work, Cut, plan->ncut + 1);
    c->first = NEW_ARRAY(m->work, int, neqn + 1);
    c->end = NEW_ARRAY(m->work, int, neqn + 1);
    for (int k = 0; k < plan->ncut; k++) {
        if (plan_cut_rule[plan->cut[k].kind].place != CUT_IN_MATRIX)
            continue;
        int order = 0, sign;
        int var = sys_find_quantity(m->d->sys, plan->cut[k].var, &order);
        if (var != NONE)
            var = sys_resolve(m->d->sys, var, &sign);
        c->cut[c->n++] = (Cut){&plan->cut[k], var, order, false};
    }
    if (c->n > 1)
        qsort(c->cut, (size_t)c->n, sizeof *c->cut, by_name);
    for (int i = 0; i < neqn && c->n > 0; i++) {
        InlinedEqn e = m->system->eqn[i];
        if (!has_matrix_row(m->system->method, &e))
            continue;
        e.stage = DIFF_END; /* a cut holds for all stages */
        if (e.kind == IE_LINEAR)
            e.kind = IE_MODEL;
        const char *name = inlined_eqn_name(m->d, &e, m->work);
        c->first[i] = lower_bound(c, name, false);
        c->end[i] = lower_bound(c, name, true);
    }
    return c;
}

static Cut *find_cut(Maker *m, int eqn, int entry)
{
    const Plan *plan = m->d->plan;
    if (!plan || plan->ncut == 0 || !m->system->method)
        return NULL;
    if (!m->cuts)
        m->cuts = cuts_new(m);
    const InlinedVar *v = &m->d->var[entry];
    for (int k = m->cuts->first[eqn]; k < m->cuts->end[eqn]; k++) {
        Cut *c = &m->cuts->cut[k];
        if (v->sys_var != NONE && c->sys_var == v->sys_var &&
            c->order == v->order)
            return c;
    }
    return NULL;
}

const PlanCut *cuts_of_plan(Maker *m, int eqn, int entry)
{
    Cut *c = find_cut(m, eqn, entry);
    if (!c)
        return NULL;
    c->found = true;
    return c->cut;
}

bool cuts_drop(Maker *m, int eqn, int entry)
{
    Cut *c = find_cut(m, eqn, entry);
    if (!c || plan_cut_rule[c->cut->kind].leaves != CUT_LEAVES_ZERO)
        return false;
    c->found = true;
    return true;
}

void cuts_report_unused(Maker *m)
{
    const Inlined *d = m->d;
    if (!m->cuts || d->ncycle == 0 || m->system != &d->system[d->cycle[0]])
        return; /* the systems of a start have the same names */
    for (int k = 0; k < m->cuts->n; k++) {
        const PlanCut *c = m->cuts->cut[k].cut;
        if (!m->cuts->cut[k].found)
            diag_report(m->diag, c->span, DIAG_W1203,
                        "the iteration matrix has no entry of '%s' by '%s' "
                        "with \"algebraic\": \"%s\"; the cut does nothing",
                        c->eqn, c->var,
                        plan_algebraic_name(m->options.algebraic));
    }
}
