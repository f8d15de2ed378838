/* crossing.c - where in a step of the integrator does a relation change?
 *
 * Points of the interpolating polynomial are made consistent before they are
 * looked at. Two of them enclose the first change. How far each relation is
 * from changing is known at both; the line through the two depths tells where
 * it should happen, and the next point lies a little beyond that place or
 * before it: if the guess was good the enclosure is as narrow as that margin,
 * and the next margin is smaller by far. Where guesses fail, or there is no
 * depth (floor and the like), halves are taken. Some ten evaluations in place
 * of fifty.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "adaptive/adaptive_internal.h"

static const double FIRST_MARGIN = 0.1, LARGEST_MARGIN = 0.3,
                    LEAST_MARGIN = 1e-6; /* in parts of the enclosure */

struct Crossing {
    double a, b;             /* nothing has changed at a, something has at b */
    double *before, *beyond; /* depths of all relations there */
    double *now;             /* at the point looked at last */
    double margin;
};

Crossing *crossing_new(const Run *r)
{
    const Sim *s = r->sim;
    int n = s->low->inlined->nrelation;
    Crossing *c = NEW(s->scratch, Crossing);
    c->before = NEW_ARRAY(s->scratch, double, n + 1);
    c->beyond = NEW_ARRAY(s->scratch, double, n + 1);
    c->now = NEW_ARRAY(s->scratch, double, n + 1);
    return c;
}

bool crossing_at(Run *r, double t)
{
    r->ops->interpolate(r, t);
    if (!r->ops->evaluate(r, t))
        r->ops->to_slots(r, t);
    exec_reset_status(r->sim->exec);
    return sim_has_crossed(r->sim);
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Looks at t and narrows the enclosure; returns whether something has changed
 * there. */
static bool narrow(Run *r, Crossing *c, double t)
{
    bool crossed = crossing_at(r, t);
    sim_crossing_depths(r->sim, c->now);
    if (crossed) {
        c->b = t;
        swap(&c->now, &c->beyond);
    } else {
        c->a = t;
        swap(&c->now, &c->before);
    }
    return crossed;
}

/* Where the first relation should change, or NAN. */
static double guess(const Run *r, const Crossing *c)
{
    double first = NAN;
    for (int i = 0; i < r->sim->low->inlined->nrelation; i++) {
        double x = c->before[i], y = c->beyond[i];
        if (x < 0 && y >= 0)
            first = fmin(first, c->a + (c->b - c->a) * (x / (x - y)));
    }
    return first;
}

/* The next point to look at; *is_beyond: the change should be before it. NAN:
 * nothing is known. */
static double next_point(const Run *r, const Crossing *c, double least,
                         bool *is_beyond)
{
    double x = guess(r, c), d = fmax(c->margin * (c->b - c->a), 0.25 * least);
    double left = x - c->a, right = c->b - x;
    *is_beyond = right > left;
    return fmax(left, right) > d ? x + (*is_beyond ? d : -d) : NAN;
}

static void enclose(Run *r, Crossing *c, double least)
{
    double width = INFINITY; /* three points ago */
    c->margin = FIRST_MARGIN;
    for (int k = 0; c->b - c->a > least; k++) {
        bool is_beyond, is_slow = false;
        if (k % 3 == 0) {
            is_slow = c->b - c->a > 0.2 * width;
            width = c->b - c->a;
        }
        double t = is_slow ? NAN : next_point(r, c, least, &is_beyond);
        if (isnan(t)) {
            narrow(r, c, c->a + (c->b - c->a) / 2);
            c->margin = FIRST_MARGIN;
        } else {
            bool is_right = narrow(r, c, t) == is_beyond;
            c->margin = is_right ? fmax(c->margin * c->margin, LEAST_MARGIN)
                                 : fmin(sqrt(c->margin), LARGEST_MARGIN);
        }
    }
}

bool crossing_locate(Run *r, double from, double *t)
{
    Crossing *c = r->crossing;
    double end = *t;
    if (!crossing_at(r, end)) {
        r->ops->interpolate(r, end);
        return false; /* only before everything was solved */
    }
    sim_crossing_depths(r->sim, c->beyond);
    bool at_start = crossing_at(r, from);
    sim_crossing_depths(r->sim, c->before);
    for (int i = 0; at_start && i < r->sim->low->inlined->nrelation; i++)
        c->before[i] = NAN; /* rounding: halves will do */
    c->a = from;
    c->b = end;
    enclose(r, c, fmax(1e-13 * (end - from), 4 * DBL_EPSILON * fabs(end)));
    *t = c->b;
    crossing_at(r, *t); /* which relations it was */
    r->sim->stats.located++;
    return true;
}
