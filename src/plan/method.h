/* method.h - integration methods as data.
 *
 * inline/inline.h puts a method into the equations of a model, and knows it
 * only by the numbers here; there is no code for a single method anywhere.
 * A few shapes are enough:
 *
 *   MK_RK         Runge-Kutta tableau (A, b, c): X_i = x_n + h sum a_ij X'_j,
 *                 x_{n+1} = x_n + h sum b_j X'_j. Explicit, diagonally implicit
 *                 and fully implicit ones differ only in the zeros of A, and
 *                 sorting the equations finds the stages that can be solved
 *                 one after the other. Linearly implicit Euler is backward
 *                 Euler with one Newton iteration, and its extrapolation is a
 *                 tableau too (below).
 *   MK_MULTISTEP  sum_k alpha_k x_{n+1-k} = h sum_k beta_k x'_{n+1-k}
 *   MK_ONELEG     (8.29) of Cellier and Kofman:
 *                 1/h sum_k alpha_k x_{n+1-k} = f(sum_k beta_k x_{n+1-k},
 *                 sum_k beta_k u_{n+1-k}, sum_k beta_k t_{n+1-k})
 *   MK_ROSENBROCK linearly implicit Runge-Kutta, one matrix per step (below)
 *   MK_CYCLE      other methods in turn, one per step (BI2: fe, then be)
 *   MK_NONE       no integration: the model as it is
 *
 * Extrapolation of Euler's method with the harmonic sequence (Schiela 3.4):
 * row j makes j substeps of h/j; x_{n+1} = sum_j w_j T_j1 with the weights of
 * Aitken and Neville, w_j = prod_{l != j} n_j / (n_j - n_l). Written as a
 * tableau it has 1 + 2 + ... + k stages, each of which starts its only Newton
 * iteration from the stage before it (stage_guess), with the Jacobian of t_n.
 * The sum of |w_j| is 3, 9, 28, 93, 302 for k = 2 .. 6: from 5 rows on changes
 * are weighed, not values.
 *
 * Rosenbrock methods (Hairer, Wanner II, IV.7) for x' = f(t, x), with the
 * Jacobian J and f_t of t_n in all stages:
 *
 *   k_i = h f(t_n + alpha_i h, x_n + sum_{j<i} alpha_ij k_j)
 *         + h J sum_{j<=i} gamma_ij k_j + gamma_i h^2 f_t,
 *   x_{n+1} = x_n + sum b_i k_i
 *
 * with gamma_ii = gamma, so that all stages have the matrix I - h gamma J. With
 * u = Gamma k no product with J is left (IV.7, (7.25)): each stage is a value
 * of f and a solution,
 *
 *   (I - h gamma J) u_i = gamma (h f(t_n + alpha_i h, x_n + sum a_ij u_j)
 *                         + sum c_ij u_j + gamma_i h^2 f_t),
 *   x_{n+1} = x_n + sum m_i u_i,
 *
 * (a) = alpha Gamma^-1, (c) = I/gamma - Gamma^-1, m = b Gamma^-1. To a linear
 * equation this is the Runge-Kutta method with the matrix alpha + Gamma.
 *
 * Sources: Cellier, Kofman, Continuous System Simulation, ch. 8; Hairer,
 * Wanner, Solving ODEs II, IV.5, IV.6 (SDIRK4), IV.7, IV.9, V.1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_METHOD_H
#define TAKT_PLAN_METHOD_H

#include <stdbool.h>

#include "base/diag.h"
#include "plan/exact.h"

typedef enum MethodKind {
    MK_NONE,
    MK_RK,
    MK_MULTISTEP,
    MK_ONELEG,
    MK_ROSENBROCK,
    MK_CYCLE,
} MethodKind;

typedef struct Method Method;
struct Method {
    const char *name;  /* "radau3" */
    const char *title; /* "Radau IIA of order 3" */
    MethodKind kind;
    int order;             /* classical order */
    int stage_order;       /* of the stage values; multistep: equal to order */
    double error_constant; /* C: a step errs by C h^(p+1) x^(p+1) + ..., for
                              linear x' = lambda x; multistep: over sum beta */
    int newton; /* Newton iterations per step that belong to the method (1 for
                   the linearly implicit ones), 0: any number */

    /* The coefficients as they were written: a, b of MK_RK; alpha_ij, gamma_ij,
     * b of MK_ROSENBROCK; alpha, beta of the multistep ones. Those of b_hat. */
    const Exact *exact, *exact_hat;

    /* MK_RK */
    int nstage;
    const double *a;     /* nstage * nstage, by rows */
    const double *b;     /* nstage */
    const double *c;     /* nstage */
    const double *b_hat; /* embedded method, or NULL */
    int order_hat;
    const int *stage_guess; /* nstage: the stage whose values start the Newton
                               iteration of stage i, NONE: values at t_n. NULL:
                               the iteration starts from what the unknowns had
                               in the step before */
    const double *stage_weight; /* nstage: x_{n+1} = sum weight_i X_i, which is
                               the same as by b, and stays right where one
                               Newton iteration leaves X_i and X'_i apart; NULL:
                               by b */
    bool weighs_changes;        /* x_{n+1} = x_n + sum weight_i (X_i - x_n): the
                                   weights are so large that of values they
                                   would multiply the rounding */
    bool one_jacobian;          /* the iteration matrices of all stages are
                                   those of t_n (Schiela (3.8)) */
    bool is_explicit;           /* a_ij = 0 for j >= i */
    bool is_diagonal;           /* a_ij = 0 for j > i: stage after stage */
    bool is_stiffly_accurate;   /* b is the last row of A, and c_s = 1: the last
                                   stage is the end of the step */

    /* MK_ROSENBROCK: nstage, b, b_hat as above; a is alpha + Gamma, c alpha_i
     */
    double gamma;
    const double *alpha_ij;     /* nstage * nstage, by rows */
    const double *gamma_ij;     /* the same, with the diagonal gamma */
    const double *time_weight;  /* nstage: gamma_i */
    const double *value_weight; /* nstage * nstage: a_ij */
    const double *slope_weight; /* nstage * nstage: c_ij */
    const double *end_weight;   /* nstage: m_i */
    int order_any; /* order with any matrix in the place of J (W-methods) */

    /* MK_MULTISTEP, MK_ONELEG: sizes nback + 1, index k stands for n+1-k */
    int nback;
    const double *alpha; /* alpha_0 = 1 for MK_MULTISTEP; 0, and alpha_1 = 1: an
                            overimplicit formula, which gives x'_{n+1} from
                            what is known (8.37), (8.39) */
    const double *beta;
    const Method *start; /* method of the first nback - 1 steps, NULL: none is
                            needed */
    bool reevaluate; /* the model is evaluated again at x_{n+1} for x' and the
                        algebraic variables (Adams-Moulton in the two-solve
                        form (8.28)) */

    /* MK_CYCLE */
    const Method *const *part;
    int npart;
};

/* The method of that name in the table, built in `arena`, or NULL. */
const Method *method_find(const char *name, Arena *arena);
int method_count(void);
const char *method_name(
    int i); /* 0 .. method_count()-1, in order of the help */

/* Is it a word of takt sim --method that no step can be made of? */
bool method_is_of_desk(const char *name);

/* The method of that name, or the tableau in the JSON file of that name (if it
 * ends in ".json"). NULL after a report that suggests a name or says what is
 * wrong in the file:
 *     {"name": "gauss4", "order": 4, "a": [[..], [..]], "b": [..], "c": [..],
 *      "stage_order": 2, "b_hat": [..], "order_hat": 3}
 *     {"name": "bdf2", "order": 2, "alpha": [1, "-4/3", "1/3"], "beta":
 * ["2/3"]} and "oneleg": true, "reevaluate": true, "start": "radau3" for the
 * latter; a Rosenbrock method has "a" (alpha_ij), "gamma" (the matrix, with its
 * diagonal) and "b". A number may be written as text with a fraction or a root:
 * "5/12", "(88-7*sqrt6)/360". "alpha" of an overimplicit formula begins with 0.
 * Without c the row sums of a are taken. The tableau is refused if its rows do
 * not sum to c, or b not to 1, or the order conditions up to the stated order
 * (at most 5 are tested, 4 of a Rosenbrock method) do not hold. Lives in
 * `arena`. */
const Method *method_read(const char *name, Sources *sources, Arena *arena,
                          Diag *diag);

/* The longest history a method needs: x_{n-k} for k < method_back(). 1 for
 * one-step methods. A cycle has the largest of its parts. */
int method_back(const Method *m);

/* Largest error of the order conditions up to order `upto` (<= 5, the rooted
 * trees with at most that many nodes; <= 4 for Rosenbrock methods; for
 * multistep methods the conditions on alpha and beta of any order). */
double method_order_defect(const Method *m, int upto);
/* Asserts the promises above: derived flags, row sums, order. */
void method_check(const Method *m);

#endif
