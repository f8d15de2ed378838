/* trail.c - what a run went through, and how far two runs differ.
 *
 * States, variables that could be some, and discrete ones are compared at
 * points of output, over their ranges. A jump that comes to one side of a point
 * in one run and to the other in the next is no difference: it takes several
 * points in a row.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "trail/trail.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_KEPT = 4000000, /* numbers; of longer runs every n-th row */
    IN_A_ROW = 3,        /* points that must differ */
    FEW_ROWS = 12,       /* and where there are less, one does */
};

/* Times the absolute tolerance: less is not resolved well; */
static const double FAINT = 1e4;
/* and times one: nobody means so little. */
static const double NOTHING = 1e-30;
/* What would grow so many times while it is not resolved may come back. */
static const double GROWS = 1e4;

struct Trail {
    int n;
    const int *slot;
    const char **name;
    const double *resolved; /* absolute tolerance: less is nothing */
    const int *slope;       /* slots; NONE */
    double *rate;           /* x'/x at the last row; 0: it is resolved there */
    double *grown;          /* the integral of it where it is not */
    double *least;          /* nonzero size so far */
    bool *sinks;            /* it would grow again, unseen */
    int nth;                /* row is kept */
    Vec(double) value;      /* n per row */
    Vec(double) time;
    Arena *arena;
};

/* ---- what is kept ---- */

static bool is_watched(const Lowered *low, int i)
{
    const Inlined *d = low->inlined;
    return low->slot[i] != NONE && d->var[i].kind == IV_VALUE &&
           d->var[i].name[0] != '$' &&
           (d->var[i].is_discrete || inlined_find(d, i, 1) != NONE);
}

Trail *trail_begin(const Sim *sim, double rtol, Arena *arena)
{
    const Lowered *low = sim->low;
    const Inlined *d = low->inlined;
    Trail *a = NEW(arena, Trail);
    int *slot = NEW_ARRAY(arena, int, d->sys->nvar + 1);
    double *resolved = NEW_ARRAY(arena, double, d->sys->nvar + 1);
    int *slope = NEW_ARRAY(arena, int, d->sys->nvar + 1);
    a->arena = arena;
    a->name = NEW_ARRAY(arena, const char *, d->sys->nvar + 1);
    for (int i = 0; i < d->sys->nvar; i++) {
        if (!is_watched(low, i))
            continue;
        slot[a->n] = low->slot[i];
        a->name[a->n] = d->var[i].name;
        int rate = d->var[i].is_discrete ? NONE : inlined_find(d, i, 1);
        slope[a->n] = rate == NONE ? NONE : low->slot[rate];
        resolved[a->n] =
            d->var[i].is_discrete ? 0 : 1e-3 * rtol * inlined_nominal(d, i);
        a->n++;
    }
    a->slot = slot;
    a->slope = slope;
    a->resolved = resolved;
    a->rate = NEW_ARRAY(arena, double, a->n + 1);
    a->grown = NEW_ARRAY(arena, double, a->n + 1);
    a->least = NEW_ARRAY(arena, double, a->n + 1);
    a->sinks = NEW_ARRAY(arena, bool, a->n + 1);
    double all = (double)a->n * (double)(sim_nstep(&sim->options) + 1);
    a->nth = 1 + (int)fmin(all / MOST_KEPT, 1e9);
    return a;
}

/* A state that falls below its absolute tolerance is noise there, and steps are
 * as long as they like: those of implicit methods damp what grows. By its slope
 * it would come back. */
static void see_sinking(Trail *a, const Sim *sim, int i, double length)
{
    double x = sim->exec->r[a->slot[i]];
    double slope = a->slope[i] == NONE ? NAN : sim->exec->r[a->slope[i]];
    if (!(fabs(x) > NOTHING) || !isfinite(slope) || fabs(x) >= a->resolved[i]) {
        a->rate[i] = a->grown[i] = 0;
        return;
    }
    double rate = slope / x;
    a->least[i] = a->least[i] > 0 ? fmin(a->least[i], fabs(x)) : fabs(x);
    a->grown[i] = fmax(0, a->grown[i] + 0.5 * (rate + a->rate[i]) * length);
    a->rate[i] = rate;
    a->sinks[i] |= a->grown[i] > log(GROWS);
}

void trail_row(Trail *a, const Sim *sim, double time)
{
    if (sim->k % a->nth != 0)
        return;
    double length = a->time.n > 0 ? time - a->time.at[a->time.n - 1] : 0;
    vec_push(a->arena, &a->time, time);
    for (int i = 0; i < a->n; i++) {
        vec_push(a->arena, &a->value, sim->exec->r[a->slot[i]]);
        see_sinking(a, sim, i, length);
    }
}

int trail_rows(const Trail *a)
{
    return a->n == 0 ? 0 : a->time.n;
}

/* ---- how far two runs differ ---- */

static double at(const Trail *a, int row, int i)
{
    return a->value.at[(long)row * a->n + i];
}

/* What differs by less than the absolute tolerance differs by nothing, unless
 * one is after what is `faint`. */
static double range_of(const Trail *a, int i, bool faint)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < a->time.n; k++) {
        least = fmin(least, at(a, k, i));
        most = fmax(most, at(a, k, i));
    }
    double size = fmax(fabs(least), fabs(most));
    return fmax(most - least, fmax(1e-6 * size, faint ? 0 : a->resolved[i]));
}

static double size_of(const Trail *a, int i)
{
    double size = 0;
    for (int k = 0; k < a->time.n; k++)
        size = fmax(size, fabs(at(a, k, i)));
    return size;
}

/* Does it begin below the absolute tolerance, and not stay there? What grows
 * from there depends on what it began with. */
static bool emerges(const Trail *a, int i)
{
    double start = fabs(at(a, 0, i));
    return start > NOTHING && start < a->resolved[i];
}

static bool is_faint(const Trail *a, int i)
{
    double size = size_of(a, i);
    return (size > NOTHING && size < FAINT * a->resolved[i]) || emerges(a, i) ||
           a->sinks[i];
}

/* The size that has to be resolved. */
static double faint_size(const Trail *a, int i)
{
    return a->sinks[i]     ? a->least[i]
           : emerges(a, i) ? fabs(at(a, 0, i))
                           : size_of(a, i);
}

double trail_faintest(const Trail *a)
{
    double least = INFINITY;
    for (int i = 0; i < a->n; i++)
        if (is_faint(a, i))
            least = fmin(least, faint_size(a, i));
    return least;
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The most that IN_A_ROW points in a row, or a hundredth of all n, have of
 * off[]. Sorts it. */
static double most_of(double *off, int n)
{
    int width = n < FEW_ROWS ? 1 : IN_A_ROW;
    int many = n / 100 > width ? n / 100 : width;
    double most = 0;
    for (int k = 0; k + width <= n; k++) {
        double least = INFINITY;
        for (int j = k; j < k + width; j++)
            least = fmin(least, off[j]);
        most = fmax(most, least);
    }
    qsort(off, (size_t)n, sizeof *off, by_size);
    return n >= many ? fmax(most, off[n - many]) : most;
}

/* How far two runs are apart in variable i, over its range; *row is the first
 * point where they are so, or by TRAIL_DIFFERS. `off` has room for all points.
 */
static double difference(const Trail *a, const Trail *b, int i, bool faint,
                         double *off, int *row)
{
    int n = a->time.n < b->time.n ? a->time.n : b->time.n;
    double range =
        fmax(fmax(range_of(a, i, faint), range_of(b, i, faint)), 1e-300);
    for (int k = 0; k < n; k++)
        off[k] = fabs(at(a, k, i) - at(b, k, i)) / range;
    double most = most_of(off, n);
    for (*row = 0; *row + 1 < n; ++*row)
        if (fabs(at(a, *row, i) - at(b, *row, i)) / range >=
            fmin(most, TRAIL_DIFFERS))
            break;
    return most;
}

TrailDifference trail_compare(const Trail *a, const Trail *b, bool faint)
{
    TrailDifference found = {0};
    double *off = NEW_ARRAY(a->arena, double, a->time.n + 1);
    for (int i = 0; i < a->n; i++) {
        int row = 0;
        if (faint && !is_faint(a, i))
            continue;
        double share = difference(a, b, i, faint, off, &row);
        if (found.name && !(share > found.share))
            continue;
        found = (TrailDifference){a->name[i], share, a->time.at[row]};
    }
    return found;
}
