/* report.h - one page that says all of a model and a plan.
 *
 *   in    Compilation with a step for real time, and what else there is: a
 *         Tuning, the run at the desk
 *   out   a page that needs nothing else (web/web.h)
 *
 * Sections: the model, states and index, the blocks that are built, the plan
 * with its evidence, cost against deviation, matrices, spectra, trajectories,
 * the cost certificate, error estimates, messages, lines of source. A plan has
 * one colour throughout. What there is no data for says so.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAGES_REPORT_H
#define TAKT_PAGES_REPORT_H

#include <stdio.h>

#include "driver/driver.h"
#include "sim/sim.h"
#include "tuning/tuning.h"

typedef struct Report {
    const Compilation *c;   /* its plan and step are those that are shown */
    const char *plan;       /* file of the plan, NULL: none was given */
    const Tuning *tuning;   /* NULL: none, and */
    const char *why_none;   /* why */
    int shown;              /* candidate of the tuning that c->step is, NONE */
    bool has_trust;         /* the model was run at the desk: */
    SimTrust trust;         /* what the run says of its errors, */
    const char *trust_name; /* the state with the largest, NULL: none */
    const char *late_name;  /* the state that late events cost most, NULL */
    double ran_to;          /* time */
} Report;

void report_write(const Report *r, FILE *out);

#endif
