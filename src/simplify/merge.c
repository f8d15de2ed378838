/* merge.c - one variable represents each class of aliases and gets the
 * attributes of all.
 *
 * A good representative is the one the modeller thinks of: an input, the one
 * that is differentiated or has a StateSelect, a start value, a short path.
 * Limits are intersected; a fixed start value wins over a start value that is
 * only a guess; StateSelect is the strongest wish of the class, where default
 * is no wish: the position in a connector says nothing against the avoid of
 * the body that it moves.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

#include <math.h>

/* The members of the classes, root by root. */
typedef struct Classes {
    int *start, *member;     /* by root, compressed */
    bool *is_differentiated; /* of each variable, in the source */
} Classes;

static void find_derivative(void *context, const Dag *d, Expr e)
{
    int v, order;
    if (expr_is_var(d, e, &v, &order) && order > 0)
        ((bool *)context)[v] = true;
}

static Classes *collect(Work *w)
{
    int n = w->sys->nvar, sign;
    Classes *c = NEW(w->tmp, Classes);
    c->start = NEW_ARRAY(w->tmp, int, n + 2);
    c->member = NEW_ARRAY(w->tmp, int, n);
    c->is_differentiated = NEW_ARRAY(w->tmp, bool, n);
    for (int v = 0; v < n; v++)
        c->start[simplify_find_root(w, v, &sign) + 2]++;
    for (int v = 0; v < n; v++)
        c->start[v + 2] += c->start[v + 1];
    for (int v = 0; v < n; v++)
        c->member[c->start[simplify_find_root(w, v, &sign) + 1]++] = v;
    Expr *root = NEW_ARRAY(w->tmp, Expr, 2 * w->eqn.n);
    for (int i = 0; i < w->eqn.n; i++) {
        root[2 * i] = w->eqn.at[i].lhs;
        root[2 * i + 1] = w->eqn.at[i].rhs;
    }
    expr_walk(w->dag, root, 2 * w->eqn.n, find_derivative,
              c->is_differentiated);
    return c;
}

static int depth_of(const char *name)
{
    int n = 0;
    for (; *name; name++)
        n += *name == '.';
    return n;
}

static int score(Work *w, const Classes *c, int v)
{
    const SysVar *x = &w->sys->var[v];
    int s = -5 * depth_of(x->name);
    if (x->role == SR_INPUT)
        s += 1000000;
    if (x->role == SR_DISCRETE && w->sys->var[v].flat == NONE)
        s -= 100000; /* an auxiliary never represents */
    if (c->is_differentiated[v])
        s += 1000;
    s += 200 * ((int)x->state_select - SS_DEFAULT);
    if (x->fixed && x->start != EXPR_NONE)
        s += 400;
    if (x->start != EXPR_NONE)
        s += 20;
    if (x->flat != NONE && w->flat->var[x->flat].is_protected)
        s -= 3;
    return s;
}

static int choose(Work *w, const Classes *c, int root)
{
    int best = root, best_score = -2000000;
    for (int k = c->start[root]; k < c->start[root + 1]; k++) {
        int s = score(w, c, c->member[k]);
        if (s > best_score) {
            best = c->member[k];
            best_score = s;
        }
    }
    return best;
}

/* ---- attributes ---- */
static double number(Work *w, const double *value, Expr e)
{
    SysPoint p = {value, 0, true};
    return expr_eval(w->dag, e, sys_leaf_value, &p);
}

static bool differ(double a, double b)
{
    return !(a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)));
}

static const char *text_of(Work *w, Expr e)
{
    return expr_text(w->dag, e, sys_var_name, w->sys, 60, w->tmp);
}

static void report_start(Work *w, DiagCode code, int a, int b, int sign)
{
    const SysVar *x = &w->sys->var[a], *y = &w->sys->var[b];
    bool fixed = code == DIAG_E1006;
    diag_report(w->diag, sys_var_place(w->sys, b), code,
                "'%s' starts at %s%s and '%s' at %s%s, but the model makes %s",
                x->name, text_of(w, x->start), fixed ? " (fixed)" : "", y->name,
                text_of(w, y->start), fixed ? " (fixed)" : "",
                sign > 0 ? "them equal" : "one the negative of the other");
    diag_note(w->diag, sys_var_place(w->sys, a),
              fixed ? "remove fixed = true from one of them, or make the "
                      "values agree"
                    : "the value of '%s' is taken",
              x->name);
}

/* The member whose start value the class takes: a fixed one, else the best
 * that has one, of equals the representative. */
static int start_source(Work *w, const Classes *c, int root, int rep)
{
    int best = NONE, best_score = 0;
    for (int k = c->start[root]; k < c->start[root + 1]; k++) {
        int v = c->member[k];
        const SysVar *x = &w->sys->var[v];
        if (x->start == EXPR_NONE)
            continue;
        int s = score(w, c, v) + (x->fixed ? 1000000 : 0) + (v == rep);
        if (best == NONE || s > best_score) {
            best = v;
            best_score = s;
        }
    }
    return best;
}

static void compare_starts(Work *w, const Classes *c, int root, int from,
                           const double *value)
{
    int sign_from, sign;
    simplify_find_root(w, from, &sign_from);
    const SysVar *x = &w->sys->var[from];
    double a = number(w, value, x->start);
    for (int k = c->start[root]; k < c->start[root + 1]; k++) {
        int v = c->member[k];
        const SysVar *y = &w->sys->var[v];
        if (v == from || y->start == EXPR_NONE)
            continue;
        simplify_find_root(w, v, &sign);
        double b = number(w, value, y->start);
        if (sign * sign_from < 0)
            b = y->type == FT_BOOLEAN ? !b : -b;
        if (!differ(a, b))
            continue;
        if (x->fixed && y->fixed && x->role != SR_DISCRETE)
            report_start(w, DIAG_E1006, from, v, sign * sign_from);
        else if (!x->fixed && c->is_differentiated[from] &&
                 c->is_differentiated[v])
            report_start(w, DIAG_W1001, from, v, sign * sign_from);
    }
}

static Expr stronger(Work *w, Expr a, Expr b, ExprOp op)
{
    if (a == EXPR_NONE || b == EXPR_NONE)
        return a == EXPR_NONE ? b : a;
    return expr_binary(w->dag, op, a, b);
}

static void merge_limits(Work *w, SysVar *to, const SysVar *from, int sign)
{
    if (to->type == FT_BOOLEAN)
        return;
    Expr min = from->min, max = from->max;
    if (sign < 0) {
        min = from->max == EXPR_NONE ? EXPR_NONE : expr_neg(w->dag, from->max);
        max = from->min == EXPR_NONE ? EXPR_NONE : expr_neg(w->dag, from->min);
    }
    to->min = stronger(w, to->min, min, EX_MAX);
    to->max = stronger(w, to->max, max, EX_MIN);
    if (to->nominal == EXPR_NONE)
        to->nominal = from->nominal;
}

static bool is_unit(const char *s)
{
    return s && *s && strcmp(s, "1") != 0;
}

static void compare_units(Work *w, int a, int b)
{
    if (w->sys->var[a].flat == NONE || w->sys->var[b].flat == NONE)
        return;
    const FlatVar *x = &w->flat->var[a], *y = &w->flat->var[b];
    if (!is_unit(x->unit) || !is_unit(y->unit) || strcmp(x->unit, y->unit) == 0)
        return;
    diag_report(w->diag, y->span, DIAG_W1002,
                "'%s' has the unit \"%s\" and '%s' the unit \"%s\", but the "
                "model makes them equal",
                x->name, x->unit, y->name, y->unit);
}

/* The strongest StateSelect of those that say something. */
static FlatStateSelect strongest_wish(const Work *w, const Classes *c, int root)
{
    FlatStateSelect strongest = SS_NEVER;
    bool is_said = false;
    for (int k = c->start[root]; k < c->start[root + 1]; k++) {
        FlatStateSelect wish = w->sys->var[c->member[k]].state_select;
        if (wish == SS_DEFAULT)
            continue;
        is_said = true;
        strongest = wish > strongest ? wish : strongest;
    }
    return is_said ? strongest : SS_DEFAULT;
}

static void merge_class(Work *w, const Classes *c, int root, int rep,
                        const double *value)
{
    SysVar *to = &w->sys->var[rep];
    int from = start_source(w, c, root, rep), sign_rep, sign;
    simplify_find_root(w, rep, &sign_rep);
    if (from != NONE) {
        compare_starts(w, c, root, from, value);
        simplify_find_root(w, from, &sign);
        to->start_from = from;
        Expr start = simplify_signed_expr(w->dag, to->type, sign * sign_rep,
                                          w->sys->var[from].start);
        to->fixed = w->sys->var[from].fixed;
        to->start = start;
    }
    to->state_select = strongest_wish(w, c, root);
    for (int k = c->start[root]; k < c->start[root + 1]; k++) {
        int v = c->member[k];
        if (v == rep)
            continue;
        SysVar *x = &w->sys->var[v];
        simplify_find_root(w, v, &sign);
        merge_limits(w, to, x, sign * sign_rep);
        compare_units(w, rep, v);
        x->role = SR_ALIAS;
        x->target = rep;
        x->sign = sign * sign_rep;
        w->sys->nalias++;
    }
}

/* ---- classes with a known value ---- */
static void settle_known(Work *w, int v, Expr value)
{
    SysVar *x = &w->sys->var[v];
    double number;
    if (expr_is_const(w->dag, value, &number)) {
        x->role = SR_CONSTANT;
        x->value = number;
        x->off = expr_off(w->dag, value);
        w->sys->nconstant++;
        return;
    }
    x->role = SR_PARAMETER;
    x->expr = value;
    x->is_tunable = false;
    vec_push(w->tmp, &w->param, v);
    w->sys->nconstant++;
}

static void settle_known_classes(Work *w)
{
    for (int v = 0; v < w->sys->nvar; v++) {
        int sign, root = simplify_find_root(w, v, &sign);
        if (w->known[root] == EXPR_NONE)
            continue;
        FlatType type = w->sys->var[v].type;
        settle_known(w, v,
                     simplify_signed_expr(w->dag, type, sign, w->known[root]));
    }
}

static void compare_known_starts(Work *w, const double *value)
{
    for (int v = 0; v < w->sys->nvar; v++) {
        int sign, root = simplify_find_root(w, v, &sign);
        const SysVar *x = &w->sys->var[v];
        if (w->known[root] == EXPR_NONE || !x->fixed || x->start == EXPR_NONE)
            continue;
        if (!differ(number(w, value, x->start), value[v]))
            continue;
        diag_report(w->diag, x->span, DIAG_W1003,
                    "the start value %s of '%s' is ignored: an equation makes "
                    "it %g always",
                    text_of(w, x->start), x->name, value[v]);
        diag_note(w->diag, w->eqn.at[w->known_by[root]].span, "here");
    }
}

static void check_redundant(Work *w, const double *value)
{
    for (int k = 0; k < w->redundant.n; k++) {
        const SysEqn *e = &w->redundant.at[k];
        double a = number(w, value, e->lhs), b = number(w, value, e->rhs);
        if (isnan(a) || isnan(b) ||
            fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b))))
            continue;
        const char *path = flat_component_path(w->flat, e->component, w->tmp);
        diag_report(w->diag, e->span, DIAG_E1002,
                    "this equation%s%s%s holds only parameters and does not "
                    "hold: %s is %g, %s is %g",
                    *path ? " of '" : "", path, *path ? "'" : "",
                    text_of(w, e->lhs), a, text_of(w, e->rhs), b);
        simplify_note_causes(w, w->redundant_eqn.at[k]);
    }
}

/* ---- the last replacement ---- */
static Expr replace_alias(void *context, Dag *d, Expr leaf)
{
    Work *w = context;
    bool is_pre = expr_op(d, leaf) == EX_PRE;
    int v, order;
    if (!expr_is_var(d, is_pre ? expr_arg(d, leaf, 0) : leaf, &v, &order))
        return EXPR_NONE;
    const SysVar *x = &w->sys->var[v];
    int sign, root = simplify_find_root(w, v, &sign);
    if (w->known[root] != EXPR_NONE)
        return order > 0
                   ? expr_real(d, 0)
                   : simplify_signed_expr(d, x->type, sign, w->known[root]);
    if (x->role != SR_ALIAS)
        return EXPR_NONE;
    Expr to = expr_var(d, x->target, order, simplify_type_of(x->type));
    if (is_pre)
        to = expr_unary(d, EX_PRE, to);
    return simplify_signed_expr(d, x->type, x->sign, to);
}

static Expr mapped(ExprMap *m, Expr e)
{
    return e == EXPR_NONE ? e : expr_map(m, e);
}

/* v = ... of a when clause keeps a plain variable on the left. */
static void straighten(Work *w, SysEqn *e)
{
    ExprOp op = expr_op(w->dag, e->lhs);
    if (e->origin.rule != RULE_WHEN || (op != EX_NEG && op != EX_NOT))
        return;
    e->lhs = expr_arg(w->dag, e->lhs, 0);
    e->rhs = expr_unary(w->dag, op, e->rhs);
}

static SysEqn *map_equations(Work *w, ExprMap *m, const SysEqn *e, int n,
                             const bool *is_gone, int *count)
{
    SysEqn *to = NEW_ARRAY(w->arena, SysEqn, n);
    *count = 0;
    for (int i = 0; i < n; i++) {
        if (is_gone && is_gone[i])
            continue;
        SysEqn x = e[i];
        x.lhs = expr_map(m, x.lhs);
        x.rhs = expr_map(m, x.rhs);
        straighten(w, &x);
        to[(*count)++] = x;
    }
    return to;
}

static void map_asserts(ExprMap *m, FlatAssert *a, int n)
{
    for (int k = 0; k < n; k++) {
        a[k].condition = mapped(m, a[k].condition);
        a[k].message = mapped(m, a[k].message);
    }
}

static void map_actions(Work *w, ExprMap *m)
{
    Sys *s = w->sys;
    s->action = NEW_ARRAY(w->arena, SysAction, w->action.n);
    s->naction = w->action.n;
    for (int k = 0; k < s->naction; k++) {
        SysAction a = w->action.at[k];
        a.active = mapped(m, a.active);
        a.value = mapped(m, a.value);
        a.message = mapped(m, a.message);
        if (a.kind == FA_REINIT) {
            int sign;
            a.var = sys_resolve(s, a.var, &sign);
            a.value =
                simplify_signed_expr(w->dag, s->var[a.var].type, sign, a.value);
            if (s->var[a.var].role == SR_UNKNOWN)
                s->var[a.var].state_select = SS_ALWAYS; /* MLS 3.6, 8.3.6 */
            else
                diag_report(w->diag, a.span, DIAG_E1009,
                            "reinit('%s') needs a continuous state",
                            s->var[a.var].name);
        }
        s->action[k] = a;
    }
}

static void replace_all(Work *w)
{
    Sys *s = w->sys;
    ExprMap *m = expr_map_new(w->dag, replace_alias, w, w->tmp);
    s->eqn = map_equations(w, m, w->eqn.at, w->eqn.n, w->is_gone, &s->neqn);
    s->initial =
        map_equations(w, m, w->initial.at, w->initial.n, NULL, &s->ninitial);
    s->redundant = NEW_ARRAY(w->arena, SysEqn, w->redundant.n);
    s->nredundant = w->redundant.n;
    for (int k = 0; k < w->redundant.n; k++) {
        s->redundant[k] = w->redundant.at[k];
        w->redundant.at[k].lhs = expr_map(m, w->redundant.at[k].lhs);
        w->redundant.at[k].rhs = expr_map(m, w->redundant.at[k].rhs);
    }
    map_asserts(m, s->assertion, s->nassertion);
    map_asserts(m, s->initial_assertion, s->ninitial_assertion);
    map_actions(w, m);
    for (int k = 0; k < s->ninvariant; k++)
        s->invariant[k] = expr_map(m, s->invariant[k]);
    for (int v = 0; v < s->nvar; v++) {
        SysVar *x = &s->var[v];
        x->start = mapped(m, x->start);
        x->min = mapped(m, x->min);
        x->max = mapped(m, x->max);
        x->nominal = mapped(m, x->nominal);
    }
}

void simplify_merge_aliases(Work *w)
{
    Sys *s = w->sys;
    settle_known_classes(w);
    s->param_order = NEW_ARRAY(w->arena, int, w->param.n);
    s->nparam = w->param.n;
    for (int k = 0; k < w->param.n; k++)
        s->param_order[k] = w->param.at[k];
    double *value = NEW_ARRAY(w->tmp, double, s->nvar);
    sys_start_values(s, NULL, 0, value, NULL);
    Classes *c = collect(w);
    for (int root = 0; root < s->nvar; root++) {
        if (c->start[root + 1] - c->start[root] > 1 &&
            w->known[root] == EXPR_NONE)
            merge_class(w, c, root, choose(w, c, root), value);
    }
    compare_known_starts(w, value);
    replace_all(w);
    check_redundant(w, value);
}
