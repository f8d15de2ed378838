/* theory.h - what can be said of a method without a model.
 *
 *   in    Method    coefficients (plan/method.h)
 *   out   Theory    order, error constant, stability function, verdicts
 *   next  picture.h stability domains and damping as pictures and a page
 *
 * The order is that of all order conditions: of the rooted trees for
 * Runge-Kutta methods (Hairer, Norsett, Wanner I, II.2), with two matrices for
 * linearly implicit ones (Hairer, Wanner II, IV.7), of polynomials for
 * multistep formulas. They are tested in exact numbers (plan/exact.h) wherever
 * the coefficients are; a cycle is one method over all its steps.
 *
 * F(z), z = h lambda, is what a step makes of x' = lambda x: up(z) / down(z) of
 * one-step methods; the largest root of sum (alpha_k - z beta_k) zeta^(n-k) of
 * multistep ones. A-stability of the former is decided by
 *
 *     E(y) = |down(iy)|^2 - |up(iy)|^2 >= 0 and no zero of `down` on the left
 *
 * with Sturm's and Routh's sequences; of the latter by Re rho(w)/sigma(w) >= 0
 * on the unit circle, a polynomial of cos. Where numbers are exact this is a
 * proof; else it is said that it was seen.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_THEORY_H
#define TAKT_THEORY_THEORY_H

#include "plan/method.h"
#include "theory/poly.h"

enum { THEORY_ORDER = 8 }; /* order conditions are tested up to here */

/* A sentence of yes or no, and how it is known. */
typedef struct Verdict {
    bool yes;
    bool is_proven; /* in exact numbers; else it was seen on a fine grid */
    const char *why;
} Verdict;

typedef struct Theory {
    const Method *m;
    int nstep; /* of a cycle, else 1: F belongs to so many steps */

    int order;           /* all order conditions up to here hold */
    bool order_is_exact; /* in exact numbers; else to `defect` */
    double defect;       /* largest of those that hold */
    int ncondition;      /* number of conditions that hold */
    double next_defect;  /* and the largest of the next order */
    int stage_order;     /* of one-step methods */
    int order_any;       /* of linearly implicit methods with any matrix in
                            the place of the Jacobian; else 0 */
    int order_hat;       /* of the embedded method, 0: none */
    Exact constant;      /* C: a step makes C h^(p+1) x^(p+1) wrong, for
                            x' = lambda x; multistep: over sum beta */
    bool is_rational;    /* F = up / down; else the largest root */
    Poly up, down;

    bool is_zero_stable; /* multistep: for z = 0 nothing grows */
    bool is_overimplicit;
    Verdict a, l, stiff;
    double angle;    /* A(angle), degrees; 0: none */
    double gear;     /* stiffly stable: stable for Re z < -gear; INFINITY */
    double infinity; /* |F| far to the left */
    double real, imaginary; /* stable on [-real, 0], [-i y, i y]; INFINITY */
} Theory;

/* Lives in `arena`. */
const Theory *theory_make(const Method *m, Arena *arena);

/* |F(z)|: by which factor one step changes a mode with h lambda = z. For a
 * multistep method the largest root; for a cycle the geometric mean of its
 * parts. INFINITY at a pole, 1 for the method `none`. */
double theory_growth(const Method *m, double re, double im);

/* The stability function as text: "(1 + z/3)/(1 - 2/3 z + 1/6 z^2)", or the
 * polynomial whose largest root it is. */
const char *theory_function(const Theory *t, Arena *arena);

#endif
