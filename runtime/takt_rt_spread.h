/* takt_rt_spread.h - what flows through a pipe: spatialDistribution().
 *
 * The fluid in a pipe from 0 to 1 moves by x, and what it carries moves with
 * it: a particle that is at y now has the label s = y - x, which never changes
 * (characteristics of z_t + v z_y = 0, v = der(x)). So z is a fixed function of
 * s; at one end the range of s in the pipe grows by what flows in, at the other
 * it shrinks. It is kept as points (s, z), sorted by s, with straight lines
 * between them; two points with the same s are a jump.
 *
 * The points stand in a ring of constant size. Work is constant: searches have
 * a fixed depth and nothing branches on data. A flow to the left is one to the
 * right in a mirror: labels are counted from the other end with the other sign.
 * One that finds no room takes the place of its neighbour, and is counted.
 *
 * TAKT_REAL is double unless it is defined before. C99; no state of its own.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_SPREAD_H
#define TAKT_RT_SPREAD_H

#include "takt_rt_base.h"

#ifndef TAKT_REAL
#define TAKT_REAL    double
#define TAKT_F(name) name
#endif

enum {
    TAKT_SPREAD_X,     /* of the last record */
    TAKT_SPREAD_TIME,  /* of it */
    TAKT_SPREAD_RATE,  /* dx/dt before it */
    TAKT_SPREAD_FIRST, /* place of the leftmost point */
    TAKT_SPREAD_COUNT, /* of points */
    TAKT_SPREAD_LOST,  /* points that found no room */
    TAKT_SPREAD_HEAD   /* then `size` labels, then `size` values */
};

/* What is asked for: a line through `anchor` on which z lies near an end. */
enum {
    TAKT_SPREAD_ANCHOR,
    TAKT_SPREAD_VALUE,
    TAKT_SPREAD_SLOPE,
    TAKT_SPREAD_NONE_LEFT /* how many points were lost */
};

/* 0 or 1, of which no compiler makes a branch. */
static inline int takt_spread_is(int truth)
{
    return (int)takt_flag(truth);
}

/* The points as they are seen from an end. */
typedef struct TAKT_F(TaktSpread) {
    TAKT_REAL *label, *value;
    TAKT_REAL sign; /* of labels: 1 from the left, -1 from the right */
    int size, first, count;
    int step; /* 1 from the left, -1 from the right */
} TAKT_F(TaktSpread);

static inline TAKT_F(TaktSpread)
    TAKT_F(takt_spread_view)(TAKT_REAL *m, int size, int from_left)
{
    TAKT_F(TaktSpread) v;
    v.label = m + TAKT_SPREAD_HEAD;
    v.value = v.label + size;
    v.size = size;
    v.first = (int)m[TAKT_SPREAD_FIRST];
    v.count = (int)m[TAKT_SPREAD_COUNT];
    v.step = 2 * from_left - 1;
    v.sign = (TAKT_REAL)v.step;
    return v;
}

/* k is from -size to 2 size - 1. */
static inline int TAKT_F(takt_spread_wrap)(int k, int size)
{
    k += size & -takt_spread_is(k < 0);
    return k - (size & -takt_spread_is(k >= size));
}

/* The place of point i, counted from the end of the view. */
static inline int TAKT_F(takt_spread_place)(const TAKT_F(TaktSpread) * v, int i)
{
    const int far = (v->count - 1) & -takt_spread_is(v->step < 0);
    return TAKT_F(takt_spread_wrap)(v->first + far + v->step * i, v->size);
}

static inline TAKT_REAL TAKT_F(takt_spread_label)(const TAKT_F(TaktSpread) * v,
                                                  int i)
{
    return v->sign * v->label[TAKT_F(takt_spread_place)(v, i)];
}

static inline TAKT_REAL TAKT_F(takt_spread_value)(const TAKT_F(TaktSpread) * v,
                                                  int i)
{
    return v->value[TAKT_F(takt_spread_place)(v, i)];
}

/* The last point with a label of at most `at`; 0 if there is none. */
static inline int TAKT_F(takt_spread_find)(const TAKT_F(TaktSpread) * v,
                                           TAKT_REAL at)
{
    int low = 0, part = 1;
    while (2 * part < v->size)
        part *= 2;
    for (; part > 0; part /= 2) {
        const int is_there = takt_spread_is(low + part < v->count);
        const int k = low + (part & -is_there);
        low += part & -(is_there &
                        takt_spread_is(TAKT_F(takt_spread_label)(v, k) <= at));
    }
    return low;
}

/* The slope between points i and i + 1; 0 at a jump. */
static inline TAKT_REAL TAKT_F(takt_spread_slope)(const TAKT_F(TaktSpread) * v,
                                                  int i)
{
    const TAKT_REAL wide =
        TAKT_F(takt_spread_label)(v, i + 1) - TAKT_F(takt_spread_label)(v, i);
    const TAKT_REAL high =
        TAKT_F(takt_spread_value)(v, i + 1) - TAKT_F(takt_spread_value)(v, i);
    const TAKT_REAL is_wide = (TAKT_REAL)takt_spread_is(wide > 0);
    return is_wide * high / (wide + ((TAKT_REAL)1 - is_wide));
}

/* What is beyond the near end of the view is cut off there, and all but one of
 * the points beyond the far end go. */
static inline void TAKT_F(takt_spread_cut)(TAKT_F(TaktSpread) * v,
                                           TAKT_REAL near, TAKT_REAL far)
{
    int last = TAKT_F(takt_spread_find)(v, far) + 1;
    last -= takt_spread_is(last > v->count - 1);
    v->first += (v->count - 1 - last) & -takt_spread_is(v->step < 0);
    v->first = TAKT_F(takt_spread_wrap)(v->first, v->size);
    v->count = last + 1;

    const int i = TAKT_F(takt_spread_find)(v, near);
    const int k =
        i - takt_spread_is(i > v->count - 2); /* a line has two points */
    const TAKT_REAL label = TAKT_F(takt_spread_label)(v, i);
    const TAKT_REAL value = TAKT_F(takt_spread_value)(v, i);
    const int is_beyond = takt_spread_is(label < near);
    const TAKT_REAL way = (TAKT_REAL)is_beyond * (near - label);
    const TAKT_REAL slope =
        (TAKT_REAL)takt_spread_is(k == i) * TAKT_F(takt_spread_slope)(v, k);
    const int place = TAKT_F(takt_spread_place)(v, i);
    v->label[place] += v->sign * way;
    v->value[place] = value + slope * way;
    v->first += i & -takt_spread_is(v->step > 0);
    v->first = TAKT_F(takt_spread_wrap)(v->first, v->size);
    v->count -= i;
}

/* A point at the near end of the view. Where the last two are there already the
 * newer one is it. Returns whether there was no room for it. */
static inline int TAKT_F(takt_spread_push)(TAKT_F(TaktSpread) * v,
                                           TAKT_REAL label, TAKT_REAL value)
{
    const int second = takt_spread_is(v->count > 1);
    const int stands =
        second & takt_spread_is(TAKT_F(takt_spread_label)(v, 0) == label) &
        takt_spread_is(TAKT_F(takt_spread_label)(v, second) == label);
    const int is_full = takt_spread_is(v->count >= v->size);
    const int grows = 1 - (stands | is_full);
    v->first -= grows & takt_spread_is(v->step > 0);
    v->first = TAKT_F(takt_spread_wrap)(v->first, v->size);
    v->count += grows;
    const int place = TAKT_F(takt_spread_place)(v, 0);
    v->label[place] = v->sign * label;
    v->value[place] = value;
    return is_full & (1 - stands);
}

/* The fluid has come to x; `inflow` is what enters, at 0 if `positive`, else at
 * 1. */
static inline void TAKT_F(takt_spread_record)(TAKT_REAL *m, int size,
                                              TAKT_REAL x, TAKT_REAL time,
                                              TAKT_REAL inflow,
                                              TAKT_REAL positive)
{
    const int is_right = takt_spread_is(positive != 0);
    const TAKT_REAL right = (TAKT_REAL)is_right, left = (TAKT_REAL)1 - right;
    const TAKT_REAL past = time - m[TAKT_SPREAD_TIME];
    const TAKT_REAL moves = (TAKT_REAL)takt_spread_is(past > 0);
    m[TAKT_SPREAD_RATE] =
        moves * (x - m[TAKT_SPREAD_X]) / (past + ((TAKT_REAL)1 - moves)) +
        ((TAKT_REAL)1 - moves) * m[TAKT_SPREAD_RATE];
    m[TAKT_SPREAD_X] = x;
    m[TAKT_SPREAD_TIME] = time;
    TAKT_F(TaktSpread) v = TAKT_F(takt_spread_view)(m, size, is_right);
    const TAKT_REAL near = left * (x - (TAKT_REAL)1) - right * x;
    const TAKT_REAL far = right * ((TAKT_REAL)1 - x) + left * x;
    TAKT_F(takt_spread_cut)(&v, near, far);
    m[TAKT_SPREAD_LOST] +=
        (TAKT_REAL)TAKT_F(takt_spread_push)(&v, near, inflow);
    m[TAKT_SPREAD_FIRST] = (TAKT_REAL)v.first;
    m[TAKT_SPREAD_COUNT] = (TAKT_REAL)v.count;
}

/* The first points: `from` has npoint places from 0 to 1, then their values;
 * `inflow` waits at its end. At least two points, fewer than `size`. */
static inline void TAKT_F(takt_spread_begin)(TAKT_REAL *m, int size,
                                             TAKT_REAL x, TAKT_REAL time,
                                             TAKT_REAL inflow,
                                             TAKT_REAL positive,
                                             const TAKT_REAL *from, int npoint)
{
    m[TAKT_SPREAD_X] = x;
    m[TAKT_SPREAD_TIME] = time;
    m[TAKT_SPREAD_RATE] = 0;
    m[TAKT_SPREAD_FIRST] = 0;
    m[TAKT_SPREAD_COUNT] = (TAKT_REAL)npoint;
    m[TAKT_SPREAD_LOST] = 0;
    for (int i = 0; i < npoint; i++) {
        m[TAKT_SPREAD_HEAD + i] = from[i] - x;
        m[TAKT_SPREAD_HEAD + size + i] = from[npoint + i];
    }
    TAKT_F(takt_spread_record)(m, size, x, time, inflow, positive);
}

/* Part part / 2 of the line near the left (part even) or the right end, at the
 * place where that end will be at `time` if the flow goes on as before. */
static inline TAKT_REAL TAKT_F(takt_spread_read)(TAKT_REAL *m, int size,
                                                 TAKT_REAL time, int part)
{
    const int end = part % 2;
    const TAKT_REAL x =
        m[TAKT_SPREAD_X] + m[TAKT_SPREAD_RATE] * (time - m[TAKT_SPREAD_TIME]);
    if (part / 2 == TAKT_SPREAD_NONE_LEFT)
        return m[TAKT_SPREAD_LOST];
    TAKT_F(TaktSpread) v = TAKT_F(takt_spread_view)(m, size, 1);
    int i = TAKT_F(takt_spread_find)(&v, (TAKT_REAL)end - x);
    i -= takt_spread_is(i > v.count - 2);
    switch (part / 2) {
    case TAKT_SPREAD_ANCHOR: return TAKT_F(takt_spread_label)(&v, i + end);
    case TAKT_SPREAD_VALUE: return TAKT_F(takt_spread_value)(&v, i + end);
    default: return TAKT_F(takt_spread_slope)(&v, i);
    }
}

#endif
