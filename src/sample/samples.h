/* samples.h - consistent points along runs of a model.
 *
 *   in    Sim       runs on the host, one per scenario (tuning/reference.h)
 *   out   Samples   points (scenario, t, all values)
 *   next  schedule/ growth;  tune/  spectra
 *
 * A point holds the values of a Inlined with the method none: every quantity of
 * the model, derivatives too. samples_values() gives them to the entries of
 * the Inlined of any method: old values and those of all stages are the ones of
 * the point, relations what they are there.
 *
 * A specification is part of a plan:
 *
 *   {"stop": 2, "count": 20, "seed": 1, "spread": {"load.m": 0.1},
 *    "scenarios": [{"name": "heavy", "set": {"load.m": 40},
 *                   "input": "step.csv"}]}
 *
 * Points stand at `count` times of each scenario, evenly with a jitter that
 * depends on the seed only. Every fourth is kept back: it takes no part in
 * choices and serves the final check. With `spread`, a second run of each
 * scenario varies each parameter by a random part of its value.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SAMPLE_SAMPLES_H
#define TAKT_SAMPLE_SAMPLES_H

#include "result/table.h"
#include "schedule/schedule.h"
#include "sim/sim.h"

typedef struct SampleScenario {
    const char *name;
    SysSet *set; /* parameters and start values */
    int nset;
    const char *input;  /* CSV file, NULL: none */
    const Table *table; /* instead of a file: inputs of a run that was found,
                           which are not written */
    bool is_found;      /* by an attack: it gives points, outputs are not judged
                           by it */
    double stop;        /* of this scenario; 0: that of the specification */
    Span span;
} SampleScenario;

typedef struct SampleSpread {
    int var;         /* of Sys */
    double relative; /* 0.1: up to 10 % either way */
} SampleSpread;

typedef struct SampleSpec {
    double stop; /* NaN: the stop of the run */
    int count;   /* points per run; default 20 */
    unsigned seed;
    SampleScenario *scenario; /* at least one */
    int nscenario;
    SampleSpread *spread;
    int nspread;
} SampleSpec;

/* Reads the section of a plan (NULL: all defaults). Returns NULL after a
 * report. */
SampleSpec *sample_spec_read(const char *json, const Sys *sys, Sources *sources,
                             Arena *arena, Diag *diag);
/* What a caller asks for in place of that section. */
typedef struct SampleVary {
    const char *name; /* of a parameter */
    double relative;
} SampleVary;

typedef struct SampleWish {
    int count, seed;          /* 0: the default */
    const char *const *input; /* CSV files: a scenario each */
    int ninput;
    const SampleVary *vary;
    int nvary;
} SampleWish;

/* The specification of a wish. Returns NULL after a report: a parameter does
 * not exist. */
SampleSpec *sample_spec_make(const SampleWish *wish, const Sys *sys,
                             Arena *arena, Diag *diag);
/* A specification as JSON text, with defaults written out. */
const char *sample_spec_write(const SampleSpec *spec, const Sys *sys,
                              Arena *arena);

typedef struct SamplePoint {
    int scenario;
    double time;
    bool kept_back;
    const double *value; /* by entry of Samples.inlined */
} SamplePoint;

typedef struct Samples {
    const Inlined *inlined; /* method none */
    Vec(SamplePoint) point;
    Arena *arena;
} Samples;

Samples *samples_new(const Inlined *none, Arena *arena);

/* A SimRow that keeps the point nearest after each wanted time. Copy `sim`'s
 * values; context is a SampleRun. */
typedef struct SampleRun {
    Samples *samples;
    int scenario;
    const double *time; /* ascending, size ntime */
    int ntime, next;
} SampleRun;

/* Times of a run, in `arena`. */
double *sample_times(const SampleSpec *spec, double start, double stop,
                     int scenario, Arena *arena);
bool sample_row(void *run, const Sim *sim, double time, bool at_event);

/* Values for the entries of `d`, which is made from the same Dae, at the step
 * size `step`. */
SchedSamples *samples_values(const Samples *s, const Inlined *d, double step,
                             Arena *arena);

/* A number in [-1, 1) from a state that must not be 0: the same in each run. */
double sample_random(uint64_t *state);

#endif
