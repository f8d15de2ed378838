/* agreement.h - how far a run with step-size control agrees with others. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TRAIL_AGREEMENT_H
#define TAKT_TRAIL_AGREEMENT_H

#include "base/json.h"
#include "trail/trail.h"

/* No relative tolerance is smaller. */
#define AGREEMENT_LEAST 1e-12

/* A run beside one with another tolerance. */
typedef struct SimAgreement {
    bool is_known;
    bool is_faint;      /* it is the absolute tolerance */
    const char *reason; /* why it is not known; NULL: nobody asked */
    bool failed;        /* runs with other tolerances did */
    double tolerance;   /* of the other run */
    TrailDifference differs;
    const Crests *crests; /* of the other run */
    long parts;           /* the same, of steps */
    Crest near; /* an event hangs on this one, by less than the run is off; */
    int nnear;  /* and so many do */
} SimAgreement;

/* The least shift of a relation with which a crest comes out the other way. */
SimShift agreement_shift(const Sim *s, const Crest *x);
/* What there is to say, of a run with the tolerance rtol. */
void agreement_warn(const SimAgreement *a, const Sim *s, double rtol,
                    Arena *arena);
/* The same in the summary of a run, and in its JSON. */
void agreement_print(const SimAgreement *a, Arena *arena);
void agreement_put(JsonOut *j, const SimAgreement *a);
/* A share as text. */
const char *agreement_percent(double share, Arena *arena);

#endif
