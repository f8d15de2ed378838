/* equation.c - equation sections of an instance (chapter 8).
 *
 * Two passes. The first collects connections, because operators such as
 * cardinality() ask for all of them; the second evaluates equations. An
 * if-equation whose conditions are known keeps one branch; otherwise its
 * branches are paired equation by equation into if-expressions (8.3.4).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/equation.h"

#include "instance/connect.h"
#include "instance/selective.h"
#include "instance/state.h"

void equation_emit(const Context *in, int component, Expr lhs, Expr rhs,
                   FlatOrigin origin, Span span)
{
    emit_eqn(in, (FlatEqn){.lhs = lhs,
                           .rhs = rhs,
                           .origin = origin,
                           .component = component,
                           .span = span});
}

static void emit_pair(Walk *w, const Pair *p)
{
    FlatEqn e = {.lhs = p->lhs,
                 .rhs = p->rhs,
                 .origin = FO_EQUATION,
                 .component = instance_component(w->inst),
                 .span = p->span};
    if (w->in->is_initial)
        emit_initial(w->in, e);
    else
        emit_eqn(w->in, e);
}

static void add_pair(void *context, const Context *in, Expr lhs, Expr rhs,
                     const Type *type)
{
    Walk *w = context;
    Pair p = {lhs, rhs, type, w->span};
    if (w->sink->direct)
        emit_pair(w, &p);
    else
        vec_push(in->arena, &w->sink->eqn, p);
}

static void add_assert(Walk *w, FlatAssert a)
{
    a.component = instance_component(w->inst);
    if (w->sink->direct)
        left_assert(w->in, a);
    else
        vec_push(w->in->arena, &w->sink->assertion, a);
}

/* ---- for ---- */

typedef void Body(Walk *w, Scope *scope, const AstEqn *q);

static void loop(Walk *w, Scope *scope, const AstEqn *q, int k, Body *body)
{
    if (k == q->niter) {
        body(w, scope, q);
        return;
    }
    IterUse use = {.eqn = q->branch[0].eqn, .neqn = q->branch[0].neqn};
    Value *range = eval_range(w->in, scope, &q->iter[k], use);
    if (is_error(range) || range->ndim < 1)
        return;
    for (int i = 0; i < range->dim[0]; i++) {
        Scope *frame = scope_frame(w->in, scope);
        scope_bind(w->in, frame, q->iter[k].name,
                   value_element(w->in, range, i));
        loop(w, frame, q, k + 1, body);
    }
}

static void for_body(Walk *w, Scope *scope, const AstEqn *q)
{
    equation_list(w, scope, q->branch[0].eqn, q->branch[0].neqn);
}

/* ---- if ---- */

int equation_condition(Walk *w, Scope *scope, const AstExpr *e, Expr *cond)
{
    const Context *in = w->in;
    Value *v = eval_expr(in, scope, e);
    if (is_error(v))
        return -2;
    if (v->type->kind != TYPE_BOOLEAN || v->ndim != 0) {
        diag_report(in->diag, e->span, DIAG_E0919,
                    "the condition must be a scalar Boolean, but it is %s",
                    type_text(in, v->type, v->ndim, v->dim));
        return -2;
    }
    double x;
    if (expr_is_const(in->dag, v->scalar[0], &x))
        return x != 0;
    Value *k = v->variability <= FV_PARAMETER ? eval_fold(in, v) : NULL;
    if (k && expr_is_const(in->dag, k->scalar[0], &x))
        return x != 0;
    *cond = v->scalar[0];
    return -1;
}

static int find_lhs(const Sink *s, Expr lhs, const bool *used)
{
    for (int i = 0; i < s->eqn.n; i++)
        if (!used[i] && s->eqn.at[i].lhs == lhs)
            return i;
    return NONE;
}

static Expr residual(const Context *in, const Pair *p)
{
    return expr_sub(in->dag, p->lhs, p->rhs);
}

/* The branches of an if-equation while they are paired; counts are equal. */
typedef struct Joining {
    const Sink *branch;
    const Expr *cond;
    int n;       /* branches */
    int neqn;    /* of each */
    bool **used; /* by branch and equation */
} Joining;

/* Equations for the same left side in every branch. */
static void join_same_left(Walk *w, Joining *j)
{
    const Context *in = w->in;
    const Sink *b = j->branch;
    int *match = NEW_ARRAY(in->arena, int, j->n);
    for (int i = 0; i < j->neqn; i++) {
        Expr lhs = b[0].eqn.at[i].lhs;
        int var, order;
        bool all = expr_is_var(in->dag, lhs, &var, &order);
        for (int k = 1; k < j->n && all; k++)
            all = (match[k] = find_lhs(&b[k], lhs, j->used[k])) != NONE;
        if (!all)
            continue;
        match[0] = i;
        Expr value = b[j->n - 1].eqn.at[match[j->n - 1]].rhs;
        for (int k = j->n - 2; k >= 0; k--)
            value =
                expr_if(in->dag, j->cond[k], b[k].eqn.at[match[k]].rhs, value);
        for (int k = 0; k < j->n; k++)
            j->used[k][match[k]] = true;
        w->span = b[0].eqn.at[i].span;
        add_pair(w, in, lhs, value, b[0].eqn.at[i].type);
    }
}

/* The others in their order: 0 = if c1 then residual1 else ... */
static void join_residuals(Walk *w, const AstEqn *q, Joining *j)
{
    const Context *in = w->in;
    const Sink *b = j->branch;
    int *next = NEW_ARRAY(in->arena, int, j->n);
    for (int i = 0; i < j->neqn; i++) {
        if (j->used[0][i])
            continue;
        for (int k = 0; k < j->n; k++)
            while (j->used[k][next[k]])
                next[k]++;
        const Pair *p = &b[0].eqn.at[next[0]];
        if (p->type->kind != TYPE_REAL && p->type->kind != TYPE_INTEGER) {
            diag_report(in->diag, q->span, DIAG_U0903,
                        "not supported yet: an if-equation that determines "
                        "different %s variables in its branches",
                        type_text(in, p->type, 0, NULL));
            return;
        }
        Expr value = residual(in, &b[j->n - 1].eqn.at[next[j->n - 1]]);
        for (int k = j->n - 2; k >= 0; k--)
            value = expr_if(in->dag, j->cond[k],
                            residual(in, &b[k].eqn.at[next[k]]), value);
        for (int k = 0; k < j->n; k++)
            j->used[k][next[k]] = true;
        w->span = p->span;
        add_pair(w, in, expr_real(in->dag, 0), value, type_builtin(TYPE_REAL));
    }
}

/* The equations of all branches as if-expressions; counts are equal. */
static void join_branches(Walk *w, const AstEqn *q, const Sink *branch,
                          const Expr *cond, int n)
{
    Joining j = {.branch = branch, .cond = cond, .n = n};
    j.neqn = branch[0].eqn.n;
    j.used = NEW_ARRAY(w->in->arena, bool *, n);
    for (int b = 0; b < n; b++)
        j.used[b] = NEW_ARRAY(w->in->arena, bool, j.neqn);
    join_same_left(w, &j);
    join_residuals(w, q, &j);
}

/* Asserts of branch b hold only while that branch is taken. */
static void join_asserts(Walk *w, const Sink *branch, const Expr *cond, int n,
                         bool has_else)
{
    Dag *d = w->in->dag;
    Expr before = expr_bool(d, false);
    for (int b = 0; b < n; b++) {
        bool is_else = has_else && b == n - 1;
        Expr away = is_else ? before
                            : expr_binary(d, EX_OR, before,
                                          expr_unary(d, EX_NOT, cond[b]));
        for (int i = 0; i < branch[b].assertion.n; i++) {
            FlatAssert a = branch[b].assertion.at[i];
            a.condition = expr_binary(d, EX_OR, away, a.condition);
            add_assert(w, a);
        }
        if (!is_else)
            before = expr_binary(d, EX_OR, before, cond[b]);
    }
}

static bool counts_agree(Walk *w, const AstEqn *q, const Sink *branch, int n,
                         bool has_else)
{
    int first = branch[0].eqn.n;
    for (int b = 1; b < n; b++) {
        if (branch[b].eqn.n == first)
            continue;
        diag_report(w->in->diag, q->span, DIAG_E0920,
                    "the branches of this if-equation have %d and %d "
                    "equations; they must have the same number, because the "
                    "condition changes while the model runs",
                    first, branch[b].eqn.n);
        return false;
    }
    if (!has_else && first > 0) {
        diag_report(w->in->diag, q->span, DIAG_E0921,
                    "this if-equation needs an else branch with the same "
                    "number of equations, because the condition changes while "
                    "the model runs");
        return false;
    }
    return true;
}

static void walk_if(Walk *w, Scope *scope, const AstEqn *q)
{
    const Context *in = w->in;
    int n = 0;
    bool has_else = false;
    Sink *branch = NEW_ARRAY(in->arena, Sink, q->nbranch);
    Expr *cond = NEW_ARRAY(in->arena, Expr, q->nbranch);
    for (int b = 0; b < q->nbranch && !has_else; b++) {
        const AstEqnBranch *br = &q->branch[b];
        int known =
            br->cond ? equation_condition(w, scope, br->cond, &cond[n]) : 1;
        if (known == -2)
            return;
        if (known == 0)
            continue;
        if (known == 1 && n == 0) {
            equation_list(w, scope, br->eqn, br->neqn);
            return;
        }
        has_else = known == 1;
        Walk inner = *w;
        inner.sink = &branch[n];
        equation_list(&inner, scope, br->eqn, br->neqn);
        n++;
    }
    if (n == 0)
        return;
    join_asserts(w, branch, cond, n, has_else);
    if (counts_agree(w, q, branch, n, has_else) && branch[0].eqn.n > 0)
        join_branches(w, q, branch, cond, n);
}

/* ---- one equation ---- */

static void connect_in_if(const Context *in, const AstEqn *q)
{
    diag_report(in->diag, q->span, DIAG_E0927,
                "%s cannot stand inside an if-equation whose condition is not "
                "known at compile time",
                q->kind == AQ_CONNECT ? "connect"
                                      : ast_ref_text(q->lhs->ref, in->arena));
}

static void walk_call(Walk *w, Scope *scope, const AstEqn *q)
{
    const Context *in = w->in;
    const AstRef *r = q->lhs->ref;
    if (r && r->npart == 2 && strcmp(r->part[0].name, "Connections") == 0) {
        if (!w->sink->direct)
            connect_in_if(in, q);
        return; /* collected in the first pass */
    }
    if (state_is_call(r)) {
        if (!w->sink->direct || in->is_initial || in->clock || in->in_when)
            diag_report(in->diag, q->span, DIAG_E0937,
                        "%s() can only stand in an equation section, not in "
                        "when and not in an if-equation whose condition is not "
                        "known at compile time",
                        r->part[0].name);
        else
            state_call(in, scope, w->inst, q->lhs);
        return;
    }
    FlatAction *action;
    int n = eval_actions(in, scope, q->lhs, &action);
    for (int i = 0; i < n; i++) {
        if (action[i].kind == FA_ASSERT) {
            add_assert(w, (FlatAssert){.condition = action[i].value,
                                       .message = action[i].message,
                                       .is_warning = action[i].is_warning,
                                       .span = q->span});
        } else if (action[i].kind == FA_REINIT) {
            diag_report(in->diag, q->span, DIAG_E0926,
                        "reinit() can only be used inside when");
        } else {
            diag_report(in->diag, q->span, DIAG_U0905,
                        "not supported yet: terminate() outside of when");
        }
    }
    if (n == NONE)
        eval_expr(in, scope, q->lhs);
}

static void walk_one(Walk *w, Scope *scope, const AstEqn *q)
{
    w->span = q->span;
    switch (q->kind) {
    case AQ_EQUAL:
        eval_equation(w->in, scope, q->lhs, q->rhs, q->span, add_pair, w);
        break;
    case AQ_CALL: walk_call(w, scope, q); break;
    case AQ_IF: walk_if(w, scope, q); break;
    case AQ_FOR: loop(w, scope, q, 0, for_body); break;
    case AQ_WHEN: when_equation(w, scope, q); break;
    case AQ_CONNECT:
        if (!w->sink->direct)
            connect_in_if(w->in, q);
        break; /* collected in the first pass */
    }
}

void equation_list(Walk *w, Scope *scope, AstEqn *const *eqn, int neqn)
{
    for (int i = 0; i < neqn; i++)
        walk_one(w, scope, eqn[i]);
}

/* ---- first pass: connections ---- */

static bool is_connection(const AstEqn *q)
{
    return q->kind == AQ_CONNECT ||
           (q->kind == AQ_CALL && q->lhs->ref && q->lhs->ref->npart == 2 &&
            strcmp(q->lhs->ref->part[0].name, "Connections") == 0);
}

static bool has_connection(AstEqn *const *eqn, int neqn)
{
    for (int i = 0; i < neqn; i++) {
        if (is_connection(eqn[i]))
            return true;
        for (int b = 0; b < eqn[i]->nbranch; b++)
            if (has_connection(eqn[i]->branch[b].eqn, eqn[i]->branch[b].neqn))
                return true;
    }
    return false;
}

static void connect_list(Walk *w, Scope *scope, AstEqn *const *eqn, int neqn);

static void connect_body(Walk *w, Scope *scope, const AstEqn *q)
{
    connect_list(w, scope, q->branch[0].eqn, q->branch[0].neqn);
}

static void connect_if(Walk *w, Scope *scope, const AstEqn *q)
{
    for (int b = 0; b < q->nbranch; b++) {
        Expr cond;
        const AstEqnBranch *br = &q->branch[b];
        int known =
            br->cond ? equation_condition(w, scope, br->cond, &cond) : 1;
        if (known < 0)
            return; /* the second pass reports it */
        if (known == 1) {
            connect_list(w, scope, br->eqn, br->neqn);
            return;
        }
    }
}

static void connect_list(Walk *w, Scope *scope, AstEqn *const *eqn, int neqn)
{
    for (int i = 0; i < neqn; i++) {
        const AstEqn *q = eqn[i];
        if (is_connection(q)) {
            if (!selective_drops_connect(w->without, q))
                connect_add(w->in, scope, w->inst, q);
        } else if (q->kind == AQ_FOR &&
                   has_connection(q->branch[0].eqn, q->branch[0].neqn)) {
            loop(w, scope, q, 0, connect_body);
        } else if (q->kind == AQ_IF && has_connection(eqn + i, 1)) {
            connect_if(w, scope, q);
        }
    }
}

/* ---- all sections of an instance ---- */

typedef void Section(Walk *w, Scope *scope, const AstSection *s);

static void connect_section(Walk *w, Scope *scope, const AstSection *s)
{
    if (!s->is_algorithm && !s->initial)
        connect_list(w, scope, s->eqn, s->neqn);
}

static void equation_section(Walk *w, Scope *scope, const AstSection *s)
{
    Context section = *w->in;
    section.is_initial = s->initial;
    section.forbids_impure = !s->initial;
    Walk inside = *w;
    inside.in = &section;
    if (s->is_algorithm)
        eval_section(&section, scope, s->stmt, s->nstmt);
    else
        equation_list(&inside, scope, s->eqn, s->neqn);
}

/* Inherited sections first, as they would stand in the text. A class that is
 * inherited twice counts once. */
static void sections(Walk *w, Class *part, Section *visit, int depth)
{
    if (!part->ast || depth > LIMIT_DEPTH)
        return;
    for (int i = 0; i < part->nbase; i++) {
        Without without = {&part->base[i], w->without};
        Walk inside = *w;
        inside.without = &without;
        sections(&inside, part->base[i].cls, visit, depth + 1);
    }
    if (!part->ast->nsection)
        return;
    Scope *scope = instance_scope(w->in, w->inst, part);
    for (int i = 0; i < part->ast->nsection; i++)
        visit(w, scope, &part->ast->section[i]);
}

static void all_instances(const Context *in, Instance *inst, Section *visit)
{
    if (inst->outer_of || inst->kind == IK_ERROR || inst->kind == IK_ABSENT)
        return;
    if (inst->kind == IK_ARRAY) {
        for (int i = 0; i < inst->nelement; i++)
            all_instances(in, inst->element[i], visit);
        return;
    }
    if (inst->kind != IK_OBJECT)
        return;
    Sink sink = {.direct = true};
    Context own = context_owned(in, instance_component(inst));
    Walk w = {.in = &own, .inst = inst, .sink = &sink};
    sections(&w, inst->cls, visit, 0);
    for (int i = 0; i < inst->cls->ncomp; i++)
        if (inst->child[i] && inst->child[i]->parent == inst)
            all_instances(in, inst->child[i], visit);
}

void equation_collect_connects(const Context *in, Instance *inst)
{
    all_instances(in, inst, connect_section);
}

void equation_all(const Context *in, Instance *inst)
{
    all_instances(in, inst, equation_section);
}
