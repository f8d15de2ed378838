/* lower_expr.c - expressions to instructions.
 *
 * Within a segment a node is computed once: `memo` remembers its slot. Nodes
 * of parameter level that others need were moved to the segment `param` and
 * are found in `derived`. All walks keep their own stack.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <math.h>

#include "base/die.h"
#include "lower/lower_internal.h"

/* ---- leaves ---- */

/* The entry of the Inlined table behind a VAR node, NONE if it has none. */
static int entry_of(const Low *l, Expr e)
{
    const ExprNode *n = expr_node(l->dag, e);
    if (n->order == 0)
        return n->var < l->d->nvar ? n->var : NONE;
    return inlined_find(l->d, n->var, n->order);
}

static bool is_leaf(const Dag *dag, Expr e)
{
    switch (expr_op(dag, e)) {
    case EX_CONST:
    case EX_STR:
    case EX_VAR:
    case EX_TIME:
    case EX_PRE:
    case EX_EDGE:
    case EX_CHANGE:
    case EX_INITIAL:
    case EX_TERMINAL:
    case EX_TOSTR:
    case EX_CONCAT:
    case EX_DELAY: return true;
    default: return false;
    }
}

static Level leaf_level(const Low *l, Expr e)
{
    if (expr_op(l->dag, e) == EX_CONST)
        return LEVEL_NUMBER;
    if (expr_op(l->dag, e) != EX_VAR)
        return LEVEL_STEP;
    int i = entry_of(l, e);
    if (i == NONE)
        return LEVEL_STEP;
    InlinedKind kind = l->d->var[i].kind;
    if (kind == IV_STEP || (kind == IV_PARAMETER && !l->is_late[i]))
        return LEVEL_PARAM;
    return LEVEL_STEP;
}

Level lower_level(Low *l, Expr e)
{
    int base = l->stack.n;
    vec_push(l->local, &l->stack, e);
    while (l->stack.n > base) {
        Expr top = vec_last(&l->stack);
        if (l->level[top] != LEVEL_UNSEEN) {
            (void)vec_pop(&l->stack);
            continue;
        }
        if (is_leaf(l->dag, top)) {
            l->level[top] = (uint8_t)leaf_level(l, top);
            continue;
        }
        ExprOp op = expr_op(l->dag, top);
        Level level =
            op == EX_SAMPLE || op == EX_HOMOTOPY ? LEVEL_STEP : LEVEL_NUMBER;
        bool ready = true;
        int narg = expr_node(l->dag, top)->narg;
        for (int i = 0; i < narg; i++) {
            Expr a = expr_arg(l->dag, top, i);
            if (l->level[a] == LEVEL_UNSEEN) {
                vec_push(l->local, &l->stack, a);
                ready = false;
            } else if (l->level[a] > level) {
                level = l->level[a];
            }
        }
        if (ready)
            l->level[top] = (uint8_t)level;
    }
    return l->level[e];
}

void lower_mark_moved(Low *l, Expr e)
{
    int base = l->stack.n;
    vec_push(l->local, &l->stack, e);
    while (l->stack.n > base) {
        Expr top = vec_pop(&l->stack);
        if (is_leaf(l->dag, top) || l->depends[top] == 1)
            continue;
        l->depends[top] = 1; /* seen by this pass */
        lower_mark_list(l, top);
        if (lower_level(l, top) != LEVEL_STEP) {
            if (!l->is_moved[top])
                l->hint[top] = l->tape->here; /* who asked first */
            l->is_moved[top] = true;
            continue;
        }
        int narg = expr_node(l->dag, top)->narg;
        for (int i = 0; i < narg; i++)
            vec_push(l->local, &l->stack, expr_arg(l->dag, top, i));
    }
}

/* ---- dependence on a block ---- */

static bool leaf_depends(const Low *l, Expr e)
{
    if (expr_op(l->dag, e) == EX_EDGE || expr_op(l->dag, e) == EX_CHANGE)
        e = expr_arg(l->dag, e, 0);
    if (expr_op(l->dag, e) != EX_VAR)
        return false;
    int i = entry_of(l, e);
    return i != NONE && l->block_var[i] == l->block;
}

bool lower_depends(Low *l, Expr e)
{
    int base = l->stack.n, yes = l->block + 1, no = -yes;
    vec_push(l->local, &l->stack, e);
    while (l->stack.n > base) {
        Expr top = vec_last(&l->stack);
        if (l->depends[top] == yes || l->depends[top] == no) {
            (void)vec_pop(&l->stack);
            continue;
        }
        if (is_leaf(l->dag, top)) {
            l->depends[top] = leaf_depends(l, top) ? yes : no;
            continue;
        }
        bool ready = true, depends = false;
        int narg = expr_node(l->dag, top)->narg;
        for (int i = 0; i < narg; i++) {
            Expr a = expr_arg(l->dag, top, i);
            if (l->depends[a] == yes) {
                depends = true;
            } else if (l->depends[a] != no) {
                vec_push(l->local, &l->stack, a);
                ready = false;
            }
        }
        if (ready)
            l->depends[top] = depends ? yes : no;
    }
    return l->depends[e] == yes;
}

void lower_invariants(Low *l, Expr e)
{
    typedef struct Todo {
        Expr e;
        int here;
    } Todo;
    Vec(Todo) todo = {0};
    int outer = l->tape->here;
    vec_push(l->local, &todo, ((Todo){e, outer}));
    while (todo.n > 0) {
        Todo now = vec_pop(&todo);
        Expr top = now.e;
        if (is_leaf(l->dag, top) || l->memo_of[top] == l->segment ||
            l->seen[top] == l->block)
            continue;
        l->seen[top] = l->block;
        int here = l->hint[top] ? l->hint[top] : now.here;
        if (!lower_depends(l, top)) {
            l->tape->here = here;
            lower_expr(l, top);
            continue;
        }
        int narg = expr_node(l->dag, top)->narg;
        for (int i = 0; i < narg; i++)
            vec_push(l->local, &todo, ((Todo){expr_arg(l->dag, top, i), here}));
    }
    l->tape->here = outer;
}

/* ---- emission ---- */

void lower_remember(Low *l, Expr e, int slot)
{
    l->memo[e] = slot;
    l->memo_of[e] = l->segment;
    if (l->undo_on)
        vec_push(l->local, &l->undo, e);
}

static int emit(Low *l, int op, int dst, int a, int b, int c)
{
    return tape_emit(l->tape, op, dst, a, b, c);
}

static int slot_of_var(Low *l, Expr e)
{
    int i = entry_of(l, e);
    if (i == NONE || l->out->slot[i] == NONE)
        return tape_const(l->tape, NAN);
    return l->out->slot[i];
}

/* pre(v) of a discrete variable lives beside it. */
static int slot_of_pre(Low *l, Expr var)
{
    if (expr_op(l->dag, var) != EX_VAR)
        return lower_expr(l, var);
    int i = entry_of(l, var);
    if (i == NONE || l->out->pre[i] == NONE)
        return slot_of_var(l, var);
    return l->out->pre[i];
}

static int lower_leaf(Low *l, Expr e)
{
    const ExprNode *n = expr_node(l->dag, e);
    switch (n->op) {
    case EX_CONST: return tape_inexact(l->tape, n->value, n->off);
    case EX_VAR: return slot_of_var(l, e);
    case EX_TIME: return l->tape->time;
    case EX_INITIAL: return l->out->initial;
    case EX_TERMINAL: l->out->has_terminal = true; return l->out->terminal;
    case EX_PRE: return slot_of_pre(l, expr_arg(l->dag, e, 0));
    case EX_EDGE: {
        Expr v = expr_arg(l->dag, e, 0);
        int no = emit(l, EX_NOT, NONE, slot_of_pre(l, v), NONE, NONE);
        return emit(l, EX_AND, NONE, slot_of_var(l, v), no, NONE);
    }
    case EX_CHANGE: {
        Expr v = expr_arg(l->dag, e, 0);
        return emit(l, EX_NE, NONE, slot_of_var(l, v), slot_of_pre(l, v), NONE);
    }
    default: return tape_const(l->tape, NAN); /* strings */
    }
}

/* sample(start, interval): was there an instant start + k interval in the
 * step that ends now? The instants are counted, so nothing is lost by
 * rounding; a tiny part of an interval is forgiven. */
static int lower_sample(Low *l, int start, int interval, int dst)
{
    int slack = tape_const(l->tape, 1e-6);
    int zero = tape_const(l->tape, 0);
    int count[2];
    int at = l->tape->time;
    for (int k = 0; k < 2; k++) {
        int x = emit(l, EX_SUB, NONE, at, start, NONE);
        x = emit(l, EX_DIV, NONE, x, interval, NONE);
        x = emit(l, EX_ADD, NONE, x, slack, NONE);
        count[k] = emit(l, EX_FLOOR, NONE, x, NONE, NONE);
        at = emit(l, EX_SUB, NONE, l->tape->time, l->tape->step, NONE);
    }
    int new = emit(l, EX_GT, NONE, count[0], count[1], NONE);
    int begun = emit(l, EX_GE, NONE, count[0], zero, NONE);
    new = emit(l, EX_AND, NONE, new, begun, NONE);
    l->out->has_sample = true;
    return emit(l, EX_AND, dst, new, l->out->sampling, NONE);
}

static void note_sample(Low *l, Expr e)
{
    for (int i = 0; i < l->sample.n; i++)
        if (l->sample.at[i] == e)
            return;
    vec_push(l->local, &l->sample, e);
}

/* homotopy(actual, simplified): only initialisation goes the way from the
 * simplified to the actual model. */
static int lower_homotopy(Low *l, const int *arg, int dst)
{
    if (!l->in_init)
        return arg[0];
    int lambda = l->out->lambda;
    int a = emit(l, EX_MUL, NONE, lambda, arg[0], NONE);
    int rest = emit(l, EX_SUB, NONE, tape_const(l->tape, 1), lambda, NONE);
    int b = emit(l, EX_MUL, NONE, rest, arg[1], NONE);
    return emit(l, EX_ADD, dst, a, b, NONE);
}

static int lower_semilinear(Low *l, const int *arg, int dst)
{
    int zero = tape_const(l->tape, 0);
    int up = emit(l, EX_GE, NONE, arg[0], zero, NONE);
    int slope = emit(l, EX_IF, NONE, up, arg[1], arg[2]);
    return emit(l, EX_MUL, dst, slope, arg[0], NONE);
}

/* x ^ 2, 3 and 4 are products. */
static int lower_power(Low *l, const int *arg, int dst)
{
    const Tape *t = l->tape;
    double n = t->region[arg[1]] == TR_CONST ? t->initial[arg[1]] : 0;
    if (n != 2 && n != 3 && n != 4)
        return emit(l, EX_POW, dst, arg[0], arg[1], NONE);
    int square = emit(l, EX_MUL, n == 2 ? dst : NONE, arg[0], arg[0], NONE);
    if (n == 2)
        return square;
    return emit(l, EX_MUL, dst, square, n == 3 ? arg[0] : square, NONE);
}

/* One operation whose arguments have slots; `dst` NONE: anywhere. */
static int lower_node(Low *l, Expr e, int dst)
{
    const ExprNode *n = expr_node(l->dag, e);
    if (n->op == EX_CALL)
        return lower_call(l, e, dst);
    int arg[3] = {NONE, NONE, NONE};
    for (int i = 0; i < n->narg; i++)
        arg[i] = l->memo[expr_arg(l->dag, e, i)];
    switch (n->op) {
    case EX_NOEVENT: return arg[0];
    case EX_TOINT: return arg[0];
    case EX_SMOOTH: return arg[1];
    case EX_DER: return tape_const(l->tape, NAN);
    case EX_HOMOTOPY: return lower_homotopy(l, arg, dst);
    case EX_SAMPLE:
        note_sample(l, e);
        return lower_sample(l, arg[0], arg[1], dst);
    case EX_POW: return lower_power(l, arg, dst);
    case EX_SEMILINEAR: return lower_semilinear(l, arg, dst);
    default: return emit(l, n->op, dst, arg[0], arg[1], arg[2]);
    }
}

/* A moved node has its value already, unless we are in `param` to compute it.
 */
static bool find_slot(Low *l, Expr e)
{
    if (l->memo_of[e] == l->segment)
        return true;
    if (is_leaf(l->dag, e)) {
        lower_remember(l, e, lower_leaf(l, e));
        return true;
    }
    if (!l->in_param && l->derived[e] != NONE) {
        lower_remember(l, e, l->derived[e]);
        return true;
    }
    return false;
}

static int own_slot(Low *l, Expr e)
{
    if (!l->in_param || !l->is_moved[e])
        return NONE;
    return l->derived[e] = lower_results(l, e, TR_DERIVED);
}

/* The node on top of the stack and what it needs have an origin of their own,
 * if there is a hint. */
static void enter_hint(Low *l, Expr top)
{
    int hint = l->hint[top], place = l->stack.n;
    if (hint == 0 || (l->outer.n > 0 && vec_last(&l->outer).place == place))
        return;
    vec_push(l->local, &l->outer, ((LowOuter){place, l->tape->here}));
    l->tape->here = hint;
}

static void leave_hint(Low *l)
{
    if (l->outer.n == 0 || vec_last(&l->outer).place != l->stack.n)
        return;
    l->tape->here = vec_pop(&l->outer).here;
}

static void lower_into(Low *l, Expr e, int dst)
{
    int base = l->stack.n;
    vec_push(l->local, &l->stack, e);
    while (l->stack.n > base) {
        Expr top = vec_last(&l->stack);
        if (find_slot(l, top)) {
            leave_hint(l);
            (void)vec_pop(&l->stack);
            continue;
        }
        if (top != e)
            enter_hint(l, top);
        bool ready = true;
        for (int i = expr_node(l->dag, top)->narg - 1; i >= 0; i--) {
            Expr a = expr_arg(l->dag, top, i);
            if (find_slot(l, a))
                continue;
            vec_push(l->local, &l->stack, a);
            ready = false;
        }
        Expr first = lower_first_result(l, top);
        if (ready && first != top && !find_slot(l, first)) {
            vec_push(l->local, &l->stack, first);
            ready = false;
        }
        if (!ready)
            continue;
        int own = own_slot(l, top);
        int want = top == e && dst != NONE && own == NONE ? dst : own;
        int slot = lower_node(l, top, want);
        if (own != NONE && slot != own)
            slot = emit(l, TAPE_COPY, own, slot, NONE, NONE);
        lower_remember(l, top, slot);
    }
}

int lower_expr(Low *l, Expr e)
{
    lower_into(l, e, NONE);
    return l->memo[e];
}

void lower_to(Low *l, Expr e, int dst)
{
    lower_into(l, e, dst);
    if (l->memo[e] != dst)
        emit(l, TAPE_COPY, dst, l->memo[e], NONE, NONE);
}

void lower_begin(Low *l, const char *name)
{
    l->segment++;
    tape_begin(l->tape, name);
}

TapeSegment lower_end(Low *l)
{
    tape_end(l->tape);
    return vec_last(&l->tape->segment);
}
