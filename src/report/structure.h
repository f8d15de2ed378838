/* structure.h - the blocks of a schedule, as text and as JSON.
 *
 * What `takt check` prints of the structure: the model as it is (the system
 * "event") and, where a method was asked for, the difference equations of a
 * step.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_REPORT_STRUCTURE_H
#define TAKT_REPORT_STRUCTURE_H

#include "base/json.h"
#include "schedule/schedule.h"

/* A paragraph: equations, assignments, blocks with sizes before and after
 * tearing, the choice with its alternatives, notes. Assignments are only
 * counted. */
void structure_print(const Schedule *s, const char *title, FILE *out);

/* The members "blocks" (every block: size, torn, kind, solved, growth,
 * iteration), "iteration_variables", "growth", "difference_equations",
 * "assignments" of the object that is open. */
void structure_json(const Schedule *s, JsonOut *j);

#endif
