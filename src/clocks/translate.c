/* translate.c - clocked equations become equations that hold at ticks.
 *
 * Every clocked variable v is matched with an equation of its partition. Where
 * that can be solved for v:
 *
 *   v = if tick then value else pre(v)
 *
 * and else  0 = if tick then lhs - rhs else v - pre(v). An equation v = w
 * between two variables of a partition always holds, unless the value of v
 * before the first tick is asked for: then v and w stay one variable.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "clocks/clocks_internal.h"

/* ---- operators ---- */

static FlatType flat_type(const Dag *d, Expr e)
{
    switch (expr_type(d, e)) {
    case ET_BOOLEAN: return FT_BOOLEAN;
    case ET_INTEGER: return FT_INTEGER;
    default: return FT_REAL;
    }
}

static bool is_fixed(const Clocks *c, Expr e)
{
    Expr *leaf;
    int n = expr_leaves(c->dag, e, &leaf, c->local);
    for (int i = 0; i < n; i++)
        if (c->out->var[expr_node(c->dag, leaf[i])->var].variability >
            FV_PARAMETER)
            return false;
    return !expr_has_op(c->dag, e, EX_TIME) && !expr_has_op(c->dag, e, EX_PRE);
}

static bool is_plain(const Clocks *c, Expr e)
{
    int var, order;
    return expr_is_var(c->dag, e, &var, &order) && order == 0;
}

/* sample(u): the left limit (16.5.1). */
static Expr sampled(Clocks *c, Expr u)
{
    Expr e = clocks_rewrite(c, u, c->continuous);
    if (is_fixed(c, e))
        return e;
    if (!is_plain(c, e)) {
        FlatType type = flat_type(c->dag, e);
        int var = clocks_aux(c, "sample", type,
                             type == FT_REAL ? FV_CONTINUOUS : FV_DISCRETE,
                             EXPR_NONE, e);
        e = clocks_leaf(c, var);
    }
    return expr_unary(c->dag, EX_PRE, e);
}

/* The value at the last tick of its own clock. */
static Expr held(Clocks *c, Expr u, int node)
{
    Expr e = clocks_rewrite(c, u, node);
    if (is_plain(c, u) || is_fixed(c, e))
        return e; /* else it may be that of another clock */
    Expr active = clocks_tick(c, node)->active;
    int var = clocks_aux(c, "hold", flat_type(c->dag, e), FV_DISCRETE,
                         EXPR_NONE, EXPR_NONE);
    clocks_add_eqn(c, clocks_leaf(c, var),
                   expr_if(c->dag, active, e, clocks_pre(c, var)));
    clocks_note_rate(c, node, var, e);
    return clocks_leaf(c, var);
}

static Expr before(Clocks *c, Expr u, int cur)
{
    Expr e = held(c, u, cur);
    if (is_plain(c, e))
        return clocks_previous(c, expr_node(c->dag, e)->var);
    return is_fixed(c, e) ? e : expr_unary(c->dag, EX_PRE, e);
}

static Expr operator_value(Clocks *c, Expr op, int cur)
{
    Expr a = expr_arg(c->dag, op, 1);
    int inner;
    switch (expr_clocked_kind(c->dag, op)) {
    case EC_SAMPLE: return sampled(c, a);
    case EC_PREVIOUS: return before(c, a, cur);
    case EC_FIRST: return clocks_first(c, cur);
    case EC_INTERVAL: return clocks_interval(c, cur);
    case EC_ACTIVE:
    case EC_TICKS:
    case EC_TIME_IN: return clocks_state_operator(c, op);
    default:
        inner = clocks_inner(c, op, cur);
        return inner == NONE ? a : held(c, a, inner);
    }
}

/* ---- expressions ---- */

/* The derivative of a variable of a partition with ticks. */
static Expr replace_leaf(void *context, Dag *d, Expr leaf)
{
    Clocks *c = context;
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order) || order == 0)
        return EXPR_NONE;
    int node = clocks_find(c, var);
    return c->node.at[node].clocked && order == 1 ? clocks_slope(c, node, var)
                                                  : EXPR_NONE;
}

static void fix(Clocks *c, Rewrite *r, Expr op, int cur)
{
    for (int i = 0; i < r->fixed.n; i++)
        if (r->fixed.at[i].op == op)
            return;
    Expr value = operator_value(c, op, cur);
    vec_push(c->local, &r->fixed, ((Fixed){op, value}));
    expr_map_fix(r->map, op, value);
}

typedef struct Operators {
    Clocks *c;
    Vec(Expr) found;
} Operators;

static void note_operator(void *context, const Dag *d, Expr e)
{
    Operators *o = context;
    if (expr_op(d, e) == EX_CLOCKED)
        vec_push(o->c->local, &o->found, e);
}

/* Operators that stand in `e` itself, not inside others. */
static bool is_outer(Clocks *c, Expr e, Expr op)
{
    Vec(Expr) stack = {0};
    vec_push(c->local, &stack, e);
    while (stack.n > 0) {
        Expr x = stack.at[--stack.n];
        if (x == op)
            return true;
        const ExprNode *n = expr_node(c->dag, x);
        for (int i = 0; n->op != EX_CLOCKED && i < n->narg; i++)
            vec_push(c->local, &stack, expr_arg(c->dag, x, i));
    }
    return false;
}

Expr clocks_rewrite(Clocks *c, Expr e, int cur)
{
    cur = clocks_find(c, cur);
    Rewrite *r = &c->rewrite[cur];
    if (!r->map)
        r->map = expr_map_new(c->dag, replace_leaf, c, c->local);
    Operators o = {.c = c};
    expr_walk(c->dag, &e, 1, note_operator, &o);
    for (int i = 0; i < o.found.n; i++)
        if (o.found.n == 1 || is_outer(c, e, o.found.at[i]))
            fix(c, r, o.found.at[i], cur);
    return expr_map(r->map, e);
}

/* ---- equations ---- */

/* Values of a tick change with the tick only. */
static Expr quiet(Clocks *c, Expr e)
{
    Expr *event;
    int n = expr_events(c->dag, &e, 1, &event, c->local);
    return n ? expr_unary(c->dag, EX_NOEVENT, e) : e;
}

static Span pair_span(const Clocks *c, const Pair *p)
{
    return p->from == NONE ? c->in->span : c->in->eqn[p->from].span;
}

/* Is `e` a variable of the partition? */
static bool is_of(Clocks *c, Expr e, int node)
{
    int var, order;
    return expr_is_var(c->dag, e, &var, &order) && order == 0 &&
           var < c->in->nvar && clocks_find(c, var) == node &&
           clocks_is_unknown(c, var);
}

/* The value that lhs = rhs gives to `leaf`; EXPR_NONE: it cannot be solved. */
static Expr solve(Clocks *c, Expr lhs, Expr rhs, Expr leaf)
{
    Expr other = lhs == leaf ? rhs : lhs;
    bool is_alone = lhs == leaf || rhs == leaf;
    return is_alone && !expr_contains(c->dag, other, leaf)
               ? other
               : expr_solve(c->dag, lhs, rhs, leaf, NULL, NULL);
}

static Expr at_ticks(Clocks *c, const Pair *p, Expr first, Expr later)
{
    return p->has_first
               ? expr_if(c->dag, clocks_first(c, p->node), first, later)
               : later;
}

static Expr solved(Clocks *c, const Pair *p, Expr leaf)
{
    Expr later = solve(c, p->lhs, p->rhs, leaf), first = later;
    if (p->has_first)
        first = solve(c, p->first_lhs, p->first_rhs, leaf);
    return later == EXPR_NONE || first == EXPR_NONE
               ? EXPR_NONE
               : at_ticks(c, p, first, later);
}

static Expr residual(Clocks *c, const Pair *p)
{
    Expr later = expr_sub(c->dag, p->lhs, p->rhs), first = later;
    if (p->has_first)
        first = expr_sub(c->dag, p->first_lhs, p->first_rhs);
    return at_ticks(c, p, first, later);
}

static Expr holds(Clocks *c, const Pair *p)
{
    Expr now = clocks_when(c, p->node, p->state);
    return p->is_later ? expr_binary(c->dag, EX_AND, now,
                                     expr_unary(c->dag, EX_NOT,
                                                clocks_first(c, p->node)))
                       : now;
}

/* var = if one of the equations holds then its value else what it was */
static void add_choice(Clocks *c, const Pair *const *p, int n, int var)
{
    Dag *d = c->dag;
    Expr leaf = clocks_leaf(c, var), before = clocks_previous(c, var);
    bool can = true;
    for (int i = 0; i < n; i++)
        can = can && solved(c, p[i], leaf) != EXPR_NONE;
    Expr r = can ? before : expr_sub(d, leaf, before);
    for (int i = n - 1; i >= 0; i--) {
        Expr value = can ? solved(c, p[i], leaf) : residual(c, p[i]);
        r = expr_if(d, holds(c, p[i]), quiet(c, value), r);
    }
    clocks_add_eqn(c, can ? leaf : r, can ? r : expr_real(d, 0));
    clocks_note_rate(c, p[0]->node, var, r);
}

static void add_tick_equation(Clocks *c, const Pair *p, int var)
{
    FlatVar *v = &c->out->var[var];
    Expr leaf = clocks_leaf(c, var);
    Expr other = p->lhs == leaf ? p->rhs : p->lhs;
    bool is_alone = p->lhs == leaf || p->rhs == leaf;
    if (is_alone && p->state == NONE && is_of(c, other, p->node) &&
        var < c->in->nvar && !c->observed[var]) {
        v->start = EXPR_NONE;
        v->fixed = v->has_fixed = false;
        clocks_add_eqn(c, leaf, other);
        return;
    }
    add_choice(c, &p, 1, var);
}

static const char *state_name(const Clocks *c, int state)
{
    return flat_component_path(c->in, c->state.at[state].component, c->local);
}

/* 17.3.5: a variable that several states give values. */
static void add_given(Clocks *c, const Matching *mm, const Match *m, int var)
{
    Vec(const Pair *) from = {0};
    for (int i = 0; i < mm->given.n; i++) {
        int e = m->eqn_of[mm->var.n + i];
        if (mm->given.at[i].var == var && e != NONE)
            vec_push(c->local, &from, &mm->pair.at[e]);
    }
    for (int i = 0; i < from.n; i++)
        for (int k = 0; k < i; k++)
            if (!clocks_exclude(c, from.at[i]->state, from.at[k]->state)) {
                diag_report(c->diag, pair_span(c, from.at[i]), DIAG_E1907,
                            "'%s' is given a value in '%s' and in '%s', which "
                            "can be active at once",
                            c->out->var[var].name,
                            state_name(c, from.at[k]->state),
                            state_name(c, from.at[i]->state));
                c->failed = true;
                return;
            }
    add_choice(c, from.at, from.n, var);
}

static void collect(Clocks *c, Matching *m)
{
    for (int i = 0; i < c->in->neqn; i++) {
        const FlatEqn *q = &c->in->eqn[i];
        int node = clocks_find(c, c->owner[i]), var, order;
        c->span = q->span;
        c->component = q->component;
        if (expr_is_var(c->dag, q->lhs, &var, &order) &&
            c->in->var[var].type == FT_CLOCK)
            continue;
        if (c->machine.n && q->origin == FO_CONNECT &&
            c->node.at[node].clocked) {
            int n = clocks_merge_outputs(c, i, &m->pair);
            i += n ? n - 1 : 0;
            if (n)
                continue;
        }
        Pair p = {
            .node = node, .from = i, .state = clocks_state(c, q->component)};
        p.lhs = clocks_rewrite(c, q->lhs, node);
        p.rhs = clocks_rewrite(c, q->rhs, node);
        if (c->node.at[node].clocked) {
            vec_push(c->local, &m->pair, p);
        } else {
            clocks_add_eqn(c, p.lhs, p.rhs);
            c->out->eqn[c->out->neqn - 1].origin = q->origin;
            c->out->eqn[c->out->neqn - 1].ordinal = q->ordinal;
        }
    }
}

/* Clocks as they are seen in results: true when they tick. */
static void clock_variables(Clocks *c)
{
    for (int i = 0; i < c->in->nvar; i++) {
        FlatVar *v = &c->out->var[i];
        if (v->type != FT_CLOCK)
            continue;
        v->type = FT_BOOLEAN;
        v->variability = FV_DISCRETE;
        c->span = v->span;
        c->component = v->component;
        if (v->causality != FC_INPUT)
            clocks_add_eqn(c, expr_var(c->dag, i, 0, ET_BOOLEAN),
                           clocks_tick(c, i)->active);
    }
}

void clocks_equations(Clocks *c)
{
    Matching m = {0};
    clocks_run_machines(c);
    collect(c, &m);
    for (int i = 0; i < c->node.n && !c->failed; i++)
        if (c->rewrite[i].state.n) {
            clocks_reduce(c, i, &m.pair);
            if (!c->failed)
                clocks_integrate(c, i, &m.pair);
        }
    if (c->failed)
        return;
    m.column = NEW_ARRAY(c->local, int, c->out->nvar + 1);
    for (int i = 0; i < c->out->nvar; i++)
        m.column[i] = NONE;
    for (int i = 0; i < c->in->nvar; i++)
        if (c->node.at[clocks_find(c, i)].clocked && clocks_is_unknown(c, i)) {
            clocks_add_unknown(c, &m, i);
            c->out->var[i].variability = FV_DISCRETE;
        }
    for (int i = 0; i < c->node.n; i++)
        for (int k = 0; k < c->rewrite[i].slope.n; k++)
            clocks_add_unknown(c, &m, c->rewrite[i].slope.at[k]);
    for (int i = 0; i < c->extra.n; i++)
        clocks_add_unknown(c, &m, c->extra.at[i]);
    const Match *match = clocks_match(c, &m);
    if (!clocks_check_match(c, &m, match))
        return;
    for (int i = 0; i < m.pair.n; i++) {
        int k = match->var_of[i], from = m.pair.at[i].from;
        c->span = pair_span(c, &m.pair.at[i]);
        c->component = from == NONE ? 0 : c->in->eqn[from].component;
        if (k < m.var.n)
            add_tick_equation(c, &m.pair.at[i], m.var.at[k]);
    }
    for (int k = 0; k < m.var.n; k++)
        if (clocks_is_given(&m, match, m.var.at[k]))
            add_given(c, &m, match, m.var.at[k]);
    clock_variables(c);
}
