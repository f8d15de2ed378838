/* trail.c - what a run went through, and how far two runs differ.
 *
 * All variables are compared at points of output, over their ranges: what
 * follows from states may be off by far more than they are (a quotient of two
 * that are hardly resolved, a small difference of large ones). A jump that
 * comes to one side of a point in one run and to the other in the next is no
 * difference: it takes several points in a row.
 *
 * A range of what follows from states, at once or at events, that shrinks with
 * the tolerance is none: an energy that is kept is compared by its size, and a
 * force that is zero but for errors by `nominal` or the largest of the same
 * unit, array or component.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "trail/trail_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_KEPT = 8000000, /* numbers; of longer runs every n-th row */
    IN_A_ROW = 3,        /* points that must differ */
    FEW_ROWS = 12,       /* and where there are less, one does */
};

/* Times the absolute tolerance: less is not resolved well; */
static const double FAINT = 1e4;
/* and times one: nobody means so little. */
static const double NOTHING = 1e-30;
/* Of what it was with ten times the tolerance: a range, or a size, that is no
 * more is made of errors. */
static const double SHRINKS = 0.5;
/* What would grow so many times while it is not resolved may come back. */
static const double GROWS = 1e4;

/* ---- what is kept ---- */

static bool is_watched(const Lowered *low, int i)
{
    const Inlined *d = low->inlined;
    return low->slot[i] != NONE && d->var[i].kind == IV_VALUE &&
           d->var[i].name[0] != '$';
}

/* "a.b." of a.b.c[2], "x[" of x[3] and x[3].y: variables of a component are
 * measured by each other, and elements. */
static const char *family_of(const char *name, Arena *arena)
{
    const char *end = strrchr(name, '.'), *bracket = strchr(name, '[');
    if (bracket && (!end || bracket < end))
        end = bracket;
    return end ? arena_printf(arena, "%.*s", (int)(end - name) + 1, name) : "";
}

/* The unit of a variable, or its family where it has none; "": neither. */
static const char *kind_of(const Inlined *d, int i, Arena *arena)
{
    int v = d->var[i].sys_var;
    const SysVar *x = v == NONE ? NULL : &d->sys->var[v];
    const char *unit = x && x->flat != NONE && d->var[i].order == 0
                           ? d->sys->flat->var[x->flat].unit
                           : "";
    return unit[0] && strcmp(unit, "1") != 0 ? unit
                                             : family_of(d->var[i].name, arena);
}

/* Of each variable the first one of its kind. */
static const int *find_groups(const Trail *a, const char **kind)
{
    int *group = NEW_ARRAY(a->arena, int, a->n + 1);
    for (int i = 0; i < a->n; i++) {
        group[i] = i;
        for (int j = 0; kind[i][0] && j < i; j++)
            if (group[j] == j && strcmp(kind[i], kind[j]) == 0) {
                group[i] = j;
                break;
            }
    }
    return group;
}

static void find_watched(Trail *a, const Sim *sim)
{
    const Lowered *low = sim->low;
    const Inlined *d = low->inlined;
    int most = d->sys->nvar + 1;
    int *slot = NEW_ARRAY(a->arena, int, most);
    int *slope = NEW_ARRAY(a->arena, int, most);
    bool *follows = NEW_ARRAY(a->arena, bool, most);
    bool *computed = NEW_ARRAY(a->arena, bool, most);
    double *nominal = NEW_ARRAY(a->arena, double, most);
    const char **kind = NEW_ARRAY(a->arena, const char *, most);
    a->name = NEW_ARRAY(a->arena, const char *, most);
    for (int i = 0; i < d->sys->nvar; i++) {
        if (!is_watched(low, i))
            continue;
        int rate = d->var[i].is_discrete ? NONE : inlined_find(d, i, 1);
        slot[a->n] = low->slot[i];
        slope[a->n] = rate == NONE ? NONE : low->slot[rate];
        follows[a->n] = !d->var[i].is_discrete && rate == NONE;
        computed[a->n] = follows[a->n] ||
                         (d->var[i].is_discrete && d->var[i].type == ET_REAL);
        nominal[a->n] = inlined_nominal(d, i);
        kind[a->n] = kind_of(d, i, a->arena);
        a->name[a->n++] = d->var[i].name;
    }
    a->slot = slot;
    a->slope = slope;
    a->follows = follows;
    a->computed = computed;
    a->nominal = nominal;
    a->group = find_groups(a, kind);
}

Trail *trail_begin(const Sim *sim, double rtol, Arena *arena)
{
    Trail *a = NEW(arena, Trail);
    a->arena = arena;
    a->rtol = rtol;
    find_watched(a, sim);
    double *resolved = NEW_ARRAY(arena, double, a->n + 1);
    for (int i = 0; i < a->n; i++)
        resolved[i] = a->follows[i] || a->slope[i] != NONE
                          ? 1e-3 * rtol * a->nominal[i]
                          : 0;
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

/* What follows from time alone is the same in every run. */
int trail_rows(const Trail *a)
{
    bool is_any = false;
    for (int i = 0; i < a->n && !is_any; i++)
        is_any = !a->follows[i];
    return is_any ? a->time.n : 0;
}

/* ---- how far two runs differ ---- */

static double at(const Trail *a, int row, int i)
{
    return a->value.at[(long)row * a->n + i];
}

/* At least a millionth of its size. */
static double range_of(const Trail *a, int i)
{
    double least = INFINITY, most = -INFINITY;
    for (int k = 0; k < a->time.n; k++) {
        least = fmin(least, at(a, k, i));
        most = fmax(most, at(a, k, i));
    }
    double size = fmax(fabs(least), fabs(most));
    return fmax(most - least, 1e-6 * size);
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
    if (a->follows[i])
        return false;
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

/* The largest size of the group of each variable, in its first one. */
static double *find_sizes(const Trail *a)
{
    double *size = NEW_ARRAY(a->arena, double, a->n + 1);
    for (int i = 0; i < a->n; i++)
        size[a->group[i]] = fmax(size[a->group[i]], size_of(a, i));
    return size;
}

/* What is lost of the largest of a kind says nothing of the others, whatever
 * their sizes. */
static double floor_of(const Trail *a, int i, const double *all)
{
    return a->computed[i]
               ? fmax(a->resolved[i], 1e-2 * a->rtol * all[a->group[i]]) /
                     TRAIL_DIFFERS
               : a->resolved[i];
}

/* What differences of variable i are measured by: its range, if that is one, or
 * its size, or those of its kind. `b` has the smaller tolerance where only the
 * absolute ones differ. */
static double scale_of(const Trail *a, const Trail *b, int i, const double *all)
{
    const Trail *tight = a->rtol < b->rtol ? a : b;
    const Trail *loose = tight == a ? b : a;
    double range = range_of(tight, i), other = range_of(loose, i);
    double size = size_of(tight, i);
    bool is_range = range > SHRINKS * other && range >= 10 * a->rtol * size;
    if (is_range || !a->computed[i])
        return fmax(fmax(range, other), floor_of(a, i, all));
    if (size > SHRINKS * size_of(loose, i))
        return size;
    return fmax(a->nominal[i], all[a->group[i]]);
}

/* The same of one that is `faint`: its range, however small. */
static double faint_scale(const Trail *a, const Trail *b, int i)
{
    return fmax(range_of(a, i), range_of(b, i));
}

/* What no run can tell is no difference; what only one can is. */
static double off_by(double x, double y, double scale)
{
    bool is_one = isfinite(x), is_other = isfinite(y);
    return is_one && is_other ? fabs(x - y) / scale : is_one != is_other;
}

/* How far two runs are apart in variable i, over its scale; *row is the first
 * point where they are so, or by TRAIL_DIFFERS. `off` has room for all points.
 */
static double difference(const Trail *a, const Trail *b, int i, double scale,
                         double *off, int *row)
{
    int n = a->time.n < b->time.n ? a->time.n : b->time.n;
    scale = fmax(scale, 1e-300);
    for (int k = 0; k < n; k++)
        off[k] = off_by(at(a, k, i), at(b, k, i), scale);
    double most = most_of(off, n);
    for (*row = 0; *row + 1 < n; ++*row)
        if (off_by(at(a, *row, i), at(b, *row, i), scale) >=
            fmin(most, TRAIL_DIFFERS))
            break;
    return most;
}

/* The variable that differs most, of those that follow from others or of the
 * rest. */
static TrailDifference largest(const Trail *a, const Trail *b, bool faint,
                               bool follows)
{
    TrailDifference found = {.follows = follows};
    double *off = NEW_ARRAY(a->arena, double, a->time.n + 1);
    const double *all = find_sizes(a);
    for (int i = 0; i < a->n; i++) {
        int row = 0;
        if (a->follows[i] != follows || (faint && !is_faint(a, i)))
            continue;
        double scale = faint ? faint_scale(a, b, i) : scale_of(a, b, i, all);
        double share = difference(a, b, i, scale, off, &row);
        if (found.name && !(share > found.share))
            continue;
        found.name = a->name[i];
        found.share = share;
        found.time = a->time.at[row];
        found.size = size_of(a, i);
        found.beside = all[a->group[i]];
    }
    return found;
}

TrailDifference trail_compare(const Trail *a, const Trail *b, bool faint)
{
    TrailDifference x = largest(a, b, faint, false);
    if (faint || x.share > TRAIL_DIFFERS)
        return x; /* others differ as states do */
    TrailDifference y = largest(a, b, false, true);
    return y.name && !(y.share <= x.share) ? y : x;
}

TrailDifference trail_compare_followers(const Trail *a, const Trail *b)
{
    return largest(a, b, false, true);
}

double trail_least(const Trail *a)
{
    double least = INFINITY;
    for (int i = 0; i < a->n; i++)
        if (a->least[i] > 0)
            least = fmin(least, a->least[i]);
    return least;
}
