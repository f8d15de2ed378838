/* estimator.h - how large is the error of a step? A formula for each method.
 *
 *   in    Method      coefficients
 *   out   Estimator   weights of what a step has at hand
 *   next  inline/estimate.c  the formula as equations
 *
 * The error of a step is taken to be
 *
 *     e = h (sum slope_j F_j + end f_{n+1} + sum past_i f_{n-i}
 *            + sum before_j F_j of the step before)
 *         + change (x_{n+1} - x_n) + sum value_j V_j
 *
 * F_j are the slopes of the stages, f the slopes at grid points, V_j the values
 * of the stages (extrapolation) or their increments (Rosenbrock methods). With
 * a filter, (I - gamma h J)^-1 is applied to it, J at the end of the step: on
 * stiff components slopes are large and errors are not (Hairer, Wanner II,
 * IV.8). `e` is result minus truth where the formula has the order of the
 * method, else the error of a formula of lower order.
 *
 *   Euler        half the change of the slope
 *   collocation  a divided difference of the slopes: of the order of the stages
 *                from one step, one order more from two
 *   explicit     the integral of the polynomial through as many slopes at grid
 *                points as the next order needs; at first a formula of lower
 *                order from the stages
 *   multistep    error constant times the difference of slopes of its order
 *   extrapolation  the last two columns of the table
 *   embedded     the difference of the two sets of weights
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_ESTIMATOR_H
#define TAKT_PLAN_ESTIMATOR_H

#include "plan/embedding.h"

enum { ESTIMATOR_PAST = 6 }; /* f_n, f_{n-1}, ... at most */

/* What a step can rely on. */
typedef enum EstimatorUse {
    EU_FRESH,   /* nothing before t_n: a first step, a step after an event */
    EU_HISTORY, /* `need` steps of equal length before it */
    EU_INPUTS,  /* f_n does not count: the inputs jump at t_n */
} EstimatorUse;

typedef struct Estimator {
    int order;     /* of the formula whose error it is */
    int need;      /* steps before this one that it needs */
    double *slope; /* [nstage] */
    double *before;
    double *value;
    double end;
    double past[ESTIMATOR_PAST];
    double change;
    double gamma; /* of the filter; 0: none */
    /* EU_INPUTS: f_n = F_j - J (X_j - x_n) - c_j h f_t, j = `stage`, so that e
     * has the part -lost h J (X_j - x_n) - lost c_j h^2 f_t; NONE: none */
    int stage;
    double lost;
    double
        share; /* of e in the error of the run: 1 but for multistep methods */
} Estimator;

/* Lives in `arena`. For methods of one step at a time, not for MK_CYCLE. */
Estimator *estimator_make(const Method *m, EstimatorUse use, Arena *arena);

/* ---- steps of any length ---- */

/* The formula e = h (sum weight_j F_j + sum weight_{s+j} F_j of the step before
 * + weight_2s f_n) for a step that is `ratio` times shorter than the one before
 * it; 0: nothing before t_n counts. Returns its order. */
int estimator_weights(const Method *m, double ratio, double *weight);
/* The same by an embedding, for equal steps: the weights of two steps before
 * come last, s of them. Returns its order; 0: the method has none. */
int estimator_embedding(const Method *m, EmbeddingKind kind, double *weight);
/* Has the method such weights? */
bool estimator_has_weights(const Method *m);
/* Can its error be told in steps of any length, by these weights or by others
 * that do not depend on the step before? */
bool estimator_controls(const Method *m);

/* How errors of the past go on: gamma of an implicit formula of order 2, or 0
 * and the coefficients r_1 .. r_n of the method's own polynomial
 * 1 + r_1 z + ... + r_n z^n; returns n (0: by gamma). */
int estimator_growth(const Method *m, double *gamma, double r[ESTIMATOR_PAST]);

#endif
