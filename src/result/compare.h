/* compare.h - is a trajectory inside a tube around its reference?
 *
 * Around each point of the reference lies a rectangle: `tolerance` times the
 * length of the time axis to each side, and `tolerance` times the range of the
 * signal (its size where it is constant) up and down, but at least `floor`: a
 * reference has errors of its own, and what stays within them is no signal. The
 * tube is what the rectangles cover; the reference is taken linear between its
 * points. A signal passes if all its points lie in the tube: so a jump that
 * comes a little late is fine, and a wrong value is not.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_COMPARE_H
#define TAKT_RESULT_COMPARE_H

#include <stdbool.h>

#include "base/arena.h"

/* A signal over time; times do not fall, and are equal at a jump. */
typedef struct Curve {
    const double *time, *value;
    int n;
    int stride; /* distance from one value to the next in the arrays */
} Curve;

typedef struct TubeResult {
    int npoint;   /* points of the result looked at */
    int noutside; /* of these outside the tube */
    double first; /* time of the first one */
    double worst; /* largest distance from the tube, over the signal's range */
    double error; /* largest distance from the reference, shifted in time within
                     the rectangle, likewise */
    double deviation; /* the same without a shift in time */
    bool by_floor; /* the tube is as wide as the floor; the range then is that
                      of a signal with such a tube */
} TubeResult;

TubeResult compare_tube(Curve reference, Curve result, double tolerance,
                        double floor);

#endif
