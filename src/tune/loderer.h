/* loderer.h - indicators for a whole sparsing at once (Loderer, Heuveline
 * 2017).
 *
 *   in    PencilSet, a sample, tau, the places kept
 *   out   Indicators
 *
 * With F = B^-1 L the exact step and F + eM the sparsed one (11):
 *
 *   d_S   |tr(B^-1 tau dJ (I - B^-1 L))|: first order, linear in dJ. Loderer
 *         prints I + tau J in place of I, which gives twice the value.
 *   d_1   |tr(eM)|: the sum of the changes, exact, but blind to cancellation
 *   d_2   sqrt(tr((eM)^2)) as in the paper. His lemma 3 does not hold: the
 *         trace also has sum_{i != j} m_ij m_ji, and can be negative.
 *   d_2c  sqrt(sum_k |y_k^H eM x_k|^2), y_k^H x_k = 1, over simple eigenvalues,
 *         and tr(M_kk^2) inside a cluster of equal ones: what was meant.
 *   d_r   sum |lambda~ - lambda|, computed, and the root of the sum of squares.
 *
 * Bounds: C1 = min r_i and C2 = min r_i^2 with r_i the distance of lambda_i to
 * the unit circle; slow modes (tau |mu| < 0.1) are left out, else they decide.
 * C2 is an indicator, no guarantee.
 *
 * Single eigenvalues may be badly conditioned. What is not above `rounding` is
 * not known, and is printed as such.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_LODERER_H
#define TAKT_TUNE_LODERER_H

#include "tune/spectrum.h"

typedef struct Indicators {
    TuneCode code;
    double d_s, d_s_printed; /* corrected, and as printed in (2) */
    double d_1;
    double d_2_square;     /* tr((eM)^2), may be negative */
    double d_2;            /* its root, 0 if it is negative */
    double d_2c;           /* corrected */
    double d_r;            /* sum of |lambda~ - lambda|, best assignment */
    double abs_sum;        /* |sum of (lambda~ - lambda)| */
    double root_square;    /* root of the sum of |lambda~ - lambda|^2 */
    double rounding;       /* how well d_r, root_square and d_2c are known */
    double trace_rounding; /* the same of d_s and d_1 */
    double c1, c2;         /* bounds; INFINITY if all are slow */
    bool fits_c1, fits_c2; /* d_1 <= c1, d_2c^2 <= c2 */
    double
        worst_argument; /* largest |arg lambda~| of modes that were not
                           oscillatory and have |lambda~| > 0.01, in [0, pi] */
    bool is_ringing;    /* worst_argument > pi/2: steps alternate */
} Indicators;

/* `s` is the spectrum of the same sample and step. */
Indicators loderer_indicators(const PencilSet *p, const Spectrum *s,
                              const bool *keep, const double *frozen);

#endif
