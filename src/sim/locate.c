/* locate.c - when does something happen? Exact events, off-line.
 *
 * Events of time: instants of sample(), jumps of the input table, and relations
 * in which nothing moves but time. They are known before a step is made: a
 * relation that differs at the end of the step is bisected over the clock alone
 * until two neighbouring numbers are left, so time >= 0.5 is met at 0.5.
 * Events of state: relations of anything else; the integrators find them by
 * looking at sim_has_crossed() (bands.c) for points of their own.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "sim/sim_internal.h"

/* ---- events of time ---- */

static bool has_changed(Sim *s, int relation, double time)
{
    const Inlined *d = s->low->inlined;
    double *r = s->exec->r;
    r[s->low->tape->time] = time;
    exec_run(s->exec, &s->low->relations);
    return r[s->low->slot[d->relation[relation].var]] !=
           r[s->low->relation_now[relation]];
}

/* The smallest number in (from, to] at which the relation has changed. */
static double bisect_clock(Sim *s, int relation, double from, double to)
{
    double a = from, b = to;
    for (;;) {
        double mid = a + (b - a) / 2;
        if (!(mid > a && mid < b))
            return b;
        if (has_changed(s, relation, mid))
            b = mid;
        else
            a = mid;
    }
}

static double next_relation(Sim *s, double from, double to)
{
    const Inlined *d = s->low->inlined;
    double before; /* relations that may change often have not changed there */
    to = sim_next_often(s, from, to, &before);
    for (int i = 0; i < d->nrelation; i++) {
        if (!d->relation[i].is_of_time || !has_changed(s, i, to))
            continue;
        bool is_later = before < to && !has_changed(s, i, before);
        to = bisect_clock(s, i, is_later ? before : from, to);
    }
    return to;
}

/* Instants are counted as the tape counts them (lower/lower_expr.c). */
static double next_sample(Sim *s, double from, double to)
{
    const double *r = s->exec->r;
    for (int i = 0; i < s->low->nsample; i++) {
        double start = r[s->low->sample[i].start];
        double interval = r[s->low->sample[i].interval];
        if (!(interval > 0) || !isfinite(start))
            continue;
        double k = fmax(floor((from - start) / interval + 1e-6) + 1, 0);
        double at = start + k * interval;
        if (at > from && at < to)
            to = at;
    }
    return to;
}

double sim_next_time_event(Sim *s, double from, double to)
{
    double *time = &s->exec->r[s->low->tape->time], now = *time;
    double run = s->options.stop - s->options.start;
    double least = fmax(1e-12 * run, 8 * DBL_EPSILON * fabs(from));
    to = pulse_next(sim_pulses(s), from, sim_next_jump(s, from, to), least);
    if (s->low->inlined->nrelation > 0 || s->low->nsample > 0) {
        *time = to;
        exec_run(s->exec, &s->low->relations);
        to = next_sample(s, from, to);
        to = next_relation(s, from, to);
    }
    *time = now;
    return to;
}
