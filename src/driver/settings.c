/* settings.c - command line over plan over annotation over default. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/settings.h"

#include <math.h>

/* Equations and structure are looked at for the sake of the step that is
 * built. */
static PlanGoal plan_goal(StepGoal goal)
{
    return goal == STEP_HOST || goal == STEP_REFERENCE ? PLAN_DESK
                                                       : PLAN_REALTIME;
}

/* Without an annotation StopTime is 1 and the step StopTime / 500. */
static void decide_times(Compilation *c, const DriverOptions *o, Plan *p)
{
    const FlatExperiment *e = &c->flat->experiment;
    c->start = e->has_start ? e->start : 0;
    c->stop = !isnan(o->stop) ? o->stop : e->has_stop ? e->stop : c->start + 1;
    if (!p->has[PLAN_STEP])
        p->step = e->has_interval       ? e->interval
                  : c->stop == c->start ? 1 /* there is no step to make */
                                        : (c->stop - c->start) / 500;
    c->size = p->step;
}

/* Bdf2 and the like begin with what has fewer steps. */
static bool check_buildup(const Compilation *c, const Plan *p)
{
    bool builds = c->method->kind == MK_MULTISTEP && c->method->start;
    if (!p->order_buildup || builds)
        return true;
    diag_report(c->diag, p->where[PLAN_ORDER_BUILDUP], DIAG_E1208,
                "'order_buildup' is for methods that begin with another one, "
                "not for %s",
                c->method->name);
    return false;
}

/* At the desk, --static too, a step is looked at in full. */
static void decide_watch(const DriverOptions *o, const Method *m, Plan *p)
{
    if (o->goal == STEP_STATIC && !p->has[PLAN_DEFECT])
        p->defect = PD_FULL;
    if (!p->has[PLAN_ESTIMATE] || o->estimate == PE_CONTROL)
        p->estimate = o->estimate;
    if (o->estimate == PE_CONTROL &&
        (p->control == PC_DOUBLING ||
         (p->control == PC_ORDERS && !m->stage_weight)))
        p->estimate = PE_OFF;
    if (o->estimate == PE_CONTROL && !p->has[PLAN_DEFECT])
        p->defect = PD_OFF; /* iterations go to a tolerance */
    if (o->estimate == PE_CONTROL && !p->has[PLAN_ALGEBRAIC] &&
        !p->has[PLAN_TEARER])
        p->algebraic = PA_KEEP; /* a search for less would cost more */
}

/* Estimates know the equations of the method alone. */
static bool decide_invariants(const Compilation *c, Plan *p, bool estimates)
{
    const char *wrong = NULL;
    bool any = c->flat->ninvariant > 0 || p->invariant[0];
    bool keeps = any && p->invariant_by != PV_OFF;
    Span where = p->where[PLAN_INVARIANT_BY];
    if (!any && p->has[PLAN_INVARIANT_BY] && p->invariant_by != PV_OFF)
        wrong = "'invariant_by' has nothing to keep: neither the model nor the "
                "plan names an invariant";
    else if (p->invariant[0] && p->invariant_by == PV_OFF)
        wrong = "'invariant' names what 'invariant_by' says not to look at";
    else if (keeps && estimates)
        wrong = "there is no 'estimate' of the error of steps that keep an "
                "invariant";
    else if (keeps && p->invariant_by == PV_PROJECT &&
             plan_cuts(p, CUT_IN_MATRIX))
        wrong =
            "a plan with cuts of the iteration matrix projects no invariant";
    if (keeps)
        p->estimate = PE_OFF;
    if (wrong)
        diag_report(c->diag, where, DIAG_E1208, "%s", wrong);
    return !wrong;
}

/* Of each flat variable: does a when clause set it? */
static bool *find_clause_set(const Flat *f, Arena *work)
{
    bool *is_set = NEW_ARRAY(work, bool, f->nvar + 1);
    for (int k = 0; k < f->nwhen; k++)
        for (int b = 0; b < f->when[k].nbranch; b++) {
            const FlatWhenBranch *branch = &f->when[k].branch[b];
            for (int i = 0; i < branch->naction; i++)
                if (branch->action[i].kind == FA_ASSIGN)
                    is_set[branch->action[i].var] = true;
        }
    return is_set;
}

/* Does a relation read what a when clause has just set? Pulses count from the
 * begin of their period: the relations come to rest one evaluation later. */
static bool follows_clause(const Flat *f)
{
    Arena *work = arena_new();
    const bool *is_set = find_clause_set(f, work);
    Expr *root = NEW_ARRAY(work, Expr, 2 * f->neqn + 1), *event, *leaf;
    for (int i = 0; i < f->neqn; i++) {
        root[2 * i] = f->eqn[i].lhs;
        root[2 * i + 1] = f->eqn[i].rhs;
    }
    int nevent = expr_events(f->dag, root, 2 * f->neqn, &event, work);
    bool found = false;
    for (int i = 0; i < nevent && !found; i++) {
        int n = expr_leaves(f->dag, event[i], &leaf, work), v, order;
        for (int k = 0; k < n; k++)
            found |= expr_is_var(f->dag, leaf[k], &v, &order) && is_set[v];
    }
    arena_free(work);
    return found;
}

/* An FMU needs an evaluation more to see that its events are over. */
static void decide_events(const Compilation *c, Plan *p)
{
    if (!p->has[PLAN_EVENTS_MAX])
        p->events_max += c->fmu || follows_clause(c->flat);
}

bool settings_decide(Compilation *c, const DriverOptions *o)
{
    Plan *p = o->plan ? plan_read_file(c->sources, o->plan, c->arena, c->diag)
                      : plan_default(c->arena);
    if (!p || !plan_apply(p, &o->edits, c->arena, c->diag) ||
        !plan_settle(p, plan_goal(o->goal), c->diag))
        return false;
    decide_times(c, o, p);
    decide_events(c, p);
    c->plan = p;
    c->method = method_read(p->method, c->sources, c->arena, c->diag);
    if (!c->method)
        return false;
    bool estimates = p->has[PLAN_ESTIMATE] && p->estimate != PE_OFF;
    decide_watch(o, c->method, p);
    return decide_invariants(c, p, estimates) && check_buildup(c, p);
}

static bool is_state(const Dae *d, int var)
{
    for (int i = 0; i < d->nstate; i++)
        if (d->state[i].var == var)
            return true;
    return false;
}

bool settings_check_states(Compilation *c)
{
    const Plan *p = c->plan;
    Span where = p->where[PLAN_STATES];
    for (int i = 0; c->dae && i < p->nstate; i++) {
        int sign, var = sys_find_var(c->sys, p->state[i]);
        if (var == NONE) {
            diag_report(c->diag, where, DIAG_E1205,
                        "states: the model has no variable '%s'", p->state[i]);
            return false;
        }
        if (c->dae->nset == 0 &&
            !is_state(c->dae, sys_resolve(c->sys, var, &sign)))
            diag_report(c->diag, where, DIAG_W1206,
                        "'%s' cannot be a state of this model", p->state[i]);
    }
    return true;
}
