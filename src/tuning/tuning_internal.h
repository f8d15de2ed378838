/* tuning_internal.h - what the files of a tuning share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_TUNING_INTERNAL_H
#define TAKT_TUNING_TUNING_INTERNAL_H

#include "tuning/tuning.h"

typedef struct Tuner {
    Compilation *c;
    const TuneOptions *o;
    Tuning *r;
    ChoiceKnown *known; /* of r->pencil */
} Tuner;

/* Candidates from the scenarios of `spec`, judged and attacked. NULL after a
 * report. */
Tuning *tuner_round(Compilation *c, const TuneOptions *options,
                    SampleSpec *spec);
/* The user's plan with another method. */
Plan *tuner_plan(const Tuner *t, const char *method);
/* The blocks of a step, for analysis; `points` as in StepInput. NULL after a
 * report. */
const Step *tuner_structure(const Tuner *t, const Plan *plan,
                            const Samples *points);
/* Tries a plan out and appends it as a candidate that is safe until shown
 * otherwise. The pointer holds until the next one. */
TuneCandidate *tuner_add(Tuner *t, const char *name, TuneGroup group, Plan *p);
/* How far a candidate may stray, in percent; known when the full step was
 * tried. */
double tuner_limit(const Tuner *t);
/* Fills r->candidate. False after a report. */
bool tuner_candidates(Tuner *t);
/* Attacks a candidate. Returns NULL if it survives all of them, else what
 * broke it (attacked.c). */
const char *tuner_attack(Tuner *t, TuneCandidate *k);
/* The part of it with fewer entries in the iteration matrix (sparsed.c). */
bool tuner_sparsed(Tuner *t);

#endif
