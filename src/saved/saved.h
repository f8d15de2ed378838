/* saved.h - a run that is left and gone on with. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SAVED_H
#define TAKT_SAVED_H

#include "sim/sim.h"

/* Writes what is needed to continue the run later, as JSON. Returns false after
 * a report: the run did not end on the grid. */
bool saved_write(const Sim *s, FILE *out);
/* Comes before sim_run, which then goes on from the state in text number
 * `source`. Returns false after a report: it is of another model, method, step
 * or start, or lies after the stop. */
bool saved_read(Sim *s, const Sources *sources, int source);

#endif
