/* dae.h - multistep methods on A x + B x' = 0: does B matter?
 *
 * Cellier, Kofman 8.2: with w = x', F is the matrix that takes
 * (x_n, ..., x_{n-k+1}, w_n, ..., w_{n-k+1}) one step on,
 *
 *     (alpha_0 B + h beta_0 A) x_{n+1} = B sum_{k>0} (-alpha_k x + h beta_k w)
 *     w_{n+1} = -B^-1 A x_{n+1}
 *
 * (a one-leg method has A sum beta_k x in the place of the slopes, (8.30))
 * as (8.13) for BDF3 and (8.33) for AM3. A = -B [0 1; -1 2 cos a] (8.14) puts
 * the eigenvalues on the unit circle. A singular B is led back to a regular one
 * by its singular values, (8.15) to (8.25); formulas with one slope do without
 * and are taken as they are.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_DAE_H
#define TAKT_THEORY_DAE_H

#include "plan/method.h"

enum { DAE_TESTS = 6 };

typedef struct DaeTest {
    const char *name;
    int rank;          /* of B */
    double condition;  /* of its regular part */
    double difference; /* of the largest eigenvalue of F from |F(z)|, relative,
                          over 40 angles and 10 steps */
} DaeTest;

/* For MK_MULTISTEP and MK_ONELEG. */
void dae_test(const Method *m, DaeTest test[DAE_TESTS]);

#endif
