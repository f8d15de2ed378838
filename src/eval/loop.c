/* loop.c - loops of functions whose number of turns only the run knows.
 *
 * The body is executed once, symbolically, with arguments (ARG nodes) in the
 * place of what it changes: that gives the next state and the condition as
 * expressions of the state, of which a function is made (routine/routine.h).
 * What is changed is found by executing: scalars that came out as another
 * expression than they went in become part of the state, until there are no
 * more of them. `break`, `return` and assertions that fail are Booleans of the
 * state that end the loop.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "value/cells.h"
#include "eval/exec.h"
#include "routine/routine.h"

/* Booleans at the end of the state, and the counter of a for-loop. */
enum { LEFT, RETURNED, FAILED, COUNTER, NFLAG };

typedef struct Loop {
    const Context *in; /* around the loop */
    Exec *x;
    const Body *at;
    const AstStmt *s;
    Value **before; /* of each variable of the function */
    int ncell;      /* numbers in them */
    Expr *first;    /* of each cell: the value before; ncell + NFLAG */
    Expr *formal;   /* in the body: the same, or an ARG */
    Expr *next;     /* after it */
    bool *is_state;
    /* for-loop: */
    bool counts;
    Expr stop, step; /* of the counter */
    const Type *counter;
    /* while it is executed */
    Expr go;
    const char *message; /* of the first assertion; NULL: there is none */
} Loop;

/* ---- the variables of the function ---- */

static void set_state(Loop *l, const Expr *cell)
{
    Exec *x = l->x;
    for (int i = 0; i < x->fn->nvar; i++)
        scope_assign(x->frame, x->fn->var[i].name,
                     cells_with(l->in, l->before[i], &cell, x->variability));
}

/* False after a report: a size has changed. */
static bool get_state(Loop *l)
{
    Exec *x = l->x;
    int n = 0;
    for (int i = 0; i < x->fn->nvar; i++) {
        const Value *v = scope_local(x->frame, x->fn->var[i].name);
        if (cells_count(v) != cells_count(l->before[i])) {
            context_report(l->in, l->s->span, DIAG_U0603,
                           "not supported yet: a loop whose number of turns is "
                           "known at run time only and that changes the size "
                           "of '%s'",
                           x->fn->var[i].name);
            return false;
        }
        n += cells_read(v, l->next + n);
    }
    return true;
}

/* ---- one execution of the body ---- */

static Expr any_of(const Context *in, const KeptList *list, int from)
{
    Expr any = expr_bool(in->dag, false);
    for (int i = from; i < list->n; i++)
        any = expr_binary(in->dag, EX_OR, any, list->at[i].condition);
    return any;
}

static void keep_way(const Context *in, Exec *x, KeptList *list)
{
    Kept k = {x->path, state_save(in, x)};
    vec_push(in->scratch, list, k);
}

/* All ways through the body as one state, and how it ended. */
static bool join_ways(Loop *l, const Context *in, ExecStatus st,
                      KeptList *breaks, int nreturn)
{
    Exec *x = l->x;
    if (st == EXEC_BREAK)
        keep_way(in, x, breaks);
    if (st == EXEC_RETURN)
        keep_way(in, x, &x->returns);
    if (st != EXEC_NORMAL)
        st = EXEC_DEAD;
    l->next[l->ncell + LEFT] = any_of(in, breaks, 0);
    l->next[l->ncell + RETURNED] = any_of(in, &x->returns, nreturn);
    if (st == EXEC_DEAD && breaks->n > 0) {
        if (!exec_join(in, x, breaks, 0, st))
            return false;
        st = EXEC_NORMAL;
    }
    return exec_join(in, x, breaks, 0, EXEC_NORMAL) &&
           exec_join(in, x, &x->returns, nreturn, st);
}

/* Assertions on the way: the loop ends when one fails. */
static void take_assertions(Loop *l, const Ledger *left)
{
    const Context *in = l->in;
    Expr failed = expr_bool(in->dag, false);
    for (int i = 0; i < left->assertion.n + left->initial_assertion.n; i++) {
        const FlatAssert *a =
            i < left->assertion.n
                ? &left->assertion.at[i]
                : &left->initial_assertion.at[i - left->assertion.n];
        if (a->is_warning)
            continue;
        failed =
            expr_binary(in->dag, EX_OR, failed, expr_not(in, a->condition));
        if (!l->message)
            l->message = expr_op(in->dag, a->message) == EX_STR
                             ? expr_node(in->dag, a->message)->text
                             : "an assertion in a loop fails";
    }
    l->next[l->ncell + FAILED] = failed;
}

/* Does the loop go on before its condition is looked at? */
static Expr still_runs(const Loop *l, Expr path)
{
    const Context *in = l->in;
    Expr go = path;
    for (int i = LEFT; i <= FAILED; i++)
        go = expr_and(in, go, expr_not(in, l->formal[l->ncell + i]));
    return go;
}

static Expr condition(Loop *l, const Context *in, Scope *scope)
{
    FlatVariability v;
    if (!l->counts)
        return eval_condition(in, scope, l->s->branch[0].cond,
                              "the condition of a while-loop", &v);
    double step;
    bool down = expr_is_const(in->dag, l->step, &step) && step < 0;
    return expr_unary(in->dag, EX_NOEVENT,
                      expr_binary(in->dag, down ? EX_GE : EX_LE,
                                  l->formal[l->ncell + COUNTER], l->stop));
}

static bool run_body(Loop *l, Context *in, Expr path)
{
    Exec *x = l->x;
    KeptList breaks = {0};
    Body inside = *l->at;
    inside.breaks = &breaks;
    int nreturn = x->returns.n;
    set_state(l, l->formal);
    x->path = expr_bool(in->dag, true);
    if (l->counts) {
        inside.scope = scope_frame(in, l->at->scope);
        scope_bind(in, inside.scope, l->s->iter[0].name,
                   value_scalar(in, l->counter, l->formal[l->ncell + COUNTER],
                                FV_CONTINUOUS));
        l->next[l->ncell + COUNTER] =
            expr_add(in->dag, l->formal[l->ncell + COUNTER], l->step);
    } else {
        l->next[l->ncell + COUNTER] = l->formal[l->ncell + COUNTER];
    }
    Context here = exec_context(in, x);
    Expr c = condition(l, &here, inside.scope);
    if (c == EXPR_NONE)
        return false;
    l->go = expr_and(in, still_runs(l, path), c);
    ExecStatus st =
        exec_list(in, x, &inside, l->s->branch[0].stmt, l->s->branch[0].nstmt);
    return st != EXEC_FAIL && join_ways(l, in, st, &breaks, nreturn) &&
           get_state(l);
}

/* Executes the body; false after a report. */
static bool try_body(Loop *l, Expr path)
{
    Trial t;
    trial_begin_aloud(&t, l->in);
    bool ok = run_body(l, &t.in, path);
    if (ok)
        take_assertions(l, &t.left);
    trial_drop(&t);
    return ok;
}

/* ---- the state ---- */

/* A number that is not set is not a number, or 0 where that is none. */
static Expr unset_value(const Context *in, ExprType type)
{
    return type == ET_REAL      ? expr_real(in->dag, NAN)
           : type == ET_BOOLEAN ? expr_bool(in->dag, false)
                                : expr_int(in->dag, 0);
}

/* Whatever the body changed becomes part of the state. */
static bool grow_state(Loop *l, const ExprType *type)
{
    bool grown = false;
    for (int i = 0; i < l->ncell + NFLAG; i++) {
        if (l->is_state[i] || l->next[i] == l->formal[i])
            continue;
        l->is_state[i] = grown = true;
        if (l->first[i] < 0)
            l->first[i] = unset_value(l->in, type[i]);
        l->formal[i] = expr_formal(l->in->dag, l->in->memo->nformal++, type[i]);
    }
    return grown;
}

static void begin(Loop *l, ExprType *type)
{
    const Context *in = l->in;
    int n = 0;
    for (int i = 0; i < l->x->fn->nvar; i++) {
        cells_read(l->before[i], l->first + n);
        n += cells_types(l->before[i], type + n);
    }
    for (int i = LEFT; i <= FAILED; i++) {
        l->first[n + i] = expr_bool(in->dag, false);
        type[n + i] = ET_BOOLEAN;
    }
    if (!l->counts)
        l->first[n + COUNTER] = expr_int(in->dag, 0);
    type[n + COUNTER] = expr_type(in->dag, l->first[n + COUNTER]);
    memcpy(l->formal, l->first, (size_t)(n + NFLAG) * sizeof(Expr));
}

/* ---- the function ---- */

static void assert_holds(Loop *l, Expr condition, const char *message)
{
    left_assert(l->in, (FlatAssert){.condition = condition,
                                    .message = expr_string(l->in->dag, message),
                                    .component = l->in->component,
                                    .span = l->s->span});
}

/* Calls the function made of the loop; cells become its results. */
static void call_loop(Loop *l, const ExprType *type)
{
    const Context *in = l->in;
    Dag *d = in->dag;
    int all = l->ncell + NFLAG, n = 0;
    Expr *state = NEW_ARRAY(in->arena, Expr, all);
    Expr *first = NEW_ARRAY(in->arena, Expr, all);
    Expr *next = NEW_ARRAY(in->arena, Expr, all);
    for (int i = 0; i < all; i++) {
        if (!l->is_state[i])
            continue;
        state[n] = l->formal[i];
        first[n] = l->first[i];
        next[n++] = l->next[i] < 0 ? l->formal[i] : l->next[i];
    }
    if (n == 0) {
        assert_holds(l, expr_unary(d, EX_NOEVENT, expr_not(in, l->go)),
                     "a loop never ends: its turns change nothing");
        memcpy(l->next, l->first, (size_t)all * sizeof(Expr));
        return;
    }
    const char *name = arena_printf(in->arena, "%s_loop", l->x->fn->name);
    RoutineCall c = routine_make_loop(d, name, state, first, next, n, l->go);
    n = 0;
    for (int i = 0; i < all; i++)
        if (l->is_state[i])
            l->next[i] = routine_result(d, &c, ++n, type[i]);
        else
            l->next[i] = l->first[i];
    Expr status = routine_result(d, &c, 0, ET_REAL);
    assert_holds(l,
                 expr_unary(d, EX_NOEVENT,
                            expr_binary(d, EX_EQ, status, expr_real(d, 0))),
                 "a loop needs more turns than it may have");
}

static ExecStatus finish(Loop *l, Expr path)
{
    const Context *in = l->in;
    Exec *x = l->x;
    const Expr *flag = l->next + l->ncell;
    set_state(l, l->next);
    x->path = path;
    if (l->is_state[l->ncell + FAILED])
        assert_holds(l, expr_not(in, flag[FAILED]), l->message);
    if (!l->is_state[l->ncell + RETURNED])
        return EXEC_NORMAL;
    x->path = expr_and(in, path, flag[RETURNED]);
    keep_way(in, x, &x->returns);
    x->path = expr_and(in, path, expr_not(in, flag[RETURNED]));
    return EXEC_NORMAL;
}

static ExecStatus run_loop(Loop *l)
{
    const Context *in = l->in;
    Exec *x = l->x;
    Expr path = x->path;
    l->before = state_save(in, x);
    for (int i = 0; i < x->fn->nvar; i++)
        l->ncell += cells_count(l->before[i]);
    int n = l->ncell + NFLAG;
    Expr counter = l->first ? l->first[0] : EXPR_NONE;
    ExprType *type = NEW_ARRAY(in->arena, ExprType, n);
    l->first = NEW_ARRAY(in->arena, Expr, n);
    l->formal = NEW_ARRAY(in->arena, Expr, n);
    l->next = NEW_ARRAY(in->arena, Expr, n);
    l->is_state = NEW_ARRAY(in->arena, bool, n);
    l->first[l->ncell + COUNTER] = counter;
    begin(l, type);
    do {
        if (!eval_step(in, l->s->span) || !try_body(l, path))
            return EXEC_FAIL;
    } while (grow_state(l, type));
    call_loop(l, type);
    return finish(l, path);
}

ExecStatus exec_open_while(const Context *in, Exec *x, const Body *at,
                           const AstStmt *s)
{
    Loop l = {.in = in, .x = x, .at = at, .s = s};
    return run_loop(&l);
}

bool exec_is_open_for(const Context *in, Exec *x, const Body *at,
                      const AstStmt *s)
{
    const AstExpr *r = s->niter == 1 ? s->iter[0].range : NULL;
    if (!x->fn || !r || r->kind != AE_RANGE)
        return false;
    Trial t;
    trial_begin(&t, in);
    bool open = false;
    for (int i = 0; i < r->narg && !open; i++) {
        Value *v = eval_value(&t.in, at->scope, r->arg[i]);
        open = !is_error(v) && is_scalar(v) && is_numeric(v) &&
               !eval_fold(&t.in, v);
    }
    trial_drop(&t);
    return open;
}

ExecStatus exec_open_for(const Context *in, Exec *x, const Body *at,
                         const AstStmt *s)
{
    const AstExpr *r = s->iter[0].range;
    Value *v[3];
    for (int i = 0; i < r->narg; i++) {
        v[i] = eval_value(in, at->scope, r->arg[i]);
        if (is_error(v[i]) || !is_scalar(v[i]) || !v[i]->scalar)
            return EXEC_FAIL;
    }
    bool has_step = r->narg == 3;
    Expr step = has_step ? v[1]->scalar[0] : expr_int(in->dag, 1);
    if (!expr_is_const(in->dag, step, NULL)) {
        context_report(in, r->span, DIAG_U0603,
                       "not supported yet: a for-loop whose step is known at "
                       "run time only");
        return EXEC_FAIL;
    }
    Expr first = v[0]->scalar[0];
    Loop l = {.in = in,
              .x = x,
              .at = at,
              .s = s,
              .first = &first,
              .counts = true,
              .stop = v[has_step ? 2 : 1]->scalar[0],
              .step = step,
              .counter = v[0]->type};
    return run_loop(&l);
}
