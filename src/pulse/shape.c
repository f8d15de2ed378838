/* shape.c - a maximum or a zero between two points of a grid (crest.h). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pulse/shape.h"

#include <math.h>

enum { GOLDEN = 14, HALVINGS = 14 };

/* So far beside its points, in their distance, a vertex may be after all. */
static const double BESIDE = 0.25;

double shape_limit(double slope, double other, double chord, double before)
{
    double bend = isnan(before) ? 0 : fabs(chord - before);
    double most = 3 * fmax(fmax(fabs(other - chord), fabs(chord)), bend);
    return chord + fmin(fmax(slope - chord, -most), most);
}

/* The parabola through three points at -left, 0 and 1: has it a vertex after
 * `from` and before 1, or nearly, that is beyond 0 or nearer to it than `near`
 * bends? */
static bool turns(double before, double last, double now, double left,
                  double from, double near)
{
    double bend = 2 * (now - last - (last - before) / left) / (1 + left);
    double slope = now - last - bend / 2;
    double at = -slope / bend, vertex = last - slope * slope / (2 * bend);
    if (bend == 0 || !(at > from - BESIDE && at < 1 + BESIDE) ||
        bend * last < 0)
        return false;
    return vertex * last <= 0 || fabs(vertex) < near * fabs(bend);
}

bool shape_may_turn(double before, double last, double now, double left)
{
    return isnan(before) || turns(before, last, now, left, 0, 0.5);
}

bool shape_may_dip(const double *at)
{
    /* cubics that go through 0 have a vertex within half of that */
    const double near = 1;
    for (int k = 1; k + 1 < SHAPE_POINTS; k++)
        if (at[k] * at[0] <= 0 ||
            turns(at[k - 1], at[k], at[k + 1], 1, -1, near))
            return true;
    return false;
}

bool shape_least(double from, double to, ShapeDistance *distance,
                 const void *context, double *peak)
{
    const double g = (sqrt(5) - 1) / 2;
    double a = from, b = to;
    double x = b - g * (b - a), y = a + g * (b - a);
    double fx = distance(context, x), fy = distance(context, y);
    for (int i = 0; i < GOLDEN && !(fx < 0) && !(fy < 0); i++) {
        if (fx < fy) {
            b = y;
            y = x;
            fy = fx;
            x = b - g * (b - a);
            fx = distance(context, x);
        } else {
            a = x;
            x = y;
            fx = fy;
            y = a + g * (b - a);
            fy = distance(context, y);
        }
    }
    *peak = fx < fy ? x : y;
    return fx < 0 || fy < 0;
}

double shape_edge(double out, double in, ShapeDistance *distance,
                  const void *context)
{
    for (int i = 0; i < HALVINGS; i++) {
        double mid = out + (in - out) / 2;
        if (distance(context, mid) < 0)
            in = mid;
        else
            out = mid;
    }
    return in;
}
