/* schedule.c - from a system of equations to blocks, step by step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "schedule/schedule_internal.h"

/* Cuts of the iteration matrix are those of one matrix over all states. */
SchedOptions schedule_options(const Plan *plan)
{
    return (SchedOptions){.tearer = plan->tearer,
                          .growth_bound = plan->growth_bound,
                          .algebraic = plan->algebraic,
                          .one_block =
                              plan->one_block || plan_cuts(plan, CUT_IN_MATRIX),
                          .solve_symbolic = plan->algebraic != PA_KEEP,
                          .jacobian = true,
                          .drift = plan->defect == PD_CHEAP};
}

void maker_note(Maker *m, SchedNoteKind kind, int block, int var, int eqn)
{
    vec_push(m->arena, &m->note, ((SchedNote){kind, block, var, eqn}));
}

/* ---- the plan's wishes ---- */

static int find_eqn(Maker *m, const char *name)
{
    for (int i = 0; i < m->system->neqn; i++)
        if (strcmp(inlined_eqn_name(m->d, &m->system->eqn[i], m->work), name) ==
            0)
            return i;
    return NONE;
}

static int find_unknown(const Maker *m, const char *name)
{
    for (int j = 0; j < m->system->nunknown; j++)
        if (strcmp(m->d->var[m->system->unknown[j]].name, name) == 0)
            return j;
    return NONE;
}

/* A name that does not exist may be one that does, misspelt. */
static void suggest_pair(Maker *m, const PlanPair *pair, int eqn, int unknown)
{
    int n = m->system->neqn;
    const char **name = NEW_ARRAY(m->work, const char *, n + 1);
    for (int i = 0; i < n; i++)
        name[i] = inlined_eqn_name(m->d, &m->system->eqn[i], m->work);
    if (eqn == NONE)
        diag_suggest(m->diag, pair->eqn, name, n);
    for (int i = 0; i < n; i++)
        name[i] = m->d->var[m->system->unknown[i]].name;
    if (unknown == NONE)
        diag_suggest(m->diag, pair->var, name, n);
}

/* A forced pair leaves the equation and the unknown no other partner. */
static void force_pair(Maker *m, const PlanPair *pair, unsigned char *cls)
{
    int eqn = find_eqn(m, pair->eqn), j = find_unknown(m, pair->var);
    int edge = eqn == NONE || j == NONE ? NONE : incidence_find(m->inc, eqn, j);
    if (edge == NONE || cls[edge] == EDGE_NONLINEAR) {
        m->failed = true;
        diag_report(m->diag, pair->span, DIAG_E1206,
                    "equation '%s' cannot be solved for '%s'", pair->eqn,
                    pair->var);
        suggest_pair(m, pair, eqn, j);
        return;
    }
    for (int k = m->inc->start[eqn]; k < m->inc->start[eqn + 1]; k++)
        if (k != edge)
            cls[k] = EDGE_NONLINEAR;
    for (int i = 0; i < m->inc->neqn; i++) {
        int k = incidence_find(m->inc, i, j);
        if (k != NONE && k != edge)
            cls[k] = EDGE_NONLINEAR;
    }
}

static void obey_force(Maker *m)
{
    const Plan *plan = m->d->plan;
    if (!plan || plan->nforce == 0 || !m->system->method)
        return;
    unsigned char *cls = NEW_ARRAY(m->work, unsigned char, m->inc->nedge + 1);
    memcpy(cls, m->inc->cls, (size_t)m->inc->nedge);
    for (int i = 0; i < plan->nforce; i++)
        force_pair(m, &plan->force[i], cls);
    Incidence *inc = NEW(m->work, Incidence);
    *inc = *m->inc;
    inc->cls = cls;
    m->inc = inc;
}

/* ---- blocks ---- */

static void number_blocks(Maker *m)
{
    m->block_of = NEW_ARRAY(m->work, int, m->system->nunknown + 1);
    for (int b = 0; b < m->blt->nblock; b++)
        for (int k = m->blt->start[b]; k < m->blt->start[b + 1]; k++)
            m->block_of[m->blt->var[k]] = b;
    m->map = incidence_map(m->inc, m->work);
}

/* v is a velocity if the system or its aliases say der(x) = v. */
static void find_velocities(Maker *m)
{
    const Inlined *d = m->d;
    m->is_velocity = NEW_ARRAY(m->work, bool, d->sys->nvar + 1);
    for (int i = 0; i < m->system->nalias; i++) {
        const InlinedVar *a = &d->var[m->system->alias[i].var];
        const InlinedVar *v = &d->var[m->system->alias[i].target];
        if (a->kind == IV_VALUE && a->order == 1 && v->kind == IV_VALUE &&
            v->order == 0 && v->is_state)
            m->is_velocity[v->sys_var] = true;
    }
    for (int i = 0; i < m->system->neqn; i++) {
        const InlinedEqn *e = &m->system->eqn[i];
        int a = NONE, v = NONE, order;
        if (!expr_is_var(m->dag, e->lhs, &a, &order) ||
            !expr_is_var(m->dag, e->rhs, &v, &order))
            continue;
        if (d->var[a].kind == IV_VALUE && d->var[a].order == 1 &&
            d->var[v].kind == IV_VALUE && d->var[v].is_state &&
            d->var[v].order == 0)
            m->is_velocity[d->var[v].sys_var] = true;
    }
}

/* What is divided by may be 0 in the initialisation, and the equation hold
 * whatever the unknown is: a friction that sticks says nothing of the force.
 * Then the start value is taken, the smallest change; where the equation does
 * not hold the division shows it. */
static Expr divide_at_start(Maker *m, int entry, Expr slope, Expr rest)
{
    static const double HOLDS = 1e-8;
    Dag *d = m->dag;
    const InlinedVar *v = &m->d->var[entry];
    Expr quotient = expr_neg(d, expr_div(d, rest, slope));
    if (m->d->init == NONE || m->system != &m->d->system[m->d->init] ||
        v->sys_var == NONE || v->order > 0 || v->type != ET_REAL)
        return quotient;
    Expr start = m->d->sys->var[v->sys_var].start;
    Expr zero = expr_real(d, 0);
    Expr vanishes = expr_binary(d, EX_LE, expr_unary(d, EX_ABS, slope), zero);
    Expr holds =
        expr_binary(d, EX_LE, expr_unary(d, EX_ABS, rest), expr_real(d, HOLDS));
    return expr_make(d, EX_IF, expr_binary(d, EX_AND, vanishes, holds),
                     start == EXPR_NONE ? zero : start, quotient);
}

/* One equation that can be solved for its unknown. */
static bool make_assignment(Maker *m, int block, SchedBlock *b)
{
    int k = m->blt->start[block];
    int eqn = m->blt->eqn[k], unknown = m->blt->var[k];
    int edge = incidence_find(m->inc, eqn, unknown);
    Expr value = edges_solve(m, eqn, unknown, false), slope, rest;
    if (value != EXPR_NONE && m->slope[edge] != EXPR_NONE)
        sign_rely(m->signs, m->slope[edge]);
    if (value == EXPR_NONE) {
        /* linear with a factor that might vanish: there is no other way */
        Expr x = m->d->var[m->system->unknown[unknown]].leaf;
        if (m->residual[eqn] == EXPR_NONE || m->slope[edge] == EXPR_NONE ||
            expr_dependence(m->dag, m->residual[eqn], x, &slope, &rest) !=
                DEP_LINEAR ||
            edges_may_vanish(m, slope))
            return false;
        value = divide_at_start(m, m->system->unknown[unknown], slope, rest);
        maker_note(m, SN_MAY_VANISH, block, m->system->unknown[unknown], eqn);
    }
    b->kind = SK_ASSIGN;
    b->size = b->nchain = 1;
    b->growth = 1;
    b->chain = NEW(m->arena, SchedAssign);
    b->chain[0] = (SchedAssign){m->system->unknown[unknown], eqn, value};
    if (m->inc->weight[edge] > 0) {
        b->ndivide_by_step = 1;
        maker_note(m, SN_DIVIDES_BY_STEP, block, b->chain[0].var, eqn);
    }
    return true;
}

static void make_block(Maker *m, int block)
{
    SchedBlock b = {.kind = SK_NONLINEAR, .is_torn = true};
    bool single = m->blt->start[block + 1] - m->blt->start[block] == 1;
    bool is_view = (m->options.one_block && m->system->method &&
                    merge_is_implicit(m, m->blt->eqn[m->blt->start[block]])) ||
                   block == m->joined;
    if (!single || is_view || !make_assignment(m, block, &b)) {
        if (!later_stage_make(m, block, &b))
            tearing_make(m, block, &b);
        later_stage_note(m, &b);
    }
    vec_push(m->arena, &m->block, b);
}

const SchedBlock *schedule_state_block(const Schedule *s)
{
    for (int i = 0; i < s->nblock; i++)
        if (s->block[i].nstate > 0)
            return &s->block[i];
    return NULL;
}

static void make_tail(Maker *m, Schedule *s)
{
    const InlinedSystem *system = m->system;
    s->tail = NEW_ARRAY(m->arena, SchedAssign, system->nalias + 1);
    s->ntail = system->nalias;
    for (int i = 0; i < system->nalias; i++) {
        const InlinedAlias *a = &system->alias[i];
        Expr e = m->d->var[a->target].leaf;
        s->tail[i] =
            (SchedAssign){a->var, NONE, a->sign < 0 ? expr_neg(m->dag, e) : e};
    }
}

static SchedEdges copy_edges(const Maker *m)
{
    const Incidence *inc = m->inc;
    int *start = NEW_ARRAY(m->arena, int, inc->neqn + 1);
    int *var = NEW_ARRAY(m->arena, int, inc->nedge + 1);
    unsigned char *ok = NEW_ARRAY(m->arena, unsigned char, inc->nedge + 1);
    memcpy(start, inc->start, sizeof *start * (size_t)(inc->neqn + 1));
    for (int k = 0; k < inc->nedge; k++) {
        var[k] = m->system->unknown[inc->var[k]];
        ok[k] = inc->cls[k] != EDGE_NONLINEAR;
    }
    return (SchedEdges){start, var, ok};
}

static void warn_of_division(const Maker *m)
{
    if (m->roles)
        return; /* it was asked for: (8.137) of Cellier and Kofman */
    for (int i = 0; m->system->method && i < m->note.n; i++)
        if (m->note.at[i].kind == SN_DIVIDES_BY_STEP)
            diag_report(m->diag, m->system->eqn[m->note.at[i].eqn].span,
                        DIAG_W1202,
                        "'%s' is found by a division by the step size, which "
                        "loses digits with small steps",
                        m->d->var[m->note.at[i].var].name);
}

/* Is the one iteration of the block in a step to be judged one step later? It
 * begins where the step before has ended. */
static bool needs_drift(const Maker *m, const SchedBlock *b)
{
    if (!m->system->method || m->system->newton != 1 || !m->options.drift ||
        b->kind != SK_NONLINEAR || !b->bends || b->solution ||
        b->ninvariant > 0 || m->d->var[b->torn[0]].kind != IV_VALUE ||
        m->d->var[b->torn[0]].stage != DIFF_END)
        return false;
    for (int i = 0; i < b->ntorn; i++)
        if (b->bends[i])
            return true;
    return false;
}

static Schedule *collect(Maker *m)
{
    Schedule *s = NEW(m->arena, Schedule);
    const int *assumed;
    int n = sign_assumed(m->signs, &assumed);
    for (int i = 0; i < n; i++)
        maker_note(m, SN_ASSUMES_NONZERO, NONE, assumed[i], NONE);
    warn_of_division(m);
    for (int i = 0; i < m->block.n; i++)
        if (needs_drift(m, &m->block.at[i]))
            drift_make(m, i, &m->block.at[i]);
    for (int i = 0; i < m->block.n; i++)
        from_zero_make(m, &m->block.at[i]);
    s->inlined = m->d;
    s->system = m->system;
    s->block = m->block.at;
    s->nblock = m->block.n;
    s->note = m->note.at;
    s->nnote = m->note.n;
    s->growth = 1;
    s->edges = copy_edges(m);
    make_tail(m, s);
    if (m->options.jacobian)
        lagged_make(m, s);
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        if (b->size > s->largest)
            s->largest = b->size;
        s->niteration += b->ntorn;
        s->nassign += b->kind == SK_ASSIGN;
        if (b->ntorn > 0 && (isnan(b->growth) || b->growth > s->growth))
            s->growth = b->growth;
    }
    return s;
}

static bool is_state_name(const Inlined *d, const char *name)
{
    int order, sign, var = sys_find_quantity(d->sys, name, &order);
    if (var == NONE || order > 0)
        return false;
    int entry = inlined_find(d, sys_resolve(d->sys, var, &sign), 0);
    return entry != NONE && d->var[entry].is_state;
}

/* Cuts need one matrix; where the plan leaves open which, it is the smallest
 * that has them all. */
static PlanAlgebraic view_of_cuts(const Inlined *d, PlanAlgebraic given)
{
    if (given != PA_AUTO || !d->plan || !plan_cuts(d->plan, CUT_IN_MATRIX))
        return given;
    for (int i = 0; i < d->plan->ncut; i++) {
        const PlanCut *c = &d->plan->cut[i];
        if (plan_cut_rule[c->kind].place == CUT_IN_MATRIX &&
            (strncmp(c->eqn, "int(", 4) != 0 || !is_state_name(d, c->var)))
            return PA_KEEP;
    }
    return PA_SOLVE;
}

const Schedule *schedule_make(const Inlined *d, const InlinedSystem *system,
                              const SchedSamples *samples,
                              const SchedOptions *options, Arena *arena,
                              Diag *diag)
{
    Maker m = {.d = d,
               .dag = d->dag,
               .system = system,
               .samples = samples,
               .options = *options,
               .arena = arena,
               .joined = NONE,
               .work = arena_new(),
               .diag = diag};
    Schedule *s = NULL;
    m.options.algebraic = view_of_cuts(d, options->algebraic);
    if (fixed_point_is_on(&m) && system->newton == 1) {
        m.failed = true;
        diag_report(diag, NO_SPAN, DIAG_E1208,
                    "--iteration fixed-point: %s solves linear equations once "
                    "in a step, there is nothing to iterate",
                    system->method->name);
    }
    edges_find(&m);
    obey_force(&m);
    m.blt = system->neqn == system->nunknown ? blt_order(m.inc, m.work) : NULL;
    if (!m.blt)
        explain_singular(&m);
    if (!m.failed) {
        if (m.options.one_block)
            m.blt = merge_states(&m, m.blt);
        m.roles = roles_new(&m);
        m.blt = merge_network(&m, m.blt);
        if (system->ninvariant > 0)
            m.blt = invariants_merge(&m, m.blt);
        number_blocks(&m);
        edges_sample(&m);
        m.signs = signs_new(&m); /* variance knows the blocks from now on */
        find_velocities(&m);
        for (int b = 0; b < m.blt->nblock; b++)
            make_block(&m, b);
    }
    if (!m.failed && m.joined != NONE)
        invariants_join(&m);
    if (!m.failed && options->jacobian)
        cuts_report_unused(&m);
    if (!m.failed)
        tearing_report_unused(&m);
    if (!m.failed)
        s = collect(&m);
    arena_free(m.work);
    return s;
}

/* ---- the start point ---- */

static double start_value(const Inlined *d, const InlinedVar *v,
                          const double *sys, double step)
{
    switch (v->kind) {
    case IV_STEP: return step;
    case IV_UNUSED:
    case IV_RELATION:
    case IV_INCREMENT:
    case IV_FORCING:
    case IV_ERROR:
    case IV_SOURCE:
    case IV_KEPT:
    case IV_SINCE:
    case IV_WEIGHT:
    case IV_DELAY: return 0;
    case IV_PARAMETER:
    case IV_INPUT:
    case IV_VALUE:
    case IV_OLD: break;
    }
    (void)d;
    return v->sys_var == NONE || v->order > 0 ? 0 : sys[v->sys_var];
}

/* Points with switches elsewhere: what is chosen must serve there as well. Of
 * two ideal diodes in a row it depends on both whether digits are lost, so
 * there are as many points as show nearly all pairs. */
enum { FEW_SWITCHED = 4, SWITCHED = 12 };

static bool is_switch(const InlinedVar *v)
{
    return v->type == ET_BOOLEAN && v->kind != IV_PARAMETER &&
           v->kind != IV_UNUSED;
}

static bool has_switches(const Inlined *d)
{
    for (int i = 0; i < d->nvar; i++)
        if (is_switch(&d->var[i]))
            return true;
    return false;
}

/* All the other way, then some of them at random. */
static const double *switched(const Inlined *d, const double *value, int k,
                              Arena *arena)
{
    double *out = NEW_ARRAY(arena, double, d->nvar + 1);
    unsigned long long random = (unsigned long long)k;
    memcpy(out, value, (size_t)d->nvar * sizeof *out);
    for (int i = 0; i < d->nvar; i++) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        if (is_switch(&d->var[i]) && (k == 0 || random >> 63))
            out[i] = out[i] == 0;
    }
    return out;
}

SchedSamples *schedule_start_samples(const Inlined *d, double step,
                                     Arena *arena, Diag *diag)
{
    Arena *work = arena_new();
    double *sys = NEW_ARRAY(work, double, d->sys->nvar + 1);
    sys_start_values(d->sys, NULL, 0, sys, diag);
    double *value = NEW_ARRAY(arena, double, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        value[i] = start_value(d, &d->var[i], sys, step);
    SchedSamples *s = NEW(arena, SchedSamples);
    const double **list = NEW_ARRAY(arena, const double *, 1 + SWITCHED);
    list[0] = value;
    s->nsample = 1;
    for (int k = 0; k < SWITCHED && has_switches(d); k++)
        list[s->nsample++] = switched(d, value, k, arena);
    s->nfew = s->nsample > FEW_SWITCHED ? 1 + FEW_SWITCHED : s->nsample;
    s->value = list;
    arena_free(work);
    return s;
}
