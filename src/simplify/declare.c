/* declare.c - roles of constants and parameters, and the order of evaluation.
 *
 * Bindings are visited depth first with a stack, so that what a binding needs
 * comes before it. A constant, a structural parameter and a final parameter
 * whose value is a number become SR_CONSTANT; a parameter that depends on one
 * with fixed = false is free itself, with its binding as initial equation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

ExprType simplify_type_of(FlatType type)
{
    switch (type) {
    case FT_REAL: return ET_REAL;
    case FT_BOOLEAN: return ET_BOOLEAN;
    case FT_STRING: return ET_STRING;
    default: return ET_INTEGER;
    }
}

Expr simplify_constant_of(Dag *d, FlatType type, double value)
{
    switch (type) {
    case FT_REAL: return expr_real(d, value);
    case FT_BOOLEAN: return expr_bool(d, value != 0);
    default: return expr_int(d, value);
    }
}

Expr simplify_value_of(Dag *d, const SysVar *x)
{
    return x->off > 0 ? expr_inexact(d, x->value, x->off)
                      : simplify_constant_of(d, x->type, x->value);
}

static bool is_fixed_early(const FlatVar *f)
{
    return f->variability == FV_CONSTANT || f->variability == FV_PARAMETER;
}

static SysRole first_role(const FlatVar *f)
{
    if (f->type == FT_STRING)
        return SR_STRING;
    if (is_fixed_early(f))
        return SR_PARAMETER;
    if (f->causality == FC_INPUT)
        return SR_INPUT;
    if (f->type != FT_REAL || f->variability == FV_DISCRETE)
        return SR_DISCRETE;
    return SR_UNKNOWN;
}

static void copy_variables(Work *w)
{
    for (int v = 0; v < w->flat->nvar; v++) {
        const FlatVar *f = &w->flat->var[v];
        int n = sys_add_var(w->sys, f->name, first_role(f), f->type,
                            f->component, f->span, w->arena);
        SysVar *x = &w->sys->var[n];
        x->flat = v;
        x->start = f->start;
        x->min = f->min;
        x->max = f->max;
        x->nominal = f->nominal;
        x->fixed = f->fixed;
        x->state_select = f->state_select ? f->state_select : SS_DEFAULT;
        if (x->role == SR_PARAMETER)
            x->expr = f->binding;
        w->varies[v] =
            !is_fixed_early(f) && f->type == FT_REAL && x->role != SR_DISCRETE;
    }
}

/* ---- bindings ---- */

static Expr text_of(Work *w, Expr e, int depth)
{
    Dag *d = w->dag;
    int v, order;
    if (e == EXPR_NONE || depth > 100)
        return EXPR_NONE;
    if (expr_op(d, e) == EX_STR)
        return e;
    if (expr_is_var(d, e, &v, &order))
        return is_fixed_early(&w->flat->var[v])
                   ? text_of(w, w->flat->var[v].binding, depth + 1)
                   : EXPR_NONE;
    if (expr_op(d, e) != EX_CONCAT)
        return EXPR_NONE;
    Expr a = text_of(w, expr_arg(d, e, 0), depth + 1);
    Expr b = text_of(w, expr_arg(d, e, 1), depth + 1);
    if (a == EXPR_NONE || b == EXPR_NONE)
        return EXPR_NONE;
    return expr_string(d, arena_printf(w->arena, "%s%s", expr_node(d, a)->text,
                                       expr_node(d, b)->text));
}

Expr simplify_text_of(Work *w, Expr e)
{
    return text_of(w, e, 0);
}

static Expr replace_constant(void *context, Dag *d, Expr leaf)
{
    Work *w = context;
    int v, order;
    if (!expr_is_var(d, leaf, &v, &order)) /* pre(parameter) */
        return expr_is_var(d, expr_arg(d, leaf, 0), &v, &order) &&
                       is_fixed_early(&w->flat->var[v])
                   ? replace_constant(context, d, expr_arg(d, leaf, 0))
                   : EXPR_NONE;
    const SysVar *x = &w->sys->var[v];
    if (order > 0 && (x->role == SR_CONSTANT || x->role == SR_PARAMETER))
        return expr_real(d, 0);
    if (x->role == SR_CONSTANT)
        return simplify_value_of(d, x);
    if (x->role == SR_STRING)
        return simplify_text_of(w, leaf);
    return EXPR_NONE;
}

/* Is a parameter that initialisation finds among the leaves of e? */
static bool needs_free(Work *w, Expr e)
{
    Expr *leaf;
    int n = expr_leaves(w->dag, e, &leaf, w->tmp);
    for (int k = 0; k < n; k++) {
        int v, order;
        expr_is_var(w->dag, leaf[k], &v, &order);
        if (w->sys->var[v].role == SR_FREE)
            return true;
    }
    return false;
}

static void free_parameter(Work *w, int v, Expr value)
{
    SysVar *x = &w->sys->var[v];
    x->role = SR_FREE;
    x->expr = EXPR_NONE;
    if (value == EXPR_NONE)
        return;
    SysEqn e = {
        .lhs = expr_var(w->dag, v, 0, simplify_type_of(x->type)),
        .rhs = value,
        .origin = {RULE_BINDING, v},
        .component = x->component,
        .span = w->flat->var[v].binding_span,
    };
    vec_push(w->tmp, &w->initial, e);
}

/* All that the binding of v needs is decided: decide v. */
static void decide_parameter(Work *w, int v, void *context)
{
    ExprMap *map = context;
    SysVar *x = &w->sys->var[v];
    const FlatVar *f = &w->flat->var[v];
    if (x->start != EXPR_NONE)
        x->start = expr_map(map, x->start);
    Expr e = x->expr == EXPR_NONE ? EXPR_NONE : expr_map(map, x->expr);
    if (f->variability == FV_PARAMETER && f->has_fixed && !f->fixed) {
        free_parameter(w, v, e);
        return;
    }
    if (e != EXPR_NONE && needs_free(w, e)) {
        free_parameter(w, v, e);
        return;
    }
    if (e == EXPR_NONE)
        e = x->start; /* MLS 3.6, 4.5.1: the start attribute is the default */
    bool may_fold =
        f->variability == FV_CONSTANT || f->is_structural || f->is_final;
    bool is_frozen = w->is_frozen && w->is_frozen[v];
    double value = is_frozen ? w->number[v] : 0;
    bool is_number = e != EXPR_NONE && expr_is_const(w->dag, e, &value);
    if (is_number && !may_fold && simplify_is_plain(w, v, value))
        w->is_frozen[v] = is_frozen = true;
    if (is_frozen || (is_number && may_fold)) {
        x->role = SR_CONSTANT;
        x->value = value;
        x->off = is_number ? expr_off(w->dag, e) : 0;
        return;
    }
    x->expr = e;
    x->is_tunable =
        f->variability == FV_PARAMETER && !f->is_final && !f->is_structural;
    vec_push(w->tmp, &w->param, v);
}

typedef struct Visit {
    int var;
    Expr *leaf;
    int nleaf, next;
} Visit;

typedef Vec(Visit) VisitStack;

static void report_cycle(Work *w, const VisitStack *s, int v)
{
    int first = s->n - 1;
    while (s->at[first].var != v)
        first--;
    const char *text = w->sys->var[v].name;
    for (int k = first + 1; k < s->n && k < first + 8; k++)
        text = arena_printf(w->tmp, "%s -> %s", text,
                            w->sys->var[s->at[k].var].name);
    diag_report(w->diag, w->sys->var[v].span, DIAG_E1005,
                "the value of '%s' depends on itself: %s -> %s",
                w->sys->var[v].name, text, w->sys->var[v].name);
}

static void open_visit(Work *w, VisitStack *s, char *state, int v)
{
    Visit it = {.var = v};
    Expr e = w->sys->var[v].expr;
    if (e == EXPR_NONE)
        e = w->sys->var[v].start;
    if (e != EXPR_NONE)
        it.nleaf = expr_leaves(w->dag, e, &it.leaf, w->tmp);
    state[v] = 1;
    vec_push(w->tmp, s, it);
}

typedef struct Visitor {
    SimplifyDecide *decide;
    void *context;
    bool report;
    char *state; /* 0 new, 1 open, 2 done */
} Visitor;

/* Decides parameter `root` after all it needs. */
static void visit_parameter(Work *w, int root, const Visitor *visitor,
                            VisitStack *s)
{
    char *state = visitor->state;
    open_visit(w, s, state, root);
    while (s->n > 0) {
        Visit *it = &vec_last(s);
        if (it->next == it->nleaf) {
            visitor->decide(w, it->var, visitor->context);
            state[it->var] = 2;
            s->n--;
            continue;
        }
        int v, order;
        expr_is_var(w->dag, it->leaf[it->next++], &v, &order);
        if (w->sys->var[v].role != SR_PARAMETER || state[v] == 2)
            continue;
        if (state[v] == 1) {
            if (visitor->report)
                report_cycle(w, s, v);
            continue;
        }
        open_visit(w, s, state, v);
    }
}

void simplify_visit_parameters(Work *w, SimplifyDecide *decide, void *context,
                               bool report)
{
    Visitor visitor = {decide, context, report,
                       NEW_ARRAY(w->tmp, char, w->flat->nvar)};
    VisitStack stack = {0};
    for (int v = 0; v < w->flat->nvar; v++)
        if (w->sys->var[v].role == SR_PARAMETER && visitor.state[v] == 0)
            visit_parameter(w, v, &visitor, &stack);
}

void simplify_declare_variables(Work *w)
{
    w->varies = NEW_ARRAY(w->tmp, bool, w->flat->nvar);
    w->is_frozen = NEW_ARRAY(w->tmp, bool, w->flat->nvar);
    copy_variables(w);
    simplify_freeze(w);
    ExprMap *map = expr_map_new(w->dag, replace_constant, w, w->tmp);
    simplify_visit_parameters(w, decide_parameter, map, true);
}
