/* quiet.c - what stands in when clauses only makes no events.
 *
 *     when sample(0, 0.01) then n = integer(100*x); end when;
 *
 * reads integer(100*x) a hundred times a second; that it changes in between
 * concerns nobody (MLS 3.6, 3.7.2: outside of when clauses it would be an
 * event). So relations and the like that no other equation has are evaluated in
 * place there, as noEvent() would. What is linear in time, discrete variables
 * and parameters apart, stays as it is: its instants are known beforehand, and
 * integer(time/0.1) at 0.3 s would be a matter of rounding.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "simplify/simplify_internal.h"

static void add_root(Work *w, Roots *r, Expr e)
{
    if (e != EXPR_NONE)
        vec_push(w->tmp, r, e);
}

Roots simplify_roots_outside(Work *w)
{
    const Sys *s = w->sys;
    Roots r = {0};
    for (int i = 0; i < s->neqn; i++)
        if (s->eqn[i].origin.rule != RULE_WHEN) {
            add_root(w, &r, s->eqn[i].lhs);
            add_root(w, &r, s->eqn[i].rhs);
        }
    for (int i = 0; i < s->ninitial; i++) {
        add_root(w, &r, s->initial[i].lhs);
        add_root(w, &r, s->initial[i].rhs);
    }
    for (int i = 0; i < s->naction; i++)
        add_root(w, &r, s->action[i].active);
    for (int i = 0; i < s->nassertion; i++)
        add_root(w, &r, s->assertion[i].condition);
    for (int i = 0; i < s->nvar; i++)
        add_root(w, &r, s->var[i].expr);
    for (int i = 0; i < s->ninvariant; i++)
        add_root(w, &r, s->invariant[i]);
    return r;
}

Roots simplify_roots_inside(Work *w)
{
    const Sys *s = w->sys;
    Roots r = {0};
    for (int i = 0; i < s->neqn; i++)
        if (s->eqn[i].origin.rule == RULE_WHEN)
            add_root(w, &r, s->eqn[i].rhs);
    for (int i = 0; i < s->naction; i++) {
        add_root(w, &r, s->action[i].value);
        add_root(w, &r, s->action[i].message);
    }
    return r;
}

/* Does an event depend on nothing that moves between events but time, and is it
 * linear in that? */
static bool is_foreseen(const Work *w, Expr event)
{
    const Sys *s = w->sys;
    Expr *leaf;
    int n = expr_leaves(w->dag, event, &leaf, w->tmp);
    for (int i = 0; i < n; i++) {
        int v, order;
        expr_is_var(w->dag, leaf[i], &v, &order);
        if (s->var[v].role != SR_PARAMETER && s->var[v].role != SR_DISCRETE &&
            s->var[v].role != SR_CONSTANT)
            return false;
    }
    for (int i = 0; i < expr_node(w->dag, event)->narg; i++)
        if (!expr_is_linear(w->dag, expr_arg(w->dag, event, i),
                            expr_time(w->dag)))
            return false;
    return true;
}

/* A map that makes those events of `inside` quiet that are not in `outside`;
 * NULL: there are none. */
static ExprMap *map_of(Work *w, Roots inside, Roots outside)
{
    Expr *own, *other;
    int nown = expr_events(w->dag, inside.at, inside.n, &own, w->tmp);
    int nother = expr_events(w->dag, outside.at, outside.n, &other, w->tmp);
    ExprMap *map = NULL;
    for (int i = 0, k = 0; i < nown; i++) {
        while (k < nother && other[k] < own[i])
            k++;
        if ((k < nother && other[k] == own[i]) || is_foreseen(w, own[i]))
            continue;
        if (!map)
            map = expr_map_new(w->dag, NULL, NULL, w->tmp);
        expr_map_fix(map, own[i], expr_unary(w->dag, EX_NOEVENT, own[i]));
    }
    return map;
}

void simplify_quiet_whens(Work *w)
{
    Sys *s = w->sys;
    ExprMap *map =
        map_of(w, simplify_roots_inside(w), simplify_roots_outside(w));
    if (!map)
        return;
    for (int i = 0; i < s->neqn; i++)
        if (s->eqn[i].origin.rule == RULE_WHEN)
            s->eqn[i].rhs = expr_map(map, s->eqn[i].rhs);
    for (int i = 0; i < s->naction; i++) {
        SysAction *a = &s->action[i];
        if (a->value != EXPR_NONE)
            a->value = expr_map(map, a->value);
        if (a->message != EXPR_NONE)
            a->message = expr_map(map, a->message);
    }
}
