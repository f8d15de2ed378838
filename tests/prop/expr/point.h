/* point.h - values for the leaves of random expressions.
 *
 *   variables 0..3  Real, of any sign      variable 8   Boolean
 *   variables 4..6  Real, positive         variable 9   Integer
 *   variable 7      Real: the right-hand side of equations to be solved
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_POINT_H
#define TAKT_TESTS_POINT_H

#include "expr/expr.h"
#include "support/random.h"

enum {
    FIRST_POSITIVE = 4,
    ANSWER = 7,
    BOOLEAN = 8,
    INTEGER = 9,
    NVAR = 10,
    NORDER = 4 /* derivatives 0..3 */
};

typedef struct Point {
    double value[NVAR][NORDER];
    double pre[NVAR];
    double time;
} Point;

Point point_random(Random *r);
double point_leaf(void *point, const Dag *d, Expr e); /* for expr_eval */
const char *point_name(void *context, int var);
int point_var(const char *name); /* -1: none of that name */
ExprType point_type(int var);

#endif
