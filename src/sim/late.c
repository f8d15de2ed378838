/* late.c - how late do events on the grid act, and what may that cost?
 *
 * A relation that changes within a step is seen at its end. Between the ends
 * lhs - rhs is taken to be a line; where it is 0 the event was due, tau before
 * the grid point. Since then the states should have followed their new slopes:
 * state x is off by tau (x'_before - x'_after). Events of time alone that the
 * equations themselves ask for act in the whole step in which they are due, so
 * that their steps begin too early: by h - tau, with the slope at the end of
 * the step before; those that only a when clause or a discrete variable asks
 * for are late as others are. Samples are due at their ticks. What states are
 * off by is carried on as the errors of the integration are, by the flow of the
 * linearised model and across events (saltation.c): where the model forgets,
 * lateness is forgotten, and where it keeps its phase the phase is lost for
 * good.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

static int slot_of_state(const Sim *s, int state)
{
    const Inlined *d = s->low->inlined;
    const DaeState *x = &d->dae->state[state];
    return s->low->slot[inlined_find(d, x->var, x->order)];
}

int sim_kept_slot(const Sim *s, int state)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nvar; i++)
        if (d->var[i].kind == IV_KEPT &&
            d->var[i].source == d->estimate.running[state])
            return s->low->slot[i];
    return NONE;
}

static void find_held(const Sim *s, struct SimLate *l)
{
    const Inlined *d = s->low->inlined;
    l->held = NEW_ARRAY(s->arena, SimHeld, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_VALUE || !v->is_discrete || v->type != ET_REAL ||
            s->low->slot[i] == NONE || s->low->pre[i] == NONE)
            continue;
        int old = inlined_find_old(d, v->sys_var, v->order, 1);
        l->held[l->nheld++] = (SimHeld){s->low->slot[i], s->low->pre[i],
                                        old == NONE ? NONE : s->low->slot[old]};
    }
    l->held_error = NEW_ARRAY(s->arena, double, l->nheld + 1);
    l->push_error = NEW_ARRAY(s->arena, double, d->dae->nstate + 1);
    l->push = NEW_ARRAY(s->arena, double, d->dae->nstate + 1);
}

static struct SimLate *begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    int n = d->dae->nstate, nslot = s->low->tape->nslot;
    struct SimLate *l = NEW(s->arena, struct SimLate);
    l->last = NEW_ARRAY(s->arena, double, nslot + 1);
    l->here = NEW_ARRAY(s->arena, double, nslot + 1);
    l->state = NEW_ARRAY(s->arena, int, n + 1);
    l->slope = NEW_ARRAY(s->arena, int, n + 1);
    l->cost = NEW_ARRAY(s->arena, double, n + 1);
    find_held(s, l);
    l->off = NEW_ARRAY(s->arena, double, n + l->nheld + 1);
    l->due = NEW_ARRAY(s->arena, double, nslot + 1);
    l->mean = NEW_ARRAY(s->arena, double, n + 1);
    l->old_slope = NEW_ARRAY(s->arena, int, n + 1);
    l->changed = NEW_ARRAY(s->arena, double, d->nrelation + 1);
    for (int i = 0; i < d->nrelation; i++)
        l->changed[i] = -INFINITY;
    l->changes = NEW_ARRAY(s->arena, long, d->nrelation + 1);
    l->played = NEW_ARRAY(s->arena, long, d->nrelation + 1);
    if (d->estimate.running)
        l->kept = NEW_ARRAY(s->arena, int, n + 1);
    l->n = n;
    for (int k = 0; k < n; k++) {
        const DaeState *x = &d->dae->state[k];
        int slope = inlined_find(d, x->var, x->order + 1);
        l->state[k] = slot_of_state(s, k);
        l->slope[k] = slope == NONE ? NONE : s->low->slot[slope];
        int old = inlined_find_old(d, x->var, x->order + 1, 1);
        l->old_slope[k] = old == NONE ? NONE : s->low->slot[old];
        if (l->kept)
            l->kept[k] = sim_kept_slot(s, k);
    }
    return l;
}

/* The largest that each state was off by. */
static void see_cost(struct SimLate *l)
{
    for (int k = 0; k < l->n; k++)
        l->cost[k] = fmax(l->cost[k], fabs(l->off[k]));
}

static void keep(const Sim *s, double *to)
{
    memcpy(to, s->exec->r, (size_t)s->low->tape->nslot * sizeof *to);
}

void sim_late_begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (s->late || !s->estimate || d->event == NONE ||
        (d->nrelation == 0 && s->low->nsample == 0 && s->nset == 0 &&
         !sim_has_guards(s) && !sim_has_leaps(s) &&
         (s->is_exact || (sim_pulses(s)->n == 0 && !sim_narrow(s)))))
        return;
    s->late = begin(s);
    keep(s, s->late->last);
}

void sim_late_before(Sim *s)
{
    if (!s->late)
        return;
    keep(s, s->late->here);
    memcpy(s->late->changes, s->changes,
           (size_t)s->low->inlined->nrelation * sizeof *s->changes);
}

/* Of time alone, and within the step at the time of each stage: early. What
 * only discrete variables and when clauses see is seen at the end. */
static bool is_early(const InlinedRelation *r)
{
    return r->is_of_time && r->acts_inside;
}

/* Has it another value after the event than before? */
static bool is_other(const Sim *s, int relation)
{
    int slot = s->low->slot[s->low->inlined->relation[relation].var];
    return s->exec->r[slot] != s->late->here[slot];
}

/* A condition may be false again once its clause has acted (x > pre(next), and
 * the clause sets next); within a step, that is on the grid or early. */
static bool has_changed(const Sim *s, int relation)
{
    const InlinedRelation *x = &s->low->inlined->relation[relation];
    return is_other(s, relation) ||
           (!is_early(x) && s->changes[relation] != s->late->changes[relation]);
}

static double part_after(const Sim *s, Expr now)
{
    return sides_part_after(s->low, now, s->late->last, s->late->here);
}

/* Did the relation change in this step because its sides crossed? A located
 * event may lie a little before the place where they are equal. */
static bool has_crossed(const Sim *s, int relation)
{
    const InlinedRelation *x = &s->low->inlined->relation[relation];
    double a = sides_distance(s->low, x->now, s->late->last);
    double b = sides_distance(s->low, x->now, s->late->here);
    return has_changed(s, relation) && (a * b <= 0 || fabs(b) < 1e-3 * fabs(a));
}

Expr sim_late_first(const Sim *s, double *since)
{
    const Inlined *d = s->low->inlined;
    double most = -1, now = s->late->here[s->low->tape->time];
    Expr first = EXPR_NONE;
    *since = INFINITY;
    for (int i = 0; i < d->nrelation; i++) {
        double part =
            has_crossed(s, i) ? part_after(s, d->relation[i].now) : -1;
        if (part > most) {
            most = part;
            first = d->relation[i].now;
            *since = is_other(s, i) ? now - s->late->changed[i] : INFINITY;
        }
    }
    return first;
}

static double since_relations(const Sim *s, double h, bool early)
{
    const Inlined *d = s->low->inlined;
    double most = 0;
    for (int i = 0; i < d->nrelation; i++) {
        const InlinedRelation *r = &d->relation[i];
        bool is_made_up = s->low->catch_up.is_there && !r->is_of_time;
        if (is_early(r) != early || is_made_up || !has_changed(s, i))
            continue;
        double part = part_after(s, r->now);
        if (r->is_of_time && part <= INLINED_EDGE)
            continue; /* what is on the grid is neither early nor late */
        if (early)
            part = 1 - part;
        most = fmax(most, h * part);
    }
    return most;
}

static double since_samples(const Sim *s, double h)
{
    const double *r = s->exec->r;
    double most = 0, time = r[s->low->tape->time];
    for (int i = 0; i < s->low->nsample; i++) {
        double interval = r[s->low->sample[i].interval];
        double passed = time - r[s->low->sample[i].start] + 1e-9 * h;
        if (passed >= 0 && interval > 0 && fmod(passed, interval) < h)
            most = fmax(most, fmod(passed, interval) - 1e-9 * h);
    }
    return most;
}

/* The slopes after the event held too early, from within the step on. */
static void add_early(const Sim *s, struct SimLate *l, double early)
{
    for (int k = 0; k < l->n; k++) {
        int slope = l->slope[k];
        double off =
            slope == NONE ? 0 : early * (s->exec->r[slope] - l->last[slope]);
        l->off[k] += isfinite(off) ? off : 0;
    }
}

/* Discrete Reals that are off moved the states in a step of length h. */
static void add_pushes(const Sim *s, struct SimLate *l, double h)
{
    for (int k = 0; k < l->n && l->nheld > 0; k++) {
        l->off[k] += h * l->push[k];
        if (l->kept && l->kept[k] != NONE)
            s->exec->r[l->kept[k]] += h * l->push_error[k];
    }
}

static bool is_of_time(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    for (int i = 0; i < d->nrelation; i++)
        if (d->relation[i].is_of_time && has_changed(s, i))
            return true;
    return false;
}

static void note_changes(const Sim *s, struct SimLate *l)
{
    for (int i = 0; i < s->low->inlined->nrelation; i++)
        if (is_other(s, i))
            l->changed[i] = l->here[s->low->tape->time];
}

/* The next step begins where it should, or at least with those slopes. */
static void begin_due(const Sim *s, struct SimLate *l)
{
    if (l->is_due_same)
        memcpy(l->last, l->due, (size_t)s->low->tape->nslot * sizeof *l->due);
    for (int k = 0; k < l->n; k++)
        if (l->slope[k] != NONE)
            l->last[l->slope[k]] = l->due[l->slope[k]];
}

void sim_late_after(Sim *s, bool at_event)
{
    struct SimLate *l = s->late;
    if (!l)
        return;
    double h = s->exec->r[s->low->tape->time] - l->last[s->low->tape->time];
    add_pushes(s, l, h);
    if (at_event && h > 0) {
        bool is_late = !s->options.exact_events;
        double seen = is_late ? since_relations(s, h, false) : 0;
        double tau = is_late ? fmax(seen, since_samples(s, h)) : 0;
        double early = is_late ? since_relations(s, h, true) : 0;
        double most = fmax(tau, early);
        if (most > 1e-9 * h) /* else rounding of time */
            l->most = fmax(l->most, most);
        double lead = sim_carry_error(s, tau);
        bool of_time = tau == 0 && is_of_time(s);
        double since = of_time && early > 0 ? h - early : tau;
        sim_delay_error_jump(s, l->here, since - lead, of_time);
        add_early(s, l, early);
        note_changes(s, l);
        see_cost(l);
    }
    l->has_spark &= at_event && h > 0;
    keep(s, l->last);
    if (l->has_spark)
        begin_due(s, l);
}

/* ---- between events ---- */

void sim_late_swap(Sim *s)
{
    struct SimLate *l = s->late;
    for (int k = 0; l && l->has_spark && k < l->n; k++) {
        if (l->old_slope[k] == NONE || l->slope[k] == NONE)
            continue;
        double kept = s->exec->r[l->old_slope[k]];
        s->exec->r[l->old_slope[k]] = l->due[l->slope[k]];
        l->due[l->slope[k]] = kept;
    }
}

bool sim_late_without(Sim *s, double *running)
{
    struct SimLate *l = s->late;
    double *r = s->exec->r;
    bool is_off = false;
    for (int k = 0; l && l->kept && k < l->n; k++)
        is_off |= l->off[k] != 0;
    for (int k = 0; is_off && k < l->n; k++) {
        running[k] = r[l->kept[k]];
        r[l->kept[k]] -= l->off[k];
    }
    return is_off;
}

void sim_late_flow(Sim *s, const double *with, const double *without)
{
    struct SimLate *l = s->late;
    for (int k = 0; k < l->n; k++)
        if (isfinite(with[k] - without[k]))
            l->off[k] = with[k] - without[k];
    see_cost(l);
}

double sim_late_cost(const Sim *s, int state)
{
    return s->late ? s->late->cost[state] : 0;
}

void sim_take_errors_out(const Sim *s, bool late, double *slot)
{
    const struct SimLate *l = s->late;
    for (int k = 0; s->estimate && k < s->low->inlined->dae->nstate; k++) {
        double error = sim_state_error(s, k).running;
        if (late && l)
            error += l->off[k];
        if (isfinite(error))
            slot[l ? l->state[k] : slot_of_state(s, k)] -= error;
    }
    for (int k = 0; l && k < l->nheld; k++) {
        const SimHeld *x = &l->held[k];
        double error = l->held_error[k] + (late ? l->off[l->n + k] : 0);
        if (!isfinite(error))
            continue;
        slot[x->now] = slot[x->pre] = slot[x->now] - error;
        if (x->old != NONE)
            slot[x->old] = slot[x->now];
    }
}

double sim_late_most(const Sim *s)
{
    return s->late ? s->late->most : 0;
}
