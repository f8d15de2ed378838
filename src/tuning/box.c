/* box.c - the axes of the box: what can be varied, and how far. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/box.h"

#include <math.h>
#include <string.h>

#define PARAMETER_SPREAD 1.1
#define START_SPREAD     0.2
#define MOST_LENGTH      3.0
/* Numbers beyond it stand for infinity, or for "not given". */
#define NO_NUMBER 1e30
/* min and max that are farther apart than this many times the value say what is
 * possible, not where a model is used. */
#define WIDE 100.0

typedef struct Maker {
    Box *b;
    const Sys *sys;
    const AttackRange *range;
    int nrange;
    bool *is_used; /* of each range */
    double *value; /* of each variable of the Sys, at the start */
} Maker;

static Axis *add_axis(Maker *m, AxisKind kind, int var, double low, double high)
{
    Axis a = {kind, var, low, high, false, false};
    a.is_log = (kind == AXIS_PARAMETER || kind == AXIS_FREQUENCY) &&
               low * high > 0 && high / low < 1e6;
    vec_push(m->b->c->arena, &m->b->axis, a);
    return &vec_last(&m->b->axis);
}

/* ---- ranges ---- */

/* The range that the user gives a variable. */
static bool given_range(Maker *m, int var, double *low, double *high)
{
    for (int i = 0; i < m->nrange; i++) {
        int sign, v = sys_find_var(m->sys, m->range[i].name);
        if (v == NONE || sys_resolve(m->sys, v, &sign) != var)
            continue;
        *low = sign > 0 ? m->range[i].low : -m->range[i].high;
        *high = sign > 0 ? m->range[i].high : -m->range[i].low;
        m->is_used[i] = true;
        return true;
    }
    return false;
}

/* An attribute, NaN where there is none. */
static double attribute(const Maker *m, Expr e)
{
    SysPoint at = {m->value, m->b->start, true};
    return e == EXPR_NONE ? NAN
                          : expr_eval(m->sys->dag, e, sys_leaf_value, &at);
}

/* What a range is measured by: the value; of 0 `nominal`, or 1. */
static double size_of(const Maker *m, const SysVar *v, double low, double high)
{
    double size = fmax(fabs(low), fabs(high));
    double nominal = fabs(attribute(m, v->nominal));
    return size > 0 ? size : nominal > 0 ? nominal : 1;
}

/* *low to *high no further than min and max, where one of them is given. */
static void stay_within(const Maker *m, int var, double *low, double *high)
{
    double min = attribute(m, m->sys->var[var].min);
    double max = attribute(m, m->sys->var[var].max);
    if (isfinite(min) && *low < min)
        *low = fmin(min, *high);
    if (isfinite(max) && *high > max)
        *high = fmax(max, *low);
}

/* min and max where both are given and near, which is true, else *low to *high
 * within the one that is. */
static bool attribute_range(const Maker *m, int var, double *low, double *high)
{
    const SysVar *v = &m->sys->var[var];
    double min = attribute(m, v->min), max = attribute(m, v->max);
    if (isfinite(min) && isfinite(max) && max > min &&
        max - min <= WIDE * size_of(m, v, *low, *high)) {
        *low = min;
        *high = max;
        return true;
    }
    stay_within(m, var, low, high);
    return false;
}

/* ---- parameters and start values ---- */

/* Slots that the step reads, and what they are computed from. */
static bool *find_read(const Step *s, Arena *arena)
{
    const Tape *t = s->lowered->tape;
    const Inlined *d = s->inlined;
    bool *read = NEW_ARRAY(arena, bool, t->nslot + 1);
    int slot[3];
    for (int k = 0; k < d->ncycle; k++) {
        const TapeSegment *run = &s->lowered->system[d->cycle[k]].run;
        for (int i = run->first; i < run->first + run->count; i++)
            for (int j = tape_reads(&t->code.at[i], slot) - 1; j >= 0; j--)
                read[slot[j]] = true;
    }
    const TapeSegment *param = tape_find_segment(t, "param");
    for (int i = param ? param->count - 1 : -1; i >= 0; i--) {
        const TapeInstr *in = &t->code.at[param->first + i];
        if (tape_writes(in) == NONE || !read[in->dst])
            continue;
        for (int j = tape_reads(in, slot) - 1; j >= 0; j--)
            read[slot[j]] = true;
    }
    return read;
}

/* Is it protected? Such parameters are the model's own numbers, of which no
 * other part has others: rows of a transformation, angles of a symmetry. */
static bool is_inner(const Maker *m, const SysVar *v)
{
    return v->flat != NONE && m->b->c->flat->var[v->flat].is_protected;
}

static void add_parameters(Maker *m, const Step *s)
{
    const Tape *t = s->lowered->tape;
    const bool *read = find_read(s, m->b->c->arena);
    for (int i = 0; i < m->sys->nvar; i++) {
        const SysVar *v = &m->sys->var[i];
        if (v->role != SR_PARAMETER || v->type != FT_REAL || !v->is_tunable)
            continue;
        double x = m->value[i], low, high;
        bool is_given = given_range(m, i, &low, &high), is_declared = is_given;
        const TapeSymbol *symbol =
            is_given ? NULL : tape_find_symbol(t, v->name);
        if (!is_given) {
            if (is_inner(m, v) || !symbol || !read[symbol->slot] ||
                !(fabs(x) < NO_NUMBER))
                continue;
            low = x > 0 ? x / PARAMETER_SPREAD : x * PARAMETER_SPREAD;
            high = x > 0 ? x * PARAMETER_SPREAD : x / PARAMETER_SPREAD;
            is_declared = attribute_range(m, i, &low, &high);
        }
        if (low < high)
            add_axis(m, AXIS_PARAMETER, i, low, high)->is_declared =
                is_declared;
    }
}

static void add_starts(Maker *m)
{
    const Dae *d = m->b->c->dae;
    for (int i = 0; i < d->nstate; i++) {
        int var = d->state[i].var;
        double x = m->value[var], low, high;
        if (d->state[i].order > 0)
            continue;
        if (!given_range(m, var, &low, &high)) {
            if (x == 0 || !isfinite(x) || m->sys->var[var].start == EXPR_NONE)
                continue;
            low = x - START_SPREAD * fabs(x);
            high = x + START_SPREAD * fabs(x);
            stay_within(m, var, &low, &high);
        }
        if (low < high)
            add_axis(m, AXIS_START, var, low, high);
    }
}

/* ---- inputs ---- */

/* What the scenarios have of an input. */
static void input_range(const Maker *m, int var, double *low, double *high)
{
    const Box *b = m->b;
    *low = *high = m->value[var];
    bool first = true;
    for (int k = 0; k < b->spec->nscenario; k++) {
        const Table *t = b->table[k];
        int col = t ? table_column(t, m->sys->var[var].name) : NONE;
        for (int i = 0; col != NONE && i < t->nrow; i++) {
            double x = t->value[i * t->ncol + col];
            *low = first ? x : fmin(*low, x);
            *high = first ? x : fmax(*high, x);
            first = false;
        }
    }
}

static void add_input(Maker *m, int var)
{
    const Box *b = m->b;
    double low, high, given_low, given_high;
    bool is_real = m->sys->var[var].type == FT_REAL;
    input_range(m, var, &low, &high);
    double width = high > low ? high - low : fabs(low);
    low -= width;
    high += width;
    if (given_range(m, var, &given_low, &given_high)) {
        low = given_low;
        high = given_high;
    } else if (is_real) {
        attribute_range(m, var, &low, &high);
    } else {
        low = 0, high = m->sys->var[var].type == FT_BOOLEAN;
    }
    if (!(low < high))
        return;
    double length = b->stop - b->start;
    add_axis(m, AXIS_FROM, var, low, high);
    add_axis(m, AXIS_TO, var, low, high);
    add_axis(m, AXIS_SHAPE, var, 0, 4);
    add_axis(m, AXIS_WHEN, var, 0, 1);
    add_axis(m, AXIS_FREQUENCY, var, 1 / length,
             fmax(0.1 / b->step, 2 / length));
}

/* ---- the box ---- */

static bool read_tables(Box *b)
{
    Compilation *c = b->c;
    b->table = NEW_ARRAY(c->arena, const Table *, b->spec->nscenario + 1);
    for (int i = 0; i < b->spec->nscenario; i++) {
        bool fine;
        b->table[i] =
            tuning_scenario_input(c, &b->spec->scenario[i], c->diag, &fine);
        if (!fine)
            return false;
    }
    return true;
}

static bool check_ranges(const Maker *m)
{
    for (int i = 0; i < m->nrange; i++)
        if (!m->is_used[i]) {
            diag_report(m->b->c->diag, NO_SPAN, DIAG_E1512,
                        "--range: '%s' is no input, no parameter that can be "
                        "set and no state",
                        m->range[i].name);
            return false;
        }
    return true;
}

Box *box_make(Compilation *c, const SampleSpec *spec, const Step *step,
              const AttackRange *range, int nrange)
{
    Box *b = NEW(c->arena, Box);
    *b = (Box){.c = c,
               .spec = spec,
               .start = c->start,
               .stop = isnan(spec->stop) ? c->stop : spec->stop,
               .step = c->size};
    Maker m = {.b = b, .sys = c->sys, .range = range, .nrange = nrange};
    m.value = NEW_ARRAY(c->arena, double, c->sys->nvar + 1);
    m.is_used = NEW_ARRAY(c->arena, bool, nrange + 1);
    sys_start_values(c->sys, c->sys->set, c->sys->nset, m.value, NULL);
    if (!read_tables(b))
        return NULL;
    if (spec->nscenario > 1)
        add_axis(&m, AXIS_SCENARIO, NONE, 0, spec->nscenario);
    add_axis(&m, AXIS_LENGTH, NONE, 1, MOST_LENGTH);
    for (int i = 0; i < c->sys->nvar; i++)
        if (c->sys->var[i].role == SR_INPUT)
            add_input(&m, i);
    add_parameters(&m, step);
    add_starts(&m);
    return check_ranges(&m) ? b : NULL;
}
