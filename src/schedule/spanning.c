/* spanning.c - a tree of branches that reaches all nodes of a network.
 *
 * A branch is what lies between two pins of a device whose flows are one, the
 * other way. A pin without such a partner (a transistor's, a heat port) is a
 * branch to what is known. Vertices are potentials; all that are known are one.
 * Branches enter the tree in the order of their ranks (Kruskal), equals in the
 * order of the model.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

typedef enum Rank {
    FIXES_VOLTAGE,
    STORES_VOLTAGE,
    SOLVES_VOLTAGE,
    OTHER, /* a flow by a law that cannot be solved for the voltage */
    FIXES_FLOW,
    NRANK
} Rank;

typedef struct Branch {
    int a, b;       /* vertices */
    int flow, volt; /* unknowns of the part, NONE: not there */
    int end;        /* potential of pin a, likewise */
    Rank rank;
    bool in_tree;
} Branch;

typedef struct Spanning {
    Part *p;
    const Network *net;
    const Transpose *by_var;
    int *place; /* by variable of Sys: unknown of the part at this stage */
    int *opposite, *volt; /* by pin: its partner, variable of the voltage */
    Vec(Branch) branch;
} Spanning;

static int root_of(const Spanning *x, int flat_var, int *sign)
{
    return sys_resolve(x->p->m->d->sys, flat_var, sign);
}

/* ---- pairs of pins ---- */

static void pair_pins(Spanning *x)
{
    const Network *net = x->net;
    Arena *work = x->p->m->work;
    int *first = NEW_ARRAY(work, int, x->p->m->d->sys->nvar + 1);
    for (int v = 0; v < x->p->m->d->sys->nvar; v++)
        first[v] = NONE;
    for (int k = 0; k < net->npin; k++) {
        int sign, other, root = root_of(x, net->pin[k].flow, &sign);
        x->opposite[k] = x->volt[k] = NONE;
        int q = first[root];
        if (q == NONE) {
            first[root] = k;
            continue;
        }
        root_of(x, net->pin[q].flow, &other);
        if (net->pin[q].device == net->pin[k].device && sign == -other) {
            x->opposite[k] = q;
            x->opposite[q] = k;
        }
    }
    for (int k = 0; k < net->nvoltage; k++) {
        const NetworkVoltage *v = &net->voltage[k];
        if (x->opposite[v->a] == v->b)
            x->volt[v->a] = x->volt[v->b] = v->var;
    }
}

static void find_places(Spanning *x, int stage)
{
    const Maker *m = x->p->m;
    for (int v = 0; v < m->d->sys->nvar; v++)
        x->place[v] = NONE;
    for (int j = 0; j < x->p->n; j++) {
        const InlinedVar *v = &m->d->var[m->system->unknown[x->p->var[j]]];
        if ((v->kind == IV_VALUE || v->kind == IV_INCREMENT) &&
            v->sys_var != NONE && v->order == 0 && v->stage == stage)
            x->place[v->sys_var] = j;
    }
}

/* ---- branches ---- */

/* 1 + the variable of Sys that is the potential; 0: it is known. */
static int vertex_of(const Spanning *x, int pin)
{
    const Sys *sys = x->p->m->d->sys;
    int sign, root = root_of(x, x->net->pin[pin].potential, &sign);
    return sys->var[root].role == SR_UNKNOWN ? 1 + root : 0;
}

static int place_of(const Spanning *x, int flat_var)
{
    int sign;
    return flat_var == NONE ? NONE : x->place[root_of(x, flat_var, &sign)];
}

static bool is_state(const Spanning *x, int j)
{
    const Maker *m = x->p->m;
    return j != NONE && m->d->var[m->system->unknown[x->p->var[j]]].is_state;
}

static bool is_voltage(const Spanning *x, int eqn)
{
    int from = formulation_flat_eqn(x->p->m, x->p->eqn[eqn]);
    return from != NONE && x->net->is_kept[from];
}

static Rank rank_of(const Spanning *x, const Branch *b)
{
    const Transpose *t = x->by_var;
    bool couples = false, alone = false, solvable = false;
    if (is_state(x, b->volt))
        return STORES_VOLTAGE;
    if (is_state(x, b->flow) || b->volt == NONE || b->flow == NONE)
        return FIXES_FLOW;
    for (int k = t->start[b->volt]; k < t->start[b->volt + 1]; k++) {
        bool both = incidence_find(x->p->inc, t->eqn[k], b->flow) != NONE;
        if (is_voltage(x, t->eqn[k]))
            continue;
        couples |= both;
        alone |= !both;
        solvable |= both && x->p->inc->cls[t->edge[k]] >= EDGE_CONSTANT;
    }
    if (couples)
        return solvable ? SOLVES_VOLTAGE : OTHER;
    return alone ? FIXES_VOLTAGE : FIXES_FLOW;
}

static void add_branch(Spanning *x, int pin)
{
    int other = x->opposite[pin];
    if (other != NONE && other < pin)
        return;
    Branch b = {.a = vertex_of(x, pin),
                .b = other == NONE ? 0 : vertex_of(x, other),
                .flow = place_of(x, x->net->pin[pin].flow),
                .volt = place_of(x, x->volt[pin]),
                .end = place_of(x, x->net->pin[pin].potential)};
    if (other == NONE && b.a == 0)
        return; /* what holds a known potential: the flow that is left over */
    if (b.flow == NONE && b.volt == NONE && b.end == NONE)
        return; /* of another stage, or known */
    b.rank = rank_of(x, &b);
    vec_push(x->p->m->work, &x->branch, b);
}

/* ---- the tree ---- */

static int find_root(int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static void grow_tree(Spanning *x)
{
    int n = x->p->m->d->sys->nvar + 1;
    int *parent = NEW_ARRAY(x->p->m->work, int, n + 1);
    for (int v = 0; v < n; v++)
        parent[v] = v;
    for (int rank = 0; rank < NRANK; rank++)
        for (int k = 0; k < x->branch.n; k++) {
            Branch *b = &x->branch.at[k];
            int a = find_root(parent, b->a), c = find_root(parent, b->b);
            if ((int)b->rank != rank || a == c)
                continue;
            parent[a] = c;
            b->in_tree = true;
        }
}

static void choose_stage(Spanning *x, int stage, bool is_mesh, bool *chosen)
{
    x->branch.n = 0;
    find_places(x, stage);
    for (int k = 0; k < x->net->npin; k++)
        add_branch(x, k);
    grow_tree(x);
    for (int k = 0; k < x->branch.n; k++) {
        const Branch *b = &x->branch.at[k];
        if (b->in_tree == is_mesh)
            continue;
        int j = is_mesh ? b->flow : b->volt != NONE ? b->volt : b->end;
        if (j != NONE && (is_mesh || b->rank != FIXES_VOLTAGE))
            chosen[j] = true;
    }
}

void spanning_choose(Part *p, bool is_mesh, bool *chosen)
{
    Maker *m = p->m;
    Spanning x = {.p = p,
                  .net = m->d->sys->network,
                  .by_var = incidence_transpose(p->inc, m->work)};
    x.place = NEW_ARRAY(m->work, int, m->d->sys->nvar + 1);
    x.opposite = NEW_ARRAY(m->work, int, x.net->npin + 1);
    x.volt = NEW_ARRAY(m->work, int, x.net->npin + 1);
    pair_pins(&x);
    for (int i = DIFF_END; i < m->system->method->nstage; i++)
        choose_stage(&x, i, is_mesh, chosen);
}
