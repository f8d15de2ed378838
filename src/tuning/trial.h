/* trial.h - a plan tried out: what its step costs and how far it strays.
 *
 * Comes after tuning_reference(). Nothing of the compilation is changed.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_TRIAL_H
#define TAKT_TUNING_TRIAL_H

#include "tuning/reference.h"
#include "tape/cost.h"

typedef struct TrialRun {
    bool built;        /* a real-time step could be made: */
    const Step *step;  /* that step, NULL if not */
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
    Curves **curves; /* of each scenario, NULL if not built; of one that
                        an attack found NULL */
} TrialRun;

/* The step of the model with another plan; NULL after a report. Lives in
 * `arena`. */
const Step *tuning_step(const Compilation *c, const Plan *plan, StepGoal goal,
                        Arena *arena, Diag *diag);

/* Instructions of a step that goes as far as STEP_REALTIME. */
long tuning_count(const Step *s);

/* Counts the step and runs every scenario. Messages are kept from the user and
 * end up in TrialRun.why. Lives in c->arena. */
TrialRun *tuning_trial(Compilation *c, const Plan *plan, const SampleSpec *spec,
                       const Reference *reference, const char *const *watch,
                       int nwatch);

#endif
