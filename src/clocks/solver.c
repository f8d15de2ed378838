/* solver.c - partitions with ticks and a solverMethod (16.8).
 *
 * der(x) of such a partition is a variable of its own, and a difference
 * equation ties it to x: h is the interval of the clock, and a, b, c are the
 * tableau of the method (plan/method.h),
 *
 *   x = previous(x) + h sum b_i K_i
 *
 * where K_i is der(x) at previous(x) + h sum a_ij K_j (stages.c). One that is
 * at the last tick or at this one needs no equations of its own: so forward and
 * backward Euler and the trapezoidal rule are this equation alone. Linearly
 * implicit Euler is backward Euler with the equations linearised at the last
 * tick. At the first tick x has its start value, or initial equations of the
 * partition determine it.
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
    bool can = m && m->kind == MK_RK && !m->stage_weight &&
               (m->newton == 0 || m->nstage == 1);
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
                    "the Runge-Kutta methods of 'takt method'",
                    n->solver);
        c->failed = true;
    }
    return m;
}

/* The equation of state k at the first tick, as a residual: its start value, or
 * one of the initial equations of the partition that has not been used. */
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

/* ---- stages ---- */

/* Derivatives of all states at each stage: K[stage][state]. */
typedef struct Slopes {
    const Method *m;
    Expr **k;
} Slopes;

static bool is_start(const Method *m, int i)
{
    for (int j = 0; j < m->nstage; j++)
        if (m->a[i * m->nstage + j] != 0)
            return false;
    return m->c[i] == 0;
}

/* x_n + h sum w_j K_j */
static Expr moved(Clocks *c, int node, const Slopes *s, const double *w, int x)
{
    Dag *d = c->dag;
    Expr sum = expr_real(d, 0);
    for (int j = 0; j < s->m->nstage; j++)
        if (w[j] != 0)
            sum = expr_add(d, sum, expr_mul(d, expr_real(d, w[j]), s->k[j][x]));
    return expr_add(d, clocks_pre(c, c->rewrite[node].state.at[x]),
                    expr_mul(d, clocks_interval(c, node), sum));
}

/* The stage at t_n has the derivatives of the last tick, the last stage of a
 * stiffly accurate method those of this tick; others have their own. */
static Slopes make_slopes(Clocks *c, int node, const Method *m)
{
    const Rewrite *r = &c->rewrite[node];
    Slopes s = {m, NEW_ARRAY(c->local, Expr *, m->nstage)};
    for (int i = 0; i < m->nstage; i++) {
        s.k[i] = NEW_ARRAY(c->local, Expr, r->state.n);
        bool last = m->is_stiffly_accurate && i == m->nstage - 1;
        for (int x = 0; x < r->state.n; x++) {
            int dx = r->slope.at[x], own = dx;
            if (!last && !is_start(m, i)) {
                own = clocks_aux(c, "slope", FT_REAL, FV_DISCRETE, EXPR_NONE,
                                 EXPR_NONE);
                c->out->var[own].component = c->out->var[dx].component;
                vec_push(c->local, &c->extra, own);
            }
            s.k[i][x] =
                is_start(m, i) ? clocks_pre(c, dx) : clocks_leaf(c, own);
        }
    }
    return s;
}

static void add_stages(Clocks *c, int node, const Slopes *s, Pairs *pairs)
{
    const Method *m = s->m;
    int n = c->rewrite[node].state.n, npair = pairs->n;
    for (int i = 0; i < m->nstage; i++) {
        if (is_start(m, i) || (m->is_stiffly_accurate && i == m->nstage - 1))
            continue;
        Expr *x = NEW_ARRAY(c->local, Expr, n);
        for (int k = 0; k < n; k++)
            x[k] = moved(c, node, s, m->a + i * m->nstage, k);
        clocks_add_stage(c, node, x, s->k[i], m->c[i], npair, pairs);
    }
}

/* ---- one Newton iteration ---- */

/* Equations of the partition that are not linear become their linearisation at
 * the values of the last tick; at the first tick they stay. */
static void linearise(Clocks *c, int node, Pairs *pairs)
{
    Dag *d = c->dag;
    for (int i = 0; i < pairs->n; i++) {
        Pair *p = &pairs->at[i];
        if (p->node != node || expr_type(d, p->lhs) != ET_REAL)
            continue;
        Expr r = expr_sub(d, p->lhs, p->rhs), *leaf;
        int n = expr_leaves(d, r, &leaf, c->local);
        ExprMap *before = expr_map_new(d, NULL, NULL, c->local);
        Vec(Expr) own = {0};
        for (int k = 0; k < n; k++) {
            int var, order;
            if (!expr_is_var(d, leaf[k], &var, &order) || order != 0 ||
                !clocks_is_own(c, node, var))
                continue;
            vec_push(c->local, &own, leaf[k]);
            expr_map_fix(before, leaf[k], expr_unary(d, EX_PRE, leaf[k]));
        }
        Expr sum = EXPR_NONE;
        bool is_linear = true;
        for (int k = 0; k < own.n; k++) {
            Expr slope = expr_diff(d, r, own.at[k]);
            if (slope == EXPR_NONE)
                break;
            Expr there = expr_map(before, slope);
            is_linear = is_linear && there == slope;
            Expr change =
                expr_sub(d, own.at[k], expr_unary(d, EX_PRE, own.at[k]));
            sum = expr_add(d, sum == EXPR_NONE ? expr_map(before, r) : sum,
                           expr_mul(d, there, change));
        }
        if (is_linear || sum == EXPR_NONE)
            continue;
        p->lhs = expr_if(d, clocks_first(c, node), r, sum);
        p->rhs = expr_real(d, 0);
    }
}

void clocks_integrate(Clocks *c, int node, Pairs *pairs)
{
    const Method *m = method_of(c, node);
    if (!m)
        return;
    Dag *d = c->dag;
    const Rewrite *r = &c->rewrite[node];
    Expr first = clocks_first(c, node);
    Slopes slopes = make_slopes(c, node, m);
    if (m->newton)
        linearise(c, node, pairs);
    add_stages(c, node, &slopes, pairs);
    int next_initial = 0;
    for (int i = 0; i < r->state.n; i++) {
        int x = r->state.at[i];
        int s = clocks_state(c, c->out->var[x].component);
        Expr next = moved(c, node, &slopes, m->b, i);
        Expr anew = s == NONE
                        ? first
                        : expr_binary(d, EX_OR, first,
                                      clocks_leaf(c, c->state.at[s].reset));
        Expr residual = expr_if(d, anew, at_first(c, node, i, &next_initial),
                                expr_sub(d, clocks_leaf(c, x), next));
        Pair p = {.lhs = residual,
                  .rhs = expr_real(d, 0),
                  .node = node,
                  .from = NONE,
                  .state = s,
                  .next = x + 1};
        vec_push(c->local, pairs, p);
    }
    if (!r->first.n)
        check_initial(c, node, next_initial);
}
