/* takt_rt_start.h - a damped Newton iteration in the memory of its caller.
 *
 * For initialisation: bounded work, but not the same work always. The caller
 * evaluates the equations, this decides where:
 *
 *     takt_newton s;
 *     takt_newton_begin(&s, n, is_linear, room, order);
 *     s.x[i] = ...; s.nominal[i] = ...;
 *     for (;;) {
 *         unknowns = s.x; evaluate; s.f[i] = residuals;
 *         if (takt_newton_accept(&s)) {
 *             s.a[i * n + j] = entries of the Jacobian (the others are 0);
 *             takt_newton_direct(&s);
 *         }
 *         if (takt_newton_done(&s))
 *             break;
 *     }
 *     unknowns = s.x; s.status tells whether it got there.
 *
 * A step is halved until the residuals fall, or the next correction with the
 * same Jacobian would (the natural level of Deuflhard, Newton Methods for
 * Nonlinear Problems, 2004, 3.3). At most 200 directions with at most 34
 * halvings each. A correction that is nothing but rounding is not made: the
 * first such one, and one that is small and does not fall any more.
 * TAKT_REAL is double unless it is defined before.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_START_H
#define TAKT_RT_START_H

#include "takt_rt_base.h"

#ifndef TAKT_REAL
#define TAKT_REAL double
#endif

/* Numbers in `room` for n unknowns. */
#define TAKT_NEWTON_ROOM(n) ((n) * ((n) + 6))

enum {
    TAKT_NEWTON_RUNS = 0,
    TAKT_NEWTON_DONE = 1,
    TAKT_NEWTON_SINGULAR = -1,
    TAKT_NEWTON_NOT_FINITE = -2,
    TAKT_NEWTON_STUCK = -3
};

typedef struct takt_newton {
    int n, is_linear, status;
    int turn;     /* directions so far */
    int is_taken; /* the last point was accepted */
    int *order;   /* rows of the factors */
    TAKT_REAL *x, *base, *f, *delta, *nominal, *help;
    TAKT_REAL *a;                      /* Jacobian by rows, then its factors */
    TAKT_REAL factor, size, last, old; /* of corrections; of residuals */
} takt_newton;

static inline void takt_newton_begin(takt_newton *s, int n, int is_linear,
                                     TAKT_REAL *room, int *order)
{
    s->n = n;
    s->is_linear = is_linear;
    s->status = TAKT_NEWTON_RUNS;
    s->turn = 0;
    s->is_taken = 0;
    s->order = order;
    s->x = room;
    s->base = room + n;
    s->f = room + 2 * n;
    s->delta = room + 3 * n;
    s->nominal = room + 4 * n;
    s->help = room + 5 * n;
    s->a = room + 6 * n;
    s->factor = 1;
    s->size = 0;
    s->last = 0;
    s->old = 0;
}

static inline TAKT_REAL takt_newton_size(const takt_newton *s,
                                         const TAKT_REAL *v, int is_scaled)
{
    TAKT_REAL size = 0;
    for (int i = 0; i < s->n; i++) {
        TAKT_REAL one = v[i] < 0 ? -v[i] : v[i];
        const TAKT_REAL at = s->base[i] < 0 ? -s->base[i] : s->base[i];
        if (is_scaled)
            one /= at > s->nominal[i] ? at : s->nominal[i];
        if (!(one - one == 0))
            return one - one; /* not a number */
        size = one > size ? one : size;
    }
    return size;
}

/* Rows are exchanged for the largest pivot. Returns 0 if there is none. */
static inline int takt_newton_factor(takt_newton *s)
{
    const int n = s->n;
    for (int i = 0; i < n; i++)
        s->order[i] = i;
    for (int k = 0; k < n; k++) {
        int best = k;
        TAKT_REAL most = 0;
        for (int i = k; i < n; i++) {
            const TAKT_REAL v = s->a[s->order[i] * n + k];
            const TAKT_REAL size = v < 0 ? -v : v;
            if (size > most) {
                most = size;
                best = i;
            }
        }
        if (!(most > 0))
            return 0;
        const int row = s->order[best];
        s->order[best] = s->order[k];
        s->order[k] = row;
        for (int i = k + 1; i < n; i++) {
            TAKT_REAL *to = &s->a[s->order[i] * n];
            const TAKT_REAL m = to[k] / s->a[row * n + k];
            to[k] = m;
            for (int j = k + 1; j < n; j++)
                to[j] -= m * s->a[row * n + j];
        }
    }
    return 1;
}

/* x of a x = f */
static inline void takt_newton_solve(const takt_newton *s, TAKT_REAL *x)
{
    const int n = s->n;
    for (int i = 0; i < n; i++) {
        TAKT_REAL v = s->f[s->order[i]];
        for (int j = 0; j < i; j++)
            v -= s->a[s->order[i] * n + j] * x[j];
        x[i] = v;
    }
    for (int i = n - 1; i >= 0; i--) {
        TAKT_REAL v = x[i];
        for (int j = i + 1; j < n; j++)
            v -= s->a[s->order[i] * n + j] * x[j];
        x[i] = v / s->a[s->order[i] * n + i];
    }
}

/* Is the point good enough to go on from there? */
static inline int takt_newton_accept(takt_newton *s)
{
    const TAKT_REAL now = takt_newton_size(s, s->f, 0);
    const TAKT_REAL fall = 1 - s->factor / 4;
    const int finite = now == now;
    int yes = finite && (s->turn == 0 || now <= fall * s->old || !(now > 0) ||
                         s->is_linear);
    if (finite && !yes) {
        takt_newton_solve(s, s->help);
        const TAKT_REAL level = takt_newton_size(s, s->help, 1);
        yes = level <= fall * s->size;
    }
    if (!finite && s->turn == 0)
        s->status = TAKT_NEWTON_NOT_FINITE;
    s->is_taken = yes;
    if (yes) {
        s->old = now;
        for (int i = 0; i < s->n; i++)
            s->base[i] = s->x[i];
        for (int i = 0; i < s->n * s->n; i++)
            s->a[i] = 0;
    }
    return yes;
}

/* Below it a correction may be rounding. */
static inline TAKT_REAL takt_newton_near(void)
{
    return sizeof(TAKT_REAL) == 4 ? (TAKT_REAL)1e-3 : (TAKT_REAL)1e-7;
}

/* The correction from the present point. */
static inline void takt_newton_direct(takt_newton *s)
{
    const TAKT_REAL goal =
        sizeof(TAKT_REAL) == 4 ? (TAKT_REAL)1e-5 : (TAKT_REAL)1e-11;
    if (!takt_newton_factor(s)) {
        s->status = TAKT_NEWTON_SINGULAR;
        return;
    }
    takt_newton_solve(s, s->delta);
    s->last = s->size;
    s->size = takt_newton_size(s, s->delta, 1);
    s->factor = 1;
    s->turn++;
    if (!(s->size == s->size))
        s->status = TAKT_NEWTON_NOT_FINITE;
    else if (s->size <= goal || (s->turn > 1 && s->size < takt_newton_near() &&
                                 s->size > (TAKT_REAL)0.7 * s->last))
        s->status = TAKT_NEWTON_DONE;
    else if (s->turn > 200)
        s->status = TAKT_NEWTON_STUCK;
}

/* Chooses the next point; returns 1 if there is none. */
static inline int takt_newton_done(takt_newton *s)
{
    if (s->status == TAKT_NEWTON_RUNS && !s->is_taken) {
        s->factor /= 2;
        if (s->factor < (TAKT_REAL)1e-10) /* nothing is left but rounding? */
            s->status = s->size < takt_newton_near() ? TAKT_NEWTON_DONE
                                                     : TAKT_NEWTON_STUCK;
    }
    for (int i = 0; i < s->n && s->turn > 0; i++)
        s->x[i] = s->base[i];
    if (s->status != TAKT_NEWTON_RUNS)
        return 1;
    for (int i = 0; i < s->n; i++)
        s->x[i] -= s->factor * s->delta[i];
    return 0;
}

#endif
