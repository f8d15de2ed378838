/* adaptive_internal.h - what the files of adaptive/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ADAPTIVE_INTERNAL_H
#define TAKT_ADAPTIVE_INTERNAL_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>

#include "adaptive/adaptive.h"
#include "sim/sim_parts.h"

typedef struct Slope Slope; /* slope.c */

typedef struct Run {
    Sim *sim;
    const LoweredReference *ref;
    const AdaptiveOptions *options;
    AdaptiveStats *stats;
    SUNContext context;
    void *memory;
    N_Vector y, yp, atol, id; /* yp, id: NULL for CVODE */
    SUNMatrix matrix;
    SUNLinearSolver solver;
    int n; /* IDA: all unknowns; CVODE: states; 0: there are no states, and
              neither is needed */
    int nstate;
    Slope *slope;       /* CVODE */
    int *start, *index; /* IDA: compressed columns */
    int *place;         /* of each entry */
    int nnz;
    long nstep;       /* steps since the last point of output */
    double failed_at; /* where the integrator gave up last, */
    int nfailed;      /* and how often it did since then */
    double looked;    /* the last point at which the model was looked at */
    double begun;     /* the last point at which events were looked at */
} Run;

/* ---- sundials.c ---- */
/* One step of the integrator, not beyond `stop`; *t is where it came. Returns
 * the code of SUNDIALS, negative: failed. */
int adaptive_step(Run *r, double stop, double *t);
/* y (and y') at a time in the last step. */
void adaptive_interpolate(Run *r, double t);
/* After an event: the integrator starts from the present slots. */
void adaptive_restart(Run *r, double t);
void adaptive_to_slots(Run *r, double t, N_Vector y, N_Vector yp);
/* The model at (t, y), everything that follows from the states solved anew.
 * Returns whether that worked. */
bool adaptive_evaluate(Run *r, double t, N_Vector y);
/* The slots for (t, y): IDA's y holds everything, else what follows from the
 * states is solved for. */
void adaptive_look(Run *r, double t);
bool adaptive_report(Run *r, int code, double t); /* returns false */

/* ---- slope.c ---- */
Slope *slope_new(const Run *r);
void slope_free(Slope *s);
/* dx'/dx at the present slots. Returns false where the model is singular. */
bool slope_find(const Run *r, Slope *s, SUNMatrix out);

/* ---- march.c ---- */
bool adaptive_march(Run *r, SimRow *row, void *context);

#endif
