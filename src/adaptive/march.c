/* march.c - from grid point to grid point, with a stop at every event.
 *
 * The integrator makes a step of its own. It never goes beyond the next event
 * of time (sim/locate.c). Where a relation has changed at the end of its step,
 * the first time at which it has is found on its interpolating polynomial
 * (crossing.c); every point of it is made consistent first, so what the event
 * iteration sees there is what was seen then. Then the integrator starts again.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "adaptive/adaptive_internal.h"

enum {
    MOST_STEPS = 200000, /* of the integrator between two points of output */
    MOST_FAILURES = 20,  /* of the integrator likewise */
    MANY_STEPS = 500,    /* likewise: then the model is looked at */
    DELAY_PARTS = 4,     /* of a step are remembered for delay() */
};

/* ---- steps of the integrator ---- */

/* lhs - rhs of a relation at a point of the last step. */
static double gap_at(void *context, int relation, double time)
{
    Run *r = context;
    r->ops->interpolate(r, time);
    if (!r->ops->evaluate(r, time))
        r->ops->to_slots(r, time);
    exec_reset_status(r->sim->exec);
    sim_relation_gaps(r->sim, r->sides);
    return r->sides[relation].gap;
}

static void return_to(Run *r, double end)
{
    r->ops->interpolate(r, end);
    r->ops->look(r, end);
    sim_has_crossed(r->sim);
}

/* A time in the step from `from` to `to`, where the slots are, at which a
 * relation seems to have another value than at both ends, or NAN. */
static double look_for_crests(Run *r, double from, double to)
{
    bool moved;
    if (!r->sim->crests)
        return NAN;
    sim_relation_gaps(r->sim, crests_add(r->sim->crests, from, to));
    double turn = crests_look(r->sim->crests, gap_at, r, &moved);
    if (moved)
        return_to(r, to);
    return turn;
}

/* Did a relation change and change back in the step from `from` to *t, where
 * the slots are? Then they are at *t, where it first did. turn: a guess at a
 * point, or NAN. */
static bool has_returned(Run *r, double from, double turn, double *t)
{
    double end = *t;
    if (isnan(turn))
        return false;
    *t = turn;
    if (crossing_at(r, turn) && crossing_locate(r, from, t))
        return true;
    *t = end;
    return_to(r, end);
    return false;
}

/* An iteration or error test that fails with every step size, at rest often for
 * rounding alone: once for each point the integrator starts again there from
 * values that were solved for. */
static bool start_again(Run *r, double t)
{
    if (r->branches && r->tried_at != t) { /* does a branch end there? */
        r->tried_at = r->jump_at = t;
        return true;
    }
    if (r->n == 0 || !r->ops->on_tape ||
        (r->nfailed > 0 && !(t > r->failed_at)))
        return false;
    if (++r->nfailed > MOST_FAILURES || !r->ops->evaluate(r, t))
        return false;
    r->failed_at = t;
    return r->ops->restart(r, t);
}

/* Never beyond what is known of the past: a step is not longer than the
 * smallest delay, unless that is next to nothing, or what is delayed changes at
 * events only. */
static double end_by_delays(const Run *r, double from, double stop)
{
    const Sim *s = r->sim;
    for (int i = 0; r->n > 0 && i < s->low->inlined->ndelay; i++) {
        stop = fmin(
            stop, from + fmax(sim_spread_while(s, i), 0.01 * s->options.step));
        if (s->low->inlined->delay[i].is_discrete)
            continue;
        double delay = s->exec->r[s->low->delay_time[i]];
        stop = fmin(stop, from + fmax(delay, 0.01 * s->options.step));
    }
    return stop;
}

/* What delay() will ask for: points within the step, and its end. */
static void remember(Run *r, double from, double to)
{
    for (int k = 1; r->sim->low->inlined->ndelay > 0 && k <= DELAY_PARTS; k++) {
        double t = k == DELAY_PARTS ? to : from + (to - from) * k / DELAY_PARTS;
        r->ops->interpolate(r, t);
        r->ops->look(r, t);
        exec_run(r->sim->exec, &r->sim->low->relations);
        sim_record_delays(r->sim, t);
    }
}

/* Steps that fail and shrink, for ever: before a point that the solution does
 * not go beyond. */
static bool creeps(Run *r, double t)
{
    double way = t - r->crept_from;
    double least = 1e-9 * fmax(r->sim->options.step, fabs(t) * 1e-3);
    if (r->nstep % MANY_STEPS != 0)
        return false;
    r->crept_from = t;
    return r->nstep > MANY_STEPS && way < least;
}

static bool count_step(Run *r, double t)
{
    r->nall++;
    if (r->options->most_steps > 0 && r->nall > r->options->most_steps)
        return false;
    ++r->nstep;
    if (creeps(r, t)) {
        diag_report(r->sim->diag, r->sim->low->inlined->sys->flat->span,
                    DIAG_E1345,
                    "at time %.15g the steps of the integrator become shorter "
                    "and shorter: the solution ends there, or is not "
                    "continuous",
                    t);
        return false;
    }
    if (r->nstep <= MOST_STEPS)
        return true;
    diag_report(r->sim->diag, r->sim->low->inlined->sys->flat->span, DIAG_E1345,
                "more than %d steps of the integrator between two points of "
                "output (now at %g): the solution ends there or moves too "
                "fast, or the tolerance is too small",
                (int)MOST_STEPS, t);
    return false;
}

/* At points of output, and between them where the integrator makes smaller
 * steps; not at points so near that differences are rounding. */
static void look_for_singular(Run *r, double t)
{
    if (!r->ops->on_tape || t - r->looked < 0.05 * r->sim->options.step)
        return;
    r->looked = t;
    sim_look_for_singular(r->sim);
}

/* A step of the integrator from the saved slots. Returns whether there is a
 * new point; *failed: after a report. */
static bool make_step(Run *r, double stop, double *t, bool *failed)
{
    double from = *t;
    int code = r->ops->step(r, end_by_delays(r, from, stop), t);
    *failed = !count_step(r, *t);
    if (*failed)
        return false;
    if (code < 0) {
        *failed = !start_again(r, *t) && !r->ops->report(r, code, *t);
        return false;
    }
    r->ops->look(r, *t);
    if (!branch_ends(r, from, t))
        return true;
    *failed = !r->ops->restart(r, from);
    return false;
}

/* Steps that are many for slopes that jump to and fro without an event. False
 * after a report. */
static bool check_many(Run *r, double from)
{
    return !r->ops->on_tape || r->n == 0 || r->nstep < MANY_STEPS ||
           sim_check_short(r->sim, from, r->length);
}

/* A step that passes over something ends at `t`, before it: the integrator
 * starts again there. False after a report. */
static bool end_before(Run *r, double t)
{
    r->ops->interpolate(r, t);
    if (!r->ops->evaluate(r, t))
        r->ops->look(r, t);
    crests_forget(r->sim->crests);
    return r->ops->restart(r, t);
}

/* Never longer than what is narrow asks for, nor than branches do. */
static void limit_length(Run *r, double from)
{
    double most = sim_miss_length(r->sim, from);
    bool is_short = isfinite(most);
    if (is_short || r->is_short)
        r->ops->limit(r, !is_short        ? r->longest
                         : r->longest > 0 ? fmin(most, r->longest)
                                          : most);
    r->is_short = is_short;
}

/* The end of a step, or the first change of a relation before it. False after a
 * report. */
static bool finish_step(Run *r, double from, double *t, bool *crossed)
{
    SimMiss miss = {NAN, NAN};
    bool has_changed = sim_has_crossed(r->sim);
    double turn = look_for_crests(r, from, *t);
    if (r->ops->on_tape && r->n > 0)
        sim_has_missed(r->sim, from, *t, r->options->rtol, r->options->atol,
                       &miss);
    if (has_changed) {
        sim_has_crossed(r->sim);
        *crossed = crossing_locate(r, from, t);
    } else {
        sim_leave_bands(r->sim);
        *crossed = has_returned(r, from, fmin(turn, miss.turn), t);
    }
    if (!(miss.end < *t))
        return true;
    *crossed = false;
    *t = miss.end;
    return end_before(r, *t);
}

/* A run, while points within its last step are looked at. */
typedef struct Within {
    Run *r;
    bool has_moved; /* from its end */
} Within;

static bool guard_at(void *within, double time)
{
    Within *x = within;
    Run *r = x->r;
    x->has_moved = true;
    r->ops->interpolate(r, time);
    if (!r->ops->evaluate(r, time))
        return false;
    exec_reset_status(r->sim->exec);
    return true;
}

/* Is an assertion broken in the step from `from` to t, where the slots are?
 * False after a report. */
static bool keeps_guards(Run *r, double from, double t, bool crossed)
{
    Sim *s = r->sim;
    Within x = {.r = r};
    SimGuardStep step = {from, t, r->options->rtol, guard_at, &x};
    double time = t;
    if (!sim_has_guards(s) || !(t > from))
        return true;
    int broken = crossed ? NONE : sim_broken_assertion(s);
    if (broken == NONE) {
        broken = sim_see_guards(s, &step, &time);
        if (broken != NONE)
            guard_at(&x, time);
    }
    if (crossed)
        sim_forget_guards(s);
    if (broken != NONE)
        sim_report_assertion(s, broken);
    else if (x.has_moved)
        return_to(r, t);
    return broken == NONE;
}

/* Integrates to `stop` or to the first crossing before. */
static bool to_event(Run *r, double stop, double *t, bool *crossed)
{
    *crossed = false;
    while (*t < stop && !*crossed) {
        double from = *t;
        bool failed = false;
        sim_save_slots(r->sim);
        sim_missed_before(r->sim);
        limit_length(r, from);
        if (!check_many(r, from))
            return false;
        if (branch_is_near(r, from) && branch_cross(r, stop, t)) {
            *crossed = true;
            break;
        }
        if (!make_step(r, branch_stop(r, from, stop), t, &failed)) {
            if (failed)
                return false;
            continue;
        }
        r->length = *t - from;
        if (!finish_step(r, from, t, crossed))
            return false;
        if (!keeps_guards(r, from, *t, *crossed))
            return false;
        look_for_singular(r, *t);
        remember(r, from, *t);
        if (!sim_show_progress(r->sim, *t))
            return false;
    }
    return true;
}

/* ---- at an event ---- */

/* Everything that follows from the states at time t. */
static bool evaluate(Run *r, double t)
{
    if (r->ops->evaluate(r, t))
        return true;
    sim_report_block(r->sim, r->sim->low->inlined->event,
                     "at an event or a point of output");
    return false;
}

/* sample() may be true now, and terminal(); the discrete equations see it. */
static bool look_at_samples(Run *r, double t, bool is_end)
{
    Sim *s = r->sim;
    if (is_end && s->low->has_terminal) {
        s->exec->r[s->low->terminal] = 1;
        sim_set_pre(s);
        if (!evaluate(r, t))
            return false;
    }
    if (!s->low->has_sample)
        return true;
    s->exec->r[s->low->tape->step] = t - r->begun;
    sim_set_pre(s);
    return sim_begin_sampling(s);
}

/* Brings the slots at time t to rest. What follows from the states is solved
 * for: it obeys the tolerance as they do. */
static bool settle(Run *r, double t, bool is_end, bool *changed)
{
    if (!evaluate(r, t))
        return false;
    sim_set_left(r->sim);
    return look_at_samples(r, t, is_end) && sim_settle(r->sim, changed);
}

/* So near that an integrator cannot start: only the clock goes on. */
static bool is_now(const Run *r, double from, double to)
{
    return to - from <
           fmax(1e-11 * r->sim->options.step, 8 * DBL_EPSILON * fabs(to));
}

static bool to_grid_point(Run *r, double stop, double *t)
{
    Sim *s = r->sim;
    bool is_last = s->k == sim_nstep(&s->options);
    r->nstep = r->nfailed = 0;
    sim_forget_events(s);
    while (*t < stop) {
        double next = sim_next_time_event(s, *t, stop);
        bool crossed = false, changed = false;
        if (is_now(r, *t, next))
            *t = next;
        else if (!to_event(r, next, t, &crossed))
            return false;
        if (!settle(r, *t, is_last && *t >= stop, &changed) ||
            !sim_check_crowd(s, SIM_MOST_EVENTS))
            return false;
        bool reselected = r->ops->on_tape && *t >= stop && sim_reselect(s);
        r->begun = *t;
        if (changed || crossed || reselected || sim_is_bent(s, *t)) {
            crests_forget(r->sim->crests);
            if (!r->ops->restart(r, *t))
                return false;
        }
        exec_run(s->exec, &s->low->relations);
        if (changed)
            sim_record_delays(s, *t);
        if (*t < stop && s->stats.terminated)
            break;
        if (*t < stop)
            sim_end_sampling(r->sim);
    }
    return true;
}

/* ---- the run ---- */

bool adaptive_march(Run *r, SimRow *row, void *context)
{
    Sim *s = r->sim;
    double t = s->options.start;
    long n = sim_nstep(&s->options);
    r->crossing = crossing_new(r);
    sim_end_sampling(r->sim);
    while (s->k < n && !s->stats.terminated) {
        s->k++;
        if (!to_grid_point(r, sim_time(s), &t))
            return false;
        exec_run(s->exec, &s->low->output);
        s->stats.steps++;
        s->stats.time = t;
        sim_count_jumps(s);
        look_for_singular(r, t);
        if (!sim_check_values(s) || !sim_check_asserts(s))
            return false;
        if (!row(context, s, t, false))
            break;
        sim_end_sampling(r->sim);
    }
    return true;
}
