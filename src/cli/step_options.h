/* step_options.h - what the verbs that make a real-time step have in common. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_STEP_OPTIONS_H
#define TAKT_CLI_STEP_OPTIONS_H

#include "cli/options.h"
#include "driver/driver.h"
#include "sim/sim.h"

typedef struct StepOptions {
    DriverOptions driver;
    TextList library, set, output;
} StepOptions;

StepOptions step_defaults(void);
/* The verb's own options (ended by a name NULL), then the common ones that it
 * does not explain itself and the decisions of the plan, as one table. Lives in
 * `arena`. */
const Option *step_table(StepOptions *o, const Option *own, Arena *arena);
/* Fills in what was not given. Returns what is wrong, or NULL. */
const char *step_take(StepOptions *o, const TextList *args, Arena *arena);
/* Says what the compiled step makes of the modes of the model at the start
 * (step_modes.c). */
void step_modes_warn(Compilation *c);
/* What a run at the desk says of its errors. */
typedef struct StepTrust {
    SimTrust trust;
    double time;                  /* the run came to */
    const char *state, *late_one; /* names; NULL: none */
} StepTrust;

/* Runs the model with the steps of the compiled step, watched in full, and says
 * what that shows, modes included (step_trial.c). False if it did not come to
 * that, or the model is too large for it. `trust` may be NULL. */
bool step_trial_warn(Compilation *c, const DriverOptions *o, StepTrust *trust);

#endif
