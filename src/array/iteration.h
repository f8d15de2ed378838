/* iteration.h - the matrix of a Newton iteration on a system of any index, as
 * the step goes to 0.
 *
 *   in    Array     f(x', x, t) = 0 and its Jacobians at a point
 *   out   Iteration norm and condition of the matrix for many steps
 *
 * DASSL puts x' = (x - old(x))/h into the equations and iterates on x with
 *
 *     H = f_x + f_x' / h            (Cellier, Kofman (8.75))
 *     h H = h f_x + f_x'            the same, scaled (8.78)
 *
 * The iteration vector is that of 8.4: variables whose derivatives occur, and
 * of the others those that no assignment gives. Equations without a derivative
 * are given as many of the other variables as they can (a matching); where
 * these form loops, variables are torn out of them until none is left; the rest
 * is eliminated. What has no such equation (index 2 and more) stays in the
 * vector too. Condition and norm are those of singular values.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_ITERATION_H
#define TAKT_ARRAY_ITERATION_H

#include "array/array.h"

enum { ITERATION_STEPS = 7 }; /* h, h/10, ... */

typedef struct Iteration {
    int n;      /* iteration variables: */
    int nstate; /* with a derivative, */
    int ntorn;  /* torn out of loops, */
    int nfree;  /* without an equation */
    int *column;
    double h[ITERATION_STEPS];
    double norm[ITERATION_STEPS]; /* of H; that of h H is h times it */
    double condition[ITERATION_STEPS];
} Iteration;

/* At the point z (x and x') and time t, from the step h on. Lives in `arena`.
 */
const Iteration *iteration_look(Array *a, double t, const double *z, double h,
                                Arena *arena);

/* d log condition / d log h over the last steps above rounding; 0 if nothing
 * changes. */
double iteration_slope(const Iteration *it);

#endif
