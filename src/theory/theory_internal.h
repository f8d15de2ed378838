/* theory_internal.h - what the files of theory/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_THEORY_INTERNAL_H
#define TAKT_THEORY_INTERNAL_H

#include "theory/theory.h"

/* A one-step method: k_i = h f(x + sum alpha_ij k_j) + h J sum gamma_ij k_j. */
typedef struct Scheme {
    int s;
    Exact *alpha; /* s * s, by rows */
    Exact *gamma; /* NULL: no Jacobian */
    Exact *beta;  /* alpha + gamma, or alpha */
    Exact *b, *b_hat;
    int nstep; /* a cycle: all of them as one step */
} Scheme;

/* ---- scheme.c ---- */
/* NULL: m is no one-step method. */
const Scheme *scheme_of(const Method *m, Arena *arena);
Poly scheme_up(const Scheme *s, Poly down, Arena *arena);
Poly scheme_down(const Scheme *s, Arena *arena);

/* ---- trees.c ---- */
typedef struct OrderTest {
    int order;
    bool is_exact;
    double defect, next_defect;
    int ncondition;
} OrderTest;
/* Of the weights `b`; any_matrix: whatever stands in the place of J. */
OrderTest trees_order(const Scheme *s, const Exact *b, bool any_matrix);

/* ---- multistep.c ---- */
OrderTest multistep_order(const Method *m);
Exact multistep_constant(const Method *m, int order);
void multistep_stability(Theory *t, Arena *arena);
/* The largest root of sigma: |F| far to the left. */
double multistep_far_out(const Method *m);

/* ---- stability.c ---- */
void onestep_stability(Theory *t, Arena *arena);
/* Of it what the axis decides: A-stability, and |F| far out. */
void onestep_axis(Theory *t, Arena *arena);
/* What is seen along rays: angle, real, imaginary, infinity. */
void theory_look(Theory *t);

#endif
