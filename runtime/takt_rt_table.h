/* takt_rt_table.h - values and derivatives of tables.
 *
 * A table is an array of numbers. In one direction: n abscissae, n ordinates
 * and, for cubics, n slopes. In two: n abscissae of the first argument, m of
 * the second, n times m ordinates row by row and, for cubics, as many
 * derivatives by the first argument, by the second, and by both. Abscissae do
 * not fall; two that are equal stand for a jump.
 *
 * The place is found by halving, in a number of turns that depends on n only,
 * and nothing is selected by a branch: the work does not depend on the numbers.
 * TAKT_REAL is double unless it is defined before. C99; no allocation, no input
 * or output, no state.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_TABLE_H
#define TAKT_RT_TABLE_H

#include "takt_rt_base.h"

#ifndef TAKT_REAL
#define TAKT_REAL    double
#define TAKT_F(name) name
#endif

/* Between two abscissae: the first ordinate, a line, a cubic with given slopes
 * at both ends. */
enum { TAKT_STEPS, TAKT_LINES, TAKT_CUBICS };
/* Outside: the outermost ordinate, a line on from there, the same again. */
enum { TAKT_HOLD, TAKT_EXTEND, TAKT_REPEAT };

/* The last of the n - 1 intervals that does not begin after u; else the
 * first. */
static inline int takt_table_place(const TAKT_REAL *x, int n, TAKT_REAL u)
{
    int at = 0;
    for (int left = n - 1; left > 1;) {
        const int half = left / 2;
        at += half & -(int)takt_flag(x[at + half] <= u);
        left -= half;
    }
    return at;
}

static TAKT_INLINE TAKT_REAL takt_table_clamp(TAKT_REAL u, TAKT_REAL least,
                                              TAKT_REAL most)
{
    return TAKT_F(takt_min)(TAKT_F(takt_max)(u, least), most);
}

/* u, moved by whole periods into least .. most. */
static TAKT_INLINE TAKT_REAL takt_table_wrap(TAKT_REAL u, TAKT_REAL least,
                                             TAKT_REAL most)
{
    const TAKT_REAL period = most - least, zero = 0;
    const TAKT_REAL down = TAKT_F(takt_ceil)((u - most) / period);
    u -= period * TAKT_F(takt_max)(down, zero);
    const TAKT_REAL up = TAKT_F(takt_ceil)((least - u) / period);
    return u + period * TAKT_F(takt_max)(up, zero);
}

static TAKT_INLINE TAKT_REAL takt_table_is_inside(TAKT_REAL u, TAKT_REAL least,
                                                  TAKT_REAL most)
{
    return TAKT_F(takt_and)(TAKT_F(takt_le)(least, u),
                            TAKT_F(takt_le)(u, most));
}

/* ---- one direction ---- */

/* Derivative number `order` at s of an interval of length h. */
static TAKT_INLINE TAKT_REAL takt_table_cubic(int order, TAKT_REAL h,
                                              TAKT_REAL s, const TAKT_REAL *y,
                                              const TAKT_REAL *slope)
{
    const TAKT_REAL m = (y[1] - y[0]) / h;
    const TAKT_REAL b = (3 * m - 2 * slope[0] - slope[1]) / h;
    const TAKT_REAL a = (slope[0] + slope[1] - 2 * m) / (h * h);
    switch (order) {
    case 0: return y[0] + s * (slope[0] + s * (b + s * a));
    case 1: return slope[0] + s * (2 * b + 3 * a * s);
    case 2: return 2 * b + 6 * a * s;
    default: return 6 * a;
    }
}

/* Derivative number `order` at u; the interval is chosen by `key`, which is u
 * or a little beside it. */
static inline TAKT_REAL takt_table_at(const TAKT_REAL *t, int n, int kind,
                                      int outside, int order, TAKT_REAL u,
                                      TAKT_REAL key)
{
    const TAKT_REAL *const x = t, least = x[0], most = x[n - 1], zero = 0;
    const int at = takt_table_place(x, n, key);
    const TAKT_REAL *const y = t + n + at;
    const TAKT_REAL h = x[at + 1] - x[at];
    const TAKT_REAL jump = TAKT_F(takt_eq)(h, zero);
    const TAKT_REAL length = TAKT_F(takt_select)(jump, (TAKT_REAL)1, h);
    const TAKT_REAL in = outside == TAKT_REPEAT
                             ? (TAKT_REAL)1
                             : takt_table_is_inside(u, least, most);
    const TAKT_REAL c =
        outside == TAKT_REPEAT ? u : takt_table_clamp(u, least, most);
    const TAKT_REAL s = c - x[at];
    const TAKT_REAL line =
        TAKT_F(takt_select)(jump, zero, (y[1] - y[0]) / length);
    TAKT_REAL value, slope;
    if (kind == TAKT_CUBICS) {
        value = takt_table_cubic(order, length, s, y, t + 2 * n + at);
        slope = takt_table_cubic(1, length, s, y, t + 2 * n + at);
    } else {
        const TAKT_REAL late = kind == TAKT_STEPS
                                   ? TAKT_F(takt_ge)(key, x[at + 1])
                                   : TAKT_F(takt_ge)(key, x[at]);
        const TAKT_REAL corner = TAKT_F(takt_select)(late, y[1], y[0]) + 0 * s;
        value = order > 1    ? zero
                : order == 1 ? (kind == TAKT_LINES ? line : zero)
                : kind == TAKT_STEPS
                    ? corner
                    : TAKT_F(takt_select)(jump, corner, y[0] + line * s);
        slope = line;
    }
    if (outside == TAKT_EXTEND)
        return order == 0   ? value + slope * (u - c)
               : order == 1 ? TAKT_F(takt_select)(in, value, slope)
                            : TAKT_F(takt_select)(in, value, zero);
    return order == 0 ? value : TAKT_F(takt_select)(in, value, zero);
}

static inline TAKT_REAL takt_table1(const TAKT_REAL *t, int n, int kind,
                                    int outside, int order, TAKT_REAL u)
{
    if (outside == TAKT_REPEAT)
        u = takt_table_wrap(u, t[0], t[n - 1]);
    return takt_table_at(t, n, kind, outside, order, u, u);
}

/* A table over time. Close to a jump or the end of a period it is that after it
 * with side 1, before it with side -1. */
static inline TAKT_REAL takt_table_time(const TAKT_REAL *t, int n, int kind,
                                        int outside, int order, TAKT_REAL u,
                                        TAKT_REAL side)
{
    const TAKT_REAL period = t[n - 1] - t[0];
    const TAKT_REAL close = side * (TAKT_REAL)(sizeof u > 4 ? 1e-10 : 1e-6);
    if (outside == TAKT_REPEAT)
        u -= period * TAKT_F(takt_floor)((u - t[0]) / period + close);
    return takt_table_at(t, n, kind, outside, order, u, u + close * period);
}

/* The first of n abscissae that is more than u; a very large number if there is
 * none. */
static inline TAKT_REAL takt_table_next(const TAKT_REAL *x, int n, int outside,
                                        TAKT_REAL u)
{
    const TAKT_REAL period = x[n - 1] - x[0];
    const TAKT_REAL close = (TAKT_REAL)(sizeof u > 4 ? 1e-10 : 1e-6);
    const TAKT_REAL never = (TAKT_REAL)(sizeof u > 4 ? 1e300 : 1e37);
    TAKT_REAL base = 0;
    if (outside == TAKT_REPEAT)
        base = period * TAKT_F(takt_floor)((u - x[0]) / period + close);
    const TAKT_REAL key = u - base + close * period;
    const int at = takt_table_place(x, n, key);
    const TAKT_REAL next =
        TAKT_F(takt_select)(TAKT_F(takt_lt)(key, x[at]), x[at], x[at + 1]);
    return TAKT_F(takt_select)(TAKT_F(takt_lt)(key, next), base + next, never);
}

/* ---- two directions ---- */

/* What the ordinates and slopes at both ends of an interval contribute to
 * derivative number `order` at s: ordinates w[0], w[1], slopes w[2], w[3]. */
static TAKT_INLINE void takt_table_weights(int order, TAKT_REAL h, TAKT_REAL s,
                                           TAKT_REAL *w)
{
    const TAKT_REAL p = s / h, q = 1 - p;
    switch (order) {
    case 0:
        w[1] = p * p * (3 - 2 * p);
        w[0] = 1 - w[1];
        w[2] = s * q * q;
        w[3] = -s * p * q;
        break;
    case 1:
        w[1] = 6 * p * q / h;
        w[0] = -w[1];
        w[2] = q * (1 - 3 * p);
        w[3] = p * (3 * p - 2);
        break;
    case 2:
        w[1] = (6 - 12 * p) / (h * h);
        w[0] = -w[1];
        w[2] = (6 * p - 4) / h;
        w[3] = (6 * p - 2) / h;
        break;
    default:
        w[1] = -12 / (h * h * h);
        w[0] = -w[1];
        w[2] = w[3] = 6 / (h * h);
    }
}

/* The same for lines; of steps with order 0. */
static TAKT_INLINE void takt_table_ends(int order, TAKT_REAL h, TAKT_REAL s,
                                        TAKT_REAL *w)
{
    w[1] = order == 0 ? s / h : order == 1 ? 1 / h : (TAKT_REAL)0;
    w[0] = (TAKT_REAL)(order == 0) - w[1];
    w[2] = w[3] = 0;
}

/* Weights in one direction at u, which is in the interval that begins at *x or
 * outside of the table. */
static TAKT_INLINE void takt_table_axis(int kind, int outside, int order,
                                        const TAKT_REAL *x, TAKT_REAL least,
                                        TAKT_REAL most, TAKT_REAL u,
                                        TAKT_REAL *w)
{
    const TAKT_REAL h = x[1] - x[0], zero = 0;
    const TAKT_REAL c =
        outside == TAKT_REPEAT ? u : takt_table_clamp(u, least, most);
    const TAKT_REAL in = takt_table_is_inside(u, least, most);
    TAKT_REAL on[4] = {0, 0, 0, 0};
    if (kind == TAKT_CUBICS) {
        takt_table_weights(order, h, c - x[0], w);
        takt_table_weights(1, h, c - x[0], on);
    } else {
        takt_table_ends(order, h, c - x[0], w);
        takt_table_ends(1, h, c - x[0], on);
    }
    for (int i = 0; i < 4; i++) {
        if (outside == TAKT_EXTEND)
            w[i] = order == 0 ? w[i] + on[i] * (u - c)
                              : TAKT_F(takt_select)(in, w[i],
                                                    order == 1 ? on[i] : zero);
        else if (outside == TAKT_HOLD && order > 0)
            w[i] = TAKT_F(takt_select)(in, w[i], zero);
    }
}

/* Derivative number i by u and number j by v. */
static inline TAKT_REAL takt_table2(const TAKT_REAL *t, int n, int m, int kind,
                                    int outside, int i, int j, TAKT_REAL u,
                                    TAKT_REAL v)
{
    const TAKT_REAL *const x = t, *const y = t + n, zero = 0;
    if (outside == TAKT_REPEAT) {
        u = takt_table_wrap(u, x[0], x[n - 1]);
        v = takt_table_wrap(v, y[0], y[m - 1]);
    }
    const int a = takt_table_place(x, n, u), b = takt_table_place(y, m, v);
    const TAKT_REAL *z = t + n + m + a * m + b;
    TAKT_REAL p[4], q[4], sum = 0;
    takt_table_axis(kind, outside, i, x + a, x[0], x[n - 1], u, p);
    takt_table_axis(kind, outside, j, y + b, y[0], y[m - 1], v, q);
    for (int k = 0; k < (kind == TAKT_CUBICS ? 4 : 1); k++, z += n * m) {
        const TAKT_REAL *const f = p + 2 * (k & 1), *const g = q + (k & 2);
        sum += f[0] * (g[0] * z[0] + g[1] * z[1]) +
               f[1] * (g[0] * z[m] + g[1] * z[m + 1]);
    }
    if (kind != TAKT_STEPS)
        return sum;
    z = t + n + m + a * m + b;
    const TAKT_REAL second = TAKT_F(takt_ge)(v, y[b + 1]);
    const TAKT_REAL lower = TAKT_F(takt_select)(second, z[1], z[0]);
    const TAKT_REAL upper = TAKT_F(takt_select)(second, z[m + 1], z[m]);
    const TAKT_REAL step =
        i + j > 0
            ? zero
            : TAKT_F(takt_select)(TAKT_F(takt_ge)(u, x[a + 1]), upper, lower) +
                  0 * (u - v);
    if (outside != TAKT_EXTEND)
        return step;
    const TAKT_REAL in =
        TAKT_F(takt_and)(takt_table_is_inside(u, x[0], x[n - 1]),
                         takt_table_is_inside(v, y[0], y[m - 1]));
    return TAKT_F(takt_select)(in, step, sum);
}

#endif
