/* formulation.c - networks as circuit simulators treat them: the plan's
 * `formulation` (Cellier, Kofman, Continuous System Simulation, 8.11).
 *
 * Nodes, pins and voltages come from the connections (flat/network.h). All of a
 * network is one block of a step, also what BLT would know before, and what is
 * iterated on is not searched for:
 *
 *   tableau      potentials, voltages and flows, the sparse tableau (8.134) to
 *                (8.136)
 *   mna          the potentials of all nodes, (8.141). Voltages follow from
 *                them, slopes of what stores by its formula solved for them,
 *                (8.137), flows from the devices. The conservation of a node is
 *                a residual, unless a flow follows from nothing else: then its
 *                device's own equation is one, (8.140)
 *   mna-reduced  the potentials of the user's own nodes; those inside of
 *                devices follow, or are torn with as few others as possible
 *   mesh         flows of the branches that are not in a tree. Conservation
 *                gives those of the tree, devices its voltages; what closes a
 *                mesh is left
 *   cutset       voltages of the branches of a tree; conservation is left
 *
 * The tree takes what fixes a voltage first, then what stores one, what can be
 * solved for one, and at last what fixes a flow. Where a choice does not
 * determine everything, what is missing is iterated on as well: flows first;
 * and so is what would grow beyond the bound of tearings.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "schedule/schedule_internal.h"

typedef enum Role {
    ROLE_NONE,
    ROLE_FLOW,
    ROLE_VOLTAGE,
    ROLE_POTENTIAL,
    ROLE_USER, /* potential of a node of the model itself */
} Role;

struct Roles {
    const Network *net;
    unsigned char *of; /* by variable of Sys */
};

/* ---- which unknown is what ---- */

static int resolve(const Maker *m, int var, int *sign)
{
    return sys_resolve(m->d->sys, var, sign);
}

static void give(Maker *m, Roles *r, int var, Role role)
{
    int sign, root = resolve(m, var, &sign);
    if (m->d->sys->var[root].role == SR_UNKNOWN && r->of[root] < role)
        r->of[root] = (unsigned char)role;
}

Roles *roles_new(Maker *m)
{
    const Network *net = m->d->sys->network;
    if (!net || !m->system->method || m->d->plan->formulation == PN_TEARING)
        return NULL;
    Roles *r = NEW(m->work, Roles);
    r->net = net;
    r->of = NEW_ARRAY(m->work, unsigned char, m->d->sys->nvar + 1);
    for (int k = 0; k < net->npin; k++) {
        const NetworkPin *p = &net->pin[k];
        int sign, root = resolve(m, p->potential, &sign);
        if (m->d->sys->var[root].role == SR_UNKNOWN)
            give(m, r, p->flow, ROLE_FLOW); /* not what flows to ground */
        give(m, r, p->potential,
             net->node[p->node].is_inner ? ROLE_POTENTIAL : ROLE_USER);
    }
    for (int k = 0; k < net->nvoltage; k++)
        give(m, r, net->voltage[k].var, ROLE_VOLTAGE);
    return r;
}

static Role role_of(const Maker *m, int unknown)
{
    const InlinedVar *v = &m->d->var[m->system->unknown[unknown]];
    if ((v->kind != IV_VALUE && v->kind != IV_INCREMENT) ||
        v->sys_var == NONE || v->order > 0)
        return ROLE_NONE;
    return (Role)m->roles->of[v->sys_var];
}

int formulation_flat_eqn(const Maker *m, int eqn)
{
    const InlinedEqn *e = &m->system->eqn[eqn];
    const SysEqn *table = m->d->dae ? m->d->dae->eqn : m->d->sys->eqn;
    if (e->kind != IE_MODEL && e->kind != IE_LINEAR)
        return NONE;
    SysOrigin o = table[e->from].origin;
    return o.rule == RULE_FLAT ? o.from : NONE;
}

static bool is_conservation(const Maker *m, int eqn)
{
    int from = formulation_flat_eqn(m, eqn);
    return from != NONE && m->roles->net->is_flow[from];
}

bool formulation_is_member(const Maker *m, int unknown)
{
    return role_of(m, unknown) != ROLE_NONE;
}

/* ---- laws of devices ---- */

/* The factor of an unknown, if the equation is linear in it and the factor one
 * of parameters that is not 0; else EXPR_NONE. */
static Expr factor_of(Maker *m, int eqn, int unknown, Expr *rest)
{
    int edge = incidence_find(m->inc, eqn, unknown);
    Expr leaf = m->d->var[m->system->unknown[unknown]].leaf, slope;
    if (m->residual[eqn] == EXPR_NONE || m->slope[edge] == EXPR_NONE ||
        expr_dependence(m->dag, m->residual[eqn], leaf, &slope, rest) !=
            DEP_LINEAR ||
        variance_of(m->signs, slope, NONE) > SV_PARAMETER)
        return EXPR_NONE;
    double value = edges_value(m, slope);
    return isfinite(value) && value != 0 ? slope : EXPR_NONE;
}

Expr formulation_divide(Maker *m, int block, int eqn, int unknown)
{
    Expr rest = EXPR_NONE;
    Expr slope = m->roles ? factor_of(m, eqn, unknown, &rest) : EXPR_NONE;
    if (slope == EXPR_NONE)
        return EXPR_NONE;
    maker_note(m, SN_MAY_VANISH, block, m->system->unknown[unknown], eqn);
    return expr_neg(m->dag, expr_div(m->dag, rest, slope));
}

/* ---- the march: what follows from what is torn ---- */

enum { EARLY, BY_STEP, LATE, NQUEUE };
enum { MOST_ROUNDS = 30 }; /* of the search for what grows */

typedef struct March {
    Part *p;
    const Transpose *by_var;
    bool *known; /* by unknown of the part */
    bool *used;  /* by equation of the part */
    int *open;   /* by equation: unknowns that are not known */
    int *torn, *eqn, *var;
    int ntorn, ncausal;
    Vec(int) queue[NQUEUE];
    int next[NQUEUE];
    bool conserves_early; /* conservation gives flows before devices do */
} March;

static bool is_divisible(const March *x, int eqn, int edge)
{
    Expr rest;
    const Part *p = x->p;
    return factor_of(p->m, p->eqn[eqn], p->var[p->inc->var[edge]], &rest) !=
           EXPR_NONE;
}

/* The edge of the one unknown that an equation would give, NONE: there are
 * more, or it cannot be solved for it. */
static int last_edge(const March *x, int eqn)
{
    const Incidence *inc = x->p->inc;
    if (x->used[eqn] || x->open[eqn] != 1)
        return NONE;
    for (int k = inc->start[eqn]; k < inc->start[eqn + 1]; k++)
        if (!x->known[inc->var[k]])
            return inc->cls[k] >= EDGE_CONSTANT || is_divisible(x, eqn, k)
                       ? k
                       : NONE;
    return NONE;
}

static void offer(March *x, int eqn)
{
    int edge = last_edge(x, eqn), when = EARLY;
    if (edge == NONE)
        return;
    if (x->p->inc->weight[edge] > 0)
        when = BY_STEP;
    if (!x->conserves_early && is_conservation(x->p->m, x->p->eqn[eqn]))
        when = LATE;
    vec_push(x->p->m->work, &x->queue[when], eqn);
}

static void learn(March *x, int var)
{
    const Transpose *t = x->by_var;
    x->known[var] = true;
    for (int k = t->start[var]; k < t->start[var + 1]; k++)
        if (--x->open[t->eqn[k]] == 1)
            offer(x, t->eqn[k]);
}

static void tear(March *x, int var)
{
    if (x->known[var])
        return;
    x->torn[x->ntorn++] = var;
    learn(x, var);
}

/* Solves what can be; devices first, then formulas by a division by h, then
 * conservation. */
static void follow(March *x)
{
    for (int q = EARLY; q < NQUEUE;) {
        if (x->next[q] == x->queue[q].n) {
            q++;
            continue;
        }
        int eqn = x->queue[q].at[x->next[q]++], edge = last_edge(x, eqn);
        if (edge == NONE)
            continue;
        int var = x->p->inc->var[edge];
        x->used[eqn] = true;
        x->eqn[x->ncausal] = eqn;
        x->var[x->ncausal++] = var;
        learn(x, var);
        q = EARLY;
    }
}

/* Nothing follows any more: what is iterated on as well. */
static int next_open(const March *x)
{
    static const Role order[] = {ROLE_FLOW, ROLE_VOLTAGE, ROLE_POTENTIAL,
                                 ROLE_USER, ROLE_NONE};
    int any = NONE;
    for (size_t r = 0; r < sizeof order / sizeof *order; r++)
        for (int j = 0; j < x->p->n; j++) {
            if (x->known[j])
                continue;
            if (x->p->prefer[j] == TEAR_NEVER)
                any = j;
            else if (role_of(x->p->m, x->p->var[j]) == order[r])
                return j;
        }
    return any;
}

static March begin(Part *p)
{
    Arena *a = p->m->work;
    March x = {.p = p, .by_var = incidence_transpose(p->inc, a)};
    x.known = NEW_ARRAY(a, bool, p->n + 1);
    x.used = NEW_ARRAY(a, bool, p->n + 1);
    x.open = NEW_ARRAY(a, int, p->n + 1);
    x.torn = NEW_ARRAY(a, int, p->n + 1);
    x.eqn = NEW_ARRAY(a, int, p->n + 1);
    x.var = NEW_ARRAY(a, int, p->n + 1);
    for (int i = 0; i < p->n; i++)
        x.open[i] = p->inc->start[i + 1] - p->inc->start[i];
    for (int i = 0; i < p->n; i++)
        offer(&x, i);
    return x;
}

static const Tear *end(March *x, const TearProblem *problem)
{
    Tear *t = NEW(x->p->m->work, Tear);
    int *residual = NEW_ARRAY(x->p->m->work, int, x->ntorn + 1), n = 0;
    for (int i = 0; i < x->p->n; i++)
        if (!x->used[i])
            residual[n++] = i;
    *t = (Tear){.n = x->p->n,
                .ncausal = x->ncausal,
                .eqn = x->eqn,
                .var = x->var,
                .ntorn = x->ntorn,
                .torn = x->torn,
                .residual = residual};
    TearGrowth g = tear_growth(problem, t->eqn, t->var, t->ncausal);
    t->growth = g.value;
    t->growth_var = g.var;
    t->growth_is_bound = g.is_bound;
    return t;
}

/* ---- what is iterated on ---- */

static bool is_chosen(const Part *p, PlanFormulation how, int j)
{
    Role role = role_of(p->m, p->var[j]);
    switch (how) {
    case PN_TABLEAU: return role != ROLE_NONE;
    case PN_MNA: return role == ROLE_POTENTIAL || role == ROLE_USER;
    case PN_MNA_REDUCED: return role == ROLE_USER;
    case PN_MESH:
    case PN_CUTSET:
    case PN_TEARING: break;
    }
    return false;
}

/* The user's nodes, and as few others as the growth allows. */
static const Tear *tear_reduced(Part *p, PartRule rule)
{
    TearProblem problem = part_problem(p, rule);
    for (int j = 0; j < p->n; j++)
        if (is_chosen(p, PN_MNA_REDUCED, j))
            p->prefer[j] = TEAR_MUST;
    TearOptions o = part_options(p);
    o.penalty_cost = 0;
    return tear_block(&problem, &o, p->m->work);
}

/* What follows if these unknowns are torn. */
static const Tear *march(Part *p, const TearProblem *problem, bool is_mesh,
                         const bool *chosen)
{
    March x = begin(p);
    x.conserves_early = is_mesh;
    for (int j = 0; j < p->n; j++)
        if (chosen[j])
            tear(&x, j);
    follow(&x);
    while (x.ntorn + x.ncausal < p->n) {
        tear(&x, next_open(&x));
        follow(&x);
    }
    return end(&x, problem);
}

/* A value that grows too much on the way is iterated on: the output of an
 * amplifier, which nodal analysis would find from a tiny difference. */
static const Tear *tear_by(Part *p, PlanFormulation how, PartRule rule)
{
    if (how == PN_MNA_REDUCED)
        return tear_reduced(p, rule);
    TearProblem problem = part_problem(p, rule);
    bool *chosen = NEW_ARRAY(p->m->work, bool, p->n + 1);
    if (how == PN_MESH || how == PN_CUTSET)
        spanning_choose(p, how == PN_MESH, chosen);
    for (int j = 0; j < p->n; j++)
        chosen[j] |= is_chosen(p, how, j) || p->prefer[j] == TEAR_MUST;
    for (int round = 0;; round++) {
        const Tear *t = march(p, &problem, how == PN_MESH, chosen);
        if (!(t->growth > p->m->options.growth_bound) ||
            t->growth_var == NONE || chosen[t->growth_var] ||
            round == MOST_ROUNDS)
            return t;
        chosen[t->growth_var] = true;
    }
}

const Tear *formulation_tear(Part *p)
{
    Maker *m = p->m;
    if (!m->roles)
        return NULL;
    for (int j = 0; j < p->n; j++)
        if (role_of(m, p->var[j]) != ROLE_NONE)
            return tear_by(p, m->d->plan->formulation,
                           m->system->newton == 1 ? PART_NONLINEAR : PART_ANY);
    return NULL;
}
