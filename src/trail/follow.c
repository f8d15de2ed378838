/* follow.c - errors of states in variables that follow from them.
 *
 * With y(x - e) - y(x), by the model itself with its relations held: e by the
 * errors of steps, and by these and what late events have cost. Discrete Reals
 * (the sum of a controller) have errors of their own that are displaced as
 * well. What is off at one point only may be a corner: the second largest
 * counts.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "trail/follow.h"

#include <math.h>
#include <string.h>

#include "sim/sim_parts.h"
#include "trail/trail_internal.h"

/* Looks along the run, and more of them where variables move by STEEP of all
 * they did before from one row to the next: what lasts a few steps lies between
 * the others. FIRST of these may come at once. */
enum { LOOKS = 200, FIRST = 50, MORE = 200 };
static const double STEEP = 0.05;

/* Errors of more than this share of a range, or of a size, are not measured by
 * it. */
static const double IS_ERROR = 0.5;
/* Of the largest of its kind, and of `nominal`: less is nothing. */
static const double NOTHING = 1e-5, LEAST = 1e-7;

typedef struct Off {
    double worst, next; /* errors */
    double time;        /* of the worst */
} Off;

typedef struct Followed {
    double min, max;       /* seen */
    Off off[FOLLOW_KINDS]; /* by errors of steps, and all */
} Followed;

struct Follow {
    const Trail *all;
    const Lowered *low;
    Exec *exec;
    double *base; /* of each variable, with states as they are */
    Followed *seen;
    double *last; /* values at the row before */
    double start, length;
    long nlook, nsteep;
};

static bool may_look(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    const ExprFunction *f;
    for (int i = 0; (f = dag_function(d->dag, i)); i++)
        if (f->foreign)
            return false;
    return d->dae && d->event != NONE && d->estimate.running && s->nset == 0 &&
           d->dae->nstate > 0 && !dag_has_impure(d->dag);
}

static Follow *begin(const Sim *s, Arena *arena)
{
    if (!may_look(s))
        return NULL;
    Follow *f = NEW(arena, Follow);
    *f = (Follow){.all = trail_begin(s, 1e-6, arena),
                  .low = s->low,
                  .exec = exec_new(s->low->tape),
                  .start = s->options.start,
                  .length = s->options.stop - s->options.start};
    f->base = NEW_ARRAY(arena, double, f->all->n + 1);
    f->last = NEW_ARRAY(arena, double, f->all->n + 1);
    f->seen = NEW_ARRAY(arena, Followed, f->all->n + 1);
    for (int i = 0; i < f->all->n; i++)
        f->seen[i] = (Followed){.min = INFINITY, .max = -INFINITY};
    return f;
}

void follow_free(Follow *f)
{
    if (f)
        exec_free(f->exec);
}

/* States, discrete Reals, and what delay() reads, without their errors. */
static void take_errors_out(Follow *f, const Sim *s, FollowKind kind)
{
    const Inlined *d = f->low->inlined;
    double *r = f->exec->r;
    sim_take_errors_out(s, kind == FOLLOW_ALL, r);
    for (int i = 0; d->ndelay > 0 && i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind == IV_DELAY && v->c == 1 && f->low->slot[i] != NONE &&
            d->delay[v->relation].past == IP_DELAY)
            r[f->low->slot[i]] += s->delay[v->relation].past.off_now;
    }
}

/* The model at the present point of the run, with its errors (FOLLOW_KINDS) or
 * without. */
static bool evaluate(Follow *f, const Sim *s, FollowKind without)
{
    const Lowered *low = f->low;
    memcpy(f->exec->r, s->exec->r,
           (size_t)low->tape->nslot * sizeof *f->exec->r);
    f->exec->r[low->sampling] = 0;
    if (without != FOLLOW_KINDS)
        take_errors_out(f, s, without);
    exec_reset_status(f->exec);
    exec_run(f->exec, &low->system[low->inlined->event].run);
    return f->exec->code == STATUS_FINE;
}

static void see_error(Off *x, double error, double time)
{
    if (error > x->worst) {
        x->next = x->worst;
        x->worst = error;
        x->time = time;
    } else if (error > x->next) {
        x->next = error;
    }
}

static void look(Follow *f, const Sim *s, double time)
{
    const Trail *a = f->all;
    if (!evaluate(f, s, FOLLOW_KINDS))
        return;
    for (int i = 0; i < a->n; i++)
        f->base[i] = f->exec->r[a->slot[i]];
    for (FollowKind kind = 0; kind < FOLLOW_KINDS; kind++) {
        if (!evaluate(f, s, kind))
            continue;
        for (int i = 0; i < a->n; i++)
            if (a->computed[i])
                see_error(&f->seen[i].off[kind],
                          fabs(f->exec->r[a->slot[i]] - f->base[i]), time);
    }
}

/* Returns whether one that follows from states has moved much. */
static bool see_values(Follow *f, const Sim *s)
{
    const Trail *a = f->all;
    bool is_steep = false;
    for (int i = 0; i < a->n; i++) {
        Followed *x = &f->seen[i];
        double value = s->exec->r[a->slot[i]];
        double range = x->max - x->min; /* -INFINITY: the first row */
        is_steep |= a->computed[i] && range > 0 &&
                    fabs(value - f->last[i]) > STEEP * range;
        f->last[i] = value;
        x->min = fmin(x->min, value);
        x->max = fmax(x->max, value);
    }
    return is_steep;
}

void follow_row(Follow **f, const Sim *s, long row, double time, Arena *arena)
{
    if (row == 0) {
        follow_free(*f);
        *f = begin(s, arena);
    }
    Follow *x = *f;
    if (!x)
        return;
    bool is_steep = see_values(x, s);
    double part = x->length > 0 ? (time - x->start) / x->length : 0;
    if (row == 0)
        return;
    if (x->nlook < part * LOOKS) {
        look(x, s, time);
        x->nlook++;
    } else if (is_steep && x->nsteep < FIRST + MORE * part) {
        look(x, s, time);
        x->nsteep++;
    }
}

static double size_of(const Followed *x)
{
    return fmax(fabs(x->min), fabs(x->max));
}

/* By what its errors are measured. */
static double scale_of(const Follow *f, int i, FollowKind of, const double *all)
{
    const Followed *x = &f->seen[i];
    double range = x->max - x->min, size = size_of(x);
    double kind = all[f->all->group[i]], off = x->off[of].next;
    double scale = off < IS_ERROR * range  ? range
                   : off < IS_ERROR * size ? size
                                           : fmax(f->all->nominal[i], kind);
    return fmax(scale, fmax(NOTHING * kind, LEAST * f->all->nominal[i]));
}

TrailDifference follow_worst(const Follow *f, FollowKind kind)
{
    TrailDifference found = {0};
    if (!f)
        return found;
    const Trail *a = f->all;
    double *all = NEW_ARRAY(a->arena, double, a->n + 1);
    for (int i = 0; i < a->n; i++)
        all[a->group[i]] = fmax(all[a->group[i]], size_of(&f->seen[i]));
    for (int i = 0; i < a->n; i++) {
        const Off *x = &f->seen[i].off[kind];
        double share = x->next / scale_of(f, i, kind, all);
        if (!a->computed[i] || !(share > found.share))
            continue;
        found.name = a->name[i];
        found.follows = a->follows[i];
        found.share = share;
        found.time = x->time;
    }
    return found;
}

const char *follow_why(const TrailDifference *x)
{
    return x->follows ? "makes much of small errors" : "is set at events";
}
