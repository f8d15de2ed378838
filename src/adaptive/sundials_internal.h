/* sundials_internal.h - what sundials.c and slope.c share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ADAPTIVE_SUNDIALS_INTERNAL_H
#define TAKT_ADAPTIVE_SUNDIALS_INTERNAL_H

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>

#include "adaptive/adaptive_internal.h"

typedef struct Slope Slope; /* slope.c */

typedef struct Sundials {
    Run run; /* first; run.n: IDA: all unknowns; CVODE: states; 0: there are no
                states, and neither is needed */
    const LoweredReference *ref;
    SUNContext context;
    void *memory;
    N_Vector y, yp, atol, id; /* yp, id: NULL for CVODE, */
    N_Vector off;             /* and off: estimated errors of a step */
    double *nominal;          /* of each unknown */
    SUNMatrix matrix;
    SUNLinearSolver solver;
    int nstate;
    Slope *slope;       /* CVODE */
    int *start, *index; /* IDA: compressed columns */
    int *place;         /* of each entry */
    int nnz;
} Sundials;

/* ---- slope.c ---- */
Slope *slope_new(const Sundials *r);
void slope_free(Slope *s);
/* dx'/dx at the present slots. Returns false where the model is singular. */
bool slope_find(const Sundials *r, Slope *s, SUNMatrix out);

/* ---- give_up.c ---- */
/* Says why an integrator that returned `code` at time t cannot go on. */
void sundials_give_up(const Sundials *r, int code, double t);

#endif
