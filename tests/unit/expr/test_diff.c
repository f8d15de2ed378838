/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "unit/expr/expr_test.h"

#define REAL(v)       expr_real(t->d, v)
#define FN(op, a)     expr_unary(t->d, EX_##op, a)
#define OP2(op, a, b) expr_binary(t->d, EX_##op, a, b)

/* The derivative of e by x at the point of the bench, by central differences
 * of fourth order. */
static double difference(Bench *t, Expr e, int var)
{
    const double h = 1e-3, at = t->value[var];
    double f[4], step[4] = {-2, -1, 1, 2};
    for (int i = 0; i < 4; i++) {
        t->value[var] = at + step[i] * h;
        f[i] = bench_value(t, e);
    }
    t->value[var] = at;
    return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h);
}

static void check(Bench *t, Expr e)
{
    const Expr leaf[4] = {t->x, t->y, t->z, t->p};
    for (int i = 0; i < 4; i++) {
        double want = difference(t, e, i);
        assert_near(bench_value(t, expr_diff(t->d, e, leaf[i])), want,
                    1e-9 * (1 + fabs(want)));
    }
}

static void each_function_has_its_derivative(void **state)
{
    Bench *t = *state;
    static const ExprOp op[] = {EX_SIN,  EX_COS,   EX_TAN,  EX_ASIN, EX_ACOS,
                                EX_ATAN, EX_SINH,  EX_COSH, EX_TANH, EX_EXP,
                                EX_LOG,  EX_LOG10, EX_SQRT, EX_ABS,  EX_NEG};
    for (size_t i = 0; i < sizeof op / sizeof *op; i++) {
        check(t, expr_unary(t->d, op[i], t->x));
        check(t, expr_unary(t->d, op[i], expr_mul(t->d, t->x, t->p)));
    }
    check(t, FN(ABS, t->y));
}

static void each_operation_has_its_derivative(void **state)
{
    Bench *t = *state;
    static const ExprOp op[] = {EX_ADD, EX_SUB, EX_MUL, EX_DIV, EX_POW,
                                EX_MIN, EX_MAX, EX_MOD, EX_REM, EX_ATAN2};
    Expr square = expr_mul(t->d, t->x, t->x);
    for (size_t i = 0; i < sizeof op / sizeof *op; i++) {
        check(t, expr_binary(t->d, op[i], t->z, t->x));
        check(t, expr_binary(t->d, op[i], t->x, t->z));
        check(t, expr_binary(t->d, op[i], square, REAL(3)));
        check(t, expr_binary(t->d, op[i], REAL(3), square));
    }
    check(t, expr_pow(t->d, t->y, expr_int(t->d, 3)));
    check(t, expr_pow(t->d, t->y, expr_int(t->d, -2)));
    check(t, expr_pow(t->d, t->x, REAL(1.5)));
    Expr up = OP2(GT, t->x, REAL(0.5)), down = OP2(LT, t->x, REAL(0.5));
    check(t, expr_if(t->d, up, expr_mul(t->d, t->x, t->y), t->z));
    check(t, expr_if(t->d, down, expr_mul(t->d, t->x, t->y), t->z));
    check(t, expr_make(t->d, EX_SEMILINEAR, t->x, t->z, t->p));
    check(t, expr_make(t->d, EX_SEMILINEAR, t->y, t->z, t->p));
    check(t, FN(NOEVENT, expr_if(t->d, up, square, t->z)));
    check(t, OP2(SMOOTH, expr_int(t->d, 1), square));
    check(t, OP2(HOMOTOPY, square, t->y));
}

static void derivatives_print_as_one_would_write_them(void **state)
{
    Bench *t = *state;
    Expr cube = expr_pow(t->d, t->x, expr_int(t->d, 3));
    assert_text(t, expr_diff(t->d, cube, t->x), "3.0*x^2");
    assert_text(t, expr_diff(t->d, FN(SQRT, t->x), t->x), "1.0/(2.0*sqrt(x))");
    assert_text(t, expr_diff(t->d, expr_mul(t->d, t->x, t->y), t->x), "y");
    assert_text(t, expr_diff(t->d, expr_div(t->d, t->x, t->y), t->x), "1.0/y");
    assert_text(t, expr_diff(t->d, FN(FLOOR, t->x), t->x), "0.0");
    assert_text(t, expr_diff(t->d, OP2(LT, t->x, t->y), t->x), "0.0");
    assert_text(t, expr_diff(t->d, OP2(MOD, t->x, t->p), t->x), "1.0");
    assert_text(t, expr_diff(t->d, OP2(SMOOTH, expr_int(t->d, 1), cube), t->x),
                "smooth(0, 3.0*x^2)");
    assert_true(isinf(expr_eval(t->d, expr_diff(t->d, FN(SQRT, t->x), t->x),
                                bench_leaf, &(Bench){.value = {0}})));
}

static void pre_is_another_leaf(void **state)
{
    Bench *t = *state;
    Expr pre = FN(PRE, t->x);
    Expr e = expr_mul(t->d, pre, t->x);
    assert_int_equal(expr_diff(t->d, e, t->x), pre);
    assert_int_equal(expr_diff(t->d, e, pre), t->x);
}

static Expr by_argument(Dag *d, Expr call, int i)
{
    return i == 0 ? expr_mul(d, expr_real(d, 7), expr_arg(d, call, 1))
                  : EXPR_NONE;
}

static void add_function(Bench *t, Expr derivative(Dag *, Expr, int))
{
    ExprFunction f = {.name = "f", .nplain = 2, .derivative = derivative};
    assert_int_equal(dag_add_function(t->d, &f), 0);
}

static void opaque_functions_may_lack_a_derivative(void **state)
{
    Bench *t = *state;
    Expr arg[2] = {expr_mul(t->d, t->x, t->x), t->y};
    Expr call = expr_call(t->d, 0, 0, ET_REAL, arg, 2);
    Expr e = expr_add(t->d, call, t->z);
    assert_int_equal(expr_diff(t->d, e, t->x), EXPR_NONE);
    assert_text(t, expr_diff(t->d, e, t->z), "1.0");
    add_function(t, by_argument);
    assert_text(t, expr_diff(t->d, e, t->x), "2.0*x*(7.0*y)");
    assert_int_equal(expr_diff(t->d, e, t->y), EXPR_NONE);
    Expr guarded = expr_if(t->d, OP2(LT, call, t->z), t->x, t->y);
    assert_text(t, expr_diff(t->d, guarded, t->y),
                "if f(x^2, y) < z "
                "then 0.0 else 1.0");
    const ExprJacobian *jac =
        expr_jacobian(t->d, &e, 1, (Expr[]){t->x, t->y, t->z}, 3, t->arena);
    assert_int_equal(jac->start[1], 3);
    assert_text(t, jac->value[0], "2.0*x*(7.0*y)");
    assert_int_equal(jac->value[1], EXPR_NONE);
    assert_text(t, jac->value[2], "1.0");
}

/* f(x, y) has a derivative by x only; each row depends on y in two ways. */
static void what_is_unknown_stays_unknown_in_a_jacobian(void **state)
{
    Bench *t = *state;
    add_function(t, by_argument);
    Expr f = expr_call(t->d, 0, 0, ET_REAL, (Expr[]){t->x, t->y}, 2);
    Expr g = expr_call(t->d, 0, 0, ET_REAL, (Expr[]){t->y, f}, 2);
    Expr e[] = {expr_add(t->d, f, t->y), expr_sub(t->d, t->y, f),
                expr_mul(t->d, t->y, f), g,
                expr_mul(t->d, expr_real(t->d, 3), f)};
    enum { N = sizeof e / sizeof e[0] };
    const ExprJacobian *jac =
        expr_jacobian(t->d, e, N, (Expr[]){t->x, t->y}, 2, t->arena);
    for (int i = 0; i < N; i++) {
        assert_int_equal(jac->start[i + 1] - jac->start[i], 2);
        assert_int_equal(jac->col[jac->start[i] + 1], 1);
        assert_int_equal(jac->value[jac->start[i] + 1], EXPR_NONE);
    }
    assert_text(t, jac->value[jac->start[0]], "7.0*y");
    assert_text(t, jac->value[jac->start[1]], "-7.0*y");
    assert_text(t, jac->value[jac->start[2]], "y*(7.0*y)");
    assert_int_equal(jac->value[jac->start[3]], EXPR_NONE);
    assert_text(t, jac->value[jac->start[4]], "21.0*y");
}

static void total_derivatives_follow_time(void **state)
{
    Bench *t = *state;
    const bool varies[6] = {true, true, true, false, true, true};
    Expr e =
        expr_mul(t->d, t->p, FN(SIN, expr_mul(t->d, t->x, expr_time(t->d))));
    double x = t->value[0], p = t->value[3], dx = t->der[0], time = t->time;
    Expr de = expr_total_diff(t->d, e, varies, 6);
    assert_near(bench_value(t, de), p * cos(x * time) * (dx * time + x), 1e-15);
    assert_text(t, expr_total_diff(t->d, t->n, varies, 6), "0.0");
    assert_text(t, expr_total_diff(t->d, t->p, varies, 6), "0.0");
    assert_text(t,
                expr_total_diff(t->d, expr_var(t->d, 0, 1, ET_REAL), varies, 6),
                "der(der(x))");
    Expr delay = expr_make(t->d, EX_DELAY, t->x, t->p, REAL(1));
    assert_text(t, expr_total_diff(t->d, delay, varies, 6),
                "delay(der(x), p, 1.0)");
}

static void der_of_an_expression_is_expanded(void **state)
{
    Bench *t = *state;
    const bool varies[6] = {true, true, false};
    ExprDiff *total = expr_diff_new_total(t->d, varies, 6, t->arena);
    Expr product = expr_mul(t->d, t->x, t->p);
    Expr e = expr_mul(t->d, t->y, FN(DER, product));
    assert_text(t, expr_expand_der(total, e), "y*(p*der(x))");
    Expr de = expr_diff_of(total, e);
    assert_false(expr_has_op(t->d, de, EX_DER));
    assert_int_equal(de, expr_total_diff(t->d, e, varies, 6));
    double y = t->value[1], p = t->value[3], dx = t->der[0], dy = t->der[1];
    assert_near(bench_value(t, de), dy * dx * p + y * 0.25 * p, 1e-15);
    Expr twice = FN(DER, FN(DER, product));
    assert_text(t, expr_expand_der(total, twice), "p*der(der(x))");
    assert_int_equal(expr_diff(t->d, e, t->x), EXPR_NONE);
}

static void a_memory_gives_the_same_derivatives(void **state)
{
    Bench *t = *state;
    ExprDiff *by_x = expr_diff_new(t->d, t->x, t->arena);
    Expr shared = FN(EXP, expr_mul(t->d, t->x, t->y));
    Expr a = expr_mul(t->d, shared, t->x), b = FN(SIN, shared);
    assert_int_equal(expr_diff_of(by_x, a), expr_diff(t->d, a, t->x));
    assert_int_equal(expr_diff_of(by_x, b), expr_diff(t->d, b, t->x));
    assert_int_equal(expr_diff_of(by_x, a), expr_diff(t->d, a, t->x));
}

static void a_jacobian_holds_the_derivatives_that_are_not_zero(void **state)
{
    Bench *t = *state;
    Expr product = expr_mul(t->d, t->x, t->y);
    Expr e[4] = {
        expr_add(t->d, expr_sub(t->d, product, expr_mul(t->d, REAL(3), t->z)),
                 expr_div(t->d, expr_add(t->d, t->z, product), REAL(4))),
        EXPR_NONE,
        expr_if(t->d, OP2(LT, t->x, t->y), FN(SIN, product), t->z),
        FN(FLOOR, t->x),
    };
    Expr x[3] = {t->x, t->y, t->z};
    const ExprJacobian *jac = expr_jacobian(t->d, e, 4, x, 3, t->arena);
    assert_int_equal(jac->nrow, 4);
    assert_int_equal(jac->start[1], 3);
    assert_int_equal(jac->start[2], 3);
    assert_int_equal(jac->start[3], 6);
    assert_int_equal(jac->start[4], 6);
    for (int i = 0; i < 4; i++) {
        for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
            assert_near(bench_value(t, jac->value[k]),
                        bench_value(t, expr_diff(t->d, e[i], x[jac->col[k]])),
                        1e-15);
    }
    assert_text(t, jac->value[2], "-2.75");
}

static void a_long_sum_has_a_gradient_in_linear_time(void **state)
{
    Bench *t = *state;
    const int n = 20000;
    Expr sum = REAL(0), *x = NEW_ARRAY(t->arena, Expr, n);
    for (int i = 0; i < n; i++) {
        x[i] = expr_var(t->d, 100 + i, 0, ET_REAL);
        sum = expr_add(t->d, sum, FN(SIN, x[i]));
    }
    int before = dag_count(t->d);
    const ExprJacobian *jac = expr_jacobian(t->d, &sum, 1, x, n, t->arena);
    assert_int_equal(jac->start[1], n);
    assert_true(dag_count(t->d) < before + 3 * n);
    assert_int_equal(jac->value[17], FN(COS, x[17]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_open, bench_close)
        TEST(each_function_has_its_derivative),
        TEST(each_operation_has_its_derivative),
        TEST(derivatives_print_as_one_would_write_them),
        TEST(pre_is_another_leaf),
        TEST(opaque_functions_may_lack_a_derivative),
        TEST(what_is_unknown_stays_unknown_in_a_jacobian),
        TEST(total_derivatives_follow_time),
        TEST(der_of_an_expression_is_expanded),
        TEST(a_memory_gives_the_same_derivatives),
        TEST(a_jacobian_holds_the_derivatives_that_are_not_zero),
        TEST(a_long_sum_has_a_gradient_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
