/* pivots.h - static factorisations, chosen from samples along a run.
 *
 *   in    Lowered (pivoting), Schedules   a run on the host
 *   out   Pivots          every block outside of initialisation becomes
 *                         straight-line code or tables
 *   next  lower/lower.h   lowers again: no pivoting is left
 *
 * A run of the model gives matrices of each block: at points along the way, and
 * near them with perturbed states. The pivots of num/static_lu.h must pass
 * their threshold in all of them. Everything is deterministic.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_PIVOTS_H
#define TAKT_STEP_PIVOTS_H

#include "lower/factor.h"
#include "sim/sim.h"

typedef struct PivotOptions {
    int points;       /* along the run; 0: 24; all steps if there are no more */
    int perturbed;    /* more of them around each point; 0: 1 */
    double spread;    /* size of a perturbation, relative; 0: 0.02 */
    long steps;       /* of the run at most; 0: 4000 */
    double threshold; /* of a pivot; 0: 0.1, relaxed down to 1e-6 with a
                         warning */
    long unroll_flops; /* straight-line code up to so many operations per step;
                          0: 4000, which is about
                          32 KB of code */
    const Plan *plan;  /* its choice of factorisations; NULL: none */
    bool is_float;     /* the code will work in single precision */
} PivotOptions;

typedef struct PivotReport {
    int nsample;    /* points in all */
    int nblock;     /* blocks that were given a factorisation, of them */
    int ntable;     /* LU by tables, */
    int nqr;        /* QR by tables, */
    int ndense;     /* dense with pivots at run time; the others: unrolled LU */
    double weakest; /* smallest pivot over its column's largest entry */
    long flops;     /* of the factorisations and solutions of steps, those of
                       events aside */
    long nnz;       /* of these factors */
    const char *open; /* sim_open_later() of the run */
    double until;     /* the run has come to this time */
} PivotReport;

typedef struct Pivots {
    const double
        *size; /* of each entry of Inlined, the largest |x| of the run */
    const double *push;               /* LowerOptions.push */
    const BlockFactor *const *factor; /* of each block of each system, NULL for
                                         systems without any */
    PivotReport report;
} Pivots;

/* Runs `sim` (fresh; initialised here) and finds factorisations for the blocks
 * of `schedule`: those of the plan; else LU where an order of pivots passes,
 * unrolled or by tables as the size rule says; else the safe ones with a
 * warning (W1406): dense with exchanged rows up to 3 unknowns, QR beyond.
 * Lives in `arena`. NULL after a report: initialisation failed, a block is
 * singular by structure (E1401), the plan names what is not there. */
const Pivots *pivots_choose(Sim *sim, const Schedule *const *schedule,
                            const PivotOptions *options, Arena *arena);

/* The matrices of a block along a run, for those who test factorisations. */
typedef struct PivotMatrices {
    const char *name; /* of the block */
    int n, nnz;
    const int *row, *col; /* of each entry */
    int nsample;
    const double *entry; /* nsample times nnz */
} PivotMatrices;

/* The same run and points; returns the blocks outside of initialisation that
 * were met, and their number, NULL after a report. */
PivotMatrices *pivots_collect(Sim *sim, const Schedule *const *schedule,
                              const PivotOptions *options, int *n,
                              Arena *arena);

#endif
