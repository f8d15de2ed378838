/* when.c - when clauses become equations and actions.
 *
 *     when {c1, c2} then v = a; elsewhen c3 then v = b; end when;
 *
 * becomes, with auxiliary Booleans w1 = c1, w2 = c2, w3 = c3,
 *
 *     v = if A1 then a else if A3 then b else pre(v)
 *     A1 = not initial() and (w1 and not pre(w1) or w2 and not pre(w2))
 *     A3 = not A1 and not initial() and w3 and not pre(w3)
 *
 * During initialisation only a clause that names initial() among its
 * conditions is active; for the others v = pre(v) (MLS 3.6, 8.6). A Boolean
 * variable as condition needs no auxiliary.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

/* What is assigned to a variable so far. */
typedef struct Assigned {
    Expr value; /* EXPR_NONE: by no clause yet */
    int when;   /* the clause */
    Span span;
} Assigned;

static Expr or_of(Dag *d, Expr a, Expr b)
{
    return a == EXPR_NONE ? b : expr_binary(d, EX_OR, a, b);
}

/* The next free number for an equation of a component: "path#k". */
static int next_ordinal(Work *w, int component)
{
    if (!w->ordinal) {
        w->ordinal = NEW_ARRAY(w->tmp, int, w->flat->ncomponent);
        for (int i = 0; i < w->flat->neqn; i++) {
            const FlatEqn *e = &w->flat->eqn[i];
            if (e->ordinal > w->ordinal[e->component])
                w->ordinal[e->component] = e->ordinal;
        }
    }
    return ++w->ordinal[component];
}

/* The Boolean variable of condition `c`, made where there is none. */
static Expr condition_variable(Work *w, int k, int b, int c, Expr e)
{
    int v, order;
    if (expr_is_var(w->dag, e, &v, &order))
        return e;
    const FlatWhen *when = &w->flat->when[k];
    const char *name =
        arena_printf(w->arena, "$when%d.c%d_%d", k + 1, b + 1, c + 1);
    v = sys_add_var(w->sys, name, SR_DISCRETE, FT_BOOLEAN, when->component,
                    when->branch[b].span, w->arena);
    Expr leaf = expr_var(w->dag, v, 0, ET_BOOLEAN);
    SysEqn eqn = {
        .lhs = leaf,
        .rhs = e,
        .origin = {RULE_CONDITION, k},
        .component = when->component,
        .ordinal = next_ordinal(w, when->component),
        .span = when->branch[b].span,
    };
    vec_push(w->tmp, &w->eqn, eqn);
    return leaf;
}

/* The moment in which one of the conditions of the branch becomes true. */
static Expr rising(Work *w, int k, int b, const FlatWhenBranch *branch)
{
    Dag *d = w->dag;
    Expr edge = EXPR_NONE;
    bool at_start = false;
    for (int c = 0; c < branch->ncondition; c++) {
        Expr e = branch->condition[c];
        double value;
        if (expr_op(d, e) == EX_INITIAL) {
            at_start = true;
            continue;
        }
        if (expr_is_const(d, e, &value))
            continue; /* never becomes true */
        Expr leaf = condition_variable(w, k, b, c, e);
        Expr was = expr_unary(d, EX_PRE, leaf);
        edge = or_of(d, edge,
                     expr_binary(d, EX_AND, leaf, expr_unary(d, EX_NOT, was)));
    }
    Expr initial = expr_make(d, EX_INITIAL, EXPR_NONE, EXPR_NONE, EXPR_NONE);
    Expr active = expr_bool(d, false);
    if (edge != EXPR_NONE)
        active = expr_binary(d, EX_AND, expr_unary(d, EX_NOT, initial), edge);
    return at_start ? expr_binary(d, EX_OR, initial, active) : active;
}

static void add_action(Work *w, const FlatWhen *when, const FlatAction *a,
                       Expr active)
{
    SysAction act = {
        .kind = a->kind,
        .active = active,
        .var = a->var,
        .value = a->value,
        .message = a->message,
        .is_warning = a->is_warning,
        .component = when->component,
        .span = a->span,
    };
    vec_push(w->tmp, &w->action, act);
}

/* Two clauses assign v: wrong in equations; in an algorithm the later one
 * wins. */
static bool may_assign(Work *w, const Assigned *was, int k, const FlatAction *a)
{
    if (was->when == NONE || was->when == k)
        return true;
    if (w->flat->when[k].is_algorithm && w->flat->when[was->when].is_algorithm)
        return true;
    diag_report(w->diag, a->span, DIAG_E1007,
                "'%s' is assigned in a second when clause",
                w->flat->var[a->var].name);
    diag_note(w->diag, was->span,
              "it is assigned here already; put both into "
              "one when clause with elsewhen");
    return false;
}

/* A branch's assignments, wrapped around what the later branches give. */
static void assign_branch(Work *w, int k, const FlatWhenBranch *branch,
                          Expr active, Assigned *all)
{
    for (int a = 0; a < branch->naction; a++) {
        const FlatAction *act = &branch->action[a];
        if (act->kind != FA_ASSIGN || act->var == NONE)
            continue;
        Assigned *x = &all[act->var];
        if (x->value == EXPR_NONE || !may_assign(w, x, k, act))
            continue;
        x->when = k;
        x->span = act->span;
        x->value = expr_if(w->dag, active, act->value, x->value);
    }
}

static void expand_when(Work *w, int k, const FlatWhen *when, Assigned *all)
{
    Dag *d = w->dag;
    Expr *active = NEW_ARRAY(w->tmp, Expr, when->nbranch);
    Expr none_yet = expr_bool(d, true);
    for (int b = 0; b < when->nbranch; b++) {
        Expr rise = rising(w, k, b, &when->branch[b]);
        active[b] = expr_binary(d, EX_AND, none_yet, rise);
        none_yet =
            expr_binary(d, EX_AND, none_yet, expr_unary(d, EX_NOT, rise));
        for (int a = 0; a < when->branch[b].naction; a++) {
            const FlatAction *act = &when->branch[b].action[a];
            if (act->kind != FA_ASSIGN)
                add_action(w, when, act, active[b]);
        }
    }
    for (int b = when->nbranch - 1; b >= 0; b--)
        assign_branch(w, k, &when->branch[b], active[b], all);
}

static void add_equation(Work *w, int v, const Assigned *x)
{
    const FlatWhen *when = &w->flat->when[x->when];
    SysVar *s = &w->sys->var[v];
    if (s->role == SR_UNKNOWN)
        s->role = SR_DISCRETE; /* MLS 3.6, 3.8.3: assigned in a when clause */
    SysEqn e = {
        .lhs = expr_var(w->dag, v, 0, simplify_type_of(s->type)),
        .rhs = x->value,
        .origin = {RULE_WHEN, x->when},
        .component = when->component,
        .ordinal = next_ordinal(w, when->component),
        .span = x->span,
    };
    vec_push(w->tmp, &w->eqn, e);
}

void simplify_expand_whens(Work *w, const FlatWhen *when)
{
    int n = w->flat->nvar;
    if (w->flat->nwhen == 0)
        return;
    Assigned *all = NEW_ARRAY(w->tmp, Assigned, n);
    for (int v = 0; v < n; v++) {
        Expr leaf =
            expr_var(w->dag, v, 0, simplify_type_of(w->flat->var[v].type));
        all[v] = (Assigned){.value = EXPR_NONE, .when = NONE};
        if (sys_is_unknown(w->sys, v))
            all[v].value = expr_unary(w->dag, EX_PRE, leaf);
    }
    for (int k = 0; k < w->flat->nwhen; k++)
        expand_when(w, k, &when[k], all);
    for (int v = 0; v < n; v++) {
        if (all[v].when != NONE && w->sys->var[v].role != SR_STRING)
            add_equation(w, v, &all[v]);
    }
}
