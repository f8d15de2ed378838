/* stages.c - the equations of a partition at the stages of a step (16.8).
 *
 * A Runge-Kutta method asks for der(x) at places between two ticks. For each of
 * these stages the equations of the partition are written once more, with
 * variables of their own: a state x is x_{n} + h sum a_ij K_j there, the time
 * t_n + c h, an input that varies is (1 - c) times its value at the last tick
 * plus c times that at this one, any other input that of the last tick while
 * c < 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"

/* ---- what the equations ask for ---- */

static int slope_of(const Rewrite *r, int var)
{
    for (int i = 0; i < r->state.n; i++)
        if (r->slope.at[i] == var)
            return i;
    return NONE;
}

static int state_of(const Rewrite *r, int var)
{
    for (int i = 0; i < r->state.n; i++)
        if (r->state.at[i] == var)
            return i;
    return NONE;
}

static bool is_parameter(const Clocks *c, int var)
{
    return c->out->var[var].variability <= FV_PARAMETER;
}

bool clocks_is_own(Clocks *c, int node, int var)
{
    const Rewrite *r = &c->rewrite[node];
    for (int i = 0; i < r->own.n; i++)
        if (r->own.at[i] == var)
            return true;
    return var < c->in->nvar ? clocks_find(c, var) == node
                             : slope_of(r, var) != NONE;
}

typedef struct Stage {
    Clocks *c;
    int node;
    const Expr *x, *k; /* of each state: its value, its derivative */
    double at;         /* c */
    ExprMap *map;
    Vec(int) from, to; /* variables of the partition, those of the stage */
} Stage;

/* ---- inputs ---- */

/* The value of an input at the last tick and at this one, in the stage. */
static Expr input_at(Stage *s, Expr value)
{
    Clocks *c = s->c;
    Dag *d = c->dag;
    bool varies = expr_type(d, value) == ET_REAL;
    FlatType type = varies                              ? FT_REAL
                    : expr_type(d, value) == ET_BOOLEAN ? FT_BOOLEAN
                                                        : FT_INTEGER;
    Expr now = clocks_tick(c, s->node)->active;
    int var = NONE;
    for (int i = 0; i < c->input.n; i++)
        if (c->input.at[i].node == s->node && c->input.at[i].value == value)
            var = c->input.at[i].var;
    if (var == NONE) {
        var = clocks_aux(c, "input", type, FV_DISCRETE, EXPR_NONE, EXPR_NONE);
        clocks_add_eqn(c, clocks_leaf(c, var),
                       expr_if(d, now, value, clocks_pre(c, var)));
        vec_push(c->local, &c->input, ((Input){s->node, value, var}));
    }
    Expr before = expr_if(d, clocks_first(c, s->node), clocks_leaf(c, var),
                          clocks_pre(c, var));
    if (s->at >= 1)
        return clocks_leaf(c, var);
    return varies
               ? expr_add(d, expr_mul(d, expr_real(d, 1 - s->at), before),
                          expr_mul(d, expr_real(d, s->at), clocks_leaf(c, var)))
               : before;
}

/* pre(v): of the partition's own variables what they were; else an input. */
static void fix_previous(void *context, const Dag *d, Expr e)
{
    Stage *s = context;
    int var, order;
    if (expr_op(d, e) != EX_PRE ||
        !expr_is_var(d, expr_arg(d, e, 0), &var, &order))
        return;
    vec_push(s->c->local, &s->c->found, e);
}

static void fix_inputs(Stage *s, Expr e)
{
    Clocks *c = s->c;
    c->found.n = 0;
    expr_walk(c->dag, &e, 1, fix_previous, s);
    for (int i = 0; i < c->found.n; i++) {
        Expr p = c->found.at[i];
        int var = expr_node(c->dag, expr_arg(c->dag, p, 0))->var;
        bool own = clocks_is_own(c, s->node, var) || is_parameter(c, var);
        expr_map_fix(s->map, p, own ? p : input_at(s, p));
    }
}

/* ---- a stage ---- */

static int variable_at(Stage *s, int var)
{
    Clocks *c = s->c;
    for (int i = 0; i < s->from.n; i++)
        if (s->from.at[i] == var)
            return s->to.at[i];
    FlatVar like = c->out->var[var];
    int to =
        clocks_aux(c, "stage", like.type, FV_DISCRETE, like.start, EXPR_NONE);
    c->out->var[to].component = like.component;
    c->out->var[to].nominal = like.nominal;
    vec_push(c->local, &s->from, var);
    vec_push(c->local, &s->to, to);
    vec_push(c->local, &c->extra, to);
    return to;
}

static Expr replace(void *context, Dag *d, Expr leaf)
{
    Stage *s = context;
    Clocks *c = s->c;
    const Rewrite *r = &c->rewrite[s->node];
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order) || is_parameter(c, var))
        return EXPR_NONE;
    if (!clocks_is_own(c, s->node, var))
        return input_at(s, leaf);
    int x = state_of(r, var), k = slope_of(r, var);
    return x != NONE   ? s->x[x]
           : k != NONE ? s->k[k]
                       : clocks_leaf(c, variable_at(s, var));
}

void clocks_add_stage(Clocks *c, int node, const Expr *x, const Expr *k,
                      double at, int npair, Pairs *pairs)
{
    Dag *d = c->dag;
    Stage s = {.c = c, .node = node, .x = x, .k = k, .at = at};
    s.map = expr_map_new(d, replace, &s, c->local);
    Expr h = clocks_interval(c, node);
    expr_map_fix(
        s.map, expr_time(d),
        expr_sub(d, expr_time(d), expr_mul(d, expr_real(d, 1 - at), h)));
    for (int i = 0; i < npair; i++) {
        Pair p = pairs->at[i];
        if (p.node != node)
            continue;
        fix_inputs(&s, p.lhs);
        fix_inputs(&s, p.rhs);
        p.lhs = expr_map(s.map, p.lhs);
        p.rhs = expr_map(s.map, p.rhs);
        vec_push(c->local, pairs, p);
    }
}
