/* shape.c - a maximum or a zero between two points of a grid (crest.h). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "pulse/shape.h"

#include <math.h>

enum { GOLDEN = 14, HALVINGS = 14 };

double shape_limit(double slope, double other, double chord, double before)
{
    double bend = isnan(before) ? 0 : fabs(chord - before);
    double most = 3 * fmax(fmax(fabs(other - chord), fabs(chord)), bend);
    return chord + fmin(fmax(slope - chord, -most), most);
}

bool shape_may_turn(double before, double last, double now)
{
    double slope = (now - before) / 2, bend = now - 2 * last + before;
    if (isnan(before))
        return true;
    double at = -slope / bend, vertex = last - slope * slope / (2 * bend);
    if (bend == 0 || !(at > -0.25 && at < 1.25) || bend * last < 0)
        return false;
    return vertex * last <= 0 || fabs(vertex) < fabs(bend) / 2;
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
