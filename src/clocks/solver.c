/* solver.c - partitions with ticks and a solverMethod (16.8).
 *
 * der(x) of such a partition is a variable of its own, and a difference
 * equation ties it to x: h is the interval of the clock. At the first tick x
 * has its start value, or initial equations of the partition determine it.
 *
 *   ExplicitEuler      x = previous(x) + h previous(der(x))
 *   ImplicitEuler      x = previous(x) + h der(x)
 *   ImplicitTrapezoid  x = previous(x) + h/2 (previous(der(x)) + der(x))
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "clocks/clocks_internal.h"

Expr clocks_slope(Clocks *c, int node, int var)
{
    Rewrite *r = &c->rewrite[node];
    for (int i = 0; i < r->state.n; i++)
        if (r->state.at[i] == var)
            return clocks_leaf(c, r->slope.at[i]);
    int slope =
        clocks_aux(c, "der", FT_REAL, FV_DISCRETE, EXPR_NONE, EXPR_NONE);
    c->out->var[slope].component = c->out->var[var].component;
    vec_push(c->local, &r->state, var);
    vec_push(c->local, &r->slope, slope);
    return clocks_leaf(c, slope);
}

/* How much of the old and of the new derivative a step takes. */
static bool weights(const char *method, double *old, double *new)
{
    static const struct {
        const char *name;
        double old, new;
    } known[] = {{"ExplicitEuler", 1, 0},
                 {"ImplicitEuler", 0, 1},
                 {"ImplicitTrapezoid", 0.5, 0.5}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].name, method) == 0) {
            *old = known[i].old;
            *new = known[i].new;
            return true;
        }
    return false;
}

static bool method_of(Clocks *c, int node, double *old, double *new)
{
    const Node *n = &c->node.at[node];
    const FlatVar *x = &c->out->var[c->rewrite[node].state.at[0]];
    if (!n->solver || !*n->solver) {
        diag_report(c->diag, n->span, DIAG_E1906,
                    "'%s' has a derivative and a clock, which needs a "
                    "solverMethod: Clock(c, solverMethod = \"ImplicitEuler\")",
                    x->name);
    } else if (!weights(n->solver, old, new)) {
        diag_report(c->diag, n->span, DIAG_U1901,
                    "not supported yet: the solverMethod \"%s\" of a clock; "
                    "there are \"ExplicitEuler\", \"ImplicitEuler\" and "
                    "\"ImplicitTrapezoid\"",
                    n->solver);
    } else {
        return true;
    }
    c->failed = true;
    return false;
}

/* The equation of x at the first tick, as a residual: its start value, or one
 * of the initial equations of the partition that has not been used. */
static Expr at_first(Clocks *c, int node, int x, int *next_initial)
{
    Dag *d = c->dag;
    const FlatVar *v = &c->out->var[x];
    while (!(v->has_fixed && v->fixed) && *next_initial < c->in->ninitial) {
        const FlatEqn *q = &c->in->initial[(*next_initial)++];
        if (clocks_initial(c, q) == node)
            return expr_sub(d, clocks_rewrite(c, q->lhs, node),
                            clocks_rewrite(c, q->rhs, node));
    }
    return expr_sub(d, clocks_leaf(c, x), clocks_previous(c, x));
}

static void check_initial(Clocks *c, int node, int next_initial)
{
    for (; next_initial < c->in->ninitial; next_initial++) {
        const FlatEqn *q = &c->in->initial[next_initial];
        if (clocks_initial(c, q) != node)
            continue;
        diag_report(c->diag, q->span, DIAG_E1905,
                    "the partition of this initial equation has no state left "
                    "that it could determine");
        c->failed = true;
    }
}

void clocks_integrate(Clocks *c, int node, Pairs *pairs)
{
    double old, new;
    if (!method_of(c, node, &old, &new))
        return;
    Dag *d = c->dag;
    const Rewrite *r = &c->rewrite[node];
    Expr h = clocks_interval(c, node), first = clocks_first(c, node);
    int next_initial = 0;
    for (int i = 0; i < r->state.n; i++) {
        int x = r->state.at[i], dx = r->slope.at[i];
        int s = clocks_state(c, c->out->var[x].component);
        Expr step =
            expr_add(d, expr_mul(d, expr_real(d, old), clocks_pre(c, dx)),
                     expr_mul(d, expr_real(d, new), clocks_leaf(c, dx)));
        Expr next = expr_add(d, clocks_pre(c, x), expr_mul(d, h, step));
        Expr anew = s == NONE
                        ? first
                        : expr_binary(d, EX_OR, first,
                                      clocks_leaf(c, c->state.at[s].reset));
        Expr residual = expr_if(d, anew, at_first(c, node, x, &next_initial),
                                expr_sub(d, clocks_leaf(c, x), next));
        Pair p = {.lhs = residual,
                  .rhs = expr_real(d, 0),
                  .node = node,
                  .from = NONE,
                  .state = s};
        vec_push(c->local, pairs, p);
    }
    check_initial(c, node, next_initial);
}
