/* stages.c - a partition with a solverMethod goes through inline/ (16.8).
 *
 * Its equations are taken out as a system of their own,
 *
 *   variables of the partition        unknowns, der(x) as a derivative again
 *   sample(u), what other clocks have, firstTick()      inputs
 *   parameters                                          parameters
 *
 * for which inline/ writes the formulas of the method, as it does for a whole
 * model. What it gives is put back:
 *
 *   x, x' at the end of the step      x and der(x) at this tick
 *   old(x)                            pre(x); older ones are kept in variables
 *   h                                 interval()
 *   values of stages, increments      new variables of the partition
 *   an input at t_n + c h             (1 - c) times its value at the last tick
 *                                     plus c times that at this one; if it does
 *                                     not vary, that of the last one for c < 1
 *
 * The equations at the end of the step are those the partition has already.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"
#include "inline/inline.h"

/* ---- whose variable is it? ---- */

static int place_of(const int *list, int n, int var)
{
    for (int i = 0; i < n; i++)
        if (list[i] == var)
            return i;
    return NONE;
}

static int state_with_slope(const Rewrite *r, int slope)
{
    return place_of(r->slope.at, r->slope.n, slope);
}

static bool is_parameter(const Clocks *c, int var)
{
    return c->out->var[var].variability <= FV_PARAMETER;
}

bool clocks_is_own(Clocks *c, int node, int var)
{
    const Rewrite *r = &c->rewrite[node];
    if (place_of(r->own.at, r->own.n, var) != NONE)
        return true;
    return var < c->in->nvar ? clocks_find(c, var) == node
                             : state_with_slope(r, var) != NONE;
}

/* ---- the partition as a system ---- */

typedef struct Part {
    Clocks *c;
    int node;
    Vec(SysVar) var;
    Vec(Expr) back; /* of each: what it is in the model */
    int *number;    /* of a variable of the model: its place in var, NONE */
    int nnumber;
    ExprMap *in;
    Vec(SysEqn) eqn;
    Vec(int) pair; /* of each equation: its pair */
    Vec(Expr) delay;
    const Inlined *d;
    const InlinedSystem *system; /* the one that is put back, and */
    int *own;                    /* the variables of its entries, NONE */
    ExprMap *out;
} Part;

static FlatType type_of(const Clocks *c, Expr e)
{
    switch (expr_type(c->dag, e)) {
    case ET_BOOLEAN: return FT_BOOLEAN;
    case ET_INTEGER: return FT_INTEGER;
    default: return FT_REAL;
    }
}

/* `var` names it: the variable that it is or comes from. */
static int add_var(Part *p, SysRole role, Expr back, int var)
{
    Clocks *c = p->c;
    const FlatVar *like = &c->out->var[var];
    SysVar v = {.role = role,
                .name = like->name,
                .flat = NONE,
                .component = like->component,
                .span = like->span,
                .type = type_of(c, back),
                .target = NONE,
                .expr = EXPR_NONE,
                .start = EXPR_NONE,
                .min = EXPR_NONE,
                .max = EXPR_NONE,
                .nominal = like->nominal};
    vec_push(c->local, &p->var, v);
    vec_push(c->local, &p->back, back);
    return p->var.n - 1;
}

/* The variable `var` of the model, as one of the system. */
static int number_of(Part *p, int var)
{
    Clocks *c = p->c;
    const Rewrite *r = &c->rewrite[p->node];
    if (p->number[var] == NONE) {
        SysRole role = is_parameter(c, var)             ? SR_PARAMETER
                       : clocks_is_own(c, p->node, var) ? SR_UNKNOWN
                                                        : SR_INPUT;
        p->number[var] = add_var(p, role, clocks_leaf(c, var), var);
        if (place_of(r->state.at, r->state.n, var) != NONE)
            p->var.at[p->number[var]].derivatives = 1;
    }
    return p->number[var];
}

static Expr leaf_of(Part *p, int number, int order)
{
    FlatType t = p->var.at[number].type;
    return expr_var(p->c->dag, number, order,
                    t == FT_REAL      ? ET_REAL
                    : t == FT_BOOLEAN ? ET_BOOLEAN
                                      : ET_INTEGER);
}

static Expr take(void *part, Dag *d, Expr leaf)
{
    Part *p = part;
    Clocks *c = p->c;
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order)) { /* pre(v) */
        var = expr_node(d, expr_arg(d, leaf, 0))->var;
        if (is_parameter(c, var))
            return leaf_of(p, number_of(p, var), 0);
        if (clocks_is_own(c, p->node, var))
            return expr_unary(d, EX_PRE, leaf_of(p, number_of(p, var), 0));
        return leaf_of(p, add_var(p, SR_INPUT, leaf, var), 0);
    }
    int x = state_with_slope(&c->rewrite[p->node], var);
    return x == NONE
               ? leaf_of(p, number_of(p, var), 0)
               : leaf_of(p, number_of(p, c->rewrite[p->node].state.at[x]), 1);
}

/* What stands in delay() was at other ticks: its value is an input. */
static void note_delay(void *part, const Dag *d, Expr e)
{
    Part *p = part;
    if (expr_op(d, e) == EX_DELAY)
        vec_push(p->c->local, &p->delay, e);
}

static void take_delays(Part *p, Expr e)
{
    Dag *d = p->c->dag;
    p->delay.n = 0;
    expr_walk(d, &e, 1, note_delay, p);
    for (int i = 0; i < p->delay.n; i++) {
        Expr *leaf;
        int n = expr_leaves(d, p->delay.at[i], &leaf, p->c->local);
        if (n == 0)
            continue; /* of time alone */
        int input =
            add_var(p, SR_INPUT, p->delay.at[i], expr_node(d, leaf[0])->var);
        expr_map_fix(p->in, p->delay.at[i], leaf_of(p, input, 0));
    }
}

/* Relations act at ticks, they make no events. */
static Expr taken(Part *p, Expr e)
{
    Expr *event;
    take_delays(p, e);
    int n = expr_events(p->c->dag, &e, 1, &event, p->c->local);
    return expr_map(p->in, n ? expr_unary(p->c->dag, EX_NOEVENT, e) : e);
}

static Span span_of(const Clocks *c, const Pair *q)
{
    return q->from == NONE ? c->in->span : c->in->eqn[q->from].span;
}

static Sys *take_partition(Part *p, const Pairs *pairs)
{
    Clocks *c = p->c;
    p->in = expr_map_new(c->dag, take, p, c->local);
    p->nnumber = c->out->nvar;
    p->number = NEW_ARRAY(c->local, int, p->nnumber + 1);
    for (int i = 0; i < p->nnumber; i++)
        p->number[i] = NONE;
    for (int i = 0; i < pairs->n; i++) {
        const Pair *q = &pairs->at[i];
        if (q->node != p->node)
            continue;
        SysEqn e = {.lhs = taken(p, q->lhs),
                    .rhs = taken(p, q->rhs),
                    .origin = {RULE_FLAT, q->from},
                    .ordinal = i,
                    .span = span_of(c, q)};
        vec_push(c->local, &p->eqn, e);
        vec_push(c->local, &p->pair, i);
    }
    Sys *sys = NEW(c->local, Sys);
    *sys = (Sys){.flat = c->in,
                 .dag = c->dag,
                 .var = p->var.at,
                 .nvar = p->var.n,
                 .cap_var = p->var.n,
                 .eqn = p->eqn.at,
                 .neqn = p->eqn.n};
    return sys;
}

/* ---- inputs ---- */

/* An input of the partition, kept from tick to tick: its value at the last
 * one, at the first tick that of this one. */
static Expr input_before(Part *p, Expr value)
{
    Clocks *c = p->c;
    Dag *d = c->dag;
    Expr now = clocks_tick(c, p->node)->active;
    int var = NONE;
    for (int i = 0; i < c->input.n; i++)
        if (c->input.at[i].node == p->node && c->input.at[i].value == value)
            var = c->input.at[i].var;
    if (var == NONE) {
        var = clocks_aux(c, "input", type_of(c, value), FV_DISCRETE, EXPR_NONE,
                         EXPR_NONE);
        clocks_add_eqn(c, clocks_leaf(c, var),
                       expr_if(d, now, value, clocks_pre(c, var)));
        clocks_note_rate(c, p->node, var, value);
        vec_push(c->local, &c->input, ((Input){p->node, value, var}));
    }
    return expr_if(d, clocks_first(c, p->node), value, clocks_pre(c, var));
}

static Expr input_at(Part *p, const InlinedVar *v)
{
    Dag *d = p->c->dag;
    Expr now = p->back.at[v->sys_var];
    bool varies = v->type == ET_REAL;
    if (v->order > 1)
        return expr_real(d, 0);
    if (v->order == 1)
        return expr_div(d, expr_sub(d, now, input_before(p, now)),
                        clocks_interval(p->c, p->node));
    if (v->c >= 1)
        return now;
    Expr before = input_before(p, now);
    if (!varies || v->c <= 0)
        return before;
    return expr_add(d, expr_mul(d, expr_real(d, 1 - v->c), before),
                    expr_mul(d, expr_real(d, v->c), now));
}

/* ---- and back ---- */

/* The variable of the model that has the value at a tick. */
static int end_variable(const Part *p, const InlinedVar *v)
{
    const Clocks *c = p->c;
    const Rewrite *r = &c->rewrite[p->node];
    int var = expr_node(c->dag, p->back.at[v->sys_var])->var;
    if (v->order == 0)
        return var;
    return r->slope.at[place_of(r->state.at, r->state.n, var)];
}

/* What it was `back` ticks ago. */
static Expr past(Part *p, int var, int back)
{
    Clocks *c = p->c;
    for (int k = 1; k < back; k++) {
        int kept = NONE;
        for (int i = 0; i < c->kept.n; i++)
            if (c->kept.at[i].of == var)
                kept = c->kept.at[i].var;
        if (kept == NONE) {
            Expr was = clocks_pre(c, var);
            kept = clocks_aux(c, "past", FT_REAL, FV_DISCRETE, EXPR_NONE,
                              EXPR_NONE);
            Expr now = clocks_tick(c, p->node)->active;
            clocks_add_eqn(c, clocks_leaf(c, kept),
                           expr_if(c->dag, now, was, clocks_pre(c, kept)));
            clocks_note_rate(c, p->node, kept, was);
            vec_push(c->local, &c->kept, ((Kept){var, kept}));
        }
        var = kept;
    }
    return clocks_pre(c, var);
}

/* A variable of a stage. */
static int stage_variable(Part *p, int entry)
{
    Clocks *c = p->c;
    const InlinedVar *v = &p->d->var[entry];
    if (p->own[entry] == NONE) {
        bool is_value = v->kind == IV_VALUE && v->order == 0;
        FlatVar like = c->out->var[end_variable(p, v)];
        int var = clocks_aux(c, "stage", like.type, FV_DISCRETE,
                             is_value ? like.start : EXPR_NONE, EXPR_NONE);
        c->out->var[var].component = like.component;
        if (is_value)
            c->out->var[var].nominal = like.nominal;
        vec_push(c->local, &c->extra, var);
        p->own[entry] = var;
    }
    return p->own[entry];
}

static Expr give(void *part, Dag *d, Expr leaf)
{
    Part *p = part;
    Clocks *c = p->c;
    int entry, order;
    if (!expr_is_var(d, leaf, &entry, &order))
        return EXPR_NONE;
    const InlinedVar *v = &p->d->var[entry];
    switch (v->kind) {
    case IV_PARAMETER: return p->back.at[v->sys_var];
    case IV_INPUT: return input_at(p, v);
    case IV_STEP: return clocks_interval(c, p->node);
    case IV_OLD: return past(p, end_variable(p, v), v->back);
    case IV_VALUE:
        if (v->stage == DIFF_END)
            return clocks_leaf(c, end_variable(p, v));
        return clocks_leaf(c, stage_variable(p, entry));
    case IV_INCREMENT:
    case IV_FORCING: return clocks_leaf(c, stage_variable(p, entry));
    default: c->failed = true; return EXPR_NONE;
    }
}

static bool is_formula(const InlinedEqn *e)
{
    return e->kind == IE_INTEGRATION || e->kind == IE_ADVANCE;
}

/* The formula of a state for this tick. */
static bool is_end(const Part *p, const InlinedEqn *e)
{
    int var, order;
    return is_formula(e) && e->stage == DIFF_END &&
           expr_is_var(p->c->dag, e->lhs, &var, &order);
}

/* Formulas of stages say what their left side is: it is put in, so that it
 * needs no variable. Each asks for earlier ones only. */
static void put_in_formulas(Part *p)
{
    const InlinedSystem *s = p->system;
    for (int i = 0; i < s->neqn; i++) {
        const InlinedEqn *e = &s->eqn[i];
        if (is_formula(e) && !is_end(p, e))
            expr_map_fix(p->out, e->lhs, expr_map(p->out, e->rhs));
    }
}

/* An equation of the model at a stage; those of this tick are there, and
 * change if they were linearised. */
static void give_equation(Part *p, const InlinedEqn *e, Pairs *pairs)
{
    Clocks *c = p->c;
    Pair *from = &pairs->at[p->pair.at[e->from]], q = *from;
    bool at_end = e->kind == IE_MODEL && e->stage == DIFF_END;
    if (at_end && !e->is_linearised)
        return;
    q.lhs = expr_map(p->out, e->lhs);
    q.rhs = expr_map(p->out, e->rhs);
    if (at_end) {
        q.has_first = true;
        q.first_lhs = from->lhs;
        q.first_rhs = from->rhs;
        *from = q;
        return;
    }
    q.is_later = p->system->newton == 1; /* at the first there is no guess */
    vec_push(c->local, pairs, q);
}

/* next[k]: what state k becomes by the method of the system. */
static void give_system(Part *p, int number, Pairs *pairs, Expr *next)
{
    Clocks *c = p->c;
    const Rewrite *r = &c->rewrite[p->node];
    p->system = &p->d->system[number];
    p->own = NEW_ARRAY(c->local, int, p->d->nvar + 1);
    for (int i = 0; i < p->d->nvar; i++)
        p->own[i] = NONE;
    p->out = expr_map_new(c->dag, give, p, c->local);
    put_in_formulas(p);
    for (int i = 0; i < p->system->neqn && !c->failed; i++) {
        const InlinedEqn *e = &p->system->eqn[i];
        if (!is_formula(e)) {
            give_equation(p, e, pairs);
        } else if (is_end(p, e)) {
            const InlinedVar *x = &p->d->var[expr_node(c->dag, e->lhs)->var];
            int var = end_variable(p, x);
            next[place_of(r->state.at, r->state.n, var)] =
                expr_map(p->out, e->rhs);
        }
    }
}

static const Inlined *discretise(Part *p, const Method *m, const Pairs *pairs)
{
    Clocks *c = p->c;
    Plan *plan = plan_default(c->local);
    plan->estimate = PE_OFF;
    plan->defect = PD_OFF;
    plan->algebraic = PA_KEEP;
    plan->invariant_by = PV_OFF;
    InlineOptions options = {.keep_aliases = true, .write_newton = true};
    const Inlined *d = inline_sys(take_partition(p, pairs), plan, m, &options,
                                  c->local, c->diag);
    if (d && d->ndelay == 0)
        return d;
    if (d)
        diag_report(c->diag, c->node.at[p->node].span, DIAG_U1901,
                    "not supported: spatialDistribution(), or delay() of time, "
                    "in a partition with a solverMethod");
    c->failed = true;
    return NULL;
}

/* Ticks since the states began anew, no more than `most`. */
static Expr steps_since(Clocks *c, int node, Expr anew, int most)
{
    Dag *d = c->dag;
    int count = clocks_aux(c, "steps", FT_INTEGER, FV_DISCRETE, expr_int(d, 0),
                           EXPR_NONE);
    Expr was = clocks_pre(c, count);
    Expr more = expr_if(d, expr_binary(d, EX_LT, was, expr_int(d, most)),
                        expr_add(d, was, expr_int(d, 1)), expr_int(d, most));
    Expr now = expr_if(d, anew, expr_int(d, 0), more);
    Expr active = clocks_tick(c, node)->active;
    clocks_add_eqn(c, clocks_leaf(c, count),
                   expr_if(d, active, expr_unary(d, EX_NOEVENT, now), was));
    clocks_note_rate(c, node, count, now);
    return clocks_leaf(c, count);
}

bool clocks_discretise(Clocks *c, int node, const Method *m, Expr anew,
                       Pairs *pairs, Expr *next)
{
    Dag *d = c->dag;
    int n = c->rewrite[node].state.n;
    Part p = {.c = c, .node = node};
    p.d = discretise(&p, m, pairs);
    if (!p.d)
        return false;
    give_system(&p, p.d->cycle[0], pairs, next);
    if (p.d->nstart == 0 || c->failed)
        return !c->failed;
    Expr *first = NEW_ARRAY(c->local, Expr, n);
    give_system(&p, p.d->start[0], pairs, first);
    Expr steps = steps_since(c, node, anew, p.d->nstart + 1);
    Expr begins = expr_unary(
        d, EX_NOEVENT, expr_binary(d, EX_LE, steps, expr_int(d, p.d->nstart)));
    for (int k = 0; k < n; k++)
        next[k] = expr_if(d, begins, first[k], next[k]);
    return !c->failed;
}
