/* seen.h - the ranges that quantities have in runs: the domain of a plan.
 *
 * Looked at are inputs, states, tunable parameters, and what the derivatives
 * depend on that the plan cuts or freezes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_SEEN_H
#define TAKT_TUNING_SEEN_H

#include "tuning/reference.h"

typedef struct Seen {
    int n;
    const char **name;
    int nmoving; /* the first of them; the others are parameters */
} Seen;

/* Which quantities are looked at; those that the tape does not have are left
 * out. Lives in c->arena. */
const Seen *seen_names(const Compilation *c, const Plan *plan, const Tape *t);

/* A run: low[n], high[n] grow with each row. */
typedef struct SeenRun {
    const Seen *seen;
    const TapeSymbol **symbol; /* size seen->n */
    double *low, *high;
    bool has_row;
} SeenRun;

SeenRun seen_begin(const Seen *s, const Tape *t, double *low, double *high,
                   Arena *arena);
void seen_row(SeenRun *r, const Exec *exec);

/* The hull as a domain, a little wider than it is: what is seen again on
 * another machine lies inside. Quantities that were never seen are left out. */
PlanDomain seen_domain(const Seen *s, const double *low, const double *high,
                       double stop, Arena *arena);

#endif
