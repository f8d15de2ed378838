/* rounding.h - what rounding leaves of the variables of a model.
 *
 *   in    Sim, at points of its run
 *   out   a warning of variables that are differences of numbers so large that
 *         their digits are lost
 *
 * At some points of a run the model is evaluated again with operations that
 * round to either side by chance, and with states that are off by their last
 * bit (tape/exec_rough.c). What a variable differs by is its rounding error: no
 * step and no tolerance makes it smaller. A slope counts by what it does to its
 * state.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ROUNDING_ROUNDING_H
#define TAKT_ROUNDING_ROUNDING_H

#include "sim/sim.h"

typedef struct Rounding Rounding;

/* A row of a run, number `row`: it is looked at if it is its turn. With row 0
 * *w becomes that of the run, and lives in `arena`; NULL: functions of the
 * model do more than give values. Those in C are called in a process of its
 * own, which has seconds. */
void rounding_row(Rounding **w, const Sim *s, long row, double time,
                  Arena *arena);
/* Warns of the one with the fewest digits left, if that are too few. */
void rounding_warn(Rounding *w, Diag *diag);
void rounding_free(Rounding *w);

#endif
