/* within.c - what begins and ends between two points of the grid.
 *
 * The grid sees a relation where it is at its points. A crest that reaches over
 * a limit between two of them is not there, and neither is a pulse of time
 * (pulse/). At the desk both can be told: states within a step are the cubic
 * through values and slopes of its ends, the other variables follow from them
 * by the model; so can what is narrow in a state (pulse/narrow.c).
 *
 * Several relations that change in one step are several events, and what is
 * between them is neither what was before nor what is after all of them.
 *
 * Is there a crest? The sides of a relation that has the same value at both
 * ends are a parabola through the last three points, or, where an event was at
 * one of them, through points within the step; where its vertex lies in the
 * step, and is beyond equality or near, the cubic is searched for the place.
 *
 * What does it do? While it lasts states have other slopes than the line
 * between those of the ends: what they miss by that is carried on as what late
 * events cost (late.c). And the events that it makes are played through, there
 * and at the end of the step: if discrete variables are others then than they
 * are in the run, or a state is reinitialised, an event is lost.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "pulse/shape.h"
#include "sim/within_internal.h"

enum {
    PARTS = 48,
    FEW = 3,
    MOST_CHANGES = 16,
    MOST_NARROW = 8,      /* in a step */
    MOST_NARROW_ALL = 300 /* in a run */
};

/* Of what a state moves: less is not felt. */
static const double SOME = 1e-2;

static Within *begin(Sim *s)
{
    int n = s->low->inlined->nrelation;
    Within *w = NEW(s->arena, Within);
    w->last = NEW_ARRAY(s->arena, double, n + 1);
    w->before = NEW_ARRAY(s->arena, double, n + 1);
    w->after = NEW_ARRAY(s->arena, double, s->low->tape->nslot + 1);
    w->push = NEW_ARRAY(s->arena, double, s->late->n + 1);
    w->is_seen = NEW_ARRAY(s->arena, bool, n + 1);
    w->inside = NEW_ARRAY(s->arena, double, SHAPE_POINTS *(n + 1));
    w->was = NEW_ARRAY(s->arena, double, s->late->n + 1);
    for (int k = 0; k < s->late->n; k++)
        w->was[k] = NAN;
    for (int i = 0; i < 2; i++) {
        w->rise[i] = NEW_ARRAY(s->arena, double, s->late->n + 1);
        if (sim_narrow(s))
            w->slots[i] = NEW_ARRAY(s->arena, double, s->low->tape->nslot + 1);
    }
    for (int i = 0; i < n; i++)
        w->last[i] = w->before[i] = NAN;
    return w;
}

/* ---- a point within the step ---- */

static void take_relations(Sim *s)
{
    const Inlined *d = s->low->inlined;
    double *r = s->exec->r;
    exec_run(s->exec, &s->low->relations);
    for (int i = 0; i < d->nrelation; i++)
        r[s->low->slot[d->relation[i].var]] = r[s->low->relation_now[i]];
}

bool within_evaluate(Sim *s)
{
    exec_reset_status(s->exec);
    bool fine =
        exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
    exec_reset_status(s->exec);
    return fine;
}

/* The cubics of the states. */
static void find_rises(const Step *p)
{
    Within *w = p->w;
    const struct SimLate *l = p->s->late;
    double h = p->to - p->from;
    size_t size = (size_t)p->s->low->tape->nslot * sizeof(double);
    for (int i = 0; w->slots[0] && i < 2; i++)
        memcpy(w->slots[i], i ? l->here : l->last, size);
    for (int k = 0; k < l->n; k++) {
        double a = l->last[l->state[k]], chord = (l->here[l->state[k]] - a) / h;
        double before = (a - w->was[k]) / w->length;
        if (l->slope[k] == NONE)
            continue;
        double from = l->last[l->slope[k]], to = l->here[l->slope[k]];
        w->rise[0][k] = shape_limit(from, to, chord, before);
        w->rise[1][k] = shape_limit(to, from, chord, before);
        for (int i = 0; w->slots[0] && i < 2; i++)
            w->slots[i][l->slope[k]] = w->rise[i][k];
    }
}

/* State k at a point of the step. */
static double state_at(const Step *p, int k, double time)
{
    const struct SimLate *l = p->s->late;
    double h = p->to - p->from, x = (time - p->from) / h, rise;
    double a = l->last[l->state[k]], b = l->here[l->state[k]];
    double at = a + x * (b - a);
    if (l->slope[k] != NONE)
        at = narrow_cubic(a, b, h * p->w->rise[0][k], h * p->w->rise[1][k], x,
                          &rise);
    return isfinite(at) ? at : b;
}

bool within_go_to(const Step *p, double time)
{
    Sim *s = p->s;
    const struct SimLate *l = s->late;
    double *r = s->exec->r;
    memcpy(r, l->here, (size_t)s->low->tape->nslot * sizeof *r);
    for (int k = 0; k < l->n; k++)
        r[l->state[k]] = state_at(p, k, time);
    r[s->low->tape->time] = time;
    r[s->low->sampling] = 0;
    sim_set_inputs(s, p->from, time);
    return within_evaluate(s);
}

/* ---- what it does ---- */

/* What is between two points: a function of time is another than they show; a
 * relation of states is; several of them have changed, one after the other. */
typedef enum Kind { PULSE, CREST, BETWEEN } Kind;

/* How far a slope in part x of the step is from what the grid makes of it: the
 * line between those of its ends. */
static double beyond(const Step *p, int slope, double x)
{
    const struct SimLate *l = p->s->late;
    double a = l->last[slope], b = l->here[slope];
    return p->s->exec->r[slope] - a - x * (b - a);
}

/* The same with relations that are those of the point. */
static bool go_into(const Step *p, double time)
{
    if (!within_go_to(p, time))
        return false;
    take_relations(p->s);
    return within_evaluate(p->s);
}

/* Cubics of states that depend on each other do not: currents of two coils in
 * series become two. What is stiff comes to rest in a short part of a step that
 * ends at the point. */
static bool go_at_rest(const Step *p, double time, double length)
{
    return go_into(p, time - length) && sim_go_on(p->s, time - length, time);
}

/* What states miss from `from` to `to`, in parts. */
static void find_pushes(const Step *p, double from, double to, Kind kind)
{
    int parts = kind == PULSE ? PARTS : FEW;
    const struct SimLate *l = p->s->late;
    double length = (to - from) / parts;
    for (int i = 0; i < parts; i++) {
        double t = from + (i + 0.5) * length;
        double x = (t - p->from) / (p->to - p->from);
        if (kind == PULSE ? !go_into(p, t) : !go_at_rest(p, t, length / 8))
            continue;
        for (int k = 0; k < l->n; k++) {
            if (l->slope[k] == NONE)
                continue;
            double more = beyond(p, l->slope[k], x);
            p->w->push[k] += isfinite(more) ? more * length : 0;
        }
    }
}

/* The same between two events: from where the first one is to the second with
 * the relations between them, as the method of the run goes (due.c). On the way
 * that states went without the first one they come where they never are. The
 * grid makes of it what is before or after both. */
static void find_between(const Step *p, double from, double to)
{
    Sim *s = p->s;
    const struct SimLate *l = s->late;
    double *push = p->w->push;
    bool fine = go_into(p, from);
    for (int k = 0; k < l->n; k++)
        push[k] = s->exec->r[l->state[k]];
    fine = fine && sim_go_on(s, from, to);
    for (int k = 0; k < l->n; k++) {
        double a = l->slope[k] == NONE ? 0 : p->w->after[l->slope[k]];
        double b = l->slope[k] == NONE ? 0 : l->here[l->slope[k]];
        double now = (s->exec->r[l->state[k]] - push[k]) / (to - from);
        double more = now - fmin(fmax(now, fmin(a, b)), fmax(a, b));
        bool is_known = fine && l->slope[k] != NONE && isfinite(more);
        push[k] = is_known ? more * (to - from) : 0;
    }
}

static void add_pushes(const Step *p, double from, double to, Kind kind)
{
    struct SimLate *l = p->s->late;
    memset(p->w->push, 0, (size_t)l->n * sizeof(double));
    if (kind == BETWEEN)
        find_between(p, from, to);
    else
        find_pushes(p, from, to, kind);
    for (int k = 0; k < l->n; k++)
        l->off[k] -= p->w->push[k];
}

bool within_ends_otherwise(const Step *p)
{
    Sim *s = p->s;
    const struct SimLate *l = s->late;
    double *r = s->exec->r;
    bool changed, is_other = false;
    for (int k = 0; k < l->n; k++)
        r[l->state[k]] = l->here[l->state[k]];
    r[s->low->tape->time] = p->to;
    sim_set_inputs(s, p->from, p->to);
    if (!within_evaluate(s) || !sim_play(s, &changed))
        return false;
    for (int i = 0; i < s->lists->ndiscrete; i++) {
        int slot = s->lists->discrete[i].from;
        is_other |= r[slot] != p->w->after[slot];
    }
    return is_other;
}

const char *within_text(const Sim *s, Expr what)
{
    const Inlined *d = s->low->inlined;
    return expr_text(d->dag, what, inlined_var_name, (void *)d, 120, s->arena);
}

static void see(const Step *p, double from, double to, double peak, Expr what,
                Kind kind)
{
    Within *w = p->w;
    bool lost = within_go_to(p, peak) && near_leaves(p);
    add_pushes(p, from, to, kind);
    if (w->n++ == 0) {
        w->first = from;
        w->what = within_text(p->s, what);
    }
    if (lost && w->lost++ == 0) {
        w->lost_from = from;
        w->lost_to = to;
        w->lost_what = within_text(p->s, what);
    }
}

/* ---- crests ---- */

/* A relation, and its sign at the ends of the step. */
typedef struct Sides {
    const Step *p;
    Expr now;
    double sign;
} Sides;

static double distance_at(const void *sides, double time)
{
    const Sides *x = sides;
    if (!within_go_to(x->p, time))
        return NAN;
    return x->sign * sides_distance(x->p->s->low, x->now, x->p->s->exec->r);
}

/* The relation is another at `peak` than at both ends, by the cubics. */
static void see_crest(const Step *p, Expr e, double sign, double peak)
{
    double length = fmin((p->to - p->from) / 32, (peak - p->from) / 2);
    if (within_go_to(p, peak - length) &&
        sim_go_on(p->s, peak - length, peak) &&
        !(sign * sides_distance(p->s->low, e, p->s->exec->r) < 0))
        return;
    Sides x = {p, e, sign};
    double from = shape_edge(p->from, peak, distance_at, &x);
    double to = shape_edge(p->to, peak, distance_at, &x);
    see(p, from, to, peak, e, CREST);
}

/* All relations at points within the step, by few evaluations of the model. */
static void look_inside(const Step *p)
{
    const Inlined *d = p->s->low->inlined;
    for (int k = 1; k + 1 < SHAPE_POINTS; k++) {
        double part = (double)k / (SHAPE_POINTS - 1);
        bool fine = within_go_to(p, p->from + part * (p->to - p->from));
        for (int i = 0; i < d->nrelation; i++)
            p->w->inside[SHAPE_POINTS * i + k] =
                fine && !d->relation[i].is_of_time
                    ? sides_distance(p->s->low, d->relation[i].now,
                                     p->s->exec->r)
                    : NAN;
    }
    p->w->has_inside = true;
}

/* Is it worth to be looked for? After an event the step before tells nothing.
 */
static bool may_turn(const Step *p, int i, double now)
{
    Within *w = p->w;
    double *at = w->inside + SHAPE_POINTS * i;
    if (!isnan(w->before[i]))
        return shape_may_turn(w->before[i], w->last[i], now,
                              w->length / (p->to - p->from));
    if (!w->has_inside)
        look_inside(p);
    at[0] = w->last[i];
    at[SHAPE_POINTS - 1] = now;
    return shape_may_dip(at);
}

static void look_at(const Step *p, int i, double now)
{
    Within *w = p->w;
    Expr e = p->s->low->inlined->relation[i].now;
    double last = w->last[i], peak;
    double sign = now > 0 ? 1 : -1;
    Sides x = {p, e, sign};
    if (w->is_seen[i] || !(last * now > 0) || !may_turn(p, i, now) ||
        !shape_least(p->from, p->to, distance_at, &x, &peak))
        return;
    see_crest(p, e, sign, peak);
}

/* It has changed in the step, and an event of time at its end takes it back: a
 * comparison with a carrier of the length of a step. Does that move a state? */
static void look_back(const Step *p, int i)
{
    Within *w = p->w;
    const struct SimLate *l = p->s->late;
    Expr e = p->s->low->inlined->relation[i].now;
    Sides x = {p, e, w->last[i] > 0 ? 1 : -1};
    double from = shape_edge(p->from, p->to, distance_at, &x);
    bool moves = false;
    add_pushes(p, from, p->to, CREST);
    for (int k = 0; k < l->n; k++) {
        double slope = l->slope[k] == NONE ? 0 : l->here[l->slope[k]];
        moves |= fabs(w->push[k]) > SOME * fabs(slope) * (p->to - from);
    }
    if (moves && w->n++ == 0) {
        w->first = from;
        w->what = within_text(p->s, e);
    }
}

/* ---- several changes ---- */

typedef struct Change {
    double time;
    Expr what;
} Change;

/* Where a relation that has changed in the step did; `to` if the states do not
 * tell. */
static double change_time(const Step *p, Expr now)
{
    const struct SimLate *l = p->s->late;
    double a = sides_distance(p->s->low, now, l->last);
    double b = sides_distance(p->s->low, now, l->here);
    Sides x = {p, now, a > 0 ? 1 : -1};
    return a * b < 0 ? shape_edge(p->from, p->to, distance_at, &x) : p->to;
}

static void insert(Change *list, int n, Change c)
{
    for (; n > 0 && list[n - 1].time > c.time; n--)
        list[n] = list[n - 1];
    list[n] = c;
}

/* Relations of states that change one after the other: what is between them. */
static void look_between(const Step *p)
{
    Sim *s = p->s;
    const Inlined *d = s->low->inlined;
    Change list[MOST_CHANGES];
    int n = 0;
    for (int i = 0; i < d->nrelation && n < MOST_CHANGES; i++) {
        int slot = s->low->slot[d->relation[i].var];
        if (d->relation[i].is_of_time ||
            s->late->last[slot] == p->w->after[slot])
            continue;
        Expr now = d->relation[i].now;
        insert(list, n++, (Change){change_time(p, now), now});
    }
    for (int i = 0; i + 1 < n; i++) {
        double from = list[i].time, to = list[i + 1].time;
        if (to < p->to && to - from > 1e-3 * (p->to - p->from))
            see(p, from, to, from + (to - from) / 2, list[i].what, BETWEEN);
    }
}

/* Crests in the step, and what is remembered of its end. */
static void look_for_crests(const Step *p, bool at_event)
{
    Sim *s = p->s;
    const Inlined *d = s->low->inlined;
    const struct SimLate *l = s->late;
    p->w->has_inside = false;
    for (int i = 0; i < d->nrelation; i++) {
        const InlinedRelation *x = &d->relation[i];
        int slot = s->low->slot[x->var];
        if (x->is_of_time)
            continue;
        double now = sides_distance(s->low, x->now, l->here);
        bool is_same = l->last[slot] == p->w->after[slot] && !s->is_exact;
        if (is_same && at_event && p->w->last[i] * now < 0)
            look_back(p, i);
        else if (is_same && isfinite(now))
            look_at(p, i, now);
        if (isfinite(now))
            near_see(p, i, now);
        p->w->before[i] = at_event ? NAN : p->w->last[i];
        p->w->last[i] =
            at_event ? sides_distance(s->low, x->now, p->w->after) : now;
    }
    p->w->length = p->to - p->from;
}

/* ---- assertions ---- */

/* What is stiff comes to rest on the way. */
static bool guard_at(void *step, double time)
{
    const Step *p = step;
    double length = fmin((p->to - p->from) / 32, (time - p->from) / 2);
    return within_go_to(p, time - length) &&
           (length == 0 || sim_go_on(p->s, time - length, time));
}

static void look_for_broken(Step *p, bool at_event)
{
    Sim *s = p->s;
    SimGuardStep step = {p->from, p->to, 0, guard_at, p};
    double time;
    if (!sim_has_guards(s))
        return;
    memcpy(s->exec->r, s->late->here,
           (size_t)s->low->tape->nslot * sizeof(double));
    int i = sim_see_guards(s, &step, &time);
    if (at_event)
        sim_forget_guards(s);
    if (i == NONE || p->w->broken++ > 0)
        return;
    p->w->broken_time = time;
    p->w->broken_what = i;
}

/* ---- the step ---- */

const PulseList *sim_pulses(Sim *s)
{
    const SimOptions *o = &s->options;
    PulseInput in = {.inlined = s->low->inlined,
                     .slot = s->low->slot,
                     .value = s->exec->r,
                     .start = o->start,
                     .stop = o->stop,
                     .step = o->step,
                     .nstep = sim_nstep(o),
                     .on_grid = !s->is_exact};
    if (!s->pulses)
        s->pulses = pulse_find(&in, s->arena);
    return s->pulses;
}

static void look_for_pulses(const Step *p)
{
    const PulseList *list = sim_pulses(p->s);
    Within *w = p->w;
    for (; w->next < list->n && list->at[w->next].from < p->to; w->next++) {
        const Pulse *u = &list->at[w->next];
        double from = fmax(u->from, p->from), to = fmin(u->to, p->to);
        if (from < to)
            see(p, from, to, from + (to - from) / 2, u->what, PULSE);
    }
}

/* ---- functions of states ---- */

Narrow *sim_narrow(Sim *s)
{
    if (!s->has_narrow) {
        s->narrow = narrow_new(s->low->inlined, s->low->slot, s->arena);
        s->has_narrow = true;
    }
    return s->narrow;
}

/* By the cubics: is it so by the model? */
static void see_narrow(const Step *p, const NarrowFound *f)
{
    const InlinedRelation *relation = p->s->low->inlined->relation;
    if (f->relation == NONE) {
        if (f->to - f->from < 0.9 * (p->to - p->from))
            see(p, f->from, f->to, f->peak, f->what, PULSE);
        return;
    }
    Expr now = relation[f->relation].now;
    double a = sides_distance(p->s->low, now, p->s->late->last);
    double sign = a > 0 ? 1 : -1;
    if (!(distance_at(&(Sides){p, now, sign}, f->peak) < 0))
        return;
    p->w->is_seen[f->relation] = true;
    see_crest(p, now, sign, f->peak);
}

static void look_for_narrow(const Step *p)
{
    Sim *s = p->s;
    Narrow *n = sim_narrow(s);
    NarrowFound found[MOST_NARROW];
    NarrowStep step = {p->from, p->to, p->w->slots[0], p->w->slots[1]};
    memset(p->w->is_seen, 0, (size_t)s->low->inlined->nrelation);
    if (!n || p->w->nnarrow > MOST_NARROW_ALL)
        return;
    int k = narrow_look(n, &step, found, MOST_NARROW);
    for (int i = 0; i < k; i++)
        see_narrow(p, &found[i]);
    p->w->nnarrow += k;
}

void sim_look_within(Sim *s, bool at_event)
{
    struct SimLate *l = s->late;
    if (!l || s->options.rtol > 0 || s->low->inlined->event == NONE)
        return;
    double *r = s->exec->r;
    size_t size = (size_t)s->low->tape->nslot * sizeof *r;
    if (!s->within)
        s->within = begin(s);
    Step p = {s, s->within, l->last[s->low->tape->time],
              l->here[s->low->tape->time]};
    if (!(p.to > p.from))
        return;
    memcpy(p.w->after, r, size);
    find_rises(&p);
    if (!s->is_exact) { /* else steps end there */
        look_for_pulses(&p);
        look_for_narrow(&p);
        if (at_event)
            look_between(&p);
    }
    look_for_crests(&p, at_event);
    look_for_broken(&p, at_event);
    leaps_look(&p, at_event);
    for (int k = 0; k < l->n; k++)
        p.w->was[k] = at_event ? NAN : l->last[l->state[k]];
    memcpy(r, p.w->after, size);
    exec_reset_status(s->exec);
}

void sim_within(const Sim *s, SimTrust *t)
{
    if (!s->within)
        return;
    t->within = s->within->n;
    t->within_time = s->within->first;
    t->within_what = s->within->what;
    t->lost = s->within->lost;
    t->lost_from = s->within->lost_from;
    t->lost_to = s->within->lost_to;
    t->lost_what = s->within->lost_what;
    t->leaps = s->within->leaps;
    t->leap_time = s->within->leap_time;
    t->broken = s->within->broken;
    t->broken_time = s->within->broken_time;
    t->broken_what = s->within->broken_what;
    near_trust(s->within->near, t);
}
