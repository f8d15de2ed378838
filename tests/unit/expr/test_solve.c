/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "unit/expr/expr_test.h"

#define REAL(v)       expr_real(t->d, v)
#define ADD(a, b)     expr_add(t->d, a, b)
#define SUB(a, b)     expr_sub(t->d, a, b)
#define MUL(a, b)     expr_mul(t->d, a, b)
#define DIV(a, b)     expr_div(t->d, a, b)
#define POW(a, n)     expr_pow(t->d, a, REAL(n))
#define FN(op, a)     expr_unary(t->d, EX_##op, a)
#define OP2(op, a, b) expr_binary(t->d, EX_##op, a, b)

/* Only the parameter p is known not to vanish. */
static bool p_is_nonzero(void *context, const Dag *d, Expr e)
{
    (void)d;
    return e == ((Bench *)context)->p;
}

static Expr solve(Bench *t, Expr lhs, Expr rhs)
{
    return expr_solve(t->d, lhs, rhs, t->x, p_is_nonzero, t);
}

/* The solution for x, put into the equation, makes both sides equal. */
static void assert_solves(Bench *t, Expr lhs, Expr rhs)
{
    Expr s = solve(t, lhs, rhs);
    assert_int_not_equal(s, EXPR_NONE);
    assert_false(expr_contains(t->d, s, t->x));
    double a = bench_value(t, expr_substitute(t->d, lhs, t->x, s));
    double b = bench_value(t, expr_substitute(t->d, rhs, t->x, s));
    assert_near(a, b, 1e-13 * (1 + fabs(a)));
}

static void dependence_is_none_linear_or_other(void **state)
{
    Bench *t = *state;
    Expr slope, rest;
    Expr e = SUB(MUL(t->p, ADD(t->x, t->y)), DIV(t->x, t->z));
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_LINEAR);
    assert_text(t, slope, "p - 1.0/z");
    assert_text(t, rest, "y*p");
    assert_int_equal(expr_dependence(t->d, t->y, t->x, NULL, &rest), DEP_NONE);
    assert_int_equal(rest, t->y);
    assert_int_equal(expr_dependence(t->d, POW(t->x, 2), t->x, NULL, NULL),
                     DEP_NONLINEAR);
    assert_int_equal(
        expr_dependence(t->d, MUL(t->x, FN(SIN, t->x)), t->x, NULL, NULL),
        DEP_NONLINEAR);
    assert_int_equal(expr_dependence(t->d, DIV(t->y, t->x), t->x, NULL, NULL),
                     DEP_NONLINEAR);
}

static void dependence_looks_into_branches(void **state)
{
    Bench *t = *state;
    Expr slope, rest;
    Expr e = expr_if(t->d, t->b, MUL(t->p, t->x), ADD(t->x, t->y));
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_LINEAR);
    assert_text(t, slope, "if b then p else 1.0");
    assert_text(t, rest, "if b then 0.0 else y");
    e = expr_if(t->d, OP2(GT, t->x, t->y), t->x, t->y);
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest),
                     DEP_NONLINEAR);
    e = FN(NOEVENT, expr_if(t->d, OP2(GT, t->z, t->y), t->x, t->y));
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_LINEAR);
    e = expr_make(t->d, EX_SEMILINEAR, t->y, t->x, t->z);
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_LINEAR);
    e = OP2(HOMOTOPY, MUL(t->p, t->x), t->x);
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_LINEAR);
    e = FN(PRE, t->x);
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_NONE);
}

static void what_cancels_is_no_dependence(void **state)
{
    Bench *t = *state;
    Expr slope, rest;
    Expr e = FN(SIN, SUB(ADD(ADD(t->x, t->y), t->z), ADD(t->x, t->p)));
    assert_int_equal(expr_dependence(t->d, e, t->x, &slope, &rest), DEP_NONE);
    assert_false(expr_contains(t->d, rest, t->x));
    assert_near(bench_value(t, rest), bench_value(t, e), 1e-15);
}

static void linear_equations_are_solved_if_the_slope_cannot_vanish(void **state)
{
    Bench *t = *state;
    assert_text(t, solve(t, t->y, MUL(t->p, t->x)), "y/p");
    assert_text(t, solve(t, ADD(t->x, t->y), t->z), "z - y");
    assert_text(t, solve(t, t->x, t->y), "y");
    assert_int_equal(solve(t, t->z, MUL(t->y, t->x)), EXPR_NONE);
    assert_int_equal(solve(t, t->z, t->y), EXPR_NONE);
    assert_solves(t, SUB(MUL(REAL(3), t->x), t->y), ADD(t->x, t->z));
    assert_solves(t, MUL(FN(EXP, t->y), t->x), t->z);
    assert_solves(t, expr_if(t->d, t->b, MUL(t->p, t->x), t->x), t->y);
    assert_int_equal(solve(t, expr_if(t->d, t->b, t->z, t->x), t->y),
                     EXPR_NONE);
    assert_int_equal(solve(t, ADD(t->x, t->y), ADD(t->x, t->z)), EXPR_NONE);
    assert_int_equal(expr_solve(t->d, t->y, MUL(t->p, t->x), t->x, NULL, NULL),
                     EXPR_NONE);
}

static void operations_with_one_inverse_are_undone(void **state)
{
    Bench *t = *state;
    Expr z = t->z, half = REAL(0.4), minus = REAL(-2.5);
    assert_solves(t, FN(EXP, MUL(t->p, t->x)), z);
    assert_solves(t, FN(LOG, ADD(t->x, t->y)), z);
    assert_solves(t, FN(LOG10, t->x), z);
    assert_solves(t, FN(SINH, t->x), z);
    assert_solves(t, FN(SINH, t->x), minus);
    assert_solves(t, FN(TANH, t->x), half);
    assert_solves(t, POW(t->x, 3), z);
    assert_solves(t, POW(t->x, 3), minus);
    assert_solves(t, POW(t->x, -3), minus);
    assert_solves(t, POW(t->x, 2.5), z);
    assert_solves(t, expr_pow(t->d, REAL(3), t->x), z);
    assert_solves(t, ADD(MUL(t->p, FN(EXP, SUB(t->y, t->x))), t->y), z);
    assert_solves(t, DIV(FN(EXP, t->x), t->z), t->p);
    assert_solves(t, DIV(t->z, FN(EXP, t->x)), t->p);
    assert_solves(t, SUB(t->z, POW(t->x, 3)), t->y);
    assert_solves(t, FN(EXP, MUL(REAL(2), t->x)), FN(EXP, REAL(3)));
}

static void what_has_no_single_safe_inverse_is_left(void **state)
{
    Bench *t = *state;
    static const ExprOp op[] = {EX_SIN,  EX_COS,  EX_TAN,  EX_ASIN, EX_ACOS,
                                EX_ATAN, EX_COSH, EX_SQRT, EX_ABS,  EX_FLOOR};
    for (size_t i = 0; i < sizeof op / sizeof *op; i++)
        assert_int_equal(solve(t, expr_unary(t->d, op[i], t->x), t->z),
                         EXPR_NONE);
    assert_int_equal(solve(t, POW(t->x, 2), t->z), EXPR_NONE);
    assert_int_equal(solve(t, POW(t->x, -3), t->z), EXPR_NONE);
    assert_int_equal(solve(t, POW(t->x, 1.0 / 3), t->z), EXPR_NONE);
    assert_int_equal(solve(t, expr_pow(t->d, t->p, t->x), t->z), EXPR_NONE);
    assert_int_equal(solve(t, DIV(t->y, t->x), t->z), EXPR_NONE);
    assert_int_equal(solve(t, OP2(MAX, t->x, t->y), t->z), EXPR_NONE);
    assert_int_equal(solve(t, FN(EXP, t->x), t->x), EXPR_NONE);
    assert_int_equal(solve(t, expr_call(t->d, 0, 0, ET_REAL, &t->x, 1), t->z),
                     EXPR_NONE);
}

static void integers_and_booleans_are_solved_in_their_kind(void **state)
{
    Bench *t = *state;
    Expr two = expr_int(t->d, 2);
    Expr m = expr_var(t->d, 6, 0, ET_INTEGER),
         c = expr_var(t->d, 7, 0, ET_BOOLEAN);
    Expr s = expr_solve(t->d, m, SUB(two, t->n), t->n, NULL, NULL);
    assert_text(t, s, "2 - v6");
    assert_int_equal(expr_type(t->d, s), ET_INTEGER);
    assert_int_equal(expr_solve(t->d, m, MUL(two, t->n), t->n, NULL, NULL),
                     EXPR_NONE);
    assert_text(t, expr_solve(t->d, c, FN(NOT, t->b), t->b, NULL, NULL),
                "not v7");
    assert_int_equal(expr_solve(t->d, c, OP2(AND, t->b, c), t->b, NULL, NULL),
                     EXPR_NONE);
}

static void equal_terms_are_collected(void **state)
{
    Bench *t = *state;
    Expr e = SUB(
        ADD(SUB(ADD(MUL(REAL(3), t->x), t->y), MUL(REAL(2), t->x)), REAL(1)),
        t->y);
    assert_text(t, expr_simplify(t->d, e), "x + 1.0");
    e = SUB(MUL(REAL(2), ADD(t->x, t->y)), ADD(t->x, t->x));
    assert_text(t, expr_simplify(t->d, e), "2.0*y");
    e = ADD(DIV(t->x, REAL(2)), DIV(t->x, REAL(2)));
    assert_int_equal(expr_simplify(t->d, e), t->x);
    e = FN(SIN, SUB(ADD(MUL(t->x, t->y), t->z), MUL(t->y, t->x)));
    assert_text(t, expr_simplify(t->d, e), "sin(z)");
    e = SUB(t->x, ADD(t->y, ADD(t->z, t->x)));
    assert_text(t, expr_simplify(t->d, e), "-(y + z)");
    e = ADD(ADD(t->n, t->n), t->n);
    assert_text(t, expr_simplify(t->d, e), "3*n");
}

static void equal_factors_are_collected_but_not_cancelled(void **state)
{
    Bench *t = *state;
    assert_text(t, expr_simplify(t->d, MUL(MUL(t->x, t->y), t->x)), "y*x^2");
    assert_text(t, expr_simplify(t->d, MUL(POW(t->x, 2), MUL(t->y, t->x))),
                "y*x^3");
    Expr e = DIV(DIV(t->z, t->x), t->x);
    assert_text(t, expr_simplify(t->d, e), "z/x^2");
    e = DIV(MUL(t->x, t->y), t->x);
    assert_int_equal(expr_simplify(t->d, e), e);
    e = DIV(MUL(MUL(t->x, t->x), t->x), t->x);
    assert_text(t, expr_simplify(t->d, e), "x^3/x");
}

static void what_has_nothing_to_collect_keeps_its_order(void **state)
{
    Bench *t = *state;
    Expr e = SUB(t->x, ADD(t->y, t->z));
    assert_int_equal(expr_simplify(t->d, e), e);
    e = DIV(t->x, MUL(t->y, t->z));
    assert_int_equal(expr_simplify(t->d, e), e);
    Expr shared = ADD(t->x, t->y); /* used twice: stays one part */
    e = ADD(SUB(shared, t->x), FN(SIN, shared));
    assert_int_equal(expr_simplify(t->d, e), e);
    Expr raw = expr_make_raw(t->d, EX_ADD, t->x, REAL(0), EXPR_NONE);
    assert_int_equal(expr_simplify(t->d, raw), t->x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_open, bench_close)
        TEST(dependence_is_none_linear_or_other),
        TEST(dependence_looks_into_branches),
        TEST(what_cancels_is_no_dependence),
        TEST(linear_equations_are_solved_if_the_slope_cannot_vanish),
        TEST(operations_with_one_inverse_are_undone),
        TEST(what_has_no_single_safe_inverse_is_left),
        TEST(integers_and_booleans_are_solved_in_their_kind),
        TEST(equal_terms_are_collected),
        TEST(equal_factors_are_collected_but_not_cancelled),
        TEST(what_has_nothing_to_collect_keeps_its_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
