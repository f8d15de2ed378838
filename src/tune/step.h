/* step.h - the matrix of one step with an inexact iteration matrix.
 *
 *   in    PencilSet, a sample, tau, the places kept
 *   out   StepMatrix   what a step does to the variables that are remembered
 *   next  choice.h, certificate.h test its eigenvalues; mixed.h, lag.h too
 *
 * With J in the place of Df a step of linearly implicit Euler is
 *
 *     (L - tau J) z_{n+1} = (L + tau (Df - J)) z_n          (Schiela 3.20)
 *
 * The matrix on the right has columns of zeros for algebraic variables whose
 * entries are all exact: their old value is forgotten. The others, the states
 * and the columns with an inexact entry, are *remembered*; a step maps them to
 * themselves by the small matrix
 *
 *     m = C^T (L - tau J)^-1 (L + tau (Df - J)) C,
 *
 * whose eigenvalues are those of the pair (4.3) but for zeros. n = 354 with 78
 * states becomes 78 to 200. The system is solved sparse (num/pivot.h).
 *
 * The extrapolated step of order k (liexK) with J is the same combination of
 * substeps as in Schiela 3.4: sum_j w_j m(tau/j)^j, w_j = prod j / (j - i).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_STEP_H
#define TAKT_TUNE_STEP_H

#include <complex.h>

#include "tune/outcome.h"
#include "tune/pencil.h"

typedef struct StepMatrix {
    TuneCode code;
    int n;           /* remembered variables; 0 unless code is TUNE_FINE */
    const int *var;  /* size n: their columns in the set, states first */
    const double *m; /* n * n, by columns */
    int bad;         /* TUNE_SINGULAR: column where elimination stopped */
} StepMatrix;

/* One step in sample s. `keep` and `frozen` as in pencil_iteration_matrix(),
 * both may be NULL: then only states are remembered. `order` > 1: the
 * extrapolated step of that order, at most 8. Lives in `arena`. */
StepMatrix step_matrix(const PencilSet *p, int s, double tau, int order,
                       const bool *keep, const double *frozen, Arena *arena);

/* The eigenvalues of an n * n matrix, largest absolute value first, conjugate
 * pairs together. TUNE_NO_CONVERGENCE leaves `value` zero. */
TuneCode step_eigenvalues(int n, const double *m, double complex *value);
/* The largest absolute value of them; 0 and *code set if that fails. */
double step_radius(int n, const double *m, TuneCode *code);

#endif
