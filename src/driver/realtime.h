/* realtime.h - a compilation as a fused step with its initial values.
 *
 * Comes behind driver_compile(..., PHASE_TAPE).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_REALTIME_H
#define TAKT_DRIVER_REALTIME_H

#include "driver/static.h"
#include "lower/fuse.h"

typedef struct RealtimeOptions {
    const char *const *output; /* variables wanted beside states and outputs */
    int noutput;
    bool all;    /* all variables are wanted */
    bool fixed;  /* parameters become numbers */
    bool values; /* initial values are those found here: no code for them */
} RealtimeOptions;

typedef struct Realtime {
    Fused *fused;
    const double *value; /* of each slot, after initialisation */
    const double *delay; /* first value of each delayed expression */
    PivotReport pivots;
} Realtime;

/* Fixes pivots, computes consistent initial values, fuses. NULL after a report:
 * what generated code cannot do (U1403), a model that cannot be initialised. */
Realtime *driver_realtime(Compilation *c, const RealtimeOptions *options);

#endif
