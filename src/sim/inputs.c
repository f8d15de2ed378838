/* inputs.c - inputs from a table, and the past of delayed expressions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

/* --- inputs
 * ---------------------------------------------------------------------- */

static int find_column(Sim *s, const SysVar *v)
{
    const Table *t = s->options.input;
    if (!t)
        return NONE;
    int column = table_column(t, v->name);
    if (column == NONE)
        diag_report(s->diag, v->span, DIAG_E1313,
                    "the input file has no column for the input '%s'", v->name);
    return column;
}

bool sim_find_inputs(Sim *s)
{
    const Diff *d = s->low->diff;
    const Table *t = s->options.input;
    Vec(SimInput) found = {0};
    if (t && (t->ncol < 2 || table_column(t, "time") == NONE || t->nrow == 0)) {
        diag_report(s->diag, NO_SPAN, DIAG_E1314,
                    "the input file needs a column 'time', one for each input "
                    "and at least one line of numbers");
        return false;
    }
    for (int i = 0; i < d->nvar; i++) {
        const DiffVar *v = &d->var[i];
        if (v->kind != DV_INPUT || s->low->slot[i] == NONE)
            continue;
        SimInput in = {s->low->slot[i],
                       find_column(s, &d->sys->var[v->sys_var]), v->order,
                       v->c};
        vec_push(s->arena, &found, in);
    }
    s->input = found.at;
    s->ninput = found.n;
    if (found.n > 0 && !t)
        diag_report(s->diag, d->sys->flat->span, DIAG_W1315,
                    "the model has inputs and no --input file was given: they "
                    "keep their start values");
    return !diag_failed(s->diag);
}

/* The value of a column at time t, linear between the lines and constant
 * outside of them; of two lines at the same time the later one counts. */
static double table_value(const Table *t, int column, int order, double time)
{
    int c = table_column(t, "time");
    int low = 0, high = t->nrow - 1;
    if (time >= t->value[high * t->ncol + c])
        return order ? 0 : t->value[high * t->ncol + column];
    if (time < t->value[c])
        return order ? 0 : t->value[column];
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (t->value[mid * t->ncol + c] <= time)
            low = mid;
        else
            high = mid;
    }
    double t0 = t->value[low * t->ncol + c], t1 = t->value[high * t->ncol + c];
    double y0 = t->value[low * t->ncol + column];
    double y1 = t->value[high * t->ncol + column];
    double slope = (y1 - y0) / (t1 - t0);
    if (order > 0)
        return order == 1 ? slope : 0;
    return y0 + slope * (time - t0);
}

/* --- delays
 * ----------------------------------------------------------------------- */

/* The recorded value at `time`: linear between points, the first one before. */
static double past_value(const SimDelay *d, double time)
{
    if (d->time.n == 0)
        return 0;
    if (time <= d->time.at[0])
        return d->value.at[0];
    int low = 0, high = d->time.n - 1;
    if (time >= d->time.at[high])
        return d->value.at[high];
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (d->time.at[mid] <= time)
            low = mid;
        else
            high = mid;
    }
    double w = (time - d->time.at[low]) / (d->time.at[high] - d->time.at[low]);
    return d->value.at[low] + w * (d->value.at[high] - d->value.at[low]);
}

bool sim_begin_delays(Sim *s, double time)
{
    bool changed = false;
    for (int i = 0; i < s->low->diff->ndelay; i++) {
        SimDelay *d = &s->delay[i];
        double value = s->exec->r[s->low->delay_now[i]];
        changed |= d->time.n == 0 || d->value.at[0] != value;
        d->time.n = d->value.n = 0;
        vec_push(s->arena, &d->time, time);
        vec_push(s->arena, &d->value, value);
    }
    return changed;
}

void sim_record_delays(Sim *s, double time)
{
    for (int i = 0; i < s->low->diff->ndelay; i++) {
        SimDelay *d = &s->delay[i];
        vec_push(s->arena, &d->time, time);
        vec_push(s->arena, &d->value, s->exec->r[s->low->delay_now[i]]);
    }
}

void sim_set_inputs(Sim *s, double old, double new)
{
    const Diff *d = s->low->diff;
    double *r = s->exec->r;
    for (int i = 0; i < s->ninput; i++) {
        const SimInput *in = &s->input[i];
        if (in->column != NONE)
            r[in->slot] = table_value(s->options.input, in->column, in->order,
                                      old + in->c * (new - old));
    }
    for (int i = 0; d->ndelay > 0 && i < d->nvar; i++) {
        const DiffVar *v = &d->var[i];
        if (v->kind != DV_DELAY || s->low->slot[i] == NONE)
            continue;
        double time = old + v->c * (new - old);
        double delay = r[s->low->delay_time[v->relation]];
        r[s->low->slot[i]] =
            past_value(&s->delay[v->relation], time - fmax(delay, 0));
    }
}
