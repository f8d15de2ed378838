/* maps.h - the linearised step of a plan, as the plan makes it.
 *
 *   in    Plan, the samples of a reference
 *   out   StepMaps   see tune/proof.h
 *
 * The plan's own step is lowered and run in every sample together with its
 * derivatives (tape/tangent.h). What a step remembers is what it reads before
 * it writes it, and writes: old states, old algebraic values, history. So
 * there is one way for plans of all kinds: nothing is told about modes, cuts
 * or frozen entries. Relations, discrete variables, inputs and the past of
 * delays are held.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_MAPS_H
#define TAKT_TUNING_MAPS_H

#include "tuning/reference.h"
#include "tune/proof.h"

/* A sample without a matrix has m NULL, and why says why. Lives in `arena`. */
const StepMaps *tuning_maps(const Compilation *c, const Plan *plan,
                            const Samples *samples, Arena *arena);
/* The same of a step that is there already, at least STEP_HOST. */
const StepMaps *tuning_step_maps(const Step *step, const Samples *samples,
                                 Arena *arena);

#endif
