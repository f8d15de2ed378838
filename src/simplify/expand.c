/* expand.c - the model's expressions in the few operations later phases know.
 *
 *   edge(b)    b and not pre(b)
 *   change(v)  v <> pre(v)
 *   der(e)     the total time derivative, symbolically
 *
 * and constants put in the place of their variables. One pass over all nodes,
 * arguments first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

typedef struct Expansion {
    Work *w;
    Expr *to;      /* by handle, valid for nodes that were there at the start */
    bool *is_bad;  /* by handle: holds a derivative that could not be found */
    bool collects; /* first what is to be expanded is listed */
    Texts *texts;
    Vec(Expr) root;
} Expansion;

static Expr variable_leaf(Work *w, Expr e)
{
    int v, order;
    expr_is_var(w->dag, e, &v, &order);
    const SysVar *x = &w->sys->var[v];
    if (x->role == SR_CONSTANT)
        return order ? expr_real(w->dag, 0) : simplify_value_of(w->dag, x);
    if (order && (x->role == SR_PARAMETER || x->role == SR_FREE))
        return expr_real(w->dag, 0);
    Expr text = x->role == SR_STRING ? simplify_text_of(w, e) : EXPR_NONE;
    return text == EXPR_NONE ? e : text;
}

/* pre(a) where `a` was replaced: of a constant or parameter the value. */
static Expr pre_of(Work *w, Expr a)
{
    int v, order;
    if (!expr_is_var(w->dag, a, &v, &order))
        return a;
    SysRole role = w->sys->var[v].role;
    if (role == SR_PARAMETER || role == SR_FREE)
        return a;
    return expr_unary(w->dag, EX_PRE, a);
}

static Expr edge_of(Work *w, Expr a)
{
    Dag *d = w->dag;
    return expr_binary(d, EX_AND, a, expr_unary(d, EX_NOT, pre_of(w, a)));
}

static Expr rebuild(Expansion *x, Expr e)
{
    Dag *d = x->w->dag;
    const ExprNode *n = expr_node(d, e);
    Expr a[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
    bool same = true;
    if (n->op == EX_CALL) {
        Expr *arg = NEW_ARRAY(x->w->tmp, Expr, n->narg);
        for (int k = 0; k < n->narg; k++) {
            arg[k] = x->to[expr_arg(d, e, k)];
            same = same && arg[k] == expr_arg(d, e, k);
        }
        return same ? e
                    : expr_call(d, n->fn, n->order, (ExprType)n->type, arg,
                                n->narg);
    }
    for (int k = 0; k < n->narg; k++) {
        a[k] = x->to[expr_arg(d, e, k)];
        same = same && a[k] == expr_arg(d, e, k);
    }
    if (n->op >= EX_LT && n->op <= EX_NE && expr_type(d, a[0]) == ET_STRING) {
        Expr b = simplify_texts_compare(x->texts, (ExprOp)n->op, a[0], a[1]);
        if (b != EXPR_NONE)
            return b;
    }
    return same ? e : expr_make(d, (ExprOp)n->op, a[0], a[1], a[2]);
}

static void expand_node(void *context, const Dag *dag, Expr e)
{
    Expansion *x = context;
    Work *w = x->w;
    Dag *d = w->dag;
    ExprOp op = expr_op(dag, e);
    Expr a = op == EX_EDGE || op == EX_CHANGE || op == EX_PRE || op == EX_DER
                 ? x->to[expr_arg(d, e, 0)]
                 : EXPR_NONE;
    switch (op) {
    case EX_VAR: x->to[e] = variable_leaf(w, e); break;
    case EX_PRE: x->to[e] = pre_of(w, a); break;
    case EX_EDGE: x->to[e] = edge_of(w, a); break;
    case EX_CHANGE: x->to[e] = expr_binary(d, EX_NE, a, pre_of(w, a)); break;
    case EX_DER:
        x->to[e] = expr_total_diff(d, a, w->varies, w->flat->nvar);
        if (x->to[e] == EXPR_NONE) {
            x->is_bad[e] = true;
            x->to[e] = a;
        }
        break;
    default: x->to[e] = rebuild(x, e);
    }
    for (int k = 0; k < expr_node(d, e)->narg; k++) {
        if (x->is_bad[expr_arg(d, e, k)])
            x->is_bad[e] = true;
    }
}

/* For texts.c, inside of a walk. */
static Expr expand_text(void *context, Expr e)
{
    Expansion *x = context;
    if (x->to[e] == EXPR_NONE)
        expr_walk(x->w->dag, &e, 1, expand_node, x);
    return x->to[e];
}

/* The expanded form of e. */
static Expr expand(Expansion *x, Expr e, Span span)
{
    if (e == EXPR_NONE)
        return e;
    if (x->collects) {
        vec_push(x->w->tmp, &x->root, e);
        return e;
    }
    if (x->to[e] == EXPR_NONE)
        expr_walk(x->w->dag, &e, 1, expand_node, x);
    if (x->is_bad[e])
        diag_report(x->w->diag, span, DIAG_E1008,
                    "the derivative of an expression is needed that takt "
                    "cannot differentiate");
    return x->to[e];
}

static SysEqn equation(Expansion *x, const FlatEqn *f, SysRule rule, int from)
{
    return (SysEqn){
        .lhs = expand(x, f->lhs, f->span),
        .rhs = expand(x, f->rhs, f->span),
        .origin = {rule, from},
        .component = f->component,
        .ordinal = f->ordinal,
        .span = f->span,
    };
}

static FlatAssert *expand_asserts(Expansion *x, const FlatAssert *a, int n)
{
    FlatAssert *to = NEW_ARRAY(x->w->arena, FlatAssert, n);
    for (int k = 0; k < n; k++) {
        to[k] = a[k];
        to[k].condition = expand(x, a[k].condition, a[k].span);
        to[k].message = expand(x, a[k].message, a[k].span);
    }
    return to;
}

static FlatWhen *expand_when_table(Expansion *x)
{
    Work *w = x->w;
    FlatWhen *to = NEW_ARRAY(w->tmp, FlatWhen, w->flat->nwhen);
    for (int k = 0; k < w->flat->nwhen; k++) {
        to[k] = w->flat->when[k];
        FlatWhenBranch *from = to[k].branch;
        to[k].branch = NEW_ARRAY(w->tmp, FlatWhenBranch, to[k].nbranch);
        for (int b = 0; b < to[k].nbranch; b++) {
            FlatWhenBranch *branch = &to[k].branch[b];
            *branch = from[b];
            branch->condition = NEW_ARRAY(w->tmp, Expr, branch->ncondition);
            branch->action = NEW_ARRAY(w->tmp, FlatAction, branch->naction);
            for (int c = 0; c < branch->ncondition; c++)
                branch->condition[c] =
                    expand(x, from[b].condition[c], branch->span);
            for (int a = 0; a < branch->naction; a++) {
                branch->action[a] = from[b].action[a];
                FlatAction *act = &branch->action[a];
                act->value = expand(x, act->value, act->span);
                act->message = expand(x, act->message, act->span);
            }
        }
    }
    return to;
}

static void expand_equations(Expansion *x)
{
    Work *w = x->w;
    for (int i = 0; i < w->flat->neqn; i++) {
        if (expr_type(w->dag, w->flat->eqn[i].lhs) == ET_STRING)
            continue;
        SysEqn e = equation(x, &w->flat->eqn[i], RULE_FLAT, i);
        vec_push(w->tmp, &w->eqn, e);
    }
    for (int i = 0; i < w->flat->ninitial; i++) {
        if (expr_type(w->dag, w->flat->initial[i].lhs) == ET_STRING)
            continue;
        SysEqn e = equation(x, &w->flat->initial[i], RULE_INITIAL, i);
        vec_push(w->tmp, &w->initial, e);
    }
}

/* Expands what equations share in one walk. */
static void walk_equations(Expansion *x, const FlatEqn *eqn, int n)
{
    Expr *root = NEW_ARRAY(x->w->tmp, Expr, 2 * n + 1);
    for (int i = 0; i < n; i++) {
        bool is_text = expr_type(x->w->dag, eqn[i].lhs) == ET_STRING;
        root[2 * i] = is_text ? EXPR_NONE : eqn[i].lhs;
        root[2 * i + 1] = is_text ? EXPR_NONE : eqn[i].rhs;
    }
    expr_walk(x->w->dag, root, 2 * n, expand_node, x);
}

static void expand_attributes(Expansion *x)
{
    for (int v = 0; v < x->w->sys->nvar; v++) {
        SysVar *s = &x->w->sys->var[v];
        s->start = expand(x, s->start, s->span);
        s->min = expand(x, s->min, s->span);
        s->max = expand(x, s->max, s->span);
        s->nominal = expand(x, s->nominal, s->span);
        s->expr = expand(x, s->expr, s->span);
    }
}

static FlatWhen *expand_others(Expansion *x)
{
    Sys *s = x->w->sys;
    const Flat *f = x->w->flat;
    expand_attributes(x);
    s->assertion = expand_asserts(x, f->assertion, f->nassertion);
    s->nassertion = f->nassertion;
    s->initial_assertion =
        expand_asserts(x, f->initial_assertion, f->ninitial_assertion);
    s->ninitial_assertion = f->ninitial_assertion;
    s->invariant = NEW_ARRAY(x->w->arena, Expr, f->ninvariant);
    s->ninvariant = f->ninvariant;
    for (int k = 0; k < f->ninvariant; k++)
        s->invariant[k] = expand(x, f->invariant[k], f->span);
    return expand_when_table(x);
}

void simplify_expand_expressions(Work *w)
{
    int n = dag_count(w->dag);
    Expansion x = {.w = w, .to = NEW_ARRAY(w->tmp, Expr, n)};
    x.is_bad = NEW_ARRAY(w->tmp, bool, n);
    for (int e = 0; e < n; e++)
        x.to[e] = EXPR_NONE;
    x.texts = simplify_texts_new(w, expand_text, &x);
    walk_equations(&x, w->flat->eqn, w->flat->neqn);
    walk_equations(&x, w->flat->initial, w->flat->ninitial);
    expand_equations(&x);
    x.collects = true;
    expand_others(&x);
    x.collects = false;
    expr_walk(w->dag, x.root.at, x.root.n, expand_node, &x);
    simplify_expand_whens(w, expand_others(&x));
}
