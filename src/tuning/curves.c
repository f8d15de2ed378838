/* curves.c - recording and comparing. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/curves.h"

#include <math.h>
#include <string.h>

Curves *curves_new(const Tape *tape, const char *const *name, int n,
                   Arena *arena)
{
    Curves *c = NEW(arena, Curves);
    c->arena = arena;
    c->name = NEW_ARRAY(arena, const char *, n + 1);
    c->symbol = NEW_ARRAY(arena, const TapeSymbol *, n + 1);
    for (int i = 0; i < n; i++) {
        const TapeSymbol *s = tape_find_symbol(tape, name[i]);
        if (!s)
            continue;
        c->name[c->n] = name[i];
        c->symbol[c->n++] = s;
    }
    return c;
}

void curves_row(Curves *c, const Exec *exec, double time)
{
    if (c->time.n > 0 && time <= c->time.at[c->time.n - 1]) {
        c->time.n--; /* an event: the values after it count */
        c->value.n -= c->n;
    }
    vec_push(c->arena, &c->time, time);
    for (int i = 0; i < c->n; i++)
        vec_push(c->arena, &c->value, exec_value(exec, c->symbol[i]));
}

int curves_find(const Curves *c, const char *name)
{
    for (int i = 0; i < c->n; i++)
        if (!strcmp(c->name[i], name))
            return i;
    return NONE;
}

/* The reference at `time`; *at is a place that only moves forward. */
static double interpolate(const Curves *c, int curve, double time, int *at)
{
    while (*at + 1 < c->time.n && c->time.at[*at + 1] < time)
        (*at)++;
    int a = *at, b = a + 1 < c->time.n ? a + 1 : a;
    double ya = c->value.at[a * c->n + curve];
    double yb = c->value.at[b * c->n + curve];
    double ta = c->time.at[a], tb = c->time.at[b];
    if (!(tb > ta))
        return ya;
    double share = (time - ta) / (tb - ta);
    return ya + fmin(fmax(share, 0), 1) * (yb - ya);
}

double curves_range(const Curves *c, int curve)
{
    double low = INFINITY, high = -INFINITY, size = 0;
    for (int k = 0; k < c->time.n; k++) {
        double y = c->value.at[k * c->n + curve];
        low = fmin(low, y);
        high = fmax(high, y);
        size = fmax(size, fabs(y));
    }
    double range = high - low;
    return range > 1e-9 * fmax(size, 1) ? range : fmax(size, 1e-9);
}

static const double OF_ARRAY = 0.01;

/* A name without its subscripts. */
static const char *array_of(const char *name, Arena *arena)
{
    char *text = NEW_ARRAY(arena, char, (int)strlen(name) + 1);
    int n = 0, depth = 0;
    for (const char *p = name; *p; p++) {
        depth += *p == '[';
        if (depth == 0)
            text[n++] = *p;
        depth -= *p == ']' && depth > 0;
    }
    return text;
}

const double *curves_ranges(const Curves *c, Arena *arena)
{
    double *range = NEW_ARRAY(arena, double, c->n + 1);
    const char **array = NEW_ARRAY(arena, const char *, c->n + 1);
    for (int i = 0; i < c->n; i++) {
        range[i] = curves_range(c, i);
        array[i] = array_of(c->name[i], arena);
    }
    for (int i = 0; i < c->n; i++)
        for (int k = 0; k < c->n; k++)
            if (!strcmp(array[i], array[k]))
                range[i] = fmax(range[i], OF_ARRAY * range[k]);
    return range;
}

Curves *curves_extrapolated(const Curves *coarse, const Curves *fine,
                            double ratio, Arena *arena)
{
    Curves *c = NEW(arena, Curves);
    *c = (Curves){.arena = arena,
                  .n = coarse->n,
                  .name = coarse->name,
                  .symbol = coarse->symbol};
    int *at = NEW_ARRAY(arena, int, c->n + 1);
    for (int k = 0; k < coarse->time.n; k++) {
        double t = coarse->time.at[k];
        vec_push(arena, &c->time, t);
        for (int i = 0; i < c->n; i++) {
            double y = interpolate(fine, i, t, &at[i]);
            double x = coarse->value.at[k * c->n + i];
            vec_push(arena, &c->value, y + (y - x) / (ratio - 1));
        }
    }
    return c;
}

Deviation curves_deviation(const Curves *run, const Curves *reference)
{
    Deviation d = {.curve = NONE};
    Arena *work = arena_new();
    const double *ranges = curves_ranges(reference, work);
    for (int i = 0; i < run->n; i++) {
        int r = curves_find(reference, run->name[i]);
        if (r == NONE || reference->time.n == 0)
            continue;
        double range = ranges[r];
        int at = 0;
        for (int k = 0; k < run->time.n; k++) {
            double t = run->time.at[k];
            double y = run->value.at[k * run->n + i];
            double e = fabs(y - interpolate(reference, r, t, &at)) / range;
            if (!isfinite(y))
                e = INFINITY;
            if (d.curve == NONE || 100 * e > d.percent)
                d = (Deviation){.percent = 100 * e, .curve = i, .time = t};
        }
    }
    arena_free(work);
    double end =
        reference->time.n ? reference->time.at[reference->time.n - 1] : 0;
    d.complete = run->time.n > 0 && run->time.at[run->time.n - 1] >=
                                        end - 1e-6 * (fabs(end) + 1e-6);
    return d;
}
