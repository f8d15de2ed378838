/* step.h - a reduced model and a plan become a step.
 *
 *   in    Dae + Plan    the index-1 system, every numerical decision
 *         StepInput     what pivots and initial values need: span, values set,
 *                       inputs, samples, wanted outputs
 *   out   Step          difference equations, blocks, factors, tape, fused
 *                       tape, initial values; finished, never written again
 *   next  sim/ and adaptive/ run it, tape/cost.h counts it, emit/ writes it
 *
 * The one way from the model to what runs. How far it goes is the goal:
 *
 *   equations   inline     method and model are difference equations
 *   structure   schedule   ... in blocks, torn
 *   reference   lower      the model as it is (method none) with its residual
 *                          and Jacobian, for integrators with a step of their
 *                          own and for linearisation
 *   host        lower      a tape that looks for its pivots as it runs
 *   static      pivots     a run on the host gives matrices; with fixed pivots
 *                          lower again: a tape whose work is known beforehand
 *   real time   fuse       initial values, and a whole step as one segment
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_STEP_H
#define TAKT_STEP_STEP_H

#include "inline/inline.h"
#include "lower/lower.h"
#include "sample/samples.h"
#include "schedule/schedule.h"
#include "sim/sim.h"
#include "step/fuse.h"
#include "step/pivots.h"

typedef enum StepGoal {
    STEP_EQUATIONS,
    STEP_STRUCTURE,
    STEP_REFERENCE,
    STEP_HOST,
    STEP_STATIC,
    STEP_REALTIME,
} StepGoal;

typedef struct StepInput {
    const Sys *sys;       /* plans that say `direct`: the system of any index,
                             in place of the Dae */
    const Method *method; /* of the plan */
    double start, stop;   /* of the run that pivots are chosen from, s */
    double size;          /* of a step, s */
    const SysSet *set;    /* values given by the user */
    int nset;
    const Table *input;    /* inputs over time, or NULL */
    bool live_inputs;      /* they come later, from somewhere else */
    const Samples *points; /* to judge tearings by; NULL: the start point */
    bool step_alone;       /* blocks of the step itself, no other system: ends
                              with the structure */
    bool keep_aliases;     /* InlineOptions */
    bool modes;            /* lower for the spectrum of the model too */
    /* real time: */
    const char *const *output; /* variables wanted besides states and outputs */
    int noutput;
    bool all;      /* all variables are wanted */
    bool exchange; /* the model without a method too, if that can be */
    bool parts;    /* and the rates as parts, if that can be */
} StepInput;

typedef struct Step {
    StepGoal goal;
    const Dae *dae; /* NULL: direct */
    const Sys *sys;
    const Plan *plan;
    StepInput input;
    const Method *method; /* none for STEP_REFERENCE */
    const Inlined *inlined;
    const SchedSamples *samples;     /* what tearings were judged by */
    const Schedule *const *schedule; /* of each system of `inlined`, or
                                        NULL */
    const Lowered *lowered;          /* pivots at run time up to STEP_HOST */
    const Lowered *host;             /* that one, also later: has the reference
                                        if `modes` asked for it */
    const Pivots *pivots;            /* from STEP_STATIC on */
    const Fused *fused;              /* STEP_REALTIME, and */
    const double *value;             /* of each slot of fused->tape, after
                                        initialisation */
    const double *delay; /* first value of each delayed expression */
} Step;

/* Makes a step of `dae` as `plan` says, as far as `goal` asks. Everything lives
 * in `arena`, new expressions in the DAG of the Dae. NULL after reports: names
 * in the plan that do not exist, no complete matching, no fixed order of
 * pivots, a model that cannot be initialised, outputs that are not there. */
const Step *step_make(const Dae *dae, const Plan *plan, const StepInput *input,
                      StepGoal goal, Arena *arena, Diag *diag);

/* A step of the structure `s` that goes as far as `goal` asks: what has been
 * found so far is shared. NULL after reports. */
const Step *step_extend(const Step *s, StepGoal goal, Arena *arena, Diag *diag);

/* The same step of a model with other parameters: a tape that begins at its
 * own start values. Lives in `arena`; cannot fail. */
const Lowered *step_with_values(const Step *s, const SysSet *set, int nset,
                                Arena *arena);

/* Event iterations per step: what the plan says. Where it says nothing and
 * modes may leave a block of n unknowns open, those that share a load come to
 * their limits one after the other, each in up to three iterations: 3 n, at
 * most 12. */
int step_events_max(const Step *s);

/* A run of the step on the host as generated code makes it: fixed numbers of
 * iterations. */
SimOptions step_sim_options(const Step *s);

/* Models with more states get no spectrum. */
enum { STEP_MOST_MODES = 300 };

/* Asserts what has to hold between the parts of a step. */
void step_check(const Step *s);

#endif
