/* reference.h - reference runs of a compilation: points and curves to judge by.
 *
 * Comes after driver_compile(..., PHASE_DAE). Each scenario is
 * integrated by IDA on the model as it is, or by CVODE where IDA gives up.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_REFERENCE_H
#define TAKT_TUNING_REFERENCE_H

#include "tuning/curves.h"
#include "driver/driver.h"
#include "sample/samples.h"

typedef struct Reference {
    Samples *samples;
    Samples *track;  /* points along the first run of each scenario: at every
                        step, or at every so many */
    Curves **curves; /* of each scenario, on the grid of c->size */
    int nscenario;
    const Lowered *low; /* the model as it is, in the first scenario */
} Reference;

/* `watch` names what the curves hold. `rtol` of the integrator. Everything
 * lives in c->arena. NULL after a report: a scenario that cannot be run. */
Reference *tuning_reference(Compilation *c, const SampleSpec *spec,
                            const char *const *watch, int nwatch, double rtol);

/* What a scenario changes: values set on the command line come first. */
SysSet *tuning_scenario(const Compilation *c, const SampleScenario *s, int *n);
/* The input of a scenario, NULL if it has none; *fine is false after a
 * report. */
const Table *tuning_scenario_input(Compilation *c, const SampleScenario *s,
                                   Diag *diag, bool *fine);

#endif
