/* box_run.c - a point of the box as a run: values that are set, and inputs as a
 * table on the grid of the step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tuning/box.h"

enum { MOST_ROWS = 100000 };

typedef enum Shape { SHAPE_OWN, SHAPE_JUMP, SHAPE_SINE, SHAPE_SQUARE } Shape;

/* One input of a run. */
typedef struct Signal {
    int var;
    double from, to, when, frequency;
    Shape shape;
    const Table *own; /* of the scenario, NULL: constant */
    int column;
    double low, high; /* of that column */
} Signal;

static double value_at(const Axis *a, double x)
{
    return a->is_log ? a->low * pow(a->high / a->low, x)
                     : a->low + x * (a->high - a->low);
}

/* The scenario's signal, stretched from its range to the levels. */
static double own_value(const Signal *s, double time, double step)
{
    if (!s->own || s->column == NONE || !(s->high > s->low))
        return s->from;
    double x = table_at(s->own, s->column, 0, time, time + 1e-3 * step);
    return s->from + (s->to - s->from) * (x - s->low) / (s->high - s->low);
}

static double signal_at(const Signal *s, const Box *b, double time, double stop)
{
    const double pi = 3.14159265358979323846;
    double phase = s->frequency * (time - b->start);
    switch (s->shape) {
    case SHAPE_OWN: return own_value(s, time, b->step);
    case SHAPE_JUMP:
        return time - b->start < s->when * (stop - b->start) ? s->from : s->to;
    case SHAPE_SINE:
        return 0.5 * (s->from + s->to) +
               0.5 * (s->to - s->from) * sin(2 * pi * phase);
    default: return phase - floor(phase) < 0.5 ? s->from : s->to;
    }
}

static void see_column(Signal *s)
{
    s->low = INFINITY;
    s->high = -INFINITY;
    for (int i = 0; s->own && s->column != NONE && i < s->own->nrow; i++) {
        double x = s->own->value[i * s->own->ncol + s->column];
        s->low = fmin(s->low, x);
        s->high = fmax(s->high, x);
    }
}

static Signal *find_signals(const Box *b, const double *x, const Table *own,
                            int *n, Arena *arena)
{
    Signal *s = NEW_ARRAY(arena, Signal, b->axis.n + 1);
    *n = 0;
    for (int i = 0; i < b->axis.n; i++) {
        const Axis *a = &b->axis.at[i];
        double v = value_at(a, x[i]);
        if (isnan(v)) /* all coordinates of an input are, or none */
            continue;
        switch (a->kind) {
        case AXIS_FROM:
            s[(*n)++] = (Signal){.var = a->var, .from = v, .own = own};
            break;
        case AXIS_TO: s[*n - 1].to = v; break;
        case AXIS_SHAPE: s[*n - 1].shape = (Shape)fmin(floor(v), 3); break;
        case AXIS_WHEN: s[*n - 1].when = v; break;
        case AXIS_FREQUENCY: s[*n - 1].frequency = v; break;
        default: break;
        }
    }
    const Sys *sys = b->c->sys;
    for (int i = 0; i < *n; i++) {
        s[i].column = own ? table_column(own, sys->var[s[i].var].name) : NONE;
        see_column(&s[i]);
    }
    return s;
}

/* Columns of the scenario's table that are not varied are copied. */
static const Table *make_table(const Box *b, const double *x, const Table *own,
                               double stop, Arena *arena)
{
    int n;
    const Signal *s = find_signals(b, x, own, &n, arena);
    const Sys *sys = b->c->sys;
    if (n == 0)
        return own;
    double steps = fmin(ceil((stop - b->start) / b->step), MOST_ROWS);
    Table *t = NEW(arena, Table);
    int most = n + 1 + (own ? own->ncol : 0);
    t->name = NEW_ARRAY(arena, const char *, most);
    int *from = NEW_ARRAY(arena, int, most);
    t->name[t->ncol++] = "time";
    for (int i = 0; i < n; i++)
        t->name[t->ncol++] = sys->var[s[i].var].name;
    for (int i = 0; own && i < own->ncol; i++)
        if (table_column(t, own->name[i]) == NONE) {
            from[t->ncol] = i;
            t->name[t->ncol++] = own->name[i];
        }
    t->nrow = (int)steps + 1;
    t->value = NEW_ARRAY(arena, double, (size_t)t->nrow *(size_t)t->ncol);
    for (int k = 0; k < t->nrow; k++) {
        double *row = &t->value[(size_t)k * (size_t)t->ncol];
        double time = b->start + (stop - b->start) * k / steps;
        row[0] = time;
        for (int i = 0; i < n; i++) {
            double u = signal_at(&s[i], b, time, stop);
            row[1 + i] =
                sys->var[s[i].var].type == FT_REAL ? u : floor(u + 0.5);
        }
        for (int i = n + 1; i < t->ncol; i++)
            row[i] = table_at(own, from[i], 0, time, time + 1e-3 * b->step);
    }
    return t;
}

static void put(BoxRun *r, int var, double value)
{
    for (int i = 0; i < r->nset; i++)
        if (r->set[i].var == var) {
            r->set[i].value = value;
            return;
        }
    r->set[r->nset++] = (SysSet){var, value};
}

static int scenario_of(const Box *b, const double *x)
{
    const Axis *a = &b->axis.at[0];
    if (a->kind != AXIS_SCENARIO || isnan(x[0]))
        return 0;
    int k = (int)floor(value_at(a, x[0]));
    return k < b->spec->nscenario ? k : b->spec->nscenario - 1;
}

BoxRun box_run(const Box *b, const double *x, int nominal, Arena *arena)
{
    const Sys *sys = b->c->sys;
    BoxRun r = {.scenario = x ? scenario_of(b, x) : nominal, .stop = b->stop};
    const SampleScenario *s = &b->spec->scenario[r.scenario];
    r.input = b->table[r.scenario];
    if (s->stop > 0)
        r.stop = s->stop;
    r.set = NEW_ARRAY(arena, SysSet, s->nset + sys->nset + b->axis.n + 1);
    for (int i = 0; i < s->nset; i++)
        r.set[r.nset++] = s->set[i];
    for (int i = 0; i < sys->nset; i++)
        put(&r, sys->set[i].var, sys->set[i].value);
    for (int i = 0; x && i < b->axis.n; i++) {
        const Axis *a = &b->axis.at[i];
        double v = value_at(a, x[i]);
        if (isnan(v))
            continue;
        if (a->kind == AXIS_PARAMETER || a->kind == AXIS_START)
            put(&r, a->var, v);
        else if (a->kind == AXIS_LENGTH)
            r.stop = b->start +
                     ceil(v * (b->stop - b->start) / b->step - 1e-9) * b->step;
    }
    if (x)
        r.input = make_table(b, x, r.input, r.stop, arena);
    return r;
}

static const char *signal_text(const Signal *s, const char *name, Arena *arena)
{
    switch (s->shape) {
    case SHAPE_OWN:
        return s->column == NONE
                   ? arena_printf(arena, "%s = %.3g", name, s->from)
                   : arena_printf(arena, "%s as given, from %.3g to %.3g", name,
                                  s->from, s->to);
    case SHAPE_JUMP:
        return arena_printf(arena,
                            "%s jumps from %.3g to %.3g at %.3g of the "
                            "run",
                            name, s->from, s->to, s->when);
    case SHAPE_SINE:
        return arena_printf(arena, "%s is a sine of %.3g Hz, %.3g to %.3g",
                            name, s->frequency, s->from, s->to);
    default:
        return arena_printf(arena,
                            "%s is a square wave of %.3g Hz, %.3g to "
                            "%.3g",
                            name, s->frequency, s->from, s->to);
    }
}

enum { MOST_SAID = 8 };

const char *box_text(const Box *b, const double *x, Arena *arena)
{
    const Sys *sys = b->c->sys;
    int n, said = 0;
    BoxRun r = box_run(b, x, 0, arena);
    const Signal *s = find_signals(b, x, b->table[r.scenario], &n, arena);
    const char *text = b->spec->nscenario > 1
                           ? arena_printf(arena, "scenario '%s', ",
                                          b->spec->scenario[r.scenario].name)
                           : "";
    for (int i = 0; i < n; i++, said++)
        if (said < MOST_SAID)
            text = arena_printf(
                arena, "%s%s, ", text,
                signal_text(&s[i], sys->var[s[i].var].name, arena));
    for (int i = 0; i < b->axis.n; i++) {
        const Axis *a = &b->axis.at[i];
        if ((a->kind != AXIS_PARAMETER && a->kind != AXIS_START) || isnan(x[i]))
            continue;
        if (said++ < MOST_SAID)
            text = arena_printf(arena, "%s%s%s = %.3g, ", text,
                                a->kind == AXIS_START ? "start of " : "",
                                sys->var[a->var].name, value_at(a, x[i]));
    }
    if (said > MOST_SAID)
        text = arena_printf(arena, "%s%d more, ", text, said - MOST_SAID);
    return arena_printf(arena, "%sto %.4g s", text, r.stop);
}
