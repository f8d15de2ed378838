/* Do expressions stay within the ranges that are said of them? */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "support/random.h"
#include "unit/expr/expr_test.h"

enum { NUNARY = 18, NBINARY = 10, ROUNDS = 400, INSIDE = 40 };

static const ExprOp unary[NUNARY] = {
    EX_NEG,   EX_SIN,  EX_COS,  EX_TAN,  EX_ASIN,  EX_ACOS,
    EX_ATAN,  EX_SINH, EX_COSH, EX_TANH, EX_EXP,   EX_LOG,
    EX_LOG10, EX_SQRT, EX_ABS,  EX_SIGN, EX_FLOOR, EX_CEIL};
static const ExprOp binary[NBINARY] = {EX_ADD, EX_SUB, EX_MUL, EX_DIV, EX_POW,
                                       EX_MIN, EX_MAX, EX_MOD, EX_LT,  EX_GE};

typedef struct At {
    double from, to;
} At;

static double value_of(void *context, const Dag *d, Expr e)
{
    const At *at = context;
    return expr_op(d, e) == EX_TIME ? at->from : 0;
}

static ExprRange range_of(void *context, const Dag *d, Expr e)
{
    const At *at = context;
    (void)d, (void)e;
    return (ExprRange){at->from, at->to};
}

static Expr grow(Dag *d, Random *r, Expr *have, int n)
{
    Expr a = have[random_below(r, n)], b = have[random_below(r, n)];
    int k = random_below(r, NUNARY + NBINARY + 2);
    if (k < NUNARY)
        return expr_unary(d, unary[k], a);
    if (k < NUNARY + NBINARY)
        return expr_binary(d, binary[k - NUNARY], a, b);
    if (k == NUNARY + NBINARY)
        return expr_pow(d, a, expr_real(d, random_below(r, 7) - 3));
    return expr_if(d, expr_binary(d, EX_LT, a, b), a, b);
}

static void values_stay_within_their_ranges(void **state)
{
    (void)state;
    Random r = random_start("test_enclose");
    long bounded = 0, points = 0;
    for (int round = 0; round < ROUNDS; round++) {
        Arena *arena = arena_new();
        Dag *d = dag_new(arena);
        Expr have[12] = {expr_time(d), expr_real(d, 0.7), expr_real(d, -2.5)};
        int n = 3;
        while (n < 12) {
            have[n] = grow(d, &r, have, n);
            n++;
        }
        Expr *order;
        int norder = expr_order(d, have, n, &order, arena);
        ExprRange *range = NEW_ARRAY(arena, ExprRange, dag_count(d));
        double *value = NEW_ARRAY(arena, double, dag_count(d));
        double from = 8 * random_unit(&r) - 4;
        At at = {from, from + 3 * random_unit(&r)};
        expr_enclose_order(d, order, norder, range_of, &at, range);
        for (int k = 0; k <= INSIDE; k++) {
            At here = {at.from + (at.to - at.from) * k / INSIDE, 0};
            expr_eval_order(d, order, norder, value_of, &here, value);
            bool is_defined = true;
            for (int i = 0; i < norder; i++)
                is_defined &= isfinite(value[order[i]]) != 0;
            for (int i = 0; is_defined && i < n; i++) {
                double v = value[have[i]];
                ExprRange x = range[have[i]];
                double slack = 1e-9 * fmax(1, fabs(v));
                points++;
                bounded += isfinite(x.min) && isfinite(x.max);
                assert_true(v >= x.min - slack && v <= x.max + slack);
            }
        }
        arena_free(arena);
    }
    assert_true(2 * bounded > points); /* they say something */
}

static void a_pulse_is_nowhere_but_where_it_is(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Dag *d = dag_new(arena);
    Expr t = expr_sub(d, expr_time(d), expr_real(d, 0.5));
    Expr u = expr_div(d, t, expr_real(d, 1e-5));
    Expr f = expr_unary(d, EX_EXP, expr_neg(d, expr_mul(d, u, u)));
    Expr *order;
    int n = expr_order(d, &f, 1, &order, arena);
    ExprRange *range = NEW_ARRAY(arena, ExprRange, dag_count(d));
    At before = {0, 0.499}, across = {0.4, 0.6};
    expr_enclose_order(d, order, n, range_of, &before, range);
    assert_true(range[f].min == 0 && range[f].max == 0);
    expr_enclose_order(d, order, n, range_of, &across, range);
    assert_true(range[f].min == 0 && range[f].max == 1);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stay_within_their_ranges),
        cmocka_unit_test(a_pulse_is_nowhere_but_where_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
