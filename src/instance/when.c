/* when.c - when-equations (8.3.5) as lists of actions.
 *
 * The equations of a when have a variable alone on one side: each is an action
 * that assigns it. An if inside when gives every variable one action, which
 * keeps the value where a branch does not assign it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/equation.h"
#include "value/hidden.h"

typedef Vec(FlatAction) Actions;

typedef struct WhenWalk {
    Walk *walk;
    Actions *actions;
    Span span;
} WhenWalk;

static void when_list(WhenWalk *w, Scope *scope, AstEqn *const *eqn, int neqn);

/* 4.5.1: a discrete Real is assigned where it is declared. */
static void check_owner(const Context *in, const WhenWalk *w, int var)
{
    const Instance *x = variable_owner(in, var), *p = x ? x->parent : NULL;
    if (!x || x->elem->ast->component->variability != VAR_DISCRETE ||
        x->type->kind != TYPE_REAL)
        return;
    while (p && p->parent && p->cls &&
           (class_kind(p->cls) == CK_RECORD ||
            class_kind(p->cls) == CK_OPERATOR_RECORD))
        p = p->parent;
    if (p == w->walk->inst)
        return;
    diag_report(in->diag, w->span, DIAG_E0937,
                "'%s' is a discrete Real: only the component it is declared in "
                "can give it a value",
                instance_path(in, (Instance *)x));
    diag_note(in->diag, x->elem->ast->span, "it is declared here");
}

static void when_pair(void *context, const Context *in, Expr lhs, Expr rhs,
                      const Type *type)
{
    (void)type;
    WhenWalk *w = context;
    int var, order;
    if (!expr_is_var(in->dag, lhs, &var, &order) || order != 0) {
        Expr swap = lhs;
        lhs = rhs;
        rhs = swap;
    }
    if (!expr_is_var(in->dag, lhs, &var, &order) || order != 0) {
        diag_report(in->diag, w->span, DIAG_E0922,
                    "an equation inside when must have a variable alone on "
                    "its left side");
        return;
    }
    check_owner(in, w, var);
    vec_push(in->arena, w->actions,
             ((FlatAction){.kind = FA_ASSIGN,
                           .var = var,
                           .value = rhs,
                           .message = EXPR_NONE,
                           .span = w->span}));
}

static int find_action(const Actions *a, FlatActionKind kind, int var)
{
    for (int i = 0; i < a->n; i++)
        if (a->at[i].kind == kind && a->at[i].var == var)
            return i;
    return NONE;
}

/* if inside when: a variable not assigned in a branch keeps its value. */
static void join_actions(WhenWalk *w, Actions *branch, const Expr *cond, int n,
                         bool has_else)
{
    const Context *in = w->walk->in;
    Dag *d = in->dag;
    int nbranch = n;
    Expr before = expr_bool(d, false);
    for (int b = 0; b < nbranch; b++) {
        bool is_else = has_else && b == n - 1;
        Expr here = is_else
                        ? expr_unary(d, EX_NOT, before)
                        : expr_binary(d, EX_AND, expr_unary(d, EX_NOT, before),
                                      cond[b]);
        for (int i = 0; i < branch[b].n; i++) {
            FlatAction a = branch[b].at[i];
            if (a.kind == FA_ASSERT) {
                a.value =
                    expr_binary(d, EX_OR, expr_unary(d, EX_NOT, here), a.value);
                vec_push(in->arena, w->actions, a);
                continue;
            }
            if (a.kind == FA_TERMINATE) {
                diag_report(in->diag, a.span, DIAG_U0904,
                            "not supported yet: terminate() inside an if "
                            "inside when");
                continue;
            }
            Expr self = expr_var(d, a.var, 0, expr_type(d, a.value));
            if (in->flat->var[a.var].type == FT_BOOLEAN)
                self = expr_var(d, a.var, 0, ET_BOOLEAN);
            else if (in->flat->var[a.var].type == FT_REAL)
                self = expr_var(d, a.var, 0, ET_REAL);
            Expr old = a.kind == FA_REINIT ? self : expr_unary(d, EX_PRE, self);
            int k = find_action(w->actions, a.kind, a.var);
            if (k == NONE) {
                a.value = expr_if(d, here, a.value, old);
                vec_push(in->arena, w->actions, a);
            } else {
                w->actions->at[k].value =
                    expr_if(d, here, a.value, w->actions->at[k].value);
            }
        }
        if (!is_else)
            before = expr_binary(d, EX_OR, before, cond[b]);
    }
}

static void when_if(WhenWalk *w, Scope *scope, const AstEqn *q)
{
    const Context *in = w->walk->in;
    int n = 0;
    bool has_else = false;
    Actions *branch = NEW_ARRAY(in->arena, Actions, q->nbranch);
    Expr *cond = NEW_ARRAY(in->arena, Expr, q->nbranch);
    for (int b = 0; b < q->nbranch && !has_else; b++) {
        const AstEqnBranch *br = &q->branch[b];
        int known = br->cond
                        ? equation_condition(w->walk, scope, br->cond, &cond[n])
                        : 1;
        if (known == -2)
            return;
        if (known == 0)
            continue;
        if (known == 1 && n == 0) {
            when_list(w, scope, br->eqn, br->neqn);
            return;
        }
        has_else = known == 1;
        Context only_if = *in; /* what it leaves is left in any case */
        only_if.hidden = NULL;
        Walk here = *w->walk;
        here.in = &only_if;
        WhenWalk inner = *w;
        inner.walk = &here;
        inner.actions = &branch[n];
        when_list(&inner, scope, br->eqn, br->neqn);
        n++;
    }
    join_actions(w, branch, cond, n, has_else);
}

static void when_for(WhenWalk *w, Scope *scope, const AstEqn *q, int k)
{
    if (k == q->niter) {
        when_list(w, scope, q->branch[0].eqn, q->branch[0].neqn);
        return;
    }
    const Context *in = w->walk->in;
    IterUse use = {.eqn = q->branch[0].eqn, .neqn = q->branch[0].neqn};
    Value *range = eval_range(in, scope, &q->iter[k], use);
    if (is_error(range) || range->ndim < 1)
        return;
    for (int i = 0; i < range->dim[0]; i++) {
        Scope *frame = scope_frame(in, scope);
        scope_bind(in, frame, q->iter[k].name, value_element(in, range, i));
        when_for(w, frame, q, k + 1);
    }
}

static void when_list(WhenWalk *w, Scope *scope, AstEqn *const *eqn, int neqn)
{
    const Context *in = w->walk->in;
    for (int i = 0; i < neqn; i++) {
        const AstEqn *q = eqn[i];
        w->span = q->span;
        FlatAction *action;
        int n;
        switch (q->kind) {
        case AQ_EQUAL:
            eval_equation(in, scope, q->lhs, q->rhs, q->span, when_pair, w);
            break;
        case AQ_CALL:
            n = eval_actions(in, scope, q->lhs, &action);
            for (int k = 0; k < n; k++)
                vec_push(in->arena, w->actions, action[k]);
            if (n == NONE)
                eval_expr(in, scope, q->lhs);
            break;
        case AQ_IF: when_if(w, scope, q); break;
        case AQ_FOR: when_for(w, scope, q, 0); break;
        case AQ_WHEN:
            diag_report(in->diag, q->span, DIAG_E0923,
                        "a when-equation cannot stand inside another");
            break;
        case AQ_CONNECT:
            diag_report(in->diag, q->span, DIAG_E0924,
                        "connect cannot stand inside when");
            break;
        }
    }
}

static bool when_condition(Walk *w, Scope *scope, const AstExpr *e,
                           FlatWhenBranch *br, bool *clocked)
{
    const Context *in = w->in;
    Value *v = eval_expr(in, scope, e);
    if (is_error(v))
        return false;
    bool is_clock = v->type->kind == TYPE_CLOCK && v->ndim == 0;
    if (!is_clock && (v->type->kind != TYPE_BOOLEAN || v->ndim > 1)) {
        diag_report(in->diag, e->span, DIAG_E0919,
                    "the condition of when must be a Boolean or a vector of "
                    "them, but it is %s",
                    type_text(in, v->type, v->ndim, v->dim));
        return false;
    }
    br->ncondition = v->nscalar;
    br->condition = NEW_ARRAY(in->arena, Expr, v->nscalar);
    for (int i = 0; i < v->nscalar; i++)
        br->condition[i] = v->scalar[i];
    *clocked = is_clock;
    return true;
}

/* 16.6: what stands in `when clock` are equations like others, which belong to
 * this clock. */
static void clocked_when(Walk *w, Scope *scope, const AstEqn *q, Expr clock)
{
    if (q->nbranch > 1) {
        diag_report(w->in->diag, q->branch[1].cond->span, DIAG_E0919,
                    "a when clause with a clock cannot have elsewhen");
        return;
    }
    Context inside = *w->in;
    inside.in_when = false;
    inside.forbids_impure = false;
    inside.clock = 1 + emit_clock(w->in, clock);
    Walk here = *w;
    here.in = &inside;
    equation_list(&here, scope, q->branch[0].eqn, q->branch[0].neqn);
}

void when_equation(Walk *w, Scope *scope, const AstEqn *q)
{
    const Context *in = w->in;
    if (w->in->is_initial || !w->sink->direct) {
        diag_report(in->diag, q->span, DIAG_E0925,
                    w->in->is_initial
                        ? "a when-equation cannot stand in an initial "
                          "equation section"
                        : "a when-equation cannot stand inside an "
                          "if-equation whose condition changes");
        return;
    }
    FlatWhen when = {.component = instance_component(w->inst), .span = q->span};
    when.branch = NEW_ARRAY(in->arena, FlatWhenBranch, q->nbranch);
    Context inside = *in, asks = *in;
    inside.in_when = asks.in_when = true;
    inside.forbids_impure = false;
    Walk here = *w, condition = *w;
    here.in = &inside;
    condition.in = &asks;
    for (int b = 0; b < q->nbranch; b++) {
        FlatWhenBranch *br = &when.branch[when.nbranch];
        br->span = q->branch[b].cond ? q->branch[b].cond->span : q->span;
        bool clocked;
        if (!q->branch[b].cond ||
            !when_condition(&condition, scope, q->branch[b].cond, br, &clocked))
            continue;
        if (clocked) {
            clocked_when(w, scope, q, br->condition[0]);
            return;
        }
        Actions actions = {0};
        struct Hidden hidden = {0};
        inside.hidden = &hidden;
        WhenWalk inner = {&here, &actions, q->span};
        when_list(&inner, scope, q->branch[b].eqn, q->branch[b].neqn);
        for (int i = 0; i < hidden.action.n; i++)
            vec_push(in->arena, &actions, hidden.action.at[i]);
        br->action = actions.at;
        br->naction = actions.n;
        when.nbranch++;
    }
    if (when.nbranch)
        left_when(in, when);
}
