/* criterion.h - what the loss of one entry does to the modes, to first order.
 *
 *   in    PencilSet, Spectrum of a sample
 *   out   Criterion   for every place of the pattern and every cluster of
 *                     eigenvalues the sum of their changes
 *   next  choice.h
 *
 * If the entry (i, j) of the iteration matrix loses its part -tau Df_ij, both
 * matrices of the pair (L, L - tau Df) get E = tau Df_ij e_i e_j^T, and the
 * eigenvalues of cluster k change by
 *
 *     sum (lambda~ - lambda) = tr(U_k E V_k) + O(E^2)        (4.50), (4.54)
 *     U_k = B_k^-1 Y_k^H,  V_k = X_k (I - B_k^-1 A_k)        (4.52), (4.53)
 *
 * so one scalar product an entry (4.56). The trace of a conjugate pair is blind
 * to a change of frequency, which moves the two by i w and -i w; for clusters
 * of one pair alone c is therefore |dlambda| of both, from the eigenvectors of
 * the 2 * 2 block, and never less than the trace.
 *
 * The eigenvalues 0 of the algebraic part are one more cluster, the last one:
 * their sum changes by -(Df_22^-1)_ji Df_ij (4.58, corrected), and c is the
 * larger of this and of |y_ki Df_ij x_jk / s_k| over the singular values s_k of
 * the scaled Df_22 (4.60, a heuristic that guards against a singular matrix).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_CRITERION_H
#define TAKT_TUNE_CRITERION_H

#include "tune/pencil.h"
#include "tune/spectrum.h"

typedef struct Criterion {
    TuneCode code;
    int nnz;
    int ncluster; /* of the spectrum, one more if there are algebraic ones */
    /* Place e and cluster k: at [e + k * nnz]. */
    const double *gain; /* sum of changes for a unit of E_ij */
    const double *sum;  /* tau Df_ij gain: for a dropped entry, real part */
    const double *c;    /* the size of the change, >= |sum| */
    /* Only with algebraic variables, size nnz, 0 outside of their block. */
    const double *algebraic_trace; /* (4.58) */
    const double *algebraic_worst; /* (4.60), the worst singular value */
} Criterion;

/* Lives in `arena`. The code of the spectrum if it is not TUNE_FINE. */
const Criterion *criterion_make(const PencilSet *p, const Spectrum *s,
                                Arena *arena);

/* Nowak's rule, for comparison (4.63): keep[e] becomes true where
 * |tau Df_ij| >= sigma in the scaled matrix; diagonal places of states and
 * places with L != 0 stay as they are. */
void criterion_magnitude(const PencilSet *p, int sample, double tau,
                         double sigma, bool *keep);

/* A rule that could be followed at run time and sees that entries depend on
 * each other, which Schiela (4.4.3, 7) leaves open: an entry moves eigenvalues
 * only as part of a cycle, so what closes one counts. keep[e] becomes true
 * where |tau Df_ij| |(B^-1)_ji| >= sigma, B = L - tau Df, with the inverse from
 * the diagonal and cycles of two and three variables alone. Rows and columns of
 * algebraic variables stay. Invariant to scaling of the variables. */
void criterion_cycles(const PencilSet *p, int sample, double tau, double sigma,
                      bool *keep);

#endif
