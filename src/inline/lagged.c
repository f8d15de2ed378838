/* lagged.c - old values where the plan wants them.
 *
 * A cut {"kind": "step", "eq": E, "var": V} makes the equation E use the value
 * that V had at t_n: an edge of the implicit structure is cut (Gustafsson 2021,
 * 5.3). In a formula int(x) it is explicit Euler for that state, in all stages.
 * What the equation would have left over with the new value is kept as an
 * expression, so that a run can show it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/die.h"
#include "inline/inline_internal.h"

typedef struct LaggedCut {
    const PlanCut *cut;
    Quantity q;   /* resolved */
    int state;    /* its equation is int(state); NONE: it is of the model */
    bool applied; /* in the present system */
} LaggedCut;

/* The variable x of "int(x)", or NONE. */
static int integrated(Inliner *in, const char *eqn)
{
    size_t n = strlen(eqn);
    if (n < 6 || strncmp(eqn, "int(", 4) != 0 || eqn[n - 1] != ')')
        return NONE;
    return sys_find_var(in->d->sys, arena_strndup(in->work, eqn + 4, n - 5));
}

void lagged_find(Inliner *in)
{
    const Plan *p = in->plan;
    in->cut = NEW_ARRAY(in->work, LaggedCut, p->ncut + 1);
    for (int i = 0; i < p->ncut; i++) {
        if (plan_cut_rule[p->cut[i].kind].place != CUT_IN_EQUATION)
            continue;
        int sign, order;
        int var = sys_find_quantity(in->d->sys, p->cut[i].var, &order);
        in->cut[in->ncut++] =
            (LaggedCut){&p->cut[i],
                        {sys_resolve(in->d->sys, var, &sign), order},
                        integrated(in, p->cut[i].eqn),
                        false};
    }
}

/* Any variable of the formula but the one it gives: der(x), or what equals
 * it. */
static bool makes_explicit(const LaggedCut *c)
{
    return c->state != NONE && !(c->q.var == c->state && c->q.order == 0);
}

bool lagged_is_explicit(Inliner *in, Quantity q)
{
    for (int i = 0; i < in->ncut; i++)
        if (in->cut[i].state == q.var && makes_explicit(&in->cut[i]))
            return true;
    return false;
}

void lagged_begin(Inliner *in)
{
    for (int i = 0; i < in->ncut; i++)
        in->cut[i].applied = makes_explicit(&in->cut[i]);
}

/* ---- one equation ---- */

typedef struct Replace {
    Inliner *in;
    Quantity q;
    PlanCutLeaves leaves;
    Expr found; /* the new value; EXPR_NONE: it does not occur */
} Replace;

/* What the equation has instead of the new value. */
static Expr left_by(const Replace *r)
{
    switch (r->leaves) {
    case CUT_LEAVES_OLD: return table_old(r->in, r->q, 1);
    default: unreachable();
    }
}

static Expr replace_new(void *context, Dag *d, Expr leaf)
{
    Replace *r = context;
    int var = NONE, order = 0;
    if (!expr_is_var(d, leaf, &var, &order))
        return EXPR_NONE;
    const InlinedVar *v = &r->in->var.at[var];
    if (v->kind != IV_VALUE || v->sys_var != r->q.var || v->order != r->q.order)
        return EXPR_NONE;
    r->found = leaf;
    return left_by(r);
}

static InlinedLagged *find_lagged(Inliner *in, const char *name)
{
    for (int i = 0; i < in->lagged.n; i++)
        if (!strcmp(in->lagged.at[i].eqn, name))
            return &in->lagged.at[i];
    return NULL;
}

/* Notes the equation at the end of the step as it was, and what it has an old
 * value of. */
static void keep_residual(Inliner *in, const char *name, const InlinedEqn *e,
                          const char *var, const Replace *r)
{
    if (e->stage != DIFF_END)
        return;
    InlinedLagged *d = find_lagged(in, name);
    if (!d) {
        InlinedLagged new = {.eqn = arena_strdup(in->arena, name),
                             .var = var,
                             .residual = expr_sub(in->d->dag, e->lhs, e->rhs),
                             .span = e->span};
        vec_push(in->arena, &in->lagged, new);
        d = &vec_last(&in->lagged);
    } else if (!strstr(d->var, var)) {
        d->var = arena_printf(in->arena, "%s, %s", d->var, var);
    }
    for (int i = 0; i < d->lag.n; i++)
        if (d->lag.at[i].now == r->found)
            return;
    vec_push(in->arena, &d->lag, ((InlinedLag){r->found, left_by(r)}));
}

static void apply_to(Inliner *in, const char *name, InlinedEqn *e,
                     const bool *wanted)
{
    const InlinedEqn before = *e;
    for (int i = 0; i < in->ncut; i++) {
        LaggedCut *c = &in->cut[i];
        if (!wanted[i] || strcmp(c->cut->eqn, name) != 0)
            continue;
        Replace r = {in, c->q, plan_cut_rule[c->cut->kind].leaves, EXPR_NONE};
        ExprMap *map = expr_map_new(in->d->dag, replace_new, &r, in->work);
        Expr lhs = expr_map(map, e->lhs), rhs = expr_map(map, e->rhs);
        if (r.found == EXPR_NONE)
            continue;
        e->lhs = lhs;
        e->rhs = rhs;
        c->applied = true;
        keep_residual(in, name, &before, c->cut->var, &r);
    }
}

/* ---- columns: every use of a state ---- */

typedef struct Columns {
    Inliner *in;
    const bool *is_old; /* by variable of Sys */
} Columns;

static Expr replace_column(void *context, Dag *d, Expr leaf)
{
    Columns *c = context;
    int var = NONE, order = 0;
    if (!expr_is_var(d, leaf, &var, &order))
        return EXPR_NONE;
    const InlinedVar *v = &c->in->var.at[var];
    if (v->kind != IV_VALUE || v->order > 0 || v->sys_var == NONE ||
        !c->is_old[v->sys_var])
        return EXPR_NONE;
    return table_old(c->in, (Quantity){v->sys_var, 0}, 1);
}

/* The model sees the old values of the states with mode "explicit-column". */
static void apply_columns(Inliner *in, InlinedSystem *s)
{
    bool *is_old = NEW_ARRAY(in->work, bool, in->d->sys->nvar + 1), any = false;
    for (int i = 0; i < in->model.nstate; i++) {
        int var = in->model.state[i].var;
        PlanMode mode = plan_mode(in->plan, in->d->sys->var[var].name);
        is_old[var] =
            mode == MODE_EXPLICIT_COLUMN || mode == MODE_EXPLICIT_BOTH;
        any = any || is_old[var];
    }
    Columns c = {in, is_old};
    ExprMap *map = expr_map_new(in->d->dag, replace_column, &c, in->work);
    for (int i = 0; any && i < s->neqn; i++) {
        InlinedEqn *e = &s->eqn[i];
        if (e->kind != IE_MODEL || e->is_discrete)
            continue;
        e->lhs = expr_map(map, e->lhs);
        e->rhs = expr_map(map, e->rhs);
    }
}

void lagged_apply(Inliner *in, InlinedSystem *s)
{
    if (in->plan->nmode > 0)
        apply_columns(in, s);
    if (in->ncut == 0)
        return;
    bool *wanted = NEW_ARRAY(in->work, bool, in->ncut);
    bool any = false;
    for (int i = 0; i < in->ncut; i++) {
        wanted[i] = !in->cut[i].applied;
        any = any || wanted[i];
    }
    for (int i = 0; any && i < s->neqn; i++) {
        InlinedEqn *e = &s->eqn[i];
        InlinedEqn named = *e;
        if (e->kind != IE_MODEL || e->is_discrete)
            continue;
        named.stage = DIFF_END;
        apply_to(in, inlined_eqn_name(in->d, &named, in->work), e, wanted);
    }
}

void lagged_end(Inliner *in)
{
    if (in->failed)
        return; /* said for another system */
    for (int i = 0; i < in->ncut; i++) {
        const PlanCut *c = in->cut[i].cut;
        if (in->cut[i].applied)
            continue;
        in->failed = true;
        diag_report(in->diag, c->span, DIAG_E1206,
                    "'%s' cannot be delayed in equation '%s': it is not an "
                    "unknown there",
                    c->var, c->eqn);
    }
}
