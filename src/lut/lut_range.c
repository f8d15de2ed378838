/* lut_range.c - between which numbers does a table stay?
 *
 * Steps and lines have their extremes at their points and at the ends of the
 * range; a piece of a cubic stays within the hull of its four control points,
 * and bilinear pieces within that of their corners.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "lut/lut_internal.h"
#include "takt_rt_table.h"

enum { MOST_CORNERS = 4096 }; /* of a table in two directions */

static const ExprRange ANY = {-INFINITY, INFINITY};

typedef struct Table {
    const ExprFunction *f;
    const Look *k;
    const double *list;
    ExprRange seen;
} Table;

static void see(Table *t, double y)
{
    t->seen.min = fmin(t->seen.min, y);
    t->seen.max = fmax(t->seen.max, y);
}

static void see_value(Table *t, double u, double v)
{
    double plain[2] = {u, v};
    see(t, t->f->value(t->f, 0, plain, t->list));
}

/* The first abscissa of n that is not less than u. */
static int first_from(const double *x, int n, double u)
{
    int low = 0, high = n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (x[mid] < u)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* ---- one direction ---- */

/* Interval i, as far as it is within a .. b. */
static void see_cubic(Table *t, int i, double a, double b)
{
    const double *x = t->list + i, *y = x + t->k->n, *slope = y + t->k->n;
    double h = x[1] - x[0];
    double from = fmax(a, x[0]) - x[0], to = fmin(b, x[1]) - x[0];
    if (!(h > 0) || !(to > from))
        return;
    double third = (to - from) / 3;
    see(t, takt_table_cubic(0, h, from, y, slope) +
               third * takt_table_cubic(1, h, from, y, slope));
    see(t, takt_table_cubic(0, h, to, y, slope) -
               third * takt_table_cubic(1, h, to, y, slope));
}

static void see_slope(Table *t, int i)
{
    const double *x = t->list + i, *y = x + t->k->n;
    if (x[1] > x[0])
        see(t, (y[1] - y[0]) / (x[1] - x[0]));
}

/* From a to b, which periods have been taken from. */
static void see_part(Table *t, double a, double b)
{
    const Look *k = t->k;
    const double *x = t->list, *y = x + k->n;
    for (int side = -1; side <= 1; side += 2) {
        see_value(t, a, side);
        see_value(t, b, side);
    }
    int i = first_from(x, k->n, a);
    for (int j = i > 0 ? i - 1 : 0; j + 1 < k->n && x[j] <= b; j++) {
        if (k->order[0] == 1)
            see_slope(t, j);
        else if (k->kind == TAKT_CUBICS)
            see_cubic(t, j, a, b);
    }
    for (; k->order[0] == 0 && i < k->n && x[i] <= b; i++)
        see(t, y[i]);
}

static void see_line(Table *t, ExprRange u)
{
    const Look *k = t->k;
    double first = t->list[0], last = t->list[k->n - 1];
    double period = last - first;
    if (k->outside != TAKT_REPEAT) {
        see_part(t, u.min, u.max);
        return;
    }
    double shift = period * floor((u.min - first) / period);
    double a = u.min - shift, b = u.max - shift;
    if (!(b - a < period)) {
        see_part(t, first, last);
        return;
    }
    see_part(t, a, fmin(b, last));
    if (b > last)
        see_part(t, first, b - period);
}

/* ---- two directions ---- */

static void see_corners(Table *t, ExprRange u, ExprRange v)
{
    const Look *k = t->k;
    const double *x = t->list, *y = t->list + k->n;
    int i0 = first_from(x, k->n, u.min), i1 = first_from(x, k->n, u.max);
    int j0 = first_from(y, k->m, v.min), j1 = first_from(y, k->m, v.max);
    if ((long)(i1 - i0 + 2) * (j1 - j0 + 2) > MOST_CORNERS) {
        t->seen = ANY;
        return;
    }
    for (int i = i0 - 1; i <= i1; i++)
        for (int j = j0 - 1; j <= j1; j++)
            see_value(t,
                      i < i0    ? u.min
                      : i == i1 ? u.max
                                : x[i],
                      j < j0    ? v.min
                      : j == j1 ? v.max
                                : y[j]);
}

/* ---- all ---- */

/* Is there a bound that is known? */
static bool has_bound(const Look *k)
{
    if (k->family == TWO)
        return k->kind != TAKT_CUBICS && k->outside != TAKT_REPEAT &&
               k->order[0] + k->order[1] == 0;
    return k->order[0] == 0 || (k->order[0] == 1 && k->kind != TAKT_CUBICS);
}

ExprRange lut_enclose(const ExprFunction *f, const ExprRange *plain,
                      const double *list)
{
    Table t = {f, f->info, list, {INFINITY, -INFINITY}};
    if (!has_bound(t.k) || !isfinite(plain[0].min) || !isfinite(plain[0].max) ||
        (t.k->family == TWO &&
         (!isfinite(plain[1].min) || !isfinite(plain[1].max))))
        return ANY;
    if (t.k->family == TWO) {
        see_corners(&t, plain[0], plain[1]);
    } else if (t.k->family == NEXT) { /* it does not fall */
        see_value(&t, plain[0].min, 0);
        see_value(&t, plain[0].max, 0);
    } else {
        see_line(&t, plain[0]);
    }
    return isnan(t.seen.min) || isnan(t.seen.max) ? ANY : t.seen;
}
