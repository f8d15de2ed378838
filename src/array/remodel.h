/* remodel.h - a Sys of index 1 from chosen rows and columns of the array.
 *
 *   in    Sys, Array, Selection
 *   out   the Sys, changed: its continuous equations are the rows chosen, their
 *         derivatives written out; derivatives of states stay derivatives,
 * other derivatives that were chosen are variables of their own, the rest is 0
 *   next  reduce/reduce.h, which finds nothing to differentiate any more
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_REMODEL_H
#define TAKT_ARRAY_REMODEL_H

#include "array/select.h"
#include "dae/dae.h"

/* An array, of the whole Sys or of a part of it, and what was chosen of it. */
typedef struct RemodelPart {
    Array *a;
    const ArrayIndex *x;
    const Selection *s;
} RemodelPart;

/* Changes the Sys of the parts, which share no equation and no unknown. The
 * other equations stay. Returns false if an equation has no derivative. `sets`
 * gets the state sets of the selections, as many as these have: what reduce is
 * to add. */
bool array_remodel(const RemodelPart *part, int n, DaeStateSet *sets,
                   Arena *arena);

#endif
