/* guess.h - start values for the unknowns that have none.
 *
 *   in    Lowered       a model that can be initialised
 *   out   its slots     where the iterations of the start begin
 *   next  sim/          solves the start from there
 *
 * A model gives start values where somebody thought of them, and tearing
 * decides which unknowns are iterated in. What the given values say of the
 * others is found without solving the start: equation by equation, and linear
 * ones together.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GUESS_GUESS_H
#define TAKT_GUESS_GUESS_H

#include "lower/lower.h"

/* Unknowns of the initial system without a start value get what the given ones
 * say of them, in their slots r. Returns whether there is any. */
bool guess_starts(const Lowered *low, double *r);

#endif
