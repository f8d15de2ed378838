/* pivots.h - static factorisations, chosen from samples along a run.
 *
 *   in    Lowered (pivoting), Schedules   a run on the host
 *   out   SchedBlock.delta                every block outside of initialisation
 *                                         becomes straight-line code
 *   next  lower/lower.h                   lowers again: no pivoting is left
 *
 * A run of the model gives matrices of each block: at points along the way, and
 * near them with perturbed states. The pivots of num/static_lu.h must pass
 * their threshold in all of them. Everything is deterministic.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SAMPLE_PIVOTS_H
#define TAKT_SAMPLE_PIVOTS_H

#include "sim/sim.h"

typedef struct PivotOptions {
    int points;       /* along the run; 0: 24 */
    int perturbed;    /* more of them around each point; 0: 1 */
    double spread;    /* size of a perturbation, relative; 0: 0.02 */
    long steps;       /* of the run at most; 0: 4000 */
    double threshold; /* of a pivot; 0: 0.1, relaxed down to 1e-3 with a
                         warning */
} PivotOptions;

typedef struct PivotReport {
    int nsample;    /* points in all */
    int nblock;     /* blocks that were given an order */
    double weakest; /* smallest pivot over its column's largest entry */
    long flops;     /* of all factorisations and solutions */
    long nnz;       /* of all factors */
} PivotReport;

/* Runs `sim` (fresh; initialised here) and unrolls the blocks of `schedule`.
 * Returns false after a report: initialisation failed, or a block for which no
 * order passes (E1401). */
bool pivots_choose(Sim *sim, Schedule *const *schedule,
                   const PivotOptions *options, PivotReport *report,
                   Arena *arena);

#endif
