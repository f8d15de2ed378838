/* drift.h - how far a trajectory strays because entries are left out.
 *
 *   in    PencilSet, DriftPath   the iteration variables along reference runs,
 *                                and what the watched outputs make of them
 *   out   Drift                  the largest distance, and each entry's share
 *   next  choice.h, search.h     keep what would stray too far
 *
 * Eigenvalues do not see everything: an entry that is left out of the matrix
 * delays what it stands for by a step. With D = Df - J a step is
 *
 *     (L - tau J) dz = tau f(z)   or   (L + tau D) dz / tau = f(z + dz) +
 * O(dz^2)
 *
 * which is implicit Euler for a model with the mass matrix L + tau D. Beside
 * the exact step z(t_n) its error e grows by
 *
 *     (L + tau D - H Df) e_{k+1} = (L + tau D) e_k - tau D (z_{k+1} - z_k)
 *
 * over a part of the run of length H; for H = tau these are the steps
 * themselves, and for a linear model with constant slopes this is no estimate
 * but the distance of the two runs. A longer H leaves out what happens within.
 * Df is that of the nearest sample. docs/methods/sparsing.md derives it.
 *
 * The distance of an output is linear in the entries' forces tau D_ij dz_j, so
 * it is a sum of shares, one per entry; they come from one run of the adjoint
 * equation backward from the worst point.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_DRIFT_H
#define TAKT_TUNE_DRIFT_H

#include "tune/pencil.h"

/* Points along one reference run. */
typedef struct DriftRun {
    int scenario;
    int n;               /* points */
    const double *time;  /* size n, ascending */
    const double *z;     /* the iteration variables, PencilSet.n a point */
    const double *range; /* of each watched output, > 0 */
} DriftRun;

typedef struct DriftPath {
    int nrun;
    const DriftRun *run;
    int nwatch;
    const char *const *watch; /* names */
    /* d watch w / d state j in sample s: [(s * nwatch + w) * nx + j] */
    const double *gradient;
    /* [s * nwatch + w]: the states that watch w asks for, first .. end - 1;
     * NULL: drift_spans() was not called, they are found each time */
    const int *first, *end;
} DriftPath;

/* Finds what each output asks for. Lives in `arena`. */
void drift_spans(DriftPath *d, const PencilSet *p, Arena *arena);

typedef struct Drift {
    double percent; /* largest distance of an output over its range; INFINITY
                       where the sparsed matrix is singular */
    int watch;      /* which output, NONE: there is nothing to watch */
    int run, point; /* where */
} Drift;

/* `keep` and `frozen` as in pencil_iteration_matrix(). `share` (size nnz, or
 * NULL) gets what each entry adds to the distance at the worst place, in
 * percent: positive makes it larger, the sum is `percent`. */
Drift drift_estimate(const DriftPath *d, const PencilSet *p, double tau,
                     const bool *keep, const double *frozen, double *share);
/* Is it more than `limit` percent? Ends where that is known. */
bool drift_exceeds(const DriftPath *d, const PencilSet *p, double tau,
                   const bool *keep, const double *frozen, double limit);

#endif
