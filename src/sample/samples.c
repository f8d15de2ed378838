/* samples.c - points of a run, and their values for any method. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "sample/samples.h"

#include <math.h>
#include <string.h>

#include "spread/spread.h"

double sample_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

Samples *samples_new(const Inlined *none, Arena *arena)
{
    Samples *s = NEW(arena, Samples);
    s->inlined = none;
    s->arena = arena;
    return s;
}

/* ---- during a run ---- */

double *sample_times(const SampleSpec *spec, double start, double stop,
                     int scenario, Arena *arena)
{
    double *time = NEW_ARRAY(arena, double, spec->count + 1);
    uint64_t seed = 0x9e3779b97f4a7c15u * (spec->seed + 1u) +
                    (uint64_t)scenario * 0x2545f4914f6cdd1du;
    seed = seed ? seed : 1;
    double part = (stop - start) / (spec->count > 1 ? spec->count - 1 : 1);
    for (int i = 0; i < spec->count; i++) {
        double jitter = sample_random(&seed);
        bool is_end = i == 0 || i == spec->count - 1;
        time[i] = start + part * (i + (is_end ? 0 : 0.3 * jitter));
    }
    return time;
}

static void keep(SampleRun *run, const Sim *sim, double time)
{
    Samples *s = run->samples;
    const Inlined *d = s->inlined;
    double *value = NEW_ARRAY(s->arena, double, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++) {
        int slot = sim->low->slot[i];
        value[i] = slot == NONE ? 0 : sim->exec->r[slot];
    }
    SamplePoint p = {run->scenario, time, run->next % 4 == 3, value};
    vec_push(s->arena, &s->point, p);
}

bool sample_row(void *context, const Sim *sim, double time, bool at_event)
{
    SampleRun *run = context;
    (void)at_event;
    if (run->next >= run->ntime || time < run->time[run->next] - 1e-12)
        return true;
    keep(run, sim, time);
    while (run->next < run->ntime && time >= run->time[run->next] - 1e-12)
        run->next++;
    return true;
}

/* ---- for another method ---- */

static double entry_value(const Samples *s, const SamplePoint *at,
                          const InlinedVar *v, double step)
{
    if (v->kind == IV_STEP)
        return step;
    if (v->kind == IV_UNUSED || v->kind == IV_INCREMENT ||
        v->kind == IV_FORCING || v->kind == IV_ERROR || v->kind == IV_SOURCE ||
        v->sys_var == NONE)
        return 0;
    int from = v->order == 0 ? v->sys_var
                             : inlined_find(s->inlined, v->sys_var, v->order);
    return from == NONE ? 0 : at->value[from];
}

/* What flows in has filled the pipe. */
static double spread_guess(const Inlined *d, const InlinedVar *v,
                           InlinedPoint *p)
{
    int i = v->relation, inflow = inlined_spread_inflow(i);
    switch (v->back / 2) {
    case SPREAD_ANCHOR:
        return v->back % 2 -
               expr_eval(d->dag, d->delay[i].expr, inlined_leaf_value, p);
    case SPREAD_VALUE:
        return expr_eval(d->dag, d->delay[inflow].expr, inlined_leaf_value, p);
    default: return 0;
    }
}

static const double *values_at(const Samples *s, const SamplePoint *at,
                               const Inlined *d, double step, Arena *arena)
{
    double *value = NEW_ARRAY(arena, double, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        value[i] = entry_value(s, at, &d->var[i], step);
    InlinedPoint p = {value, at->time};
    for (int i = 0; i < d->nrelation; i++)
        value[d->relation[i].var] =
            expr_eval(d->dag, d->relation[i].now, inlined_leaf_value, &p);
    for (int i = 0; d->ndelay > 0 && i < d->nvar; i++) {
        if (d->var[i].kind != IV_DELAY)
            continue;
        const InlinedDelay *x = &d->delay[d->var[i].relation];
        value[i] = x->past == IP_SPREAD /* else the best guess there is */
                       ? spread_guess(d, &d->var[i], &p)
                       : expr_eval(d->dag, x->expr, inlined_leaf_value, &p);
    }
    return value;
}

SchedSamples *samples_values(const Samples *s, const Inlined *d, double step,
                             Arena *arena)
{
    SchedSamples *r = NEW(arena, SchedSamples);
    const double **list = NEW_ARRAY(arena, const double *, s->point.n + 1);
    for (int k = 0; k < s->point.n; k++)
        list[k] = values_at(s, &s->point.at[k], d, step, arena);
    r->nsample = r->nfew = s->point.n;
    r->value = list;
    return r;
}
