/* lower_call.c - calls of opaque functions.
 *
 * The list of a call stands in slots in a row. One of parameters is made once,
 * in `param`, and calls with equal lists share it; any other one is put
 * together in front of the call.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/die.h"
#include "lower/lower_internal.h"

/* The list among the arguments of `e`: its length, 0 if there is none. */
static int list_of(const Low *l, Expr e, const Expr **list)
{
    const ExprNode *n = expr_node(l->dag, e);
    const ExprFunction *f =
        n->op == EX_CALL ? dag_function(l->dag, n->fn) : NULL;
    if (!f || f->list)
        return 0;
    *list = n->args + f->nplain;
    return f->nlist;
}

static LowList *find_list(Low *l, const Expr *e, int n)
{
    for (int i = 0; i < l->list.n; i++)
        if (l->list.at[i].n == n &&
            (l->list.at[i].e == e ||
             memcmp(l->list.at[i].e, e, (size_t)n * sizeof *e) == 0))
            return &l->list.at[i];
    return NULL;
}

static bool is_of_parameters(Low *l, const Expr *e, int n)
{
    for (int i = 0; i < n; i++)
        if (lower_level(l, e[i]) == LEVEL_STEP)
            return false;
    return true;
}

static bool is_constant(const Low *l, const Expr *e, int n)
{
    for (int i = 0; i < n; i++)
        if (!expr_is_const(l->dag, e[i], NULL))
            return false;
    return true;
}

void lower_mark_list(Low *l, Expr e)
{
    const Expr *list;
    int n = list_of(l, e, &list);
    if (n == 0 || is_constant(l, list, n) || find_list(l, list, n) ||
        !is_of_parameters(l, list, n))
        return;
    vec_push(l->local, &l->list, ((LowList){list, n, NONE}));
}

/* `f` with the list as numbers of its own. */
static const ExprFunction *with_list(Low *l, const ExprFunction *f,
                                     const Expr *e)
{
    double *x = NEW_ARRAY(l->arena, double, f->nlist);
    for (int i = 0; i < f->nlist; i++)
        expr_is_const(l->dag, e[i], &x[i]);
    ExprFunction *own = NEW(l->arena, ExprFunction);
    *own = *f;
    own->list = x;
    return own;
}

/* Slots in a row with the values of e[0], e[1], ... */
static int make_row(Low *l, const Expr *e, int n, TapeRegion region)
{
    int *from = NEW_ARRAY(l->local, int, n + 1), first = NONE;
    for (int i = 0; i < n; i++)
        from[i] = lower_expr(l, e[i]);
    for (int i = 0; i < n; i++) {
        int slot = tape_slot(l->tape, region, NULL, 0);
        first = i == 0 ? slot : first;
    }
    for (int i = 0; i < n; i++)
        tape_emit(l->tape, TAPE_COPY, first + i, from[i], NONE, NONE);
    return first;
}

static int kept_row(Low *l, LowList *k)
{
    if (k->first == NONE)
        k->first = make_row(l, k->e, k->n, TR_DERIVED);
    return k->first;
}

void lower_lists(Low *l)
{
    for (int i = 0; i < l->list.n; i++)
        kept_row(l, &l->list.at[i]);
}

int lower_results(Low *l, Expr e, TapeRegion region)
{
    const ExprNode *n = expr_node(l->dag, e);
    const ExprFunction *f =
        n->op == EX_CALL ? dag_function(l->dag, n->fn) : NULL;
    int count = f && f->values && n->order == 0 ? f->nout : 1;
    int first = tape_slot(l->tape, region, NULL, 0);
    for (int i = 1; i < count; i++)
        tape_slot(l->tape, region, NULL, 0);
    return first;
}

/* A result of a call whose result 0 has a slot, the first of its row. */
static int lower_pick(Low *l, Expr e, int dst)
{
    int row = l->memo[lower_first_result(l, e)];
    for (int i = l->tape->call.n - 1; i >= 0; i--)
        if (l->tape->call.at[i].row == row)
            return tape_emit(l->tape, TAPE_PICK, dst, i, row,
                             expr_node(l->dag, e)->order);
    unreachable(); /* it was lowered before */
}

Expr lower_first_result(const Low *l, Expr e)
{
    return expr_op(l->dag, e) == EX_CALL ? expr_first_result(l->dag, e) : e;
}

int lower_call(Low *l, Expr e, int dst)
{
    const ExprNode *n = expr_node(l->dag, e);
    const ExprFunction *f = dag_function(l->dag, n->fn);
    const Expr *list;
    TapeCall call = {f, n->order, NONE, NONE};
    if (f->values && n->order > 0)
        return lower_pick(l, e, dst);
    int nlist = list_of(l, e, &list);
    if (nlist > 0 && is_constant(l, list, nlist)) {
        call.fn = with_list(l, f, list);
    } else if (nlist > 0) {
        LowList *k = find_list(l, list, nlist);
        if (k && (l->in_param || k->first != NONE))
            call.first = kept_row(l, k);
        else
            call.first = make_row(l, list, nlist, TR_TEMP);
    }
    int plain[2];
    for (int i = 0; i < 2; i++)
        plain[i] = i < f->nplain ? l->memo[n->args[i]]
                   : i > 0       ? plain[0]
                                 : tape_const(l->tape, 0);
    if (f->values) {
        bool has_row = dst != NONE && l->derived[e] == dst;
        dst = call.row = has_row ? dst : lower_results(l, e, TR_TEMP);
    }
    vec_push(l->arena, &l->tape->call, call);
    return tape_emit(l->tape, TAPE_CALL, dst, l->tape->call.n - 1, plain[0],
                     plain[1]);
}
