/* inputs.c - inputs from a table, and the past of delayed expressions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "point/point_parts.h"

/* ---- inputs ---- */

/* Says that the table has no column for an input. A table is linear between its
 * lines, so that a first derivative has jumps and a second one does not exist.
 */
static void report_column(Sim *s, const SysVar *v)
{
    if (v->input_order < 2) {
        diag_report(s->diag, v->span, DIAG_E1313,
                    "the input file has no column for the input '%s'", v->name);
        return;
    }
    const char *u = s->low->inlined->sys->var[v->target].name;
    diag_report(s->diag, v->span, DIAG_E1316,
                "'%s' is needed, and '%s' is linear between the lines of the "
                "input file, where it has no such derivative: give a column "
                "for it, or for the derivative before it",
                v->name, u);
}

/* An input that changes at events only. */
static bool is_discrete(const Sim *s, const SysVar *v)
{
    const Flat *f = s->low->inlined->sys->flat;
    return v->flat != NONE && f->var[v->flat].variability == FV_DISCRETE;
}

static TableInput find_column(Sim *s, const SysVar *v)
{
    const Table *t = s->options.input;
    TableInput in = {.column = NONE};
    if (!table_find_input(t, v->name, &in)) {
        if (!s->options.live_inputs)
            report_column(s, v);
        return in;
    }
    in.is_whole = v->type != FT_REAL;
    in.is_boolean = v->type == FT_BOOLEAN;
    in.is_held = in.is_whole || is_discrete(s, v);
    int bad = table_bad_line(t, &in);
    if (bad != NONE)
        diag_report(s->diag, v->span, DIAG_E1317,
                    "line %d of the numbers of the input file has %g for the "
                    "input '%s', which is not %s",
                    bad + 1, t->value[bad * t->ncol + in.column], v->name,
                    in.is_boolean ? "0 or 1"
                    : in.is_whole ? "a whole number of 32 bits"
                                  : "finite");
    return in;
}

/* The lines of the table at which an input jumps or bends. */
static const bool *find_sharp(const Sim *s)
{
    const Table *t = s->options.input;
    bool *sharp = NEW_ARRAY(s->arena, bool, t->nrow);
    for (int k = 0; k < s->ninput; k++) {
        const SimInput *in = &s->input[k];
        if (!in->is_given || in->c != 1 || in->order > 0)
            continue;
        double range = table_range(t, in->from.column);
        for (int i = 0; i < t->nrow; i++)
            sharp[i] |= table_is_sharp(t, &in->from, range, i);
    }
    return sharp;
}

bool sim_find_inputs(Sim *s)
{
    const Inlined *d = s->low->inlined;
    const Table *t = s->options.input;
    Vec(SimInput) found = {0};
    if (t && (t->ncol < 2 || table_column(t, "time") == NONE || t->nrow == 0)) {
        diag_report(s->diag, NO_SPAN, DIAG_E1314,
                    "the input file needs a column 'time', one for each input "
                    "and at least one line of numbers");
        return false;
    }
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_INPUT || s->low->slot[i] == NONE)
            continue;
        SimInput in = {.slot = s->low->slot[i],
                       .is_given = t != NULL,
                       .order = v->order,
                       .c = v->c};
        if (t) {
            in.from = find_column(s, &d->sys->var[v->sys_var]);
            in.is_given = in.from.column != NONE;
        }
        vec_push(s->arena, &found, in);
    }
    s->input = found.at;
    s->ninput = found.n;
    if (t && !diag_failed(s->diag))
        s->sharp = find_sharp(s);
    if (found.n > 0 && !t && !s->options.live_inputs)
        diag_report(s->diag, d->sys->flat->span, DIAG_W1315,
                    "the model has inputs and no --input file was given: they "
                    "keep their start values");
    return !diag_failed(s->diag);
}

double sim_next_jump(const Sim *s, double from, double to)
{
    const Table *t = s->options.input;
    if (!t || s->ninput == 0)
        return to;
    int c = table_column(t, "time");
    for (int i = table_line(t, from) + 1; i < t->nrow; i++) {
        double at = t->value[i * t->ncol + c];
        if (!(at < to))
            break;
        if (s->sharp[i])
            return at;
    }
    return to;
}

bool sim_is_bent(const Sim *s, double time)
{
    const Table *t = s->options.input;
    if (!t || s->ninput == 0)
        return false;
    int i = table_line(t, time);
    return i != NONE && s->sharp[i] &&
           t->value[i * t->ncol + table_column(t, "time")] == time;
}

/* ---- delays ---- */

/* Steps follow the tolerance, what they read of the past may not. */
static void note_past(Sim *s, const Past *d, double time, double value)
{
    double off = fabs(past_finer(d, time) - value);
    double ratio = off / (s->options.rtol * d->size);
    if (d->size > 0 && ratio > s->stats.delay_off) {
        s->stats.delay_off = ratio;
        s->stats.delay_time = s->exec->r[s->low->tape->time];
    }
}

/* The number that IP_SPREAD number i has noted with place `at`. */
static double noted(const Sim *s, int at)
{
    return s->exec->r[s->low->delay_now[at]];
}

/* Returns whether it begins otherwise than before. */
static bool begin_spread(Sim *s, int i, double time)
{
    const InlinedDelay *d = s->low->inlined->delay;
    SpreadMemory *m = &s->delay[i].spread, before = {0};
    int n = d[i].npoint, first = inlined_spread_first(d, i);
    double *from = NEW_ARRAY(s->scratch, double, 2 * n + 1);
    for (int k = 0; k < 2 * n; k++)
        from[k] = noted(s, first + k);
    for (int k = 0; k < m->n; k++)
        vec_push(s->scratch, &before, m->at[k]);
    spread_begin(m, noted(s, i), time, noted(s, inlined_spread_inflow(i)),
                 noted(s, inlined_spread_side(i)) != 0, from, n, s->arena);
    return before.n != m->n ||
           memcmp(before.at, m->at, (size_t)m->n * sizeof *m->at) != 0;
}

static void record_spread(Sim *s, int i, double time)
{
    spread_record(&s->delay[i].spread, noted(s, i), time,
                  noted(s, inlined_spread_inflow(i)),
                  noted(s, inlined_spread_side(i)) != 0, s->arena);
}

double sim_spread_while(const Sim *s, int i)
{
    const double most = 0.05; /* of the pipe */
    return spread_while(&s->delay[i].spread, most);
}

bool sim_begin_delays(Sim *s, double time)
{
    bool changed = false;
    for (int i = 0; i < s->low->inlined->ndelay; i++) {
        Past *d = &s->delay[i].past;
        if (s->low->inlined->delay[i].past == IP_SPREAD)
            changed |= begin_spread(s, i, time);
        if (s->low->inlined->delay[i].past != IP_DELAY)
            continue;
        double value = s->exec->r[s->low->delay_now[i]];
        changed |= d->time.n == 0 || d->value.at[0] != value;
        d->time.n = d->value.n = d->error.n = d->jump.n = 0;
        vec_push(s->arena, &d->time, time);
        vec_push(s->arena, &d->value, value);
    }
    return changed;
}

void sim_record_delays(Sim *s, double time)
{
    for (int i = 0; i < s->low->inlined->ndelay; i++) {
        Past *d = &s->delay[i].past;
        if (s->low->inlined->delay[i].past == IP_SPREAD)
            record_spread(s, i, time);
        if (s->low->inlined->delay[i].past != IP_DELAY)
            continue;
        vec_push(s->arena, &d->time, time);
        vec_push(s->arena, &d->value, s->exec->r[s->low->delay_now[i]]);
        d->size = fmax(d->size, fabs(s->exec->r[s->low->delay_now[i]]));
    }
}

/* Less than `time`, also where the slack is lost in rounding. */
static double before(double time, double slack)
{
    double x = time - slack;
    return x < time ? x : nextafter(time, -INFINITY);
}

bool sim_jump_inputs(Sim *s)
{
    const Table *t = s->options.input;
    if (!t || s->ninput == 0)
        return false;
    double time = s->exec->r[s->low->tape->time];
    double slack = 1e-7 * s->options.step;
    int left = table_line(t, before(time, slack));
    int right = table_line(t, time + slack);
    bool jumps = table_has_jump(t, left + 1, right), changed = false;
    for (int i = 0; left < right && i < s->ninput; i++) {
        const SimInput *in = &s->input[i];
        if (!in->is_given || in->c != 1 ||
            (in->order + in->from.order == 0 && !in->from.is_held && !jumps))
            continue; /* at a bend only derivatives jump, and what is held */
        double *slot = &s->exec->r[in->slot];
        double value =
            table_input_at(t, &in->from, in->order, time, time + slack);
        changed |= *slot != value;
        *slot = value;
    }
    s->jumped = changed ? time : s->jumped;
    return changed;
}

/* On which side of a jump at `time` in a step from `old` to `new` the inputs
 * are: before it, unless it happened when the step began (sim_jump_inputs). */
double sim_input_side(const Sim *s, double time, double old, double new)
{
    double slack = 1e-7 * (new - old);
    if (!(time > old))
        return time + slack;
    return fmax(before(time, slack), old + 1e-7 * s->options.step);
}

void sim_set_inputs(Sim *s, double old, double new)
{
    const Inlined *d = s->low->inlined;
    double *r = s->exec->r;
    for (int i = 0; i < s->ninput; i++) {
        const SimInput *in = &s->input[i];
        double time = old + in->c * (new - old);
        if (in->is_given)
            r[in->slot] =
                table_input_at(s->options.input, &in->from, in->order, time,
                               sim_input_side(s, time, old, new));
    }
    for (int i = 0; d->ndelay > 0 && i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_DELAY || s->low->slot[i] == NONE)
            continue;
        double time = old + v->c * (new - old);
        if (d->delay[v->relation].past == IP_SPREAD) {
            r[s->low->slot[i]] =
                spread_read(&s->delay[v->relation].spread, time, v->back);
            continue;
        }
        double delay = r[s->low->delay_time[v->relation]];
        const Past *past = &s->delay[v->relation].past;
        double then = time - fmax(delay, 0);
        r[s->low->slot[i]] = past_value(past, then, s->has_smooth_past);
        if (s->control && !d->delay[v->relation].is_discrete)
            note_past(s, past, then, r[s->low->slot[i]]);
    }
}
