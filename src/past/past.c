/* past.c - what is remembered of a delayed expression, and what it is off by.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "past/past.h"

#include <float.h>
#include <math.h>

enum { LAST_JUMPS = 64 }; /* of a memory that may be asked for */

/* ---- what is read ---- */

/* The last record at or before `time`, which is not before the first. */
static int record_before(const Past *d, double time)
{
    int low = 0, high = d->time.n - 1;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (d->time.at[mid] <= time)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* The polynomial through records first .. last, by Neville. */
static double polynomial(const Past *d, int first, int last, double time)
{
    double p[5];
    int n = last - first;
    const double *t = d->time.at + first;
    for (int i = 0; i <= n; i++)
        p[i] = d->value.at[first + i];
    for (int k = 1; k <= n; k++)
        for (int i = 0; i + k <= n; i++)
            p[i] = p[i] + (time - t[i]) / (t[i + k] - t[i]) * (p[i + 1] - p[i]);
    return p[0];
}

static double gap(const Past *d, int i)
{
    return i >= 0 && i + 1 < d->time.n ? d->time.at[i + 1] - d->time.at[i] : 0;
}

/* Do records i and i + 1 lie in one piece? An event has a time twice; where it
 * is that of a point of output but for rounding (time > 0.5 happens after 0.5),
 * the two are next to each other, and a jump between them is no slope. */
static bool is_piece(const Past *d, int i)
{
    if (i < 0 || i + 1 >= d->time.n)
        return false;
    double beside = fmax(gap(d, i - 1), gap(d, i + 1));
    double least = fmax(64 * DBL_EPSILON * fabs(d->time.at[i]), 1e-9 * beside);
    return gap(d, i) > least;
}

/* A delay shorter than the step: the last piece goes on. */
static double beyond_last(const Past *d, double time)
{
    int last = d->time.n - 1, first = last;
    while (last - first < 3 && is_piece(d, first - 1))
        first--;
    return polynomial(d, first, last, time);
}

double past_value(const Past *d, double time, bool is_smooth)
{
    if (d->time.n == 0)
        return 0;
    if (time <= d->time.at[0])
        return d->value.at[0];
    int high = d->time.n - 1;
    if (time >= d->time.at[high] && !is_smooth)
        return d->value.at[high];
    if (time >= d->time.at[high])
        return beyond_last(d, time);
    int low = record_before(d, time);
    high = low + 1;
    if (!is_smooth || !is_piece(d, low))
        return polynomial(d, low, high, time);
    if (is_piece(d, low - 1))
        low--;
    if (is_piece(d, high))
        high++;
    return polynomial(d, low, high, time);
}

double past_finer(const Past *d, double time)
{
    if (d->time.n < 5 || time <= d->time.at[0] ||
        time >= d->time.at[d->time.n - 1])
        return NAN;
    int low = record_before(d, time), high = low + 1;
    if (!is_piece(d, low))
        return NAN;
    while (high - low < 4) {
        bool up = is_piece(d, high), down = is_piece(d, low - 1);
        if (!up && !down)
            return NAN;
        if (up && (!down || (high - low) % 2))
            high++;
        else
            low--;
    }
    return polynomial(d, low, high, time);
}

/* ---- what is off ---- */

/* Second difference of the records at i - 1, i, i + 1; 0: there are none. */
static double bend(const Past *d, int i)
{
    if (i < 1 || i + 1 >= d->time.n)
        return 0;
    const double *t = d->time.at + i, *x = d->value.at + i;
    double a = t[0] - t[-1], b = t[1] - t[0];
    if (!(a > 0) || !(b > 0))
        return 0;
    return 2 * ((x[1] - x[0]) / b - (x[0] - x[-1]) / a) / (a + b);
}

/* The smaller one; their mean if their signs differ, which is 0 on the line of
 * a jump. */
static double lesser(double a, double b)
{
    if (a * b < 0)
        return (a + b) / 2;
    return fabs(a) < fabs(b) ? a : b;
}

/* What the line between records low and low + 1 is off by, true - read. */
static double off_line(const Past *d, int low, double time)
{
    double left = bend(d, low), right = bend(d, low + 1);
    bool has_left = low >= 1, has_right = low + 2 < d->time.n;
    double second = has_left && has_right ? lesser(left, right)
                    : has_left            ? left
                                          : right;
    return -second / 2 * (time - d->time.at[low]) *
           (d->time.at[low + 1] - time);
}

/* The same of a delay shorter than the step. */
static double off_end(const Past *d, double time)
{
    int last = d->time.n - 1;
    double t = time - d->time.at[last];
    if (last < 1 || !(d->time.at[last] > d->time.at[last - 1]))
        return 0;
    double h = d->time.at[last] - d->time.at[last - 1];
    double slope = (d->value.at[last] - d->value.at[last - 1]) / h;
    return t * slope + bend(d, last - 1) / 2 * t * (t + h);
}

/* The integral of the difference between a jump and the line that stands for
 * it, up to `time`. */
static double jump_to(const PastJump *j, double time)
{
    double h = j->to - j->from, x = fmin(fmax((time - j->from) / h, 0), 1);
    double line = h * x * x / 2 + fmax(time - j->to, 0);
    return j->size * (fmax(time - j->at, 0) - line);
}

double past_off_jumps(const Past *d, double from, double to)
{
    double sum = 0;
    for (int i = d->jump.n - 1; i >= 0 && i >= d->jump.n - LAST_JUMPS; i--)
        sum += jump_to(&d->jump.at[i], to) - jump_to(&d->jump.at[i], from);
    return to > from ? sum / (to - from) : 0;
}

/* Of record i; that of the newest one may not be known yet. */
static double error_at(const Past *d, int i)
{
    return d->error.n == 0 ? 0
                           : d->error.at[i < d->error.n ? i : d->error.n - 1];
}

double past_off(const Past *d, double time, bool is_discrete)
{
    int last = d->time.n - 1;
    if (last < 1 || time <= d->time.at[0])
        return 0;
    if (time >= d->time.at[last])
        return error_at(d, last) + (is_discrete ? 0 : off_end(d, time));
    int low = record_before(d, time);
    double h = d->time.at[low + 1] - d->time.at[low];
    double x = h > 0 ? (time - d->time.at[low]) / h : 1;
    return error_at(d, low) + x * (error_at(d, low + 1) - error_at(d, low)) +
           (is_discrete ? 0 : off_line(d, low, time));
}

double past_leap(const Past *d, double time, double value)
{
    int last = d->time.n - 1;
    const double *t = d->time.at, *x = d->value.at;
    double slope = 0;
    if (last > 0 && t[last] > t[last - 1])
        slope = (x[last] - x[last - 1]) / (t[last] - t[last - 1]);
    return value - x[last] - slope * (time - t[last]);
}

/* ---- how much that is ---- */

void past_see(Past *d, double value)
{
    bool is_first = d->time.n <= 1;
    d->min = is_first ? value : fmin(d->min, value);
    d->max = is_first ? value : fmax(d->max, value);
}

void past_see_off(Past *d, double off, double time)
{
    d->off_now = isfinite(off) ? off : 0;
    if (!(fabs(off) > d->off))
        return;
    d->off = fabs(off);
    d->off_time = time;
}

double past_share(const Past *d)
{
    return d->max > d->min ? d->off / (d->max - d->min) : 0;
}
