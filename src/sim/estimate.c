/* estimate.c - what the estimates of a run add up to.
 *
 * The tape of a step has a system that estimates its error (inline/estimate.c).
 * It runs here once a step was accepted, before old values move on. What the
 * tape judges step by step is judged here once more at the end, against the
 * range that a state really had: nominal values are often those of nobody.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "sim/sim_internal.h"

/* What a state went through. */
typedef struct Seen {
    double min, max;
    bool has_leapt;
    double local, running; /* largest errors */
    double local_time, running_time;
} Seen;

struct SimEstimate {
    int n;
    int *state; /* slots */
    Seen *seen;
    double *kept, *with, *without; /* errors, lateness carried along */
};

/* In one step no state grows so much but by an error; its range is what it was
 * before that. */
static const double LEAP = 1e6;

static void see_value(SimEstimate *e, int k, double x)
{
    Seen *seen = &e->seen[k];
    double size = fmax(fabs(seen->min), fabs(seen->max));
    seen->has_leapt |=
        isfinite(size) && size > 0 && !(fabs(x) <= LEAP * fmax(size, 1));
    if (seen->has_leapt)
        return;
    seen->min = fmin(seen->min, x);
    seen->max = fmax(seen->max, x);
}

static SimEstimate *begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    SimEstimate *e = NEW(s->arena, SimEstimate);
    e->n = d->estimate.n;
    e->state = NEW_ARRAY(s->arena, int, e->n + 1);
    e->seen = NEW_ARRAY(s->arena, Seen, e->n + 1);
    e->kept = NEW_ARRAY(s->arena, double, e->n + 1);
    e->with = NEW_ARRAY(s->arena, double, e->n + 1);
    e->without = NEW_ARRAY(s->arena, double, e->n + 1);
    for (int k = 0; k < e->n; k++) {
        const DaeState *x = &d->dae->state[k];
        e->state[k] = s->low->slot[inlined_find(d, x->var, x->order)];
        e->seen[k] = (Seen){.min = INFINITY, .max = -INFINITY};
    }
    return e;
}

static void see_error(double *largest, double *when, double x, double time)
{
    if (!(fabs(x) > *largest))
        return;
    *largest = fabs(x);
    *when = time;
}

void sim_estimate_before(Sim *s)
{
    sim_delay_error_begin(s);
    if (s->low->inlined->estimate.mode == PE_OFF || s->options.rtol > 0)
        return;
    if (!s->estimate)
        s->estimate = begin(s);
    for (int k = 0; k < s->estimate->n; k++)
        see_value(s->estimate, k, s->exec->r[s->estimate->state[k]]);
}

/* The system of the estimate; false where it has no solution. */
static bool run(Sim *s, int system, bool is_whole)
{
    const InlinedEstimate *d = &s->low->inlined->estimate;
    s->exec->r[s->low->slot[d->since]] = is_whole ? (double)s->since_break : 0;
    exec_reset_status(s->exec);
    bool fine = exec_run(s->exec, &s->low->system[system].run) >= 0;
    exec_reset_status(s->exec);
    return fine;
}

static void read_running(const Sim *s, double *to)
{
    const InlinedEstimate *d = &s->low->inlined->estimate;
    for (int k = 0; k < d->n; k++)
        to[k] = s->exec->r[s->low->slot[d->running[k]]];
}

/* The same with and without what states are off by as events were late: the
 * system is linear in the errors of the past, so the difference is what becomes
 * of it. */
static bool run_twice(Sim *s, int system, bool is_whole)
{
    SimEstimate *e = s->estimate;
    if (!sim_late_without(s, e->kept))
        return run(s, system, is_whole);
    bool fine = run(s, system, is_whole);
    read_running(s, e->without);
    for (int k = 0; k < e->n; k++)
        s->exec->r[s->late->kept[k]] = e->kept[k];
    if (!run(s, system, is_whole))
        return false;
    read_running(s, e->with);
    if (fine)
        sim_late_flow(s, e->with, e->without);
    return true;
}

/* Is that more of a state than the tolerance allows? */
static bool is_inaccurate(const Sim *s, int k, double error)
{
    const Inlined *d = s->low->inlined;
    const Seen *seen = &s->estimate->seen[k];
    const DaeState *x = &d->dae->state[k];
    double nominal = inlined_nominal(d, inlined_find(d, x->var, x->order));
    double size = fmax(fabs(seen->min), fabs(seen->max));
    return error > d->plan->estimate_tolerance * fmax(nominal, size);
}

void sim_estimate_after(Sim *s, bool is_whole)
{
    const Inlined *d = s->low->inlined;
    int system = s->estimate ? d->system[s->system].estimate : NONE;
    if (system == NONE)
        return;
    sim_late_swap(s);
    bool fine = run_twice(s, system, is_whole);
    sim_late_swap(s);
    sim_delay_error_step(s, system);
    const double *delayed = sim_delay_off(s);
    bool is_far = false;
    const double *r = s->exec->r;
    double time = r[s->low->tape->time];
    for (int k = 0; k < d->estimate.n; k++) {
        Seen *seen = &s->estimate->seen[k];
        see_value(s->estimate, k, r[s->estimate->state[k]]);
        see_error(&seen->local, &seen->local_time,
                  r[s->low->slot[d->estimate.local[k]]], time);
        if (!d->estimate.running)
            continue;
        double running = fabs(r[s->low->slot[d->estimate.running[k]]]) +
                         (delayed ? fabs(delayed[k]) : 0);
        see_error(&seen->running, &seen->running_time, running, time);
        is_far |= delayed && is_inaccurate(s, k, running);
    }
    if (!fine || is_far ||
        !(r[s->low->slot[d->estimate.worst]] <= d->plan->estimate_tolerance))
        sim_note(s, CAUSE_INACCURATE, NONE);
}

SimError sim_state_error(const Sim *s, int state)
{
    const InlinedEstimate *e = &s->low->inlined->estimate;
    const double *r = s->exec->r;
    if (!s->estimate)
        return (SimError){0};
    return (SimError){r[s->low->slot[e->local[state]]],
                      e->running ? r[s->low->slot[e->running[state]]] : 0};
}

/* The range of a state, or what is left of its digits if it has none. */
static double range_of(const Seen *s)
{
    double size = fmax(fabs(s->min), fabs(s->max));
    return fmax(s->max - s->min, fmax(1e-6 * size, DBL_MIN));
}

/* What is left of a cost that cancels. */
static const double NOTHING = 1e-8;

SimTrust sim_trust(const Sim *s)
{
    SimTrust t = {.state = NONE,
                  .late_state = NONE,
                  .both_state = NONE,
                  .late = sim_late_most(s)};
    const SimEstimate *e = s->estimate;
    bool runs = e && s->low->inlined->estimate.running;
    for (int k = 0; e && k < e->n; k++) {
        const Seen *seen = &e->seen[k];
        double late = sim_late_cost(s, k) / range_of(seen);
        if (late > fmax(t.late_cost, NOTHING)) {
            t.late_cost = late;
            t.late_state = k;
        }
        double error = (runs ? seen->running : seen->local) / range_of(seen);
        if (runs && late > NOTHING && late + error > t.both) {
            t.both = late + error;
            t.both_state = k;
        }
        if (t.state != NONE && !(error > t.error))
            continue;
        t.error = error;
        t.state = k;
        t.time = runs ? seen->running_time : seen->local_time;
        t.is_local = !runs;
    }
    sim_within(s, &t);
    sim_delay_trust(s, &t);
    return t;
}
