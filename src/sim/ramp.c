/* ramp.c - a pre-simulation, where no iteration finds the start.
 *
 * A circuit at rest has a trivial solution: sources off, devices off, all
 * potentials 0. Its sources are turned up smoothly while its states move, and
 * are held until it has settled; what it has then is where the initial system
 * is tried again (Cellier, Kofman 8.11). Here the start values x0 are what the
 * model is at rest at: every block of equations F(x) = 0 becomes
 *
 *     F(x) = share F(x0),     share from 1 to 0
 *
 * and the states follow their slopes by linearly implicit steps,
 *
 *     (1/h - df/dx) dx = f(x),     h ever longer as long as that works:
 *
 * where a path of solutions ends in a fold, the states leave it, as those of
 * the device would. Time and discrete variables stand still, relations follow.
 * What comes out is a guess: it is the initial system that has the last word.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "sim/sim_internal.h"

enum {
    MOST_STATES = 200,
    MOST_MODES = 20, /* moves of relations at one point */
    WHILE_RAMPED = 3,
    HELD = 300, /* steps of the states at most */
};

static const double LEAST_SHARE = 1e-4; /* it falls by at least this */
static const double SETTLED = 1e-9;

typedef struct Ramp {
    Sim *s;
    int n;
    int *x, *slope; /* slots */
    double *nominal;
    double *f, *dx, *jac;
    int *pivot;
    double *kept; /* all slots at the last point that was solved */
    double h;
} Ramp;

static bool begin(Ramp *p)
{
    const Sim *s = p->s;
    const Inlined *d = s->low->inlined;
    Arena *a = s->scratch;
    p->n = d->dae->nstate;
    if (p->n > MOST_STATES || s->nset > 0)
        return false;
    p->x = NEW_ARRAY(a, int, p->n + 1);
    p->slope = NEW_ARRAY(a, int, p->n + 1);
    p->nominal = NEW_ARRAY(a, double, p->n + 1);
    p->f = NEW_ARRAY(a, double, p->n + 1);
    p->dx = NEW_ARRAY(a, double, p->n + 1);
    p->jac = NEW_ARRAY(a, double, p->n * p->n + 1);
    p->pivot = NEW_ARRAY(a, int, p->n + 1);
    p->kept = NEW_ARRAY(a, double, s->low->tape->nslot);
    for (int k = 0; k < p->n; k++) {
        const DaeState *x = &d->dae->state[k];
        int value = inlined_find(d, x->var, x->order);
        int slope = inlined_find(d, x->var, x->order + 1);
        if (value == NONE || slope == NONE || s->low->slot[value] == NONE ||
            s->low->slot[slope] == NONE)
            return false;
        p->x[k] = s->low->slot[value];
        p->slope[k] = s->low->slot[slope];
        p->nominal[k] = inlined_nominal(d, value);
    }
    return true;
}

static void keep(const Ramp *p)
{
    memcpy(p->kept, p->s->exec->r,
           (size_t)p->s->low->tape->nslot * sizeof(double));
}

static void go_back(const Ramp *p)
{
    memcpy(p->s->exec->r, p->kept,
           (size_t)p->s->low->tape->nslot * sizeof(double));
}

static bool run(const Ramp *p)
{
    Sim *s = p->s;
    exec_reset_status(s->exec);
    return exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
}

/* The model at the present states, with relations that agree. */
static bool solve(const Ramp *p)
{
    bool fine = run(p);
    for (int k = 0; fine && k < MOST_MODES; k++) {
        if (!sim_move_modes(p->s, false, k == 0 ? LOOK_FIRST : LOOK_NEXT))
            break;
        fine = run(p);
    }
    for (int k = 0; fine && k < p->n; k++)
        fine = isfinite(p->s->exec->r[p->slope[k]]);
    return fine;
}

static double size_of(const Ramp *p, int k)
{
    return p->nominal[k] + fabs(p->kept[p->x[k]]);
}

/* 1/h - df/dx by differences, from the point that is kept; relations held. */
static bool find_matrix(const Ramp *p)
{
    double *r = p->s->exec->r;
    int n = p->n;
    for (int j = 0; j < n; j++) {
        double d = 1e-7 * size_of(p, j);
        go_back(p);
        r[p->x[j]] += d;
        if (!run(p))
            return false;
        for (int i = 0; i < n; i++)
            p->jac[i + j * n] = (i == j ? 1 / p->h : 0) -
                                (r[p->slope[i]] - p->kept[p->slope[i]]) / d;
    }
    go_back(p);
    return true;
}

/* The largest change of a state by the step; INFINITY: there is none. */
static double move(Ramp *p)
{
    double *r = p->s->exec->r, largest = 0;
    keep(p);
    for (int k = 0; k < p->n; k++)
        p->dx[k] = r[p->slope[k]];
    if (!find_matrix(p) || !dense_lu_factor(p->n, p->jac, p->pivot))
        return INFINITY;
    dense_lu_solve(p->n, p->jac, p->pivot, p->dx, 1);
    for (int k = 0; k < p->n; k++) {
        r[p->x[k]] += p->dx[k];
        largest = fmax(largest, fabs(p->dx[k]) / size_of(p, k));
    }
    return isfinite(largest) && largest < 10 && solve(p) ? largest : INFINITY;
}

static double first_step(const Ramp *p)
{
    double fastest = 1e-30;
    for (int k = 0; k < p->n; k++)
        fastest =
            fmax(fastest, fabs(p->s->exec->r[p->slope[k]]) / p->nominal[k]);
    return 1e-2 / fastest;
}

/* Steps of the states. Returns false where none works. */
static bool settle(Ramp *p, int most)
{
    p->h = p->h > 0 ? fmin(p->h, first_step(p)) : first_step(p);
    for (int k = 0, calm = 0; p->n > 0 && k < most && calm < 3; k++) {
        double moved = move(p);
        if (isfinite(moved)) {
            p->h = fmin(2 * p->h, 1e30);
            calm = moved < SETTLED ? calm + 1 : 0;
        } else {
            go_back(p);
            p->h /= 8;
            if (!(p->h > 1e-60))
                return false;
        }
    }
    return true;
}

/* The right-hand sides go; the states follow. */
static bool turn_up(Ramp *p)
{
    double share = 1, fall = 0.02;
    while (share > 0) {
        keep(p);
        double next = fmax(share - fall, 0);
        exec_ramp(p->s->exec, next);
        if (solve(p)) {
            share = next;
            fall = fmin(2 * fall, 0.05);
        } else {
            go_back(p);
            exec_ramp(p->s->exec, share);
            fall /= 4;
            if (fall < LEAST_SHARE || !solve(p))
                return false;
        }
        if (!settle(p, WHILE_RAMPED))
            return false;
    }
    return settle(p, HELD);
}

/* Values of continuous unknowns, in a start that is otherwise as it was. */
static void take_values(const Ramp *p)
{
    const Inlined *d = p->s->low->inlined;
    double *r = p->s->exec->r;
    keep(p);
    memcpy(r, p->s->saved, (size_t)p->s->low->tape->nslot * sizeof(double));
    for (int i = 0; i < d->nvar; i++) {
        int slot = p->s->low->slot[i];
        if (d->var[i].kind == IV_VALUE && d->var[i].stage == DIFF_END &&
            !d->var[i].is_discrete && slot != NONE)
            r[slot] = p->kept[slot];
    }
}

bool sim_ramp(Sim *s)
{
    Ramp p = {.s = s};
    if (!s->low->inlined->dae || s->low->inlined->event == NONE || !begin(&p))
        return false;
    memcpy(s->exec->r, s->saved, (size_t)s->low->tape->nslot * sizeof(double));
    exec_begin_ramp(s->exec);
    bool fine = run(&p);
    exec_ramp(s->exec, 1);
    fine = fine && solve(&p) && turn_up(&p);
    exec_end_ramp(s->exec);
    exec_reset_status(s->exec);
    if (fine)
        take_values(&p);
    return fine;
}
