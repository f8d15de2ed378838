/* statement.c - executing statements (chapter 11), with or without numbers.
 *
 * A condition that is a constant chooses its branch. Any other condition c
 * executes both branches from the same state and merges the states: each
 * variable becomes if c then one else the other. A branch that leaves by
 * `return` or `break` is not merged: its state waits, with the condition of its
 * path, at the end of the function or after the loop, where
 *
 *     if path1 then state1 else if path2 then state2 ... else the last state
 *
 * is formed. Loops are unrolled; their bounds must be known.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/exec.h"

Context exec_context(const Context *in, Exec *x)
{
    Context c = *in;
    c.exec = x;
    if (x->fn)
        c.call = &x->call;
    c.path = x->path;
    if (!in->exec)
        c.memory_before = arena_used();
    return c;
}

/* ---- ways that end ---- */

/* Keeps the current state for later. */
static void keep(const Context *in, Exec *x, KeptList *list)
{
    Kept k = {x->path, state_save(in, x)};
    vec_push(in->scratch, list, k);
}

/* Stores a state that left its branch; what is left is dead. */
static void settle(const Context *in, Exec *x, const Body *at, ExecStatus s)
{
    if (s == EXEC_BREAK)
        keep(in, x, at->breaks);
    else if (s == EXEC_RETURN)
        keep(in, x, &x->returns);
}

bool exec_join(const Context *in, Exec *x, KeptList *list, int from,
               ExecStatus status)
{
    int n = list->n;
    if (status == EXEC_DEAD && n > from)
        state_load(in, x, list->at[--n].state);
    bool ok = true;
    for (int i = n - 1; i >= from && ok; i--)
        ok = state_merge(in, x, list->at[i].condition, list->at[i].state);
    list->n = from;
    return ok;
}

/* The path without the ways that ended since `from`. */
static void exclude(const Context *in, Exec *x, const KeptList *list, int from)
{
    for (int i = from; list && i < list->n; i++)
        x->path = expr_and(in, x->path, expr_not(in, list->at[i].condition));
}

/* ---- if ---- */

static ExecStatus exec_branches(const Context *in, Exec *x, const Body *at,
                                const AstStmt *s, int b);

/* What only happens at initialisation is an initial section (12.3). */
static bool is_at_start(const Context *in, Expr c)
{
    return expr_op(in->dag, c) == EX_INITIAL ||
           (expr_op(in->dag, c) == EX_AND &&
            (is_at_start(in, expr_arg(in->dag, c, 0)) ||
             is_at_start(in, expr_arg(in->dag, c, 1))));
}

/* Both ways of a condition that is not known, in a section: its state may be
 * large, so only what the branches write is looked at. */
static ExecStatus exec_both_slots(const Context *in, Exec *x, const Body *at,
                                  const AstStmt *s, int b, Expr c)
{
    Expr path = x->path;
    int nbreak = at->breaks ? at->breaks->n : 0;
    int mark = x->log.n;
    x->path = expr_and(in, path, c);
    Context then_in = *in;
    then_in.forbids_impure = in->forbids_impure && !is_at_start(in, c);
    ExecStatus one =
        exec_list(&then_in, x, at, s->branch[b].stmt, s->branch[b].nstmt);
    if (one == EXEC_FAIL)
        return one;
    settle(in, x, at, one);
    Branch then = section_take_back(in, x, mark);
    x->path = expr_and(in, path, expr_not(in, c));
    ExecStatus two = exec_branches(in, x, at, s, b + 1);
    if (two == EXEC_FAIL)
        return two;
    settle(in, x, at, two);
    x->path = path;
    exclude(in, x, at->breaks, nbreak);
    if (one != EXEC_NORMAL && two != EXEC_NORMAL)
        return EXEC_DEAD;
    if (one != EXEC_NORMAL)
        return EXEC_NORMAL;
    Branch other = section_take_back(in, x, mark);
    if (two == EXEC_NORMAL)
        section_join(in, x, c, then, other);
    else
        section_redo(in, x, then);
    return EXEC_NORMAL;
}

/* Both ways of a condition that is not known. */
static ExecStatus exec_both(const Context *in, Exec *x, const Body *at,
                            const AstStmt *s, int b, Expr c)
{
    Expr path = x->path;
    int nbreak = at->breaks ? at->breaks->n : 0, nreturn = x->returns.n;
    void *before = state_save(in, x);
    x->path = expr_and(in, path, c);
    ExecStatus one =
        exec_list(in, x, at, s->branch[b].stmt, s->branch[b].nstmt);
    if (one == EXEC_FAIL)
        return one;
    settle(in, x, at, one);
    void *then = state_save(in, x);
    state_load(in, x, before);
    x->path = expr_and(in, path, expr_not(in, c));
    ExecStatus two = exec_branches(in, x, at, s, b + 1);
    if (two == EXEC_FAIL)
        return two;
    settle(in, x, at, two);
    x->path = path;
    exclude(in, x, at->breaks, nbreak);
    exclude(in, x, &x->returns, nreturn);
    if (one == EXEC_NORMAL && two == EXEC_NORMAL)
        return state_merge(in, x, c, then) ? EXEC_NORMAL : EXEC_FAIL;
    if (one == EXEC_NORMAL)
        state_load(in, x, then);
    return one == EXEC_NORMAL || two == EXEC_NORMAL ? EXEC_NORMAL : EXEC_DEAD;
}

/* Does the condition ask only for parameters that are no Real numbers, such as
 * a number of phases? These shape a model: sizes and the branches for them
 * belong together, so such a condition is decided now. */
static bool shapes(const Context *in, Expr c)
{
    Arena *temp = arena_new();
    Expr *leaf;
    int n = expr_leaves(in->dag, c, &leaf, temp);
    bool real = false;
    for (int i = 0; i < n; i++) {
        int var, order;
        if (expr_is_var(in->dag, leaf[i], &var, &order))
            real |=
                in->flat->var[var].type == FT_REAL && !is_structural(in, var);
    }
    arena_free(temp);
    return !real;
}

static ExecStatus exec_branches(const Context *in, Exec *x, const Body *at,
                                const AstStmt *s, int b)
{
    Context here = exec_context(in, x);
    for (; b < s->nbranch; b++) {
        const AstStmtBranch *br = &s->branch[b];
        if (!br->cond)
            return exec_list(in, x, at, br->stmt, br->nstmt);
        FlatVariability v = FV_CONSTANT;
        Expr c = eval_condition(&here, at->scope, br->cond,
                                "the condition of an if-statement", &v);
        if (c == EXPR_NONE)
            return EXEC_FAIL;
        if (v <= FV_PARAMETER && (function_recurses(in) || shapes(in, c))) {
            Expr k = fold_expr(in, c);
            c = k == EXPR_NONE ? c : k;
        }
        bool known;
        if (!expr_const_bool(in, c, &known))
            return x->fn ? exec_both(in, x, at, s, b, c)
                         : exec_both_slots(in, x, at, s, b, c);
        if (known)
            return exec_list(in, x, at, br->stmt, br->nstmt);
    }
    return EXEC_NORMAL;
}

/* ---- loops ---- */

/* After a loop: states that left by break join, the path is that before it
 * without the ways that returned. */
static ExecStatus end_loop(const Context *in, Exec *x, KeptList *breaks,
                           ExecStatus s, Expr path, int nreturn)
{
    if (s == EXEC_FAIL || s == EXEC_RETURN)
        return s;
    if (s == EXEC_DEAD && breaks->n == 0)
        return EXEC_DEAD; /* every way returned */
    x->path = path;
    exclude(in, x, &x->returns, nreturn);
    return exec_join(in, x, breaks, 0, s) ? EXEC_NORMAL : EXEC_FAIL;
}

/* An unconditional break ends the loop: its state is the current one. */
static bool goes_on(ExecStatus s)
{
    return s == EXEC_NORMAL;
}

/* The iterators from number `k` on. */
static ExecStatus exec_iterators(const Context *in, Exec *x, const Body *at,
                                 const AstStmt *s, int k)
{
    const AstStmtBranch *body = &s->branch[0];
    if (k == s->niter)
        return exec_list(in, x, at, body->stmt, body->nstmt);
    IterUse use = {.stmt = body->stmt, .nstmt = body->nstmt};
    Context here = exec_context(in, x);
    Value *range = eval_range(&here, at->scope, &s->iter[k], use);
    if (is_error(range))
        return EXEC_FAIL;
    if (range->dim[0] == 0)
        return EXEC_NORMAL;
    Body turn = *at;
    Scope *frame = turn.scope = scope_frame(in, at->scope);
    scope_bind(in, frame, s->iter[k].name, value_element(in, range, 0));
    ExecStatus st = EXEC_NORMAL;
    for (int i = 0; i < range->dim[0] && goes_on(st); i++) {
        if (!eval_step(in, s->span))
            return EXEC_FAIL;
        if (i)
            scope_assign(frame, s->iter[k].name, value_element(in, range, i));
        st = exec_iterators(in, x, &turn, s, k + 1);
    }
    return st;
}

static ExecStatus exec_for(const Context *in, Exec *x, const Body *at,
                           const AstStmt *s)
{
    KeptList breaks = {0};
    Body inside = *at;
    inside.breaks = &breaks;
    Expr path = x->path;
    int nreturn = x->returns.n;
    if (exec_is_open_for(in, x, at, s))
        return exec_open_for(in, x, at, s);
    ExecStatus st = exec_iterators(in, x, &inside, s, 0);
    if (st == EXEC_BREAK)
        st = EXEC_NORMAL;
    return end_loop(in, x, &breaks, st, path, nreturn);
}

/* The condition of a while-loop, EXPR_NONE after a report. */
static Expr while_condition(const Context *in, Exec *x, const Body *at,
                            const AstStmt *s)
{
    FlatVariability v;
    Context here = exec_context(in, x);
    Expr c = eval_condition(&here, at->scope, s->branch[0].cond,
                            "the condition of a while-loop", &v);
    bool known;
    if (c == EXPR_NONE || expr_const_bool(in, c, &known) || v > FV_PARAMETER)
        return c;
    Expr k = fold_expr(in, c);
    return k == EXPR_NONE ? c : k;
}

/* Turns of a loop whose condition is known. Returns EXEC_NORMAL with *open
 * false at its end, true before a turn whose condition is not known. */
static ExecStatus while_known(const Context *in, Exec *x, const Body *at,
                              const AstStmt *s, bool *open)
{
    ExecStatus st = EXEC_NORMAL;
    *open = false;
    for (long turn = 0; goes_on(st); turn++) {
        if (!eval_step(in, s->span))
            return EXEC_FAIL;
        Expr c = while_condition(in, x, at, s);
        bool go;
        if (c == EXPR_NONE)
            return EXEC_FAIL;
        if (!expr_const_bool(in, c, &go)) {
            *open = true;
            return st;
        }
        if (!go)
            return st;
        if (turn > 1000000) {
            context_report(in, s->span, DIAG_E0616,
                           "this while-loop does not end: it was given up "
                           "after 1000000 turns");
            return EXEC_FAIL;
        }
        st = exec_list(in, x, at, s->branch[0].stmt, s->branch[0].nstmt);
    }
    return st;
}

/* A condition `i < n and ...` with an Integer i and a known n holds n times at
 * most for an i that counts up from 1; NONE: it is no such condition. */
static int most_turns(const Context *in, Exec *x, const Body *at,
                      const AstExpr *e)
{
    while (e->kind == AE_BINARY && e->op == OP_AND)
        e = e->arg[0];
    if (e->kind != AE_BINARY || (e->op != OP_LT && e->op != OP_LE))
        return NONE;
    Context here = exec_context(in, x);
    Value *i = eval_value(&here, at->scope, e->arg[0]);
    Value *n = eval_value(&here, at->scope, e->arg[1]);
    int most;
    if (!is_kind(i, TYPE_INTEGER) || !is_scalar(i) || is_error(n) ||
        !(n = eval_fold(&here, n)) || !value_const_int(in, n, &most))
        return NONE;
    return e->op == OP_LE ? most : most - 1;
}

/* The loop has had all the turns that a counter from 1 on can take: that it
 * ends is an assertion. */
static ExecStatus end_turns(const Context *in, Exec *x, const AstStmt *s,
                            Expr c)
{
    Expr more = expr_and(in, x->path, c);
    left_assert(in, (FlatAssert){.condition = expr_not(in, more),
                                 .message = expr_string(
                                     in->dag, "the counter of a while-loop "
                                              "began below 1"),
                                 .component = in->component,
                                 .span = s->branch[0].cond->span});
    x->path = expr_and(in, x->path, expr_not(in, c));
    return EXEC_NORMAL;
}

/* Turns whose conditions are not known: each may be the last, so the state
 * before it waits after the loop. A loop that counts ends when its counter
 * makes the condition false, or after as many turns as it can have; others are
 * given up. */
static ExecStatus while_open(const Context *in, Exec *x, const Body *at,
                             const AstStmt *s)
{
    int most = most_turns(in, x, at, s->branch[0].cond);
    for (int turn = 0; turn < MOST_OPEN_TURNS; turn++) {
        Expr c = while_condition(in, x, at, s);
        bool go;
        if (c == EXPR_NONE)
            return EXEC_FAIL;
        if (most != NONE && turn >= most && !expr_const_bool(in, c, &go))
            return end_turns(in, x, s, c);
        if (expr_const_bool(in, c, &go) && !go)
            return EXEC_NORMAL;
        if (!expr_const_bool(in, c, &go)) {
            Expr path = x->path;
            x->path = expr_and(in, path, expr_not(in, c));
            keep(in, x, at->breaks);
            x->path = expr_and(in, path, c);
        }
        ExecStatus st =
            exec_list(in, x, at, s->branch[0].stmt, s->branch[0].nstmt);
        if (st != EXEC_NORMAL)
            return st;
    }
    return EXEC_FAIL;
}

/* A loop that ends in a few turns is unrolled, another one of a function
 * becomes a function of its own. */
static ExecStatus while_attempt(const Context *in, Exec *x, const Body *at,
                                const AstStmt *s)
{
    Trial t;
    void *before = state_save(in, x);
    Expr path = x->path;
    int nbreak = at->breaks->n, nreturn = x->returns.n;
    trial_begin(&t, in);
    ExecStatus st = while_open(&t.in, x, at, s);
    if (st != EXEC_FAIL) {
        trial_keep(&t);
        return st;
    }
    trial_drop(&t);
    if (x->fn) {
        state_load(in, x, before);
        x->path = path;
        at->breaks->n = nbreak;
        x->returns.n = nreturn;
        return exec_open_while(in, x, at, s);
    }
    context_report(
        in, s->branch[0].cond->span, DIAG_U0603,
        "not supported yet: a while-loop outside of a function whose "
        "condition is known only at run time and that has no fixed "
        "number of turns");
    return st;
}

static ExecStatus exec_while(const Context *in, Exec *x, const Body *at,
                             const AstStmt *s)
{
    KeptList breaks = {0};
    Body inside = *at;
    inside.breaks = &breaks;
    Expr path = x->path;
    int nreturn = x->returns.n;
    bool open;
    ExecStatus st = while_known(in, x, &inside, s, &open);
    if (st == EXEC_NORMAL && open)
        st = while_attempt(in, x, &inside, s);
    if (st == EXEC_BREAK)
        st = EXEC_NORMAL;
    return end_loop(in, x, &breaks, st, path, nreturn);
}

/* ---- assignments ---- */

static bool exec_tuple(const Context *in, Exec *x, const Body *at,
                       const AstStmt *s)
{
    Value *r = eval_expr(in, at->scope, s->rhs);
    if (is_error(r))
        return false;
    int have = r->nvalue ? r->nvalue : r->type->kind != TYPE_NORETURN;
    if (s->lhs->narg > have) {
        context_report(in, s->span, DIAG_E0613,
                       "%d values are wanted on the left, but the right side "
                       "gives %d",
                       s->lhs->narg, have);
        return false;
    }
    for (int i = 0; i < s->lhs->narg; i++) {
        const AstExpr *to = s->lhs->arg[i];
        if (!to)
            continue;
        if (to->kind != AE_REF) {
            context_report(in, to->span, DIAG_E0611,
                           "'%s' is not a variable that can be assigned",
                           expr_as_text(in, to));
            return false;
        }
        if (!output_is_set(in, r, i, to->span) ||
            !exec_assign(in, x, at, to->ref, r->nvalue ? r->tuple[i] : r,
                         s->span))
            return false;
    }
    return true;
}

static bool exec_one_assign(const Context *in, Exec *x, const Body *at,
                            const AstStmt *s)
{
    if (s->lhs->kind != AE_REF) {
        context_report(in, s->lhs->span, DIAG_E0611,
                       "'%s' is not a variable that can be assigned",
                       expr_as_text(in, s->lhs));
        return false;
    }
    Value *v = eval_value(in, at->scope, s->rhs);
    return !is_error(v) && exec_assign(in, x, at, s->lhs->ref, v, s->span);
}

/* ---- calls ---- */

/* An assertion on the way: decided, or left to the model. */
static bool exec_assertion(const Context *in, Exec *x, const FlatAction *a)
{
    bool holds;
    if (expr_const_bool(in, a->value, &holds) && holds)
        return true;
    Expr ok = expr_binary(in->dag, EX_OR, expr_not(in, in->path), a->value);
    if (expr_const_bool(in, ok, &holds) && x->fn) {
        if (holds)
            return true;
        const char *text = expr_op(in->dag, a->message) == EX_STR
                               ? expr_node(in->dag, a->message)->text
                               : "";
        context_report(in, a->span, a->is_warning ? DIAG_W0612 : DIAG_E0612,
                       "assertion in '%s' fails: %s", x->fn->name, text);
        return a->is_warning;
    }
    FlatAssert f = {.condition = ok,
                    .message = a->message,
                    .is_warning = a->is_warning,
                    .component = in->component,
                    .span = a->span};
    left_assert(in, f);
    return true;
}

static bool exec_actions(const Context *in, Exec *x, const Body *at,
                         FlatAction *a, int n)
{
    for (int i = 0; i < n; i++) {
        if (at->actions) {
            bool certain;
            Expr p = in->path;
            if (a[i].kind == FA_ASSERT)
                a[i].value =
                    expr_binary(in->dag, EX_OR, expr_not(in, p), a[i].value);
            else if (!expr_const_bool(in, p, &certain)) {
                context_report(in, a[i].span, DIAG_U0605,
                               "not supported yet: reinit() or terminate() "
                               "below a condition inside a when-statement");
                return false;
            }
            vec_push(in->arena, at->actions, a[i]);
            continue;
        }
        if (a[i].kind == FA_ASSERT) {
            if (!exec_assertion(in, x, &a[i]))
                return false;
            continue;
        }
        context_report(in, a[i].span,
                       a[i].kind == FA_REINIT ? DIAG_E0615 : DIAG_U0605,
                       a[i].kind == FA_REINIT
                           ? "reinit() may stand only in the body of a when "
                             "clause"
                           : "not supported yet: terminate() outside of a "
                             "when-statement");
        return false;
    }
    return true;
}

static bool exec_call(const Context *in, Exec *x, const Body *at,
                      const AstStmt *s)
{
    if (s->lhs->kind != AE_CALL)
        return false;
    FlatAction *a;
    int n = eval_actions(in, at->scope, s->lhs, &a);
    if (n != NONE)
        return exec_actions(in, x, at, a, n);
    return !is_error(eval_expr(in, at->scope, s->lhs));
}

/* ---- one statement ---- */

static ExecStatus exec_nested(const Context *in, Exec *x, const Body *at,
                              const AstStmt *s)
{
    Body inside = *at;
    inside.nested = true;
    return s->kind == AS_IF    ? exec_branches(in, x, &inside, s, 0)
           : s->kind == AS_FOR ? exec_for(in, x, &inside, s)
                               : exec_while(in, x, &inside, s);
}

static ExecStatus exec_leave(const Context *in, Exec *x, const Body *at,
                             const AstStmt *s)
{
    if (s->kind == AS_BREAK && !at->breaks) {
        context_report(in, s->span, DIAG_E0615,
                       "'break' may stand only inside a loop");
        return EXEC_FAIL;
    }
    if (s->kind == AS_RETURN && !x->fn) {
        context_report(in, s->span, DIAG_E0615,
                       "'return' may stand only inside a function");
        return EXEC_FAIL;
    }
    return s->kind == AS_BREAK ? EXEC_BREAK : EXEC_RETURN;
}

static ExecStatus exec_one(const Context *in, Exec *x, const Body *at,
                           const AstStmt *s)
{
    bool ok = true;
    switch (s->kind) {
    case AS_ASSIGN: ok = exec_one_assign(in, x, at, s); break;
    case AS_TUPLE: ok = exec_tuple(in, x, at, s); break;
    case AS_CALL: ok = exec_call(in, x, at, s); break;
    case AS_IF:
    case AS_FOR:
    case AS_WHILE: return exec_nested(in, x, at, s);
    case AS_WHEN: return exec_when(in, x, at, s);
    case AS_BREAK:
    case AS_RETURN: return exec_leave(in, x, at, s);
    }
    return ok ? EXEC_NORMAL : EXEC_FAIL;
}

ExecStatus exec_list(const Context *in, Exec *x, const Body *at,
                     AstStmt *const *stmt, int n)
{
    if (!eval_step(in, n ? stmt[0]->span : NO_SPAN))
        return EXEC_FAIL;
    in->run->depth++;
    ExecStatus s = EXEC_NORMAL;
    for (int i = 0; i < n && s == EXEC_NORMAL; i++) {
        Context here = exec_context(in, x);
        s = exec_one(&here, x, at, stmt[i]);
    }
    in->run->depth--;
    return s;
}
