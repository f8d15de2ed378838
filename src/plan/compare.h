/* compare.h - what two plans decide differently.
 *
 * `takt tune --compare a.json b.json`. Key by key, in the order of a plan file:
 * plain values side by side; states, modes, tearing and factors by name; cuts
 * as those that only one plan has; figures of the evidence side by side with
 * their ratio where both are numbers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_COMPARE_H
#define TAKT_PLAN_COMPARE_H

#include <stdio.h>

#include "plan/plan.h"

/* Prints the differences under the names of the plans, or one line that says
 * there are none. A key that is absent counts as its default. Returns the
 * number of decisions that differ; evidence is printed, not counted. */
int plan_compare(const Plan *a, const Plan *b, const char *name_a,
                 const char *name_b, FILE *out);

#endif
