/* expr_test.h - a small DAG with four Real variables and a Boolean one. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_EXPR_TEST_H
#define TAKT_TESTS_EXPR_TEST_H

#include "expr/expr.h"

typedef struct Bench {
    Arena *arena;
    Dag *d;
    Expr x, y, z, p; /* variables 0 to 3, Real */
    Expr b;          /* variable 4, Boolean */
    Expr n;          /* variable 5, Integer */
    double value[6]; /* of the variables */
    double pre[6];
    double der[6];
    double time;
} Bench;

int bench_open(void **state);
int bench_close(void **state);
/* The names x, y, z, p, b, n. */
const char *bench_name(void *bench, int var);
const char *bench_text(Bench *t, Expr e);
double bench_value(Bench *t, Expr e);
double bench_leaf(void *bench, const Dag *d, Expr e);

#define assert_text(t, e, text) assert_string_equal(bench_text(t, e), text)
#define assert_near(a, b, tol)                                                 \
    do {                                                                       \
        double a_ = (a), b_ = (b);                                             \
        if (!(a_ - b_ <= (tol) && b_ - a_ <= (tol))) {                         \
            print_error("%s = %.17g, expected %.17g\n", #a, a_, b_);           \
            fail();                                                            \
        }                                                                      \
    } while (0)

#endif
