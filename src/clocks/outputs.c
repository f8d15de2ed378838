/* outputs.c - outputs of several states in one connection (17.3.6).
 *
 * A connection set of equal variables has the equations first = other. Where
 * two or more of them are outputs of states, the one of the active state is the
 * source: it gives its value to a variable that is no such output, and the rest
 * are equal to that one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"

/* The equations from `i` on that are one set. */
static int set_size(const Clocks *c, int i)
{
    const FlatEqn *q = &c->in->eqn[i];
    int n = 0;
    while (i + n < c->in->neqn && c->in->eqn[i + n].origin == FO_CONNECT &&
           c->in->eqn[i + n].lhs == q->lhs)
        n++;
    return n;
}

/* The state whose output `e` is, seen from a connection in `around`; NONE. */
static int output_of(const Clocks *c, Expr e, int around)
{
    int var, order;
    if (!expr_is_var(c->dag, e, &var, &order) || c->in->var[var].from_outside)
        return NONE;
    int s = clocks_state(c, c->in->var[var].component);
    return s != around && clocks_is_inside(c, s, around) ? s : NONE;
}

int clocks_merge_outputs(Clocks *c, int i, Pairs *pairs)
{
    int n = set_size(c, i), nout = 0;
    const FlatEqn *q = &c->in->eqn[i];
    int around = clocks_state(c, q->component), node;
    Expr sink = EXPR_NONE;
    for (int k = 0; k <= n; k++) {
        Expr e = k < n ? q[k].rhs : q->lhs;
        bool is_output = output_of(c, e, around) != NONE;
        nout += is_output;
        if (!is_output && sink == EXPR_NONE)
            sink = e;
    }
    if (nout < 2)
        return 0;
    node = clocks_find(c, c->owner[i]);
    for (int k = 0; k <= n && sink != EXPR_NONE; k++) {
        Expr e = k < n ? q[k].rhs : q->lhs;
        int s = output_of(c, e, around);
        Pair p = {.lhs = s == NONE ? e : sink,
                  .rhs = s == NONE ? sink : e,
                  .node = node,
                  .from = k < n ? i + k : i,
                  .state = s == NONE ? around : s};
        if (e != sink)
            vec_push(c->local, pairs, p);
    }
    return n;
}
