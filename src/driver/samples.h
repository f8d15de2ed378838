/* samples.h - reference runs of a compilation: points and curves to judge by.
 *
 * Comes behind driver_compile(..., PHASE_DAE) or later. Each scenario is
 * integrated by IDA on the model as it is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_SAMPLES_H
#define TAKT_DRIVER_SAMPLES_H

#include "driver/curves.h"
#include "driver/driver.h"
#include "sample/samples.h"

typedef struct Reference {
    Samples *samples;
    Samples *track;  /* points along the first run of each scenario: at every
                        step, or at every so many */
    Curves **curves; /* of each scenario, on the grid of c->step */
    int nscenario;
    const Lowered *low; /* the model as it is, in the first scenario */
} Reference;

/* `watch` names what the curves hold. `rtol` of IDA. Everything lives in
 * c->arena. NULL after a report: a scenario that cannot be run. */
Reference *driver_reference(Compilation *c, const SampleSpec *spec,
                            const char *const *watch, int nwatch, double rtol);

/* What a scenario changes: values set on the command line come first. */
LowerOptions driver_scenario(const Compilation *c, const SampleScenario *s);
/* The input of a scenario, NULL if it has none; *fine is false after a
 * report. */
const Table *driver_scenario_input(Compilation *c, const SampleScenario *s,
                                   bool *fine);

#endif
