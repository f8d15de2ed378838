/* felt.c - which changes of discrete variables are felt.
 *
 * While discrete variables change at an event the model is evaluated again,
 * with their new pre values. A variable whose pre value nobody reads needs none
 * of that. Neither does a condition of a when clause that becomes false: it is
 * asked for in
 *
 *     c and not pre(c)
 *
 * alone, which is false with c, whatever pre(c) is. Time tables make such
 * events: what has come, time >= pre(next), is not true any more once next is
 * renewed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

/* The variable whose pre value e is, or NONE. */
static int pre_of(const Dag *d, Expr e)
{
    int v, order;
    return expr_op(d, e) == EX_PRE &&
                   expr_is_var(d, expr_arg(d, e, 0), &v, &order)
               ? v
               : NONE;
}

/* The same of not pre(v). */
static int not_pre_of(const Dag *d, Expr e)
{
    return expr_op(d, e) == EX_NOT ? pre_of(d, expr_arg(d, e, 0)) : NONE;
}

static bool has_arg(const Dag *d, Expr e, int v)
{
    for (int i = 0; i < expr_node(d, e)->narg; i++) {
        int var, order;
        if (expr_is_var(d, expr_arg(d, e, i), &var, &order) && var == v)
            return true;
    }
    return false;
}

/* Argument a of e, or, with EXPR_NONE, of an equation. */
static void see_use(Sys *s, Expr e, Expr a)
{
    const Dag *d = s->dag;
    int pre = pre_of(d, a), not_pre = not_pre_of(d, a);
    bool in_not = e != EXPR_NONE && expr_op(d, e) == EX_NOT;
    bool in_and = e != EXPR_NONE && expr_op(d, e) == EX_AND;
    if (pre != NONE && !in_not)
        s->var[pre].felt = FELT_CHANGES;
    if (not_pre == NONE)
        return;
    if (!in_and || !has_arg(d, e, not_pre))
        s->var[not_pre].felt = FELT_CHANGES;
    else if (s->var[not_pre].felt == FELT_NEVER)
        s->var[not_pre].felt = FELT_RISES;
}

static void see_node(void *context, const Dag *d, Expr e)
{
    Sys *s = context;
    int v, order;
    for (int i = 0; i < expr_node(d, e)->narg; i++)
        see_use(s, e, expr_arg(d, e, i));
    if ((expr_op(d, e) == EX_CHANGE || expr_op(d, e) == EX_EDGE) &&
        expr_is_var(d, expr_arg(d, e, 0), &v, &order))
        s->var[v].felt = FELT_CHANGES;
}

void simplify_find_felt(Work *w)
{
    Sys *s = w->sys;
    const Roots roots[2] = {simplify_roots_outside(w),
                            simplify_roots_inside(w)};
    for (int v = 0; v < s->nvar; v++)
        s->var[v].felt =
            s->var[v].role == SR_DISCRETE ? FELT_NEVER : FELT_CHANGES;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < roots[k].n; i++)
            see_use(s, EXPR_NONE, roots[k].at[i]);
        expr_walk(s->dag, roots[k].at, roots[k].n, see_node, s);
    }
}
