/* compare.c - the tube around a reference trajectory.
 *
 * For each point of the result the extremes of the reference over the window
 * [t - dt, t + dt] are found: those of the reference's points inside it and of
 * its values at the two ends. Both curves are walked once; the window's
 * extremes are kept in two queues of falling and rising values, so the cost
 * is linear.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "result/compare.h"

#include <math.h>

static double time_at(Curve c, int i)
{
    return c.time[(long)i * c.stride];
}

static double value_at(Curve c, int i)
{
    return c.value[(long)i * c.stride];
}

/* The value at time t on the piece that starts at point i or later. */
static double interpolate(Curve c, int i, double t)
{
    while (i + 1 < c.n && time_at(c, i + 1) <= t)
        i++;
    if (i + 1 >= c.n || t <= time_at(c, i))
        return value_at(c, i);
    double t0 = time_at(c, i), t1 = time_at(c, i + 1);
    double s = (t - t0) / (t1 - t0);
    return value_at(c, i) + s * (value_at(c, i + 1) - value_at(c, i));
}

/* Indices of points whose values rise (sign +1: minimum first) or fall. */
typedef struct Queue {
    int *at;
    int head, tail;
    double sign;
} Queue;

static void queue_push(Queue *q, Curve c, int i)
{
    while (q->tail > q->head && q->sign * value_at(c, q->at[q->tail - 1]) >=
                                    q->sign * value_at(c, i))
        q->tail--;
    q->at[q->tail++] = i;
}

static void queue_drop(Queue *q, Curve c, double before)
{
    while (q->head < q->tail && time_at(c, q->at[q->head]) < before)
        q->head++;
}

static double range_of(Curve c)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < c.n; i++) {
        least = fmin(least, value_at(c, i));
        most = fmax(most, value_at(c, i));
    }
    double range = most - least;
    double size = fmax(fabs(most), fabs(least));
    if (range > 1e-12 * size)
        return range;
    return size > 0 ? size : 1;
}

TubeResult compare_tube(Curve reference, Curve result, double tolerance,
                        double floor)
{
    TubeResult out = {0};
    if (reference.n == 0)
        return out;
    Arena *local = arena_new();
    double begin = time_at(reference, 0);
    double end = time_at(reference, reference.n - 1);
    double range = range_of(reference);
    out.by_floor = tolerance * range < floor;
    if (out.by_floor)
        range = floor / tolerance;
    double dt = tolerance * (end - begin), dy = tolerance * range;
    Queue low = {NEW_ARRAY(local, int, reference.n), 0, 0, 1};
    Queue high = {NEW_ARRAY(local, int, reference.n), 0, 0, -1};
    int next = 0, left = 0, right = 0, at = 0;
    for (int i = 0; i < result.n; i++) {
        double t = time_at(result, i), y = value_at(result, i);
        if (t < begin - 1e-9 * (end - begin) || t > end + 1e-9 * (end - begin))
            continue;
        for (; next < reference.n && time_at(reference, next) <= t + dt;
             next++) {
            queue_push(&low, reference, next);
            queue_push(&high, reference, next);
        }
        queue_drop(&low, reference, t - dt);
        queue_drop(&high, reference, t - dt);
        while (left + 1 < reference.n && time_at(reference, left + 1) < t - dt)
            left++;
        while (right + 1 < reference.n &&
               time_at(reference, right + 1) < t + dt)
            right++;
        double a = interpolate(reference, left, t - dt);
        double b = interpolate(reference, right, t + dt);
        double least = fmin(a, b), most = fmax(a, b);
        if (low.head < low.tail) {
            least = fmin(least, value_at(reference, low.at[low.head]));
            most = fmax(most, value_at(reference, high.at[high.head]));
        }
        double out_by = fmax(least - dy - y, y - most - dy);
        double error = fmax(fmax(least - y, y - most), 0);
        while (at + 1 < reference.n && time_at(reference, at + 1) <= t)
            at++;
        double there = interpolate(reference, at, t);
        out.npoint++;
        if (!(out_by <= 0)) {
            if (!out.noutside++)
                out.first = t;
            out.worst =
                fmax(out.worst, isfinite(y) ? out_by / range : INFINITY);
        }
        out.error = fmax(out.error, isfinite(y) ? error / range : INFINITY);
        out.deviation = fmax(out.deviation,
                             isfinite(y) ? fabs(y - there) / range : INFINITY);
    }
    arena_free(local);
    return out;
}
