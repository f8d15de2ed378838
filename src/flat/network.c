/* network.c - pins, nodes and voltages, from connections alone. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "flat/network.h"

#include "base/vec.h"

typedef struct Finder {
    const Flat *f;
    int *partner;  /* by variable: the other one of its pin, NONE: no pin */
    bool *is_wire; /* by flow: it is seen from inside of its component too */
    int *parent;   /* by potential: union-find over connections */
    int *pin_of;   /* by potential: pin of a device, NONE */
    Vec(NetworkPin) pin;
    Vec(NetworkNode) node;
    Vec(NetworkVoltage) voltage;
    Network *net;
    Arena *arena, *work;
} Finder;

/* ---- pins ---- */

/* A connector with one flow and one other variable that changes. */
static void find_partners(Finder *x)
{
    const Flat *f = x->f;
    int *flow = NEW_ARRAY(x->work, int, f->ncomponent + 1);
    int *other = NEW_ARRAY(x->work, int, f->ncomponent + 1);
    int *count = NEW_ARRAY(x->work, int, f->ncomponent + 1);
    for (int c = 0; c < f->ncomponent; c++)
        flow[c] = other[c] = NONE;
    for (int v = 0; v < f->nvar; v++) {
        const FlatVar *a = &f->var[v];
        x->partner[v] = NONE;
        if (a->variability <= FV_PARAMETER)
            continue;
        count[a->component]++;
        if (a->type == FT_REAL && a->variability == FV_CONTINUOUS)
            *(a->is_flow ? &flow[a->component] : &other[a->component]) = v;
    }
    for (int c = 0; c < f->ncomponent; c++) {
        if (!f->component[c].is_part || count[c] != 2 || flow[c] == NONE ||
            other[c] == NONE)
            continue;
        x->partner[flow[c]] = other[c];
        x->partner[other[c]] = flow[c];
    }
}

/* The leaves of an equation, all plain variables; -1: more than `most`, or
 * something else. */
static int variables_of(Finder *x, const FlatEqn *e, int *var, int most)
{
    Dag *dag = x->f->dag;
    Expr *leaf, both = expr_make_raw(dag, EX_EQ, e->lhs, e->rhs, EXPR_NONE);
    int n = expr_leaves(dag, both, &leaf, x->work), order = 0;
    if (n > most)
        return -1;
    for (int k = 0; k < n; k++)
        if (!expr_is_var(dag, leaf[k], &var[k], &order) || order > 0)
            return -1;
    return n;
}

/* The factor of a variable in an equation if it is 1 or -1; else 0. */
static int sign_in(Finder *x, const FlatEqn *e, int var)
{
    Dag *dag = x->f->dag;
    Expr slope = EXPR_NONE, leaf = expr_var(dag, var, 0, ET_REAL);
    double a = 0;
    Expr residual = expr_sub(dag, e->lhs, e->rhs);
    if (expr_dependence(dag, residual, leaf, &slope, NULL) != DEP_LINEAR ||
        !expr_is_const(dag, slope, &a))
        return 0;
    return a == 1 ? 1 : a == -1 ? -1 : 0;
}

/* Flows of a set, seen from outside of their components with +, from inside of
 * one with -. Without the latter it is the conservation of the whole node. */
static void see_flows(Finder *x, int eqn)
{
    const FlatEqn *e = &x->f->eqn[eqn];
    Expr *leaf;
    int n = expr_leaves(x->f->dag, e->lhs, &leaf, x->work);
    bool is_whole = n > 0;
    for (int k = 0; k < n; k++) {
        int var = NONE, order = 0;
        expr_is_var(x->f->dag, leaf[k], &var, &order);
        if (var == NONE || x->partner[var] == NONE)
            return;
        if (sign_in(x, e, var) > 0)
            continue;
        x->is_wire[var] = true;
        is_whole = false;
    }
    x->net->is_flow[eqn] = x->net->is_kept[eqn] = is_whole;
}

/* ---- nodes ---- */

static int find_root(const Finder *x, int v)
{
    while (x->parent[v] != v)
        v = x->parent[v] = x->parent[x->parent[v]];
    return v;
}

static void join_potentials(Finder *x)
{
    const Flat *f = x->f;
    int var[2];
    for (int v = 0; v < f->nvar; v++)
        x->parent[v] = v;
    for (int i = 0; i < f->neqn; i++)
        if (f->eqn[i].origin == FO_CONNECT &&
            variables_of(x, &f->eqn[i], var, 2) == 2 &&
            x->partner[var[0]] != NONE && x->partner[var[1]] != NONE)
            x->parent[find_root(x, var[0])] = find_root(x, var[1]);
}

/* The component whose connector holds the variable. */
static int device_of(const Flat *f, int var)
{
    int c = f->var[var].component;
    while (c > 0 && f->component[c].is_part)
        c = f->component[c].parent;
    return c;
}

static void number_nodes(Finder *x)
{
    const Flat *f = x->f;
    int *node = NEW_ARRAY(x->work, int, f->nvar + 1);
    for (int v = 0; v < f->nvar; v++)
        node[v] = NONE;
    for (int v = 0; v < f->nvar; v++) {
        if (x->partner[v] == NONE || f->var[v].is_flow)
            continue;
        int root = find_root(x, v), device = device_of(f, v);
        if (node[root] == NONE) {
            node[root] = x->node.n;
            vec_push(x->arena, &x->node, ((NetworkNode){true}));
        }
        if (device == 0 || f->component[device].parent == 0)
            x->node.at[node[root]].is_inner = false;
        if (x->is_wire[x->partner[v]])
            continue;
        x->pin_of[v] = x->pin.n;
        NetworkPin pin = {v, x->partner[v], device, node[root]};
        vec_push(x->arena, &x->pin, pin);
    }
}

/* ---- voltages ---- */

/* u = p.v - n.v within a device. */
static void see_voltage(Finder *x, int eqn)
{
    const FlatEqn *e = &x->f->eqn[eqn];
    int var[3], pin[2], npin = 0, u = NONE;
    if (e->origin != FO_EQUATION && e->origin != FO_BINDING)
        return;
    if (variables_of(x, e, var, 3) != 3)
        return;
    for (int k = 0; k < 3; k++)
        if (x->pin_of[var[k]] != NONE && npin < 2)
            pin[npin++] = x->pin_of[var[k]];
        else
            u = var[k];
    if (npin != 2 || u == NONE || x->partner[u] != NONE)
        return;
    const NetworkPin *a = &x->pin.at[pin[0]], *b = &x->pin.at[pin[1]];
    if (a->device != b->device || x->f->var[u].component != a->device ||
        sign_in(x, e, u) == 0 ||
        sign_in(x, e, a->potential) * sign_in(x, e, b->potential) != -1)
        return;
    NetworkVoltage voltage = {u, pin[0], pin[1], eqn};
    vec_push(x->arena, &x->voltage, voltage);
    x->net->is_kept[eqn] = true;
}

const Network *network_find(const Flat *f, Arena *arena)
{
    Finder x = {.f = f, .arena = arena, .work = arena_new()};
    Network *net = x.net = NEW(arena, Network);
    net->is_flow = NEW_ARRAY(arena, bool, f->neqn + 1);
    net->is_kept = NEW_ARRAY(arena, bool, f->neqn + 1);
    x.partner = NEW_ARRAY(x.work, int, f->nvar + 1);
    x.is_wire = NEW_ARRAY(x.work, bool, f->nvar + 1);
    x.parent = NEW_ARRAY(x.work, int, f->nvar + 1);
    x.pin_of = NEW_ARRAY(x.work, int, f->nvar + 1);
    for (int v = 0; v < f->nvar; v++)
        x.pin_of[v] = NONE;
    find_partners(&x);
    for (int i = 0; i < f->neqn; i++)
        if (f->eqn[i].origin == FO_FLOW)
            see_flows(&x, i);
    join_potentials(&x);
    number_nodes(&x);
    for (int i = 0; i < f->neqn; i++)
        see_voltage(&x, i);
    net->pin = x.pin.at;
    net->npin = x.pin.n;
    net->node = x.node.at;
    net->nnode = x.node.n;
    net->voltage = x.voltage.at;
    net->nvoltage = x.voltage.n;
    arena_free(x.work);
    return net;
}
