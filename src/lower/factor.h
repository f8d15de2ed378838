/* factor.h - a static LU factorisation as expressions.
 *
 *   in    SchedBlock with its Jacobian, StaticLu with its pivots
 *   out   SchedBlock.delta   the Newton correction, delta = J^-1 residual
 *
 * The elimination is carried out on handles of the DAG instead of numbers. So
 * the factorisation is straight-line code like everything else: constants
 * fold, what depends on parameters only is computed once before the run, and
 * whatever the Jacobian shares with the residuals is computed once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_FACTOR_H
#define TAKT_LOWER_FACTOR_H

#include "num/static_lu.h"
#include "schedule/schedule.h"

/* Entry k of the Jacobian (by columns) is entry k of the tables. */
void factor_unroll(Dag *dag, SchedBlock *b, const StaticLu *lu, Arena *arena);

#endif
