/* passage.c - where a relation changes within a controlled step.
 *
 * The step has been solved and its error is within the tolerance: its states
 * are a polynomial in time (dense.c). Relations are looked at on it: at a few
 * points within, so that what comes and goes within a long step is seen, at
 * those of output, and at the end. Between the last point without a change and
 * the first one with it the polynomial is bisected.
 *
 * There one step ends, made from the same beginning, for the polynomial is less
 * exact than a step. It is exact at its own end, so the polynomial of the
 * shorter step tells what is left to correct: two or three steps find an event
 * to rounding. Where they do not (a relation of something that is not smooth),
 * steps are bisected.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "sim/sim_internal.h"

enum { QUARTERS = 4, HALVINGS = 6, MOST_TRIES = 12 };

typedef struct Passage {
    Sim *s;
    double from;      /* where the step begins */
    double low, high; /* no change at low, one at high */
    double least;     /* nearer is the same */
    double turn;      /* a point that is worth a look, or NAN */
} Passage;

/* Has a relation changed at a point of the polynomial? Where the model has no
 * solution nothing is known: it has not. */
static bool has_changed(Passage *x, double time)
{
    return sim_dense_place(x->s, time) && sim_has_crossed(x->s);
}

/* The point of output after `time`. */
static double next_output(const Sim *s, double time)
{
    const SimOptions *o = &s->options;
    double k = floor((time - o->start) / o->step) + 1;
    double at = o->start + k * o->step;
    return at > time ? at : o->start + (k + 1) * o->step;
}

/* The point after `time` where relations are looked at, parts of the step
 * being where they return soon after an event: 1/64, 1/32, ... */
static double next_look(const Passage *x, double time, double to)
{
    double h = to - x->from, next = to;
    int n = x->s->is_after_event ? HALVINGS : QUARTERS - 1;
    for (int k = 1; k <= n; k++) {
        double part = x->s->is_after_event ? ldexp(1, k - 1 - HALVINGS)
                                           : (double)k / QUARTERS;
        if (x->from + part * h > time)
            next = fmin(next, x->from + part * h);
    }
    if (x->turn > time)
        next = fmin(next, x->turn);
    return fmin(next, next_output(x->s, time));
}

/* Narrows low and high by looking at the polynomial of the part that ends at
 * `to`, whose own end has changed or not. False: nothing has changed. */
static bool look(Passage *x, double to, bool at_end)
{
    x->low = x->from;
    for (double t = next_look(x, x->from, to); t < to;
         t = next_look(x, t, to)) {
        if (has_changed(x, t)) {
            x->high = t;
            return true;
        }
        x->low = t;
    }
    x->high = to;
    return at_end;
}

/* The first change between low and high on the polynomial. */
static double bisect_polynomial(Passage *x, double low, double high)
{
    while (high - low > x->least) {
        double mid = low + (high - low) / 2;
        if (has_changed(x, mid))
            high = mid;
        else
            low = mid;
    }
    return high;
}

/* A step to `end`; true: it is solved there, and *changed says how it ends. */
static bool try_end(Passage *x, double end, bool *changed)
{
    if (!sim_try_part(x->s, x->from, end, false))
        return false;
    *changed = sim_has_crossed(x->s);
    sim_dense_hold(x->s, x->from, end);
    return true;
}

/* Steps to where polynomials say. True: the slots are those of the event. */
static bool approach(Passage *x, double *found)
{
    double end = bisect_polynomial(x, x->low, x->high);
    double apart = 1e-6 * (x->high - x->from);
    for (int k = 0; k < MOST_TRIES; k++) {
        bool changed;
        if (!try_end(x, end, &changed))
            return false;
        if (!changed) {
            x->low = end;
            end = fmin(end + fmax(apart, x->least), x->high);
            apart *= 16;
            continue;
        }
        double first = bisect_polynomial(x, x->low, end);
        *found = x->high = end;
        if (end - first <= x->least || end - x->low <= x->least)
            return try_end(x, end, &changed);
        apart = 1e-4 * (end - first);
        end = first;
    }
    return false;
}

bool sim_find_passage(Sim *s, double from, double to, double turn,
                      double *found)
{
    Passage x = {.s = s, .from = from, .turn = turn};
    x.least = fmax(1e-13 * (to - from), 4 * DBL_EPSILON * fabs(to));
    bool at_end = sim_has_crossed(s);
    sim_dense_hold(s, from, to);
    bool is_there = look(&x, to, at_end);
    s->is_after_event = false;
    *found = to;
    if (!is_there) {
        sim_dense_release(s);
        return true;
    }
    bdf_again(s->orders);
    if (!approach(&x, found)) {
        *found = sim_bisect(s, from, x.low, x.high);
        if (!sim_try_part(s, from, *found, false))
            return sim_report_part(s, from, *found);
    }
    s->stats.located++;
    s->is_after_event = true;
    return true;
}
