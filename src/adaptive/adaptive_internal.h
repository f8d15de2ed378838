/* adaptive_internal.h - what the files of adaptive/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ADAPTIVE_INTERNAL_H
#define TAKT_ADAPTIVE_INTERNAL_H

#include "adaptive/adaptive.h"
#include "sim/sim_parts.h"

typedef struct Run Run;

/* What an integrator does for march.c. Slots are those of the tape, on which
 * relations, discrete equations and outputs are evaluated. */
typedef struct AdaptiveOps {
    /* One step, not beyond `stop`; *t is where it came. Negative: failed. */
    int (*step)(Run *r, double stop, double *t);
    /* The present point is the one at a time in the last step. */
    void (*interpolate)(Run *r, double t);
    /* Slots := the present point as it is. */
    void (*to_slots)(Run *r, double t);
    /* The same, what follows from the states solved anew. Returns whether that
     * worked. */
    bool (*evaluate)(Run *r, double t);
    /* The same where a reader looks: with as little work as will do. */
    void (*look)(Run *r, double t);
    /* After an event: starts from the present slots. False after a report. */
    bool (*restart)(Run *r, double t);
    bool (*report)(Run *r, int code, double t); /* returns false */
    bool on_tape; /* it integrates the states of the tape: other ones may be
                     chosen, and where these become bad it is said */
} AdaptiveOps;

/* A run of any integrator; what SUNDIALS needs is in sundials.c, what the array
 * needs in array.c, each with a Run as its first member. */
struct Run {
    const AdaptiveOps *ops;
    Sim *sim;
    const AdaptiveOptions *options;
    AdaptiveStats *stats;
    int n;            /* unknowns of the integrator; 0: it is not needed */
    long nstep;       /* steps since the last point of output */
    double failed_at; /* where the integrator gave up last, */
    int nfailed;      /* and how often it did since then */
    double looked;    /* the last point at which the model was looked at */
    double begun;     /* the last point at which events were looked at */
};

/* ---- march.c ---- */
bool adaptive_march(Run *r, SimRow *row, void *context);

#endif
