/* Is what the rows of ops.def say of their operations true? */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "expr/ops.h"
#include "unit/expr/expr_test.h"

static const struct {
    ExprOp op;
    const char *name;
    int narg;
} function[] = {
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    {EX_##name, text, narg},
#include "expr/ops.def"
};
enum { NFUNCTION = sizeof function / sizeof function[0], NPOINT = 9 };

static const double point[NPOINT] = {-3.7,  -1.3, -0.62, -0.11, 0.07,
                                     0.350, 0.81, 1.9,   4.3};

static double value(ExprOp op, double a)
{
    return expr_apply(op, a, 0, 0);
}

static void functions_are_found_by_the_name_they_have_in_a_model(void **state)
{
    (void)state;
    for (int i = 0; i < NFUNCTION; i++) {
        const OpFunction *f = expr_function_find(function[i].name);
        assert_non_null(f);
        assert_int_equal(f->op, function[i].op);
        int ninput = 1;
        for (const char *s = f->inputs; *s; s++)
            ninput += *s == ' ';
        assert_int_equal(ninput, function[i].narg);
        assert_true(expr_op_info[f->op].c[0] != '\0');
    }
    assert_null(expr_function_find("sinus"));
}

static void odd_even_and_signed_functions_are_so(void **state)
{
    (void)state;
    for (int i = 0; i < NFUNCTION; i++)
        for (int k = 0; k < NPOINT && function[i].narg == 1; k++) {
            ExprOp op = function[i].op;
            double a = point[k], f = value(op, a), g = value(op, -a);
            if (isnan(f) || isnan(g))
                continue;
            if (op_has(op, OP_ODD))
                assert_true(g == -f);
            if (op_has(op, OP_EVEN))
                assert_true(g == f);
            if (op_has(op, OP_POSITIVE))
                assert_true(f > 0);
            if (op_has(op, OP_SIGNED))
                assert_true((f > 0) == (a > 0) && (f < 0) == (a < 0));
        }
}

/* The derivative by x at x = at, by differences; NaN at the border of the
 * domain. */
static double slope(ExprOp op, double at, double other)
{
    const double h = 1e-5;
    return (expr_apply(op, at + h, other, 0) -
            expr_apply(op, at - h, other, 0)) /
           (2 * h);
}

static void the_derivative_of_a_function_is_its_slope(void **state)
{
    Bench *t = *state;
    for (int i = 0; i < NFUNCTION; i++)
        for (int k = 0; k < NPOINT; k++) {
            ExprOp op = function[i].op;
            t->value[0] = point[k];
            t->value[1] = 0.53;
            Expr e = function[i].narg == 1 ? expr_unary(t->d, op, t->x)
                                           : expr_binary(t->d, op, t->x, t->y);
            double want = slope(op, point[k], 0.53);
            double have = bench_value(t, expr_diff(t->d, e, t->x));
            if (isnan(want))
                continue;
            assert_near(have, want, 1e-8 * (1 + fabs(want)));
            if (op_has(op, OP_FLAT))
                assert_true(have == 0);
        }
}

static void the_inverse_of_a_function_gives_its_argument_back(void **state)
{
    Bench *t = *state;
    int ninverse = 0;
    for (int i = 0; i < NFUNCTION; i++) {
        if (function[i].narg != 1)
            continue;
        ExprOp op = function[i].op;
        Expr e = expr_unary(t->d, op, t->x);
        Expr x = expr_solve(t->d, e, t->y, t->x, NULL, NULL);
        if (x == EXPR_NONE)
            continue;
        ninverse++;
        for (int k = 0; k < NPOINT; k++) {
            t->value[1] = value(op, point[k]);
            if (!isnan(t->value[1]))
                assert_near(bench_value(t, x), point[k],
                            1e-11 * fabs(point[k]) * exp(fabs(point[k])));
        }
    }
    assert_true(ninverse >= 5);
}

static void relations_are_logical_and_flat_in_every_argument(void **state)
{
    Bench *t = *state;
    for (int op = 0; op < EX_NOP; op++) {
        if (!op_has(op, OP_LOGICAL) || expr_op_info[op].narg != 2 ||
            op == EX_SAMPLE)
            continue;
        Expr e = expr_binary(t->d, (ExprOp)op, t->x, t->y);
        assert_int_equal(expr_type(t->d, e), ET_BOOLEAN);
        assert_true(expr_is_zero(t->d, expr_diff(t->d, e, t->x)));
        for (int k = 0; k < NPOINT; k++) {
            double v = expr_apply((ExprOp)op, point[k], point[NPOINT / 2], 0);
            assert_true(v == 0 || v == 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_found_by_the_name_they_have_in_a_model),
        cmocka_unit_test(odd_even_and_signed_functions_are_so),
        cmocka_unit_test_setup_teardown(
            the_derivative_of_a_function_is_its_slope, bench_open, bench_close),
        cmocka_unit_test_setup_teardown(
            the_inverse_of_a_function_gives_its_argument_back, bench_open,
            bench_close),
        cmocka_unit_test_setup_teardown(
            relations_are_logical_and_flat_in_every_argument, bench_open,
            bench_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
