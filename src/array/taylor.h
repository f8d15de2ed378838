/* taylor.h - expressions as Taylor series in time.
 *
 *   in    expressions of the DAG, values of their leaves as series
 *   out   the coefficients e_0 .. e_k of each, e(t + s) = sum e_m s^m
 *
 * All expressions are made ready once, then evaluated at many points. The
 * coefficients of degree m of all nodes come before those of degree m + 1.
 * Sums, products and quotients have the well-known recurrences (Moore 1966);
 * for every other function e = f(a, b) the derivative e' = f_a a' + f_b b' is
 * read as
 *
 *     m e_m = sum_{j=1..m} j (a_j (f_a)_{m-j} + b_j (f_b)_{m-j}),
 *
 * where f_a, f_b are expressions of the DAG, by the rules of differentiation
 * that ops.def and the opaque functions have. They are needed to one degree
 * less, so this ends; sin and cos, exp with itself, tan and tanh close after
 * one turn. A foreign function whose source is there gives its series itself
 * (foreign/series.c). One whose derivatives are differences is refused: they
 * would blur the ranks that are decided by them (Campbell, Zhong 1994, 3.1).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_TAYLOR_H
#define TAKT_ARRAY_TAYLOR_H

#include "expr/expr.h"

typedef struct Taylor Taylor;

/* The series of a leaf (VAR, TIME, PRE, INITIAL and the like) to `degree`. */
typedef void TaylorLeaf(void *context, const Dag *d, Expr leaf, int degree,
                        double *coef);

/* Series of degree up to `most` of root[nroot]; an EXPR_NONE among them is 0.
 * Returns NULL if a function in them has no derivative, or differences only;
 * *wrong is then the call. Lives in `arena`. */
Taylor *taylor_new(Dag *d, const Expr *root, int nroot, int most, Arena *arena,
                   Expr *wrong);
/* Evaluates all up to `degree` <= most. */
void taylor_run(Taylor *t, int degree, TaylorLeaf *leaf, void *context);
/* Root i is needed to degree[i] only (NONE: not at all) where taylor_run_least
 * evaluates. That returns the number of coefficients. */
void taylor_limit(Taylor *t, const int *degree);
long taylor_run_least(Taylor *t, int degree, TaylorLeaf *leaf, void *context);
/* Relations, floor() and the like in them: event i is such an expression. From
 * taylor_hold() on it has the value given whatever its arguments are; mod(a, b)
 * is a - value b. Before, it is what the values of its arguments make it. */
int taylor_nevent(const Taylor *t);
Expr taylor_event(const Taylor *t, int i);
void taylor_hold(Taylor *t, int i, double value);
/* Coefficient m of root i, after taylor_run() to at least that degree. */
double taylor_coef(const Taylor *t, int i, int m);

#endif
