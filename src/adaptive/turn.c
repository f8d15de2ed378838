/* turn.c - relations that change and change back within a step.
 *
 * A ball that dips into a liquid may be above it at both ends of a step. The
 * difference of the two sides of a relation at the last three points, all with
 * one sign, lies on a parabola; where its vertex is within the last step and
 * beyond zero, or nearly, the model is looked at there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "adaptive/adaptive_internal.h"

struct Turns {
    int n;          /* points that are known, at most 3: the last ones */
    double time[3]; /* oldest first */
    double *gap[3]; /* of each relation; NAN: it has none */
};

/* A vertex that comes so near to zero, in parts of the height of the parabola,
 * is worth a look. */
static const double NEAR = 0.5;

Turns *turns_new(const Run *r)
{
    const Sim *s = r->sim;
    if (!s->band || r->n == 0)
        return NULL;
    Turns *t = NEW(s->scratch, Turns);
    for (int k = 0; k < 3; k++)
        t->gap[k] = NEW_ARRAY(s->scratch, double, s->low->inlined->nrelation);
    return t;
}

void turns_forget(Run *r)
{
    if (r->returns)
        r->returns->n = 0;
}

/* The present point is the newest one. */
static void add_point(Run *r, Turns *p, double t)
{
    if (p->n == 3) {
        double *oldest = p->gap[0];
        for (int k = 0; k < 2; k++) {
            p->time[k] = p->time[k + 1];
            p->gap[k] = p->gap[k + 1];
        }
        p->gap[2] = oldest;
        p->n = 2;
    }
    p->time[p->n] = t;
    sim_relation_gaps(r->sim, p->gap[p->n]);
    p->n++;
}

/* Where between the last two points the parabola of relation i has a vertex
 * next to zero, or NAN. */
static double vertex_of(const Turns *p, int i)
{
    double a = p->gap[0][i], b = p->gap[1][i], c = p->gap[2][i];
    double left = p->time[1] - p->time[0], h = p->time[2] - p->time[1];
    if (!(a * b > 0 && b * c > 0 && left > 0))
        return NAN;
    double slope = (c - b) / h;
    double second = (slope - (b - a) / left) / (left + h);
    double t = 0.5 * (h - slope / second); /* after the point in the middle */
    double g = b + t * slope + t * (t - h) * second;
    bool is_within = second != 0 && t > 0 && t < h;
    double height = fmax(fabs(b - g), fabs(c - g));
    return is_within && g / b < NEAR * height / fabs(b) && g / b < 1
               ? p->time[1] + t
               : NAN;
}

double turns_back(Run *r, double from, double t)
{
    Turns *p = r->returns;
    double first = NAN;
    if (!p)
        return NAN;
    if (p->n == 0 || p->time[p->n - 1] != from)
        p->n = 0;
    add_point(r, p, t);
    for (int i = 0; p->n == 3 && i < r->sim->low->inlined->nrelation; i++)
        first = fmin(first, vertex_of(p, i));
    return first;
}
