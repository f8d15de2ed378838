/* solver.c - partitions with ticks and a solverMethod (16.8).
 *
 * der(x) of such a partition is a variable of its own. By stages.c the phase
 * inline/ says what x is at a tick: the method is the one named by the clock,
 * the step the interval between two ticks. At the first tick x has its start
 * value, or initial equations of the partition determine it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "clocks/clocks_internal.h"
#include "plan/method.h"

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

/* Names of the language (16.8) and of eFMI, and what they are here. */
static const struct {
    const char *name, *method;
} standard[] = {
    {"External", "lie"},
    {"ExplicitEuler", "fe"},
    {"ExplicitRungeKutta4", "rk4"},
    {"ImplicitEuler", "be"},
    {"ImplicitTrapezoid", "trapezoid"},
    {"Rosenbrock1", "lie"},
};

/* The explicit midpoint rule, which is of the language alone. */
static const Method *explicit_midpoint(Arena *arena)
{
    static const double a[] = {0, 0, 0.5, 0}, b[] = {0, 1}, at[] = {0, 0.5};
    Method *m = NEW(arena, Method);
    *m = (Method){.name = "ExplicitMidPoint2",
                  .kind = MK_RK,
                  .nstage = 2,
                  .a = a,
                  .b = b,
                  .c = at,
                  .is_explicit = true};
    return m;
}

static const Method *find_method(Clocks *c, const char *name)
{
    if (strcmp(name, "ExplicitMidPoint2") == 0)
        return explicit_midpoint(c->local);
    for (size_t i = 0; i < sizeof standard / sizeof standard[0]; i++)
        if (strcmp(standard[i].name, name) == 0)
            name = standard[i].method;
    const Method *m = method_find(name, c->local);
    bool is_explicit_formula = m && m->alpha && m->alpha[0] == 0;
    bool can =
        m && m->kind != MK_NONE && m->kind != MK_CYCLE && !is_explicit_formula;
    return can ? m : NULL;
}

static const Method *method_of(Clocks *c, int node)
{
    const Node *n = &c->node.at[node];
    const FlatVar *x = &c->out->var[c->rewrite[node].state.at[0]];
    if (!n->solver || !*n->solver) {
        diag_report(c->diag, n->span, DIAG_E1906,
                    "'%s' has a derivative and a clock, which needs a "
                    "solverMethod: Clock(c, solverMethod = \"ImplicitEuler\")",
                    x->name);
        c->failed = true;
        return NULL;
    }
    const Method *m = find_method(c, n->solver);
    if (!m) {
        diag_report(c->diag, n->span, DIAG_U1901,
                    "not supported: the solverMethod \"%s\" of a clock; there "
                    "are those of the language (16.8), \"Rosenbrock1\", and "
                    "the methods of 'takt method' that are no cycle",
                    n->solver);
        c->failed = true;
    }
    return m;
}

/* Does the equation say of a variable what its fixed start value says too? */
static bool repeats_start(const Clocks *c, const FlatEqn *q)
{
    Expr side[2] = {q->lhs, q->rhs};
    for (int i = 0; i < 2; i++) {
        int x, order;
        if (!expr_is_var(c->dag, side[i], &x, &order) || order > 0)
            continue;
        const FlatVar *v = &c->in->var[x];
        if (v->has_fixed && v->fixed && v->start == side[1 - i])
            return true;
    }
    return false;
}

/* The equation of state k at the first tick, as a residual: one of the initial
 * equations of the partition that has not been used. EXPR_NONE: it has its
 * start value. */
static Expr at_first(Clocks *c, int node, int k, int *next_initial)
{
    Dag *d = c->dag;
    const Rewrite *r = &c->rewrite[node];
    int x = r->state.at[k];
    const FlatVar *v = &c->out->var[x];
    if (r->first.n)
        return r->first.at[k];
    while (!(v->has_fixed && v->fixed) && *next_initial < c->in->ninitial) {
        const FlatEqn *q = &c->in->initial[(*next_initial)++];
        if (clocks_initial(c, q) == node && !repeats_start(c, q))
            return expr_sub(d, clocks_rewrite(c, q->lhs, node),
                            clocks_rewrite(c, q->rhs, node));
    }
    return EXPR_NONE;
}

static void check_initial(Clocks *c, int node, int next_initial)
{
    for (; next_initial < c->in->ninitial; next_initial++) {
        const FlatEqn *q = &c->in->initial[next_initial];
        if (clocks_initial(c, q) != node || repeats_start(c, q))
            continue;
        diag_report(c->diag, q->span, DIAG_E1905,
                    "the partition of this initial equation has no state left "
                    "that it could determine");
        c->failed = true;
    }
}

/* The states of a partition may stand in states of a machine, which begin anew
 * by themselves. */
static Expr begins_anew(Clocks *c, int node, int state)
{
    Expr first = clocks_first(c, node);
    return state == NONE
               ? first
               : expr_binary(c->dag, EX_OR, first,
                             clocks_leaf(c, c->state.at[state].reset));
}

static Expr any_anew(Clocks *c, int node)
{
    const Rewrite *r = &c->rewrite[node];
    Expr any = clocks_first(c, node);
    for (int i = 0; i < r->state.n; i++) {
        int s = clocks_state(c, c->out->var[r->state.at[i]].component);
        if (s != NONE)
            any = expr_binary(c->dag, EX_OR, any, begins_anew(c, node, s));
    }
    return any;
}

/* x is `next` at a tick, or what it is at the first one. */
static void add_formula(Clocks *c, int node, int k, Expr next,
                        int *next_initial, Pairs *pairs)
{
    Dag *d = c->dag;
    int x = c->rewrite[node].state.at[k];
    int s = clocks_state(c, c->out->var[x].component);
    Expr leaf = clocks_leaf(c, x), anew = begins_anew(c, node, s);
    Expr first = at_first(c, node, k, next_initial);
    Pair p = {
        .lhs = leaf, .node = node, .from = NONE, .state = s, .next = x + 1};
    if (first == EXPR_NONE) {
        p.rhs = expr_if(d, anew, clocks_previous(c, x), next);
    } else {
        p.lhs = expr_if(d, anew, first, expr_sub(d, leaf, next));
        p.rhs = expr_real(d, 0);
    }
    vec_push(c->local, pairs, p);
}

void clocks_integrate(Clocks *c, int node, Pairs *pairs)
{
    const Method *m = method_of(c, node);
    if (!m)
        return;
    int n = c->rewrite[node].state.n, next_initial = 0;
    Expr *next = NEW_ARRAY(c->local, Expr, n + 1);
    c->span = c->node.at[node].span;
    if (!clocks_discretise(c, node, m, any_anew(c, node), pairs, next))
        return;
    for (int k = 0; k < n; k++)
        add_formula(c, node, k, next[k], &next_initial, pairs);
    if (!c->rewrite[node].first.n)
        check_initial(c, node, next_initial);
}
