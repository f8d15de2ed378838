/* plan_options.h - decisions on the command line.
 *
 * A verb explains its own options; those that are decisions come from the table
 * of the plan (plan/keys.def) and become edits of it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_PLAN_OPTIONS_H
#define TAKT_CLI_PLAN_OPTIONS_H

#include "cli/options.h"

/* The options of `own` (ended by a name NULL), then the keys of the plan that
 * `verb` (PLAN_SIM ...) takes and `own` does not explain itself, as one table.
 * Lives in `arena`. */
const Option *plan_options(const Option *own, unsigned verb, PlanEdits *edits,
                           Arena *arena);

#endif
