/* constraints.c - partitions whose states depend on each other (16.8).
 *
 * A shaft turns with the shaft it is connected to, and both have a derivative:
 * then the equations of a partition do not determine the derivatives of its
 * states. The partition is taken out as a model of its own,
 *
 *   its variables      unknowns, derivatives as they were written
 *   sample(u), what comes from other clocks, previous(x)      inputs
 *   parameters                                                parameters
 *
 * which simplify/ and reduce/ make a system of index 1 with a choice of states
 * and the equations of its first tick. These take the place of the equations
 * that were there; variables that stand for others have an equation that says
 * so. What solver.c makes of it does not know of all this.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"
#include "graph/match.h"
#include "reduce/reduce.h"
#include "simplify/simplify.h"

/* The partition as a model, and the way back. */
typedef struct Part {
    Clocks *c;
    int node;
    Flat *f;
    Vec(FlatVar) var;
    Vec(Expr) back; /* of each variable: what it is in the model */
    Vec(int) own;   /* and its number, NONE: an input or a parameter */
    ExprMap *in, *out;
    const Dae *dae;
    Vec(Expr) leaf;        /* derivatives of the Dae, */
    Vec(int) aux;          /* and the variables that they are */
    Vec(int) state, slope; /* variables x, der(x) as they were */
    bool failed;
} Part;

/* ---- is there anything to do? ---- */

static int slope_of(const Rewrite *r, int var)
{
    for (int i = 0; i < r->state.n; i++)
        if (r->state.at[i] == var)
            return r->slope.at[i];
    return NONE;
}

/* Columns: the derivative in place of each state. */
static int *number_unknowns(Clocks *c, int node, int *n)
{
    const Rewrite *r = &c->rewrite[node];
    int *column = NEW_ARRAY(c->local, int, c->out->nvar + 1);
    *n = 0;
    for (int i = 0; i < c->out->nvar; i++)
        column[i] = NONE;
    for (int i = 0; i < c->in->nvar; i++) {
        if (clocks_find(c, i) != node || !flat_is_unknown(c->out, i) ||
            c->in->var[i].type == FT_CLOCK)
            continue;
        int slope = slope_of(r, i);
        column[slope == NONE ? i : slope] = (*n)++;
    }
    return column;
}

/* Do the equations determine the derivatives of the states? */
static bool is_regular(Clocks *c, int node, const Pairs *pairs)
{
    int n, row = 0, *column = number_unknowns(c, node, &n);
    EdgeList list = edges_begin(c->local);
    for (int i = 0; i < pairs->n; i++) {
        const Pair *p = &pairs->at[i];
        if (p->node != node)
            continue;
        const Expr side[2] = {p->lhs, p->rhs};
        for (int s = 0; s < 2; s++) {
            Expr *leaf;
            int nleaf = expr_leaves(c->dag, side[s], &leaf, c->local);
            for (int k = 0; k < nleaf; k++) {
                int var, order;
                if (expr_is_var(c->dag, leaf[k], &var, &order) &&
                    column[var] != NONE)
                    edges_add(&list, row, column[var], EDGE_NONLINEAR, 0);
            }
        }
        row++;
    }
    const Incidence *inc = edges_end(&list, row, n, c->local);
    Match *m = match_new(inc, c->local);
    match_grow(inc, NULL, m);
    return m->size == row;
}

/* ---- the partition as a model ---- */

static ExprType leaf_type(FlatType t)
{
    return t == FT_REAL ? ET_REAL : t == FT_BOOLEAN ? ET_BOOLEAN : ET_INTEGER;
}

static int add_var(Part *p, FlatVar v, Expr back, int own)
{
    vec_push(p->c->local, &p->var, v);
    vec_push(p->c->local, &p->back, back);
    vec_push(p->c->local, &p->own, own);
    return p->var.n - 1;
}

static int find_var(Part *p, Expr back)
{
    for (int i = 0; i < p->back.n; i++)
        if (p->back.at[i] == back)
            return i;
    return NONE;
}

static FlatType type_of(const Clocks *c, Expr e)
{
    switch (expr_type(c->dag, e)) {
    case ET_BOOLEAN: return FT_BOOLEAN;
    case ET_INTEGER: return FT_INTEGER;
    default: return FT_REAL;
    }
}

static Expr leaf_of(Part *p, int var, int order)
{
    return expr_var(p->c->dag, var, order, leaf_type(p->var.at[var].type));
}

/* Something from outside. */
static Expr as_input(Part *p, Expr e)
{
    int v = find_var(p, e);
    if (v == NONE) {
        Expr leaf =
            expr_op(p->c->dag, e) == EX_PRE ? expr_arg(p->c->dag, e, 0) : e;
        int var = expr_node(p->c->dag, leaf)->var; /* it has its name */
        FlatVar u = flat_plain_var(p->c->out->var[var].name, p->c->span);
        u.type = type_of(p->c, e);
        u.variability = u.type == FT_REAL ? FV_CONTINUOUS : FV_DISCRETE;
        u.causality = FC_INPUT;
        v = add_var(p, u, e, NONE);
    }
    return leaf_of(p, v, 0);
}

static Expr as_parameter(Part *p, int var)
{
    Clocks *c = p->c;
    Expr back = clocks_leaf(c, var);
    int v = find_var(p, back);
    if (v == NONE) {
        v = add_var(p, c->out->var[var], back, NONE);
        Expr binding = c->out->var[var].binding;
        if (binding != EXPR_NONE)
            binding = expr_map(p->in, binding);
        p->var.at[v].binding = binding;
        p->var.at[v].min = p->var.at[v].max = EXPR_NONE;
        p->var.at[v].start = EXPR_NONE;
    }
    return leaf_of(p, v, 0);
}

static Expr take(void *part, Dag *d, Expr leaf)
{
    Part *p = part;
    Clocks *c = p->c;
    const Rewrite *r = &c->rewrite[p->node];
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order))
        return as_input(p, leaf); /* pre(v) */
    if (c->out->var[var].variability <= FV_PARAMETER)
        return as_parameter(p, var);
    for (int i = 0; i < r->slope.n; i++)
        if (r->slope.at[i] == var)
            return leaf_of(p, find_var(p, clocks_leaf(c, r->state.at[i])), 1);
    if (!clocks_is_own(c, p->node, var))
        return as_input(p, leaf);
    return leaf_of(p, find_var(p, clocks_leaf(c, var)), 0);
}

static Expr attribute(Part *p, Expr e)
{
    return e == EXPR_NONE ? e : expr_map(p->in, e);
}

static void take_variables(Part *p)
{
    Clocks *c = p->c;
    for (int i = 0; i < c->in->nvar; i++)
        if (clocks_find(c, i) == p->node && flat_is_unknown(c->in, i) &&
            c->in->var[i].type != FT_CLOCK) {
            FlatVar v = c->in->var[i];
            v.causality = FC_LOCAL;
            v.is_protected = false;
            add_var(p, v, clocks_leaf(c, i), i);
        }
    for (int i = 0, n = p->var.n; i < n; i++) {
        FlatVar v = p->var.at[i]; /* parameters are added after them */
        v.start = attribute(p, v.start);
        v.nominal = attribute(p, v.nominal);
        v.min = v.max = EXPR_NONE;
        p->var.at[i] = v;
    }
}

/* Relations act at ticks, they make no events. */
static Expr taken(Part *p, Expr e)
{
    Expr r = expr_map(p->in, e), *event;
    int n = expr_events(p->c->dag, &r, 1, &event, p->c->local);
    return n ? expr_unary(p->c->dag, EX_NOEVENT, r) : r;
}

static void take_equations(Part *p, const Pairs *pairs)
{
    Clocks *c = p->c;
    Flat *f = p->f;
    f->eqn = NEW_ARRAY(c->arena, FlatEqn, pairs->n + 1);
    f->initial = NEW_ARRAY(c->arena, FlatEqn, c->in->ninitial + 1);
    for (int i = 0; i < pairs->n; i++) {
        const Pair *q = &pairs->at[i];
        if (q->node != p->node)
            continue;
        FlatEqn e = {.component = 0, .ordinal = i, .span = c->span};
        if (q->from != NONE)
            e = c->in->eqn[q->from];
        e.lhs = taken(p, q->lhs);
        e.rhs = taken(p, q->rhs);
        f->eqn[f->neqn++] = e;
    }
    for (int i = 0; i < c->in->ninitial; i++) {
        FlatEqn e = c->in->initial[i];
        if (clocks_initial(c, &e) != p->node)
            continue;
        e.lhs = taken(p, clocks_rewrite(c, e.lhs, p->node));
        e.rhs = taken(p, clocks_rewrite(c, e.rhs, p->node));
        f->initial[f->ninitial++] = e;
    }
}

static void take_partition(Part *p, const Pairs *pairs)
{
    Clocks *c = p->c;
    p->f = NEW(c->arena, Flat);
    *p->f = (Flat){.model = c->in->model,
                   .comment = "",
                   .dag = c->dag,
                   .component = c->in->component,
                   .ncomponent = c->in->ncomponent,
                   .enumeration = c->in->enumeration,
                   .nenumeration = c->in->nenumeration,
                   .experiment = c->in->experiment,
                   .span = c->in->span};
    p->in = expr_map_new(c->dag, take, p, c->local);
    const Rewrite *r = &c->rewrite[p->node];
    for (int i = 0; i < r->state.n; i++) {
        vec_push(c->local, &p->state, r->state.at[i]);
        vec_push(c->local, &p->slope, r->slope.at[i]);
    }
    take_variables(p);
    take_equations(p, pairs);
    p->f->var = NEW_ARRAY(c->arena, FlatVar, p->var.n + 1);
    for (int i = 0; i < p->var.n; i++)
        p->f->var[i] = p->var.at[i];
    p->f->nvar = p->var.n;
}

/* ---- and back ---- */

static int old_slope(const Part *p, int var)
{
    for (int i = 0; var != NONE && i < p->state.n; i++)
        if (p->state.at[i] == var)
            return p->slope.at[i];
    return NONE;
}

/* A variable of the model for a leaf of the Dae that is none. */
static int aux_of(Part *p, Expr leaf, int like)
{
    Clocks *c = p->c;
    for (int i = 0; i < p->leaf.n; i++)
        if (p->leaf.at[i] == leaf)
            return p->aux.at[i];
    const SysVar *v = &p->dae->sys->var[like];
    int own = like < p->own.n ? p->own.at[like] : NONE;
    int aux = leaf == leaf_of(p, like, 1) ? old_slope(p, own) : NONE;
    if (aux == NONE) {
        aux = clocks_aux(c, "der", v->type, FV_DISCRETE, EXPR_NONE, EXPR_NONE);
        if (own != NONE)
            c->out->var[aux].component = c->out->var[own].component;
    }
    vec_push(c->local, &p->leaf, leaf);
    vec_push(c->local, &p->aux, aux);
    vec_push(c->local, &c->extra, aux);
    vec_push(c->local, &c->rewrite[p->node].own, aux);
    return aux;
}

static Expr give(void *part, Dag *d, Expr leaf)
{
    Part *p = part;
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order)) {
        p->failed = true; /* pre() of a variable of the partition */
        return EXPR_NONE;
    }
    const SysVar *v = &p->dae->sys->var[var];
    if (v->role == SR_INPUT && v->input_order > 0) {
        p->failed = true; /* an input would have to be differentiated */
        return EXPR_NONE;
    }
    if (order == 0 && var < p->back.n)
        return p->back.at[var];
    return clocks_leaf(p->c, aux_of(p, leaf, var));
}

static int number_of(Part *p, Expr leaf)
{
    Expr e = expr_map(p->out, leaf);
    return expr_node(p->c->dag, e)->var;
}

static void add_pair(Part *p, Pairs *pairs, Expr lhs, Expr rhs)
{
    Pair q = {
        .lhs = lhs, .rhs = rhs, .node = p->node, .from = NONE, .state = NONE};
    vec_push(p->c->local, pairs, q);
}

/* Variables that the system does not have any more. */
static void give_others(Part *p, Pairs *pairs)
{
    Dag *d = p->c->dag;
    const Sys *s = p->dae->sys;
    for (int i = 0; i < p->own.n; i++) {
        const SysVar *v = &s->var[i];
        if (p->own.at[i] == NONE || sys_is_unknown(s, i))
            continue;
        bool truth = v->type == FT_BOOLEAN;
        Expr value = EXPR_NONE;
        if (v->role == SR_ALIAS) {
            value = p->back.at[v->target];
            if (v->sign < 0)
                value =
                    truth ? expr_unary(d, EX_NOT, value) : expr_neg(d, value);
        } else if (v->role == SR_CONSTANT) {
            value = truth                ? expr_bool(d, v->value != 0)
                    : v->type == FT_REAL ? expr_real(d, v->value)
                                         : expr_int(d, v->value);
        } else if (v->expr != EXPR_NONE) {
            value = expr_map(p->out, v->expr);
        }
        if (value == EXPR_NONE)
            p->failed = true;
        else
            add_pair(p, pairs, p->back.at[i], value);
    }
}

static bool is_mapped(const Part *p, int aux)
{
    for (int i = 0; i < p->aux.n; i++)
        if (p->aux.at[i] == aux)
            return true;
    return false;
}

/* Derivatives that were variables and are none of the new system. */
static void give_slopes(Part *p, Pairs *pairs)
{
    Clocks *c = p->c;
    const Sys *s = p->dae->sys;
    for (int i = 0; i < p->state.n; i++) {
        int x = find_var(p, clocks_leaf(c, p->state.at[i])), sign;
        if (is_mapped(p, p->slope.at[i]))
            continue;
        int target = sys_resolve(s, x, &sign);
        Expr value = expr_real(c->dag, 0);
        if (sys_is_unknown(s, target) && target != x) {
            value = expr_map(p->out, leaf_of(p, target, 1));
            value = sign < 0 ? expr_neg(c->dag, value) : value;
        } else if (sys_is_unknown(s, target)) {
            p->failed = true;
        }
        add_pair(p, pairs, clocks_leaf(c, p->slope.at[i]), value);
        vec_push(c->local, &c->extra, p->slope.at[i]);
        vec_push(c->local, &c->rewrite[p->node].own, p->slope.at[i]);
    }
}

/* The conditions at the first tick, each with a state that it speaks of, so
 * that the same pivots serve at all ticks. */
static void give_initial(Part *p)
{
    Clocks *c = p->c;
    const Dae *dae = p->dae;
    Rewrite *r = &c->rewrite[p->node];
    Vec(const SysEqn *) condition = {0};
    EdgeList list = edges_begin(c->local);
    for (int i = dae->neqn; i < dae->init.neqn; i++) {
        const SysEqn *e = &dae->init.eqn[i];
        if (e->origin.rule == RULE_PRE)
            continue;
        for (int k = 0; k < dae->nstate; k++)
            if (expr_contains(c->dag, e->lhs, dae->state[k].leaf) ||
                expr_contains(c->dag, e->rhs, dae->state[k].leaf))
                edges_add(&list, condition.n, k, EDGE_NONLINEAR, 0);
        vec_push(c->local, &condition, e);
    }
    p->failed |= condition.n != dae->nstate;
    if (p->failed)
        return;
    const Incidence *inc = edges_end(&list, condition.n, dae->nstate, c->local);
    Match *m = match_new(inc, c->local);
    match_grow(inc, NULL, m);
    for (int k = 0, next = 0; k < dae->nstate; k++) {
        while (m->eqn_of[k] == NONE && m->var_of[next] != NONE)
            next++;
        const SysEqn *e =
            condition.at[m->eqn_of[k] == NONE ? next++ : m->eqn_of[k]];
        Expr lhs = expr_map(p->out, e->lhs), rhs = expr_map(p->out, e->rhs);
        vec_push(c->local, &r->first, expr_sub(c->dag, lhs, rhs));
    }
}

static void give_back(Part *p, Pairs *pairs)
{
    Clocks *c = p->c;
    Rewrite *r = &c->rewrite[p->node];
    const Dae *dae = p->dae;
    p->out = expr_map_new(c->dag, give, p, c->local);
    int n = 0;
    for (int i = 0; i < pairs->n; i++)
        if (pairs->at[i].node != p->node)
            pairs->at[n++] = pairs->at[i];
    pairs->n = n;
    for (int i = 0; i < dae->neqn; i++) {
        Expr lhs = expr_map(p->out, dae->eqn[i].lhs);
        add_pair(p, pairs, lhs, expr_map(p->out, dae->eqn[i].rhs));
    }
    give_others(p, pairs);
    give_initial(p);
    give_slopes(p, pairs);
    r->state.n = r->slope.n = 0;
    for (int i = 0; i < dae->nstate; i++) {
        vec_push(c->local, &r->state, number_of(p, dae->state[i].leaf));
        vec_push(c->local, &r->slope, number_of(p, dae->state[i].der));
    }
}

/* Of the aux variables some are slopes, which are unknowns already. */
static void drop_slopes(Clocks *c, int node)
{
    const Rewrite *r = &c->rewrite[node];
    int n = 0;
    for (int i = 0; i < c->extra.n; i++) {
        bool is_slope = false;
        for (int k = 0; k < r->slope.n; k++)
            is_slope |= r->slope.at[k] == c->extra.at[i];
        if (!is_slope)
            c->extra.at[n++] = c->extra.at[i];
    }
    c->extra.n = n;
}

static bool has_states(const Pairs *pairs, int node)
{
    for (int i = 0; i < pairs->n; i++)
        if (pairs->at[i].node == node && pairs->at[i].state != NONE)
            return true;
    return false;
}

void clocks_reduce(Clocks *c, int node, Pairs *pairs)
{
    if (is_regular(c, node, pairs))
        return;
    Part p = {.c = c, .node = node, .failed = has_states(pairs, node)};
    if (!p.failed) {
        take_partition(&p, pairs);
        SimplifyOptions simple = {.tunable = "all"};
        Sys *sys = simplify(p.f, simple, c->arena, c->diag);
        ReduceOptions options = {.static_states = true, .keep_zeros = true};
        p.dae = sys ? reduce(sys, options, c->arena, c->diag) : NULL;
        c->failed |= !p.dae;
    }
    if (c->failed)
        return;
    if (!p.failed)
        give_back(&p, pairs);
    if (!p.failed) {
        drop_slopes(c, node);
        return;
    }
    diag_report(c->diag, c->node.at[node].span, DIAG_U1901,
                "not supported yet: a partition with the solverMethod \"%s\" "
                "whose states depend on each other by inputs or in states of "
                "a machine",
                c->node.at[node].solver);
    c->failed = true;
}
