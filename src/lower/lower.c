/* lower.c - slots, segments, symbols: the entry of the phase. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/lower.h"

#include <math.h>
#include <string.h>

#include "lower/lower_internal.h"

/* ---- slots ---- */

/* A parameter that the user can set keeps its value; the others follow. */
static const SysSet *find_set(const Low *l, int var)
{
    for (int i = 0; i < l->options->nset; i++)
        if (l->options->set[i].var == var)
            return &l->options->set[i];
    return NULL;
}

static bool is_set_or_number(const Low *l, int var)
{
    const SysVar *v = &l->d->sys->var[var];
    return find_set(l, var) || v->role != SR_PARAMETER ||
           v->expr == EXPR_NONE || expr_is_const(l->dag, v->expr, NULL);
}

static TapeRegion region_of(const Low *l, int i)
{
    const InlinedVar *v = &l->d->var[i];
    switch (v->kind) {
    case IV_PARAMETER:
        if (l->is_late[i])
            return TR_CARRY;
        return is_set_or_number(l, v->sys_var) ? TR_PARAM : TR_DERIVED;
    case IV_INPUT:
    case IV_DELAY: return TR_INPUT;
    case IV_OLD:
    case IV_RELATION: return TR_CARRY;
    /* the value of the step before starts the next iteration */
    default: return TR_CARRY;
    }
}

/* The value of an entry at the start point. */
static double start_of(const Low *l, int i)
{
    const InlinedVar *v = &l->d->var[i];
    if (v->sys_var == NONE || v->order > 0 || v->kind == IV_ERROR ||
        v->kind == IV_SOURCE)
        return 0;
    double x = l->start[v->sys_var];
    return isfinite(x) ? x : 0;
}

static void place_entries(Low *l)
{
    const Inlined *d = l->d;
    l->out->slot = NEW_ARRAY(l->arena, int, d->nvar);
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        l->out->slot[i] = NONE;
        if (v->kind == IV_STEP)
            l->out->slot[i] = l->tape->step;
        else if (v->kind != IV_UNUSED)
            l->out->slot[i] =
                tape_slot(l->tape, region_of(l, i), v->name, start_of(l, i));
        if (l->out->slot[i] != NONE)
            l->tape->meaning[l->out->slot[i]].entry = i;
    }
}

/* Entries whose value before an event somebody asks for. */
static bool *find_pre(const Low *l)
{
    bool *asked = NEW_ARRAY(l->local, bool, l->d->nvar);
    for (Expr e = 0; e < l->nnode; e++) {
        ExprOp op = expr_op(l->dag, e);
        int var, order;
        if ((op == EX_PRE || op == EX_EDGE || op == EX_CHANGE) &&
            expr_is_var(l->dag, expr_arg(l->dag, e, 0), &var, &order) &&
            order == 0 && var < l->d->nvar)
            asked[var] = true;
    }
    return asked;
}

/* Discrete variables have a value before the event. */
static void place_pre(Low *l)
{
    const Inlined *d = l->d;
    const bool *asked = find_pre(l);
    l->out->pre = NEW_ARRAY(l->arena, int, d->nvar);
    for (int i = 0; i < d->nvar; i++) {
        l->out->pre[i] = NONE;
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_VALUE || v->order != 0 || v->stage != DIFF_END ||
            (!v->is_discrete && !asked[i]))
            continue;
        l->out->pre[i] = tape_slot(l->tape, TR_CARRY,
                                   arena_printf(l->arena, "pre(%s)", v->name),
                                   start_of(l, i));
        l->tape->meaning[l->out->pre[i]] = (TapeMeaning){i, TF_PRE, NONE};
    }
}

static void find_late(Low *l)
{
    const Inlined *d = l->d;
    l->is_late = NEW_ARRAY(l->local, bool, d->nvar);
    /* which candidate is which state changes in a real-time run */
    for (int k = 0; l->options->keep_guess && d->dae && k < d->dae->nset; k++) {
        const DaeStateSet *s = &d->dae->set[k];
        for (int i = 0; i < s->nstate * s->ncandidate; i++)
            l->is_late[s->select[i]] = true;
    }
    if (d->init == NONE)
        return;
    const InlinedSystem *init = &d->system[d->init];
    for (int i = 0; i < init->neqn; i++)
        if (d->var[init->unknown[i]].kind == IV_PARAMETER)
            l->is_late[init->unknown[i]] = true;
}

/* ---- roots: every expression that becomes code ---- */

static void each_schedule_root(Low *l, const Schedule *s, LowerRoot *on)
{
    for (int i = 0; i < s->nblock; i++) {
        const SchedBlock *b = &s->block[i];
        const BlockFactor *f = lower_factor_of(l, b);
        for (int k = 0; k < b->nchain; k++) {
            lower_from_eqn(l, TO_ASSIGN, b->chain[k].eqn, b->chain[k].var);
            on(l, b->chain[k].value);
        }
        for (int k = 0; b->kind != SK_ASSIGN && k < b->ntorn; k++) {
            lower_from_eqn(l, TO_RESIDUAL, b->residual_eqn[k], b->torn[k]);
            on(l, b->kind == SK_SOLVED ? b->solution[k] : b->residual[k]);
            if (l->d->var[b->torn[k]].guess != EXPR_NONE)
                on(l, l->d->var[b->torn[k]].guess);
        }
        for (int k = b->ntorn; k < sched_nrow(b); k++) {
            lower_from_eqn(l, TO_RESIDUAL, NONE, NONE);
            on(l, b->residual[k]);
        }
        bool has_matrix =
            b->kind != SK_SOLVED || (lower_looks_for_singular(l) &&
                                     s->system == &l->d->system[l->d->event]);
        for (int j = 0; has_matrix && j < b->jac.n; j++)
            for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++) {
                lower_from_entry(l, b, k, j);
                on(l, b->jac.value[k]);
            }
        for (int k = 0; f->delta && k < b->ntorn; k++) {
            lower_from_eqn(l, TO_SOLVE, b->residual_eqn[k], b->torn[k]);
            on(l, f->delta[k]);
        }
        if (f->delta && f->is_watched)
            on(l, f->alarm);
    }
    for (int i = 0; i < s->ntail; i++) {
        lower_from_eqn(l, TO_ASSIGN, s->tail[i].eqn, s->tail[i].var);
        on(l, s->tail[i].value);
    }
    for (int i = 0; i < s->nlagged; i++) {
        lower_from(l, TO_DEFECT, NONE, s->lagged[i].var, NO_SPAN);
        on(l, s->lagged[i].correction);
        for (int k = 0; k < s->lagged[i].nlag; k++) {
            on(l, s->lagged[i].share[k]);
            on(l, s->lagged[i].change[k]);
        }
    }
    for (int k = 0; s->system->defect && k < l->d->dae->nstate; k++) {
        lower_from(l, TO_DEFECT, NONE, NONE, NO_SPAN);
        on(l, s->system->defect[k]);
    }
    const InlinedBeyond *b = s->system->beyond;
    for (int i = 0; b && i < b->nterm; i++) {
        lower_from(l, TO_DEFECT, NONE, NONE, NO_SPAN);
        on(l, b->factor[i]);
        for (int k = 0; k < l->d->dae->nstate; k++)
            if (b->term[k * b->nterm + i] != EXPR_NONE)
                on(l, b->term[k * b->nterm + i]);
    }
}

/* Is it an attribute that is known when the run begins? */
static bool is_bound(Low *l, Expr e)
{
    return e != EXPR_NONE && lower_level(l, e) <= LEVEL_PARAM;
}

/* The arguments of a relation. */
static void each_side(Low *l, Expr now, LowerRoot *on)
{
    for (int k = 0; k < expr_node(l->dag, now)->narg; k++)
        on(l, expr_arg(l->dag, now, k));
}

static void each_root(Low *l, const Schedule *const *schedule, LowerRoot *on)
{
    const Inlined *d = l->d;
    const Sys *sys = d->sys;
    for (int i = 0; i < d->nsystem; i++)
        if (schedule[i] && i != d->param) {
            lower_enter(l, schedule[i], i);
            each_schedule_root(l, schedule[i], on);
        }
    for (int i = 0; i < d->nrelation; i++) {
        lower_from(l, TO_RELATION, i, d->relation[i].var, NO_SPAN);
        on(l, d->relation[i].now);
        each_side(l, d->relation[i].now, on);
    }
    for (int i = 0; i < d->ndelay; i++) {
        lower_from(l, TO_DELAY, i, NONE, NO_SPAN);
        on(l, d->delay[i].expr);
        on(l, d->delay[i].delay);
    }
    for (int i = 0; i < sys->naction; i++) {
        lower_from(l, TO_ACTION, i, NONE, sys->action[i].span);
        on(l, sys->action[i].active);
        if (sys->action[i].kind == FA_REINIT)
            on(l, sys->action[i].value);
    }
    for (int i = 0; i < sys->nassertion; i++) {
        lower_from(l, TO_ASSERT, i, NONE, sys->assertion[i].span);
        on(l, sys->assertion[i].condition);
    }
    lower_from(l, TO_SET, NONE, NONE, NO_SPAN);
    for (int k = 0; d->dae && k < d->dae->nset; k++)
        for (int i = 0; i < d->dae->set[k].nentry; i++)
            if (d->dae->set[k].entry[i].value != EXPR_NONE)
                on(l, d->dae->set[k].entry[i].value);
    for (int i = 0; i < sys->ninitial_assertion; i++)
        on(l, sys->initial_assertion[i].condition);
    for (int i = 0; i < sys->nvar; i++) {
        lower_from(l, TO_ASSERT, NONE, i, sys->var[i].span);
        if (is_bound(l, sys->var[i].min))
            on(l, sys->var[i].min);
        if (is_bound(l, sys->var[i].max))
            on(l, sys->var[i].max);
    }
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_COMPUTED) {
            lower_from(l, TO_OUTPUT, NONE, i, sys->var[i].span);
            on(l, sys->var[i].expr);
        }
}

/* ---- segments ---- */

/* Parameters by their bindings, then what was moved here. */
static void lower_param(Low *l, const Schedule *const *schedule)
{
    const Schedule *s = l->d->param != NONE ? schedule[l->d->param] : NULL;
    lower_begin(l, "param");
    l->in_param = true;
    l->schedule = s;
    for (int i = 0; s && i < s->nblock; i++) {
        for (int k = 0; k < s->block[i].nchain; k++) {
            const SchedAssign *a = &s->block[i].chain[k];
            int slot = l->out->slot[a->var];
            lower_from_eqn(l, TO_ASSIGN, a->eqn, a->var);
            if (slot != NONE && l->tape->region[slot] == TR_DERIVED)
                lower_to(l, a->value, slot);
        }
    }
    for (Expr e = 0; e < l->nnode; e++)
        if (l->is_moved[e]) {
            l->tape->here = l->hint[e];
            lower_expr(l, e);
        }
    lower_lists(l);
    for (int i = 0; i < l->d->nsystem; i++)
        if (schedule[i] && i != l->d->param && i != l->d->init) {
            lower_enter(l, schedule[i], i);
            lower_constant_tables(l, schedule[i]);
        }
    l->in_param = false;
    lower_end(l);
}

/* Start values may depend on parameters: they are set before the iteration. */
static void lower_starts(Low *l, const InlinedSystem *init)
{
    const Sys *sys = l->d->sys;
    for (int i = 0; i < init->neqn; i++) {
        const InlinedVar *v = &l->d->var[init->unknown[i]];
        if (v->sys_var == NONE || v->order > 0 || v->kind != IV_VALUE)
            continue;
        Expr start = sys->var[v->sys_var].start;
        lower_from(l, TO_START, NONE, init->unknown[i],
                   sys->var[v->sys_var].span);
        if (start != EXPR_NONE && lower_level(l, start) == LEVEL_PARAM)
            lower_to(l, start, l->out->slot[init->unknown[i]]);
    }
}

static TapeSegment lower_carry(Low *l, const char *name,
                               const InlinedCarry *carry, int n)
{
    lower_begin(l, name);
    for (int i = 0; i < n; i++) {
        lower_from(l, TO_CARRY, NONE, carry[i].to, NO_SPAN);
        tape_emit(l->tape, TAPE_COPY, l->out->slot[carry[i].to],
                  l->out->slot[carry[i].from], NONE, NONE);
    }
    return lower_end(l);
}

/* The model at an event, for integrators of others. */
static void lower_rates(Low *l, const Schedule *const *schedule)
{
    int event = l->d->event;
    if (!l->options->rates || event == NONE || !schedule[event])
        return;
    l->in_rates = true;
    lower_begin(l, "rates");
    lower_enter(l, schedule[event], event);
    lower_schedule(l, schedule[event]);
    l->out->rates = lower_end(l);
    l->in_rates = false;
}

static void lower_systems(Low *l, const Schedule *const *schedule)
{
    const Inlined *d = l->d;
    l->out->system = NEW_ARRAY(l->arena, LoweredSystem, d->nsystem);
    for (int i = 0; i < d->nsystem; i++) {
        const InlinedSystem *s = &d->system[i];
        if (!schedule[i] || i == d->param)
            continue;
        l->in_init = i == d->init;
        lower_begin(l, s->name);
        if (l->in_init && !l->options->keep_guess)
            lower_starts(l, s);
        lower_enter(l, schedule[i], i);
        lower_schedule(l, schedule[i]);
        l->out->system[i].run = lower_end(l);
        l->out->system[i].eta = l->eta;
        l->out->system[i].fall = l->fall;
        l->in_init = false;
        l->out->system[i].carry =
            lower_carry(l, arena_printf(l->arena, "carry.%s", s->name),
                        s->carry, s->ncarry);
    }
    lower_rates(l, schedule);
    l->out->first = lower_carry(l, "first", d->first, d->nfirst);
}

int lower_value_slot(Low *l, const char *name, Expr e)
{
    int slot = tape_slot(l->tape, TR_VALUE, name, 0);
    lower_to(l, e, slot);
    return slot;
}

/* Relations of time alone just after the present point, where the next step
 * begins: `time > T` acts from T on. */
static void lower_after(Low *l)
{
    const Inlined *d = l->d;
    bool any = false;
    l->out->relation_after = NEW_ARRAY(l->arena, int, d->nrelation + 1);
    for (int i = 0; i < d->nrelation; i++) {
        l->out->relation_after[i] = l->out->relation_now[i];
        any |= d->relation[i].after != d->relation[i].now;
    }
    if (!any)
        return;
    lower_begin(l, "after");
    for (int i = 0; i < d->nrelation; i++) {
        const InlinedRelation *r = &d->relation[i];
        if (r->after == r->now)
            continue;
        lower_from(l, TO_RELATION, i, r->var, NO_SPAN);
        l->out->relation_after[i] = lower_value_slot(l, NULL, r->after);
    }
    l->out->after = lower_end(l);
}

static void lower_relations(Low *l)
{
    const Inlined *d = l->d;
    l->out->relation_now = NEW_ARRAY(l->arena, int, d->nrelation + 1);
    l->out->delay_now = NEW_ARRAY(l->arena, int, d->ndelay + 1);
    l->out->delay_time = NEW_ARRAY(l->arena, int, d->ndelay + 1);
    lower_begin(l, "relations");
    for (int i = 0; i < d->nrelation; i++) {
        lower_from(l, TO_RELATION, i, d->relation[i].var, NO_SPAN);
        l->out->relation_now[i] = lower_value_slot(l, NULL, d->relation[i].now);
    }
    for (int i = 0; i < d->ndelay; i++) {
        lower_from(l, TO_DELAY, i, NONE, NO_SPAN);
        l->out->delay_now[i] = lower_value_slot(l, NULL, d->delay[i].expr);
        l->out->delay_time[i] = lower_value_slot(l, NULL, d->delay[i].delay);
    }
    l->out->nsample = l->sample.n;
    l->out->sample = NEW_ARRAY(l->arena, LoweredSample, l->sample.n + 1);
    for (int i = 0; i < l->sample.n; i++) {
        Expr e = l->out->sample[i].e = l->sample.at[i];
        l->out->sample[i].start =
            lower_value_slot(l, NULL, expr_arg(l->dag, e, 0));
        l->out->sample[i].interval =
            lower_value_slot(l, NULL, expr_arg(l->dag, e, 1));
    }
    l->out->relations = lower_end(l);
}

static void lower_sides(Low *l)
{
    const Inlined *d = l->d;
    if (!l->options->sides)
        return;
    l->out->side = NEW_ARRAY(l->arena, LoweredSides, d->nrelation + 1);
    lower_begin(l, "sides");
    for (int i = 0; i < d->nrelation; i++) {
        Expr now = d->relation[i].now;
        int n = expr_node(l->dag, now)->narg;
        lower_from(l, TO_RELATION, i, d->relation[i].var, NO_SPAN);
        l->out->side[i] = (LoweredSides){
            n > 0 ? lower_value_slot(l, NULL, expr_arg(l->dag, now, 0)) : NONE,
            n > 1 ? lower_value_slot(l, NULL, expr_arg(l->dag, now, 1)) : NONE};
    }
    l->out->sides = lower_end(l);
}

/* A condition on texts that only a run could know: numbers cannot decide it, so
 * it never fires. */
static bool is_about_text(const Dag *d, Expr e)
{
    return expr_has_op(d, e, EX_TOSTR) || expr_has_op(d, e, EX_CONCAT) ||
           expr_has_op(d, e, EX_STR);
}

static int lower_condition(Low *l, Expr condition)
{
    return is_about_text(l->dag, condition)
               ? tape_const(l->tape, 1)
               : lower_value_slot(l, NULL, condition);
}

/* Slots of min and max; an attribute that is infinite anyway counts as none. */
static int bound_slot(Low *l, Expr e)
{
    double x;
    if (!is_bound(l, e) || (expr_is_const(l->dag, e, &x) && fabs(x) >= 1e60))
        return NONE;
    return expr_is_const(l->dag, e, &x) ? tape_const(l->tape, x)
                                        : lower_value_slot(l, NULL, e);
}

static void lower_bounds(Low *l)
{
    const Sys *sys = l->d->sys;
    l->out->bound = NEW_ARRAY(l->arena, LoweredBound, sys->nvar + 1);
    for (int i = 0; i < sys->nvar; i++) {
        const SysVar *v = &sys->var[i];
        bool is_computed = v->role == SR_COMPUTED;
        bool has_value = v->role == SR_UNKNOWN || v->role == SR_DISCRETE ||
                         v->role == SR_PARAMETER || v->role == SR_FREE;
        if (v->type == FT_BOOLEAN || v->type == FT_STRING ||
            (!is_computed && (!has_value || l->out->slot[i] == NONE)))
            continue;
        lower_from(l, TO_ASSERT, NONE, i, v->span);
        /* lower_symbols knows where a computed value is */
        LoweredBound b = {i, is_computed ? NONE : l->out->slot[i],
                          bound_slot(l, v->min), bound_slot(l, v->max)};
        if (b.min != NONE || b.max != NONE)
            l->out->bound[l->out->nbound++] = b;
    }
}

/* The matrices that choose states, from values at the end of the step. */
static void lower_sets(Low *l)
{
    const Dae *dae = l->d->dae;
    int n = dae ? dae->nset : 0;
    l->out->set_entry = NEW_ARRAY(l->arena, int *, n + 1);
    lower_begin(l, "sets");
    for (int k = 0; k < n; k++) {
        const DaeStateSet *s = &dae->set[k];
        int *slot = NEW_ARRAY(l->arena, int, s->nentry + 1);
        lower_from(l, TO_SET, k, NONE, NO_SPAN);
        for (int i = 0; i < s->nentry; i++)
            slot[i] = s->entry[i].value == EXPR_NONE
                          ? tape_const(l->tape, 0)
                          : lower_value_slot(l, NULL, s->entry[i].value);
        l->out->set_entry[k] = slot;
    }
    l->out->sets = lower_end(l);
}

static void lower_actions(Low *l)
{
    const Sys *sys = l->d->sys;
    l->out->action = NEW_ARRAY(l->arena, LoweredAction, sys->naction + 1);
    lower_begin(l, "actions");
    for (int i = 0; i < sys->naction; i++) {
        const SysAction *a = &l->d->action[i];
        LoweredAction *out = &l->out->action[i];
        lower_from(l, TO_ACTION, i, NONE, a->span);
        out->active = lower_value_slot(l, NULL, a->active);
        out->value = out->target = NONE;
        if (a->kind == FA_REINIT) {
            out->value = lower_value_slot(l, NULL, a->value);
            out->target = l->out->slot[a->var];
        } else if (a->kind == FA_ASSERT) {
            out->value = lower_value_slot(l, NULL, a->value);
        }
    }
    l->out->actions = lower_end(l);
    l->out->assertion = NEW_ARRAY(l->arena, int, sys->nassertion + 1);
    lower_begin(l, "asserts");
    for (int i = 0; i < sys->nassertion; i++) {
        lower_from(l, TO_ASSERT, i, NONE, sys->assertion[i].span);
        l->out->assertion[i] = lower_condition(l, l->d->assertion[i].condition);
    }
    l->out->initial_assertion =
        NEW_ARRAY(l->arena, int, sys->ninitial_assertion + 1);
    for (int i = 0; i < sys->ninitial_assertion; i++)
        l->out->initial_assertion[i] =
            lower_condition(l, sys->initial_assertion[i].condition);
    lower_bounds(l);
    l->out->asserts = lower_end(l);
}

static void lower_lagged(Low *l)
{
    const Inlined *d = l->d;
    if (d->nlagged == 0)
        return;
    l->out->lagged_now = NEW_ARRAY(l->arena, int, d->nlagged + 1);
    lower_begin(l, "lagged");
    for (int i = 0; i < d->nlagged; i++)
        l->out->lagged_now[i] =
            lower_value_slot(l, NULL, d->lagged[i].residual);
    l->out->lagged = lower_end(l);
}

/* ---- symbols ---- */

static void add_symbol(Low *l, const char *name, int slot, double sign,
                       double offset, TapeDomain domain)
{
    if (slot == NONE)
        return;
    TapeSymbol s = {name, slot, sign, offset, domain};
    vec_push(l->arena, &l->tape->symbol, s);
}

static TapeDomain domain_of(FlatType type)
{
    switch (type) {
    case FT_BOOLEAN: return TAPE_BOOLEAN;
    case FT_INTEGER:
    case FT_ENUM: return TAPE_INTEGER;
    default: return TAPE_REAL;
    }
}

/* The input at the end of the step. */
static int input_slot(const Low *l, int var)
{
    return l->out->slot[var];
}

/* Derivatives that a run keeps up to date, of each entry: those that only
 * initial equations have are unknowns of the start alone. */
static bool *find_current(const Low *l)
{
    const Inlined *d = l->d;
    bool *current = NEW_ARRAY(l->local, bool, d->nvar + 1);
    for (int k = 0; k < d->nsystem; k++) {
        const InlinedSystem *s = &d->system[k];
        for (int i = 0; k != d->init && i < s->nunknown; i++)
            current[s->unknown[i]] = true;
        for (int i = 0; k != d->init && i < s->nalias; i++)
            current[s->alias[i].var] = true;
    }
    return current;
}

static void lower_symbols(Low *l)
{
    const Sys *sys = l->d->sys;
    lower_begin(l, "output");
    int *computed = l->computed = NEW_ARRAY(l->local, int, sys->nvar + 1);
    const bool *current = find_current(l);
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_COMPUTED) {
            lower_from(l, TO_OUTPUT, NONE, i, sys->var[i].span);
            computed[i] =
                lower_value_slot(l, sys->var[i].name, l->d->computed[i]);
            l->tape->meaning[computed[i]].entry = i;
        }
    l->out->output = lower_end(l);
    for (int i = 0; i < l->out->nbound; i++)
        if (l->out->bound[i].value == NONE)
            l->out->bound[i].value = computed[l->out->bound[i].sys_var];
    for (int i = 0; i < sys->nvar; i++) {
        const SysVar *v = &sys->var[i];
        int target = i, sign = 1;
        if (v->role == SR_ALIAS) {
            target = v->target;
            sign = v->sign;
        }
        int slot = NONE;
        switch (sys->var[target].role) {
        case SR_STRING:
        case SR_ALIAS: break;
        case SR_CONSTANT:
            slot = tape_inexact(l->tape, sys->var[target].value,
                                sys->var[target].off);
            break;
        case SR_COMPUTED: slot = computed[target]; break;
        case SR_INPUT: slot = input_slot(l, target); break;
        default: slot = l->out->slot[target];
        }
        bool is_not = sign < 0 && v->type == FT_BOOLEAN;
        add_symbol(l, v->name, slot, sign, is_not ? 1 : 0, domain_of(v->type));
        for (int k = 1; v->role == SR_UNKNOWN; k++) {
            int der = inlined_find(l->d, i, k);
            if (der == NONE)
                break;
            if (current[der])
                add_symbol(l, l->d->var[der].name, l->out->slot[der], 1, 0,
                           TAPE_REAL);
        }
    }
}

/* ---- the phase ---- */

static Low *begin(const Inlined *inlined, const LowerOptions *options,
                  Arena *arena)
{
    Arena *local = arena_new();
    Low *l = NEW(local, Low);
    l->d = inlined;
    l->dag = inlined->dag;
    l->options = options;
    l->tape = tape_new(arena);
    l->arena = arena;
    l->local = local;
    l->out = NEW(arena, Lowered);
    l->out->tape = l->tape;
    l->out->inlined = inlined;
    l->out->initial = tape_slot(l->tape, TR_TIME, "initial()", 0);
    l->out->terminal = tape_slot(l->tape, TR_TIME, "terminal()", 0);
    l->out->sampling = tape_slot(l->tape, TR_TIME, "sampling", 0);
    l->out->lambda = tape_slot(l->tape, TR_TIME, "lambda", 1);
    l->nnode = dag_count(inlined->dag);
    l->memo = NEW_ARRAY(local, int, l->nnode);
    l->memo_of = NEW_ARRAY(local, int, l->nnode);
    l->derived = NEW_ARRAY(local, int, l->nnode);
    memset(l->derived, 0xff, (size_t)l->nnode * sizeof(int));
    l->is_moved = NEW_ARRAY(local, bool, l->nnode);
    l->hint = NEW_ARRAY(local, int, l->nnode);
    l->level = NEW_ARRAY(local, uint8_t, l->nnode);
    l->depends = NEW_ARRAY(local, int, l->nnode);
    l->seen = NEW_ARRAY(local, int, l->nnode);
    l->block_var = NEW_ARRAY(local, int, inlined->nvar);
    l->start = NEW_ARRAY(local, double, inlined->sys->nvar);
    l->block = 1; /* `depends` of 1 belongs to lower_mark_moved */
    return l;
}

const Lowered *lower(const Inlined *inlined, const Schedule *const *schedule,
                     const LowerOptions *options, Arena *arena)
{
    LoweredReference *ref =
        options->reference ? reference_make(inlined, arena) : NULL;
    Low *l = begin(inlined, options, arena);
    sys_start_values(inlined->sys, options->set, options->nset, l->start, NULL);
    find_late(l);
    place_entries(l);
    place_pre(l);
    each_root(l, schedule, lower_mark_moved);
    if (ref)
        reference_roots(ref, l, lower_mark_moved);
    lower_param(l, schedule);
    lower_systems(l, schedule);
    lower_relations(l);
    lower_after(l);
    lower_sides(l);
    lower_modes(l);
    lower_catch_up(l);
    lower_actions(l);
    lower_sets(l);
    lower_lagged(l);
    if (ref)
        reference_lower(ref, l);
    lower_symbols(l);
    if (inlined->event != NONE)
        lower_singular(l, schedule[inlined->event]);
    Lowered *out = l->out;
    arena_free(l->local);
    return out;
}

int lower_source(const Lowered *low, int entry)
{
    const Inlined *d = low->inlined;
    const InlinedVar *v = &d->var[entry];
    if (v->kind != IV_OLD || v->back != 1 || low->slot[entry] == NONE)
        return NONE;
    int new = inlined_find(d, v->sys_var, v->order);
    if (new == NONE ||
        (d->var[new].kind != IV_VALUE && d->var[new].kind != IV_INPUT))
        return NONE;
    return low->slot[new];
}
