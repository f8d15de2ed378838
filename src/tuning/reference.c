/* reference.c - one reference run a scenario. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuning/reference.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "adaptive/adaptive.h"

/* Points of a track, and values of all of them together: 64 MB. */
enum { LEAST_TRACK = 20, MOST_TRACK = 300, TRACK_VALUES = 8000000 };
/* States of CVODE, whose matrices are dense. */
enum { MOST_DENSE = 500 };

typedef struct Runner {
    Compilation *c;
    const SampleSpec *spec;
    const char *const *watch;
    int nwatch;
    double rtol, stop;
    const Step *none; /* the model as it is */
    Reference *result;
} Runner;

SysSet *tuning_scenario(const Compilation *c, const SampleScenario *s, int *n)
{
    const Sys *sys = c->sys;
    SysSet *set = NEW_ARRAY(c->arena, SysSet, sys->nset + s->nset + 1);
    *n = 0;
    for (int i = 0; i < s->nset; i++)
        set[(*n)++] = s->set[i];
    for (int i = 0; i < sys->nset; i++)
        set[(*n)++] = sys->set[i];
    return set;
}

const Table *tuning_scenario_input(Compilation *c, const SampleScenario *s,
                                   Diag *diag, bool *fine)
{
    *fine = true;
    if (s->table)
        return s->table;
    if (!s->input)
        return NULL;
    int source = sources_read(c->sources, s->input);
    const Table *t =
        source == NONE ? NULL
                       : table_read_inputs(c->sources, source, c->arena, diag);
    if (source == NONE)
        diag_report(diag, s->span, DIAG_E1309, "%s: %s", s->input,
                    strerror(errno));
    *fine = t != NULL;
    return t;
}

static bool prepare(Runner *r)
{
    Compilation *c = r->c;
    DriverOptions o = driver_defaults(NULL);
    StepInput input = driver_step_input(c, &o);
    Plan *plan = plan_default(c->arena);
    plan->newton = c->plan->newton;
    r->none =
        step_make(c->dae, plan, &input, STEP_REFERENCE, c->arena, c->diag);
    return r->none != NULL;
}

/* What is kept of a run. */
typedef struct Record {
    SampleRun sample, track;
    Curves *curves;
} Record;

static bool record_row(void *context, const Sim *sim, double time,
                       bool at_event)
{
    Record *r = context;
    curves_row(r->curves, sim->exec, time);
    return sample_row(&r->sample, sim, time, at_event) &&
           sample_row(&r->track, sim, time, at_event);
}

/* Times on the grid of the step: all of it if they are few and the model is not
 * large, else every so many, and the end. */
static void plan_track(const Runner *r, SampleRun *track)
{
    const Compilation *c = r->c;
    double most =
        fmin(MOST_TRACK, TRACK_VALUES / (double)(r->none->inlined->nvar + 1));
    most = fmax(LEAST_TRACK, floor(most));
    double steps = fmax(1, (r->stop - c->start) / c->size);
    double each = ceil(steps / most - 1e-9);
    double *time = NEW_ARRAY(c->arena, double, (size_t)most + 2);
    for (double at = 0; at < steps - 1e-6; at += each)
        time[track->ntime++] = c->start + at * c->size;
    time[track->ntime++] = r->stop;
    track->time = time;
}

static bool run_by(const Runner *r, AdaptiveSolver solver, const Lowered *low,
                   const Table *input, Record *record, Diag *diag)
{
    Compilation *c = r->c;
    SimOptions so = {.start = c->start,
                     .stop = r->stop,
                     .step = c->size,
                     .tolerance = 1e-10,
                     .input = input};
    Sim *sim = sim_new(low, &so, c->arena, diag);
    if (!sim)
        return false;
    record->curves = curves_new(low->tape, r->watch, r->nwatch, c->arena);
    AdaptiveOptions oo = {.solver = solver, .rtol = r->rtol};
    AdaptiveStats stats;
    bool fine = adaptive_run(sim, &oo, record_row, record, &stats);
    sim_free(sim);
    return fine;
}

/* By IDA; what that gives up, by CVODE, whose iteration has the states alone
 * (switches of a rectifier can bring the one to a halt and not the other). */
static bool run_reference(Runner *r, const SysSet *set, int nset,
                          const Table *input, Record *record)
{
    Compilation *c = r->c;
    const Lowered *low = step_with_values(r->none, set, nset, c->arena);
    if (!r->result->low)
        r->result->low = low;
    Record before = *record;
    int nsample = r->result->samples->point.n;
    int ntrack = r->result->track->point.n;
    Diag *diag = diag_new(c->sources, c->arena);
    bool fine = run_by(r, ADAPTIVE_IDA, low, input, record, diag);
    if (fine || c->dae->nstate > MOST_DENSE) {
        diag_append(c->diag, diag);
        return fine;
    }
    *record = before;
    r->result->samples->point.n = nsample;
    r->result->track->point.n = ntrack;
    return run_by(r, ADAPTIVE_CVODE, low, input, record, c->diag);
}

/* The parameters of the second run of a scenario: those of the first, moved. */
static SysSet *spread(const Runner *r, int scenario, const SysSet *first,
                      int *n)
{
    const Compilation *c = r->c;
    SysSet *set = NEW_ARRAY(c->arena, SysSet, *n + r->spec->nspread + 1);
    memcpy(set, first, sizeof *set * (size_t)*n);
    double *value = NEW_ARRAY(c->arena, double, c->sys->nvar + 1);
    sys_start_values(c->sys, first, *n, value, NULL);
    uint64_t seed =
        0x9e3779b97f4a7c15u * (r->spec->seed + 7u) + (uint64_t)scenario * 977u;
    for (int i = 0; i < r->spec->nspread; i++) {
        const SampleSpread *s = &r->spec->spread[i];
        double x = value[s->var] * (1 + s->relative * sample_random(&seed));
        bool found = false;
        for (int k = 0; k < *n; k++)
            if (set[k].var == s->var)
                set[k].value = x, found = true;
        if (!found)
            set[(*n)++] = (SysSet){s->var, x};
    }
    return set;
}

static bool run_scenario(Runner *r, int number)
{
    Compilation *c = r->c;
    const SampleScenario *s = &r->spec->scenario[number];
    double stop = r->stop;
    if (s->stop > 0)
        r->stop = s->stop;
    int nset;
    const SysSet *set = tuning_scenario(c, s, &nset);
    bool fine;
    const Table *input = tuning_scenario_input(c, s, c->diag, &fine);
    for (int k = 0; fine && k < (r->spec->nspread > 0 ? 2 : 1); k++) {
        Record record = {
            .sample = {.samples = r->result->samples,
                       .scenario = number,
                       .ntime = r->spec->count},
            .track = {.samples = r->result->track, .scenario = number}};
        record.sample.time =
            sample_times(r->spec, c->start, r->stop, 2 * number + k, c->arena);
        if (k == 0)
            plan_track(r, &record.track);
        else
            set = spread(r, number, set, &nset);
        fine = run_reference(r, set, nset, input, &record);
        if (k == 0)
            r->result->curves[number] = record.curves;
    }
    r->stop = stop;
    return fine;
}

Reference *tuning_reference(Compilation *c, const SampleSpec *spec,
                            const char *const *watch, int nwatch, double rtol)
{
    Runner r = {.c = c,
                .spec = spec,
                .watch = watch,
                .nwatch = nwatch,
                .rtol = rtol,
                .stop = isnan(spec->stop) ? c->stop : spec->stop};
    if (!prepare(&r))
        return NULL;
    r.result = NEW(c->arena, Reference);
    r.result->samples = samples_new(r.none->inlined, c->arena);
    r.result->track = samples_new(r.none->inlined, c->arena);
    r.result->nscenario = spec->nscenario;
    r.result->curves = NEW_ARRAY(c->arena, Curves *, spec->nscenario + 1);
    for (int i = 0; i < spec->nscenario; i++)
        if (!run_scenario(&r, i))
            return NULL;
    return r.result;
}
