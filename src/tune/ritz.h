/* ritz.h - eigenvalues that a few steps of Arnoldi's method find.
 *
 * All eigenvalues of a matrix cost the cube of its size. In a search most
 * patterns fail, and what they fail by are outer eigenvalues: one that grows,
 * one near -1, one that moved far. Those are the first that products with a
 * vector bring out (Saad, Numerical Methods for Large Eigenvalue Problems, 6),
 * at the price of a few dozen products. Only values that two lengths of the
 * iteration agree on are given: enough to refuse a pattern, never to accept
 * one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_RITZ_H
#define TAKT_TUNE_RITZ_H

#include <complex.h>

enum {
    RITZ_STEPS = 32, /* at most so many values */
    RITZ_FROM = 100, /* size of a matrix: below, all eigenvalues are as cheap */
};

#define RITZ_SETTLED 2e-3 /* how well a value is known that is given */

/* Fills value (size RITZ_STEPS), largest first; returns how many. */
int ritz_values(int n, const double *m, double complex *value);

#endif
