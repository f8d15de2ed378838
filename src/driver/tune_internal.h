/* tune_internal.h - what tune.c and candidates.c share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_TUNE_INTERNAL_H
#define TAKT_DRIVER_TUNE_INTERNAL_H

#include "driver/tune.h"

typedef struct Tuner {
    Compilation *c;
    const TuneOptions *o;
    Tuning *r;
} Tuner;

/* The user's plan with another method. */
Plan *tuner_plan(const Tuner *t, const char *method);
/* Fills r->candidate. False after a report. */
bool tuner_candidates(Tuner *t);

#endif
