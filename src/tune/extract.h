/* extract.h - the pencils of a scheduled step.
 *
 *   in    SchedBlock   the block that iterates on all states:
 * schedule_state_block(), method lie or be Samples      points, and their
 * values for the entries of its Inlined out   PencilSet    L z' = Df z in each
 * point
 *
 * The matrix E of the block is the derivative of the residuals
 *
 *     x - old(x) - h x'(x, y),    g(x, y),
 *
 * so that with L = (I 0; 0 0) the rows of states give Df = (L - E) / h, and
 * algebraic rows, which hold for any h, are taken as E = -h Df.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_EXTRACT_H
#define TAKT_TUNE_EXTRACT_H

#include "sample/samples.h"
#include "tune/pencil.h"

/* Points whose matrix is not finite are left out. NULL after a report: a state
 * without an integration formula among the residuals (E1501), no finite point
 * (E1502). */
PencilSet *pencil_make(const Schedule *s, const SchedBlock *b,
                       const Samples *samples, double step, Arena *arena,
                       Diag *diag);

/* The iteration variables in other points, in the order of the columns:
 * b->ntorn a point. */
double *pencil_values(const Schedule *s, const SchedBlock *b,
                      const Samples *samples, double step, Arena *arena);

#endif
