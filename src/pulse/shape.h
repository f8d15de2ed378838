/* shape.h - the shape of what happens between the points of a grid: slopes of
 * cubics, vertices of parabolas, places where a distance is least or 0.
 *
 *   read by   sim/   relations that change between two points, and back
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PULSE_SHAPE_H
#define TAKT_PULSE_SHAPE_H

#include <stdbool.h>

/* A slope at one end of a step for the cubic of a state; `other` is that at the
 * other end, `before` the chord of the step before, NAN: not known. What is
 * stiff has slopes that are large and last for next to nothing, and the cubic
 * with them would leave for where the state never is. So far from the chord it
 * may be, as the slope at the other end is, or the chord, or its change since
 * the step before (Fritsch, Carlson, SIAM J. Numer. Anal. 17, 1980: with three
 * times the chord it is still monotonic). */
double shape_limit(double slope, double other, double chord, double before);

/* May the parabola through three points have gone through 0 and back after the
 * second one? `left`: the way to that one, in parts of the way after it. */
bool shape_may_turn(double before, double last, double now, double left);

/* At so many points of a step, at equal distances, both ends among them. */
enum { SHAPE_POINTS = 5 };
/* The same of one step alone, whose ends are on one side of 0: may it go
 * through 0 and back between these points? */
bool shape_may_dip(const double *at);

/* Above 0 where a relation is as at the ends of a step. */
typedef double ShapeDistance(const void *context, double time);
/* Golden section: where it is least; stops below 0, and says whether it came
 * there. */
bool shape_least(double from, double to, ShapeDistance *distance,
                 const void *context, double *peak);
/* Between `out`, where it is above 0, and `in`, where it is not: the place
 * where it changes. */
double shape_edge(double out, double in, ShapeDistance *distance,
                  const void *context);

#endif
