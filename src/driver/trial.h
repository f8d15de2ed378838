/* trial.h - a plan tried out: what its step costs and how far it strays.
 *
 * Comes behind driver_reference(). Nothing of the compilation is changed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_TRIAL_H
#define TAKT_DRIVER_TRIAL_H

#include "driver/realtime.h"
#include "driver/samples.h"
#include "tape/cost.h"

typedef struct Trial {
    bool built;        /* a real-time step could be made */
    bool ran;          /* it reached the end in every scenario */
    const char *why;   /* not built, or not run: the first message */
    Cost cost;         /* of a cycle of steps: for most methods, one */
    long instructions; /* a step: Cost.instructions */
    int largest;       /* equations of the largest block */
    int largest_part;  /* iteration variables that are coupled: the largest
                          diagonal block of a matrix */
    int niteration;    /* unknowns of all iterations */
    int nnz;           /* of all iteration matrices */
    long factor_nnz, factor_flops; /* of their factors; flops with solution */
    Deviation deviation;           /* the worst over the scenarios */
    int scenario;                  /* where */
    double lag_error; /* largest residual of an equation with old values, */
    const char *lag_error_eqn; /* that equation; NULL: there is none */
    Curves **curves;           /* of each scenario, NULL if not built */
} Trial;

/* The model with another plan: inlined, scheduled and lowered. Its messages are
 * in a Diag of its own, which tells whether it went well. Shares the arena of
 * `c`. */
Compilation *driver_with_plan(const Compilation *c, Plan *plan);

/* Counts the step and runs every scenario. Messages are kept from the user and
 * end up in Trial.why. Lives in c->arena. */
Trial *driver_trial(const Compilation *c, Plan *plan, const SampleSpec *spec,
                    const Reference *reference, const char *const *watch,
                    int nwatch);

#endif
