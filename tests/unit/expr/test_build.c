/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "unit/expr/expr_test.h"

#define REAL(v)       expr_real(t->d, v)
#define ADD(a, b)     expr_add(t->d, a, b)
#define SUB(a, b)     expr_sub(t->d, a, b)
#define MUL(a, b)     expr_mul(t->d, a, b)
#define DIV(a, b)     expr_div(t->d, a, b)
#define POW(a, b)     expr_pow(t->d, a, b)
#define NEG(a)        expr_neg(t->d, a)
#define FN(op, a)     expr_unary(t->d, EX_##op, a)
#define OP2(op, a, b) expr_binary(t->d, EX_##op, a, b)

static void equal_expressions_have_equal_handles(void **state)
{
    Bench *t = *state;
    assert_int_equal(ADD(t->x, t->y), ADD(t->y, t->x));
    assert_int_equal(MUL(FN(SIN, t->x), t->y), MUL(t->y, FN(SIN, t->x)));
    assert_int_not_equal(SUB(t->x, t->y), SUB(t->y, t->x));
    assert_int_equal(REAL(0.0), REAL(-0.0));
    assert_int_equal(REAL(NAN), REAL(-NAN));
    assert_int_not_equal(REAL(2), expr_int(t->d, 2));
    assert_int_equal(expr_string(t->d, "a"), expr_string(t->d, "a"));
    assert_int_not_equal(expr_var(t->d, 0, 1, ET_REAL), t->x);
    Expr arg[2] = {t->x, t->y}, swapped[2] = {t->y, t->x};
    Expr call = expr_call(t->d, 3, 0, ET_REAL, arg, 2);
    assert_int_equal(call, expr_call(t->d, 3, 0, ET_REAL, arg, 2));
    assert_int_not_equal(call, expr_call(t->d, 3, 0, ET_REAL, swapped, 2));
    assert_int_not_equal(call, expr_call(t->d, 3, 1, ET_REAL, arg, 2));
    assert_int_not_equal(call, expr_call(t->d, 3, 0, ET_REAL, arg, 1));
}

static void constants_are_folded_where_the_result_is_finite(void **state)
{
    Bench *t = *state;
    assert_text(t, ADD(REAL(1), REAL(2)), "3.0");
    assert_text(t, ADD(expr_int(t->d, 1), expr_int(t->d, 2)), "3");
    assert_text(t, DIV(expr_int(t->d, 1), expr_int(t->d, 2)), "0.5");
    assert_text(t, DIV(REAL(1), REAL(0)), "1.0/0.0");
    assert_text(t, FN(LOG, REAL(-1)), "log(-1.0)");
    assert_text(t, FN(EXP, REAL(1000)), "exp(1000.0)");
    assert_text(t, OP2(MOD, expr_int(t->d, -7), expr_int(t->d, 3)), "2");
    assert_text(t, OP2(REM, expr_int(t->d, -7), expr_int(t->d, 3)), "-1");
    assert_text(t, OP2(IDIV, expr_int(t->d, -7), expr_int(t->d, 3)), "-2");
    assert_text(t, OP2(MOD, expr_int(t->d, 7), expr_int(t->d, 0)), "mod(7, 0)");
    assert_text(t, OP2(LT, REAL(1), REAL(2)), "true");
    assert_text(t, FN(INTEGER, REAL(-1.5)), "-2");
    Expr big = expr_int(t->d, 9e15);
    assert_text(t, MUL(big, big), "9000000000000000*9000000000000000");
}

static void neutral_elements_vanish(void **state)
{
    Bench *t = *state;
    Expr zero = REAL(0), one = REAL(1);
    assert_int_equal(ADD(t->x, zero), t->x);
    assert_int_equal(SUB(t->x, zero), t->x);
    assert_int_equal(MUL(one, t->x), t->x);
    assert_int_equal(DIV(t->x, one), t->x);
    assert_int_equal(POW(t->x, one), t->x);
    assert_text(t, POW(t->x, zero), "1.0");
    assert_text(t, MUL(t->x, zero), "0.0");
    assert_text(t, DIV(zero, t->x), "0.0");
    assert_text(t, SUB(t->x, t->x), "0.0");
    assert_text(t, DIV(t->x, t->x), "x/x");
    assert_text(t, DIV(zero, zero), "0.0/0.0");
    assert_text(t, ADD(t->x, t->x), "2.0*x");
}

static void signs_move_outwards(void **state)
{
    Bench *t = *state;
    Expr mx = NEG(t->x), my = NEG(t->y);
    assert_int_equal(NEG(mx), t->x);
    assert_text(t, ADD(t->x, my), "x - y");
    assert_text(t, ADD(mx, t->y), "y - x");
    assert_text(t, SUB(mx, t->y), "-(x + y)");
    assert_text(t, SUB(t->x, my), "x + y");
    assert_text(t, MUL(mx, t->y), "-x*y");
    assert_text(t, MUL(mx, my), "x*y");
    assert_text(t, DIV(mx, t->y), "-x/y");
    assert_text(t, NEG(SUB(t->x, t->y)), "y - x");
    assert_text(t, MUL(REAL(2), mx), "-2.0*x");
    assert_text(t, ADD(t->y, MUL(REAL(-2), t->x)), "y - 2.0*x");
    assert_text(t, POW(mx, expr_int(t->d, 2)), "x^2");
    assert_text(t, POW(mx, expr_int(t->d, 3)), "-x^3");
    assert_text(t, FN(SIN, mx), "-sin(x)");
    assert_text(t, FN(COS, mx), "cos(x)");
    assert_text(t, FN(ABS, mx), "abs(x)");
}

static void constants_are_gathered(void **state)
{
    Bench *t = *state;
    assert_text(t, ADD(ADD(t->x, REAL(1)), REAL(2)), "x + 3.0");
    assert_text(t, SUB(ADD(t->x, REAL(1)), REAL(2)), "x - 1.0");
    assert_text(t, SUB(REAL(5), ADD(t->x, REAL(2))), "3.0 - x");
    assert_int_equal(ADD(SUB(t->x, REAL(1)), REAL(1)), t->x);
    assert_text(t, MUL(REAL(3), MUL(REAL(2), t->x)), "6.0*x");
    assert_text(t, DIV(MUL(REAL(6), t->x), REAL(3)), "2.0*x");
    assert_text(t, DIV(MUL(REAL(2), t->x), REAL(3)), "2.0*x/3.0");
    assert_text(t, MUL(REAL(3), DIV(REAL(2), t->x)), "6.0/x");
    assert_int_equal(SUB(ADD(t->x, t->y), t->y), t->x);
    assert_int_equal(ADD(SUB(t->x, t->y), t->y), t->x);
    assert_text(t, SUB(t->x, ADD(t->x, t->y)), "-y");
}

static void powers_and_inverse_functions_meet(void **state)
{
    Bench *t = *state;
    assert_text(t, MUL(t->x, t->x), "x^2");
    assert_text(t, POW(t->x, REAL(2)), "x^2");
    assert_text(t, POW(t->x, REAL(0.5)), "sqrt(x)");
    assert_text(t, POW(t->x, REAL(-1)), "1.0/x");
    assert_text(t, POW(POW(t->x, REAL(2)), REAL(3)), "x^6");
    assert_text(t, POW(POW(t->x, REAL(1.5)), REAL(2)), "(x^1.5)^2");
    assert_text(t, FN(SQRT, MUL(t->x, t->x)), "abs(x)");
    assert_int_equal(FN(LOG, FN(EXP, t->x)), t->x);
    assert_int_equal(FN(EXP, FN(LOG, t->x)), t->x);
    assert_text(t, DIV(t->x, DIV(t->y, t->z)), "x*z/y");
}

static void sums_and_products_meet_their_parts_on_either_side(void **state)
{
    Bench *t = *state;
    Expr neg = NEG(FN(SIN, t->x)), later = FN(COS, t->y);
    assert_text(t, ADD(neg, later), "cos(y) - sin(x)");
    Expr scaled = MUL(REAL(-3), FN(TAN, t->x));
    assert_text(t, ADD(scaled, FN(TAN, t->z)), "tan(z) - 3.0*tan(x)");
    assert_text(t, SUB(t->y, scaled), "y + 3.0*tan(x)");
    assert_int_equal(ADD(t->y, SUB(t->x, t->y)), t->x);
    Expr difference = SUB(t->x, t->y), after = FN(EXP, t->z);
    assert_int_equal(ADD(SUB(difference, after), after), difference);
    assert_text(t, SUB(t->y, ADD(t->x, t->y)), "-x");
    assert_text(t, SUB(SUB(t->x, t->y), t->x), "-y");
    assert_int_equal(SUB(t->x, SUB(t->x, t->y)), t->y);
    assert_text(t, SUB(t->x, REAL(-2)), "x + 2.0");
    assert_text(t, MUL(REAL(-1), t->x), "-x");
    assert_text(t, DIV(t->x, REAL(-4)), "-x/4.0");
    assert_text(t, MUL(DIV(REAL(1), t->x), later), "cos(y)/x");
    assert_text(t, MUL(t->z, DIV(REAL(1), t->x)), "z/x");
    assert_text(t, MUL(REAL(3), DIV(t->x, REAL(1.5))), "2.0*x");
    assert_text(t, MUL(REAL(2), DIV(t->x, REAL(3))), "2.0*(x/3.0)");
    assert_text(t, POW(FN(ABS, t->x), REAL(4)), "x^4");
    assert_int_equal(POW(FN(SQRT, t->x), REAL(2)), t->x);
    assert_text(t, POW(REAL(1), t->x), "1.0");
    assert_int_equal(FN(ABS, FN(EXP, t->x)), FN(EXP, t->x));
    assert_int_equal(FN(FLOOR, FN(CEIL, t->x)), FN(CEIL, t->x));
    assert_int_equal(FN(INTEGER, t->n), t->n);
    assert_int_equal(FN(TOINT, t->n), t->n);
}

static void a_negated_relation_is_the_opposite_one(void **state)
{
    Bench *t = *state;
    static const ExprOp op[6] = {EX_LT, EX_LE, EX_GT, EX_GE, EX_EQ, EX_NE};
    static const ExprOp no[6] = {EX_GE, EX_GT, EX_LE, EX_LT, EX_NE, EX_EQ};
    for (int i = 0; i < 6; i++)
        assert_int_equal(FN(NOT, expr_binary(t->d, op[i], t->x, t->y)),
                         expr_binary(t->d, no[i], t->x, t->y));
    Expr inner = expr_if(t->d, t->b, t->x, t->y);
    assert_int_equal(expr_if(t->d, t->b, t->z, inner),
                     expr_if(t->d, t->b, t->z, t->y));
    assert_int_equal(OP2(AND, t->b, t->b), t->b);
}

static void questions_about_nodes_are_answered(void **state)
{
    Bench *t = *state;
    int var = -1, order = -1;
    double v = 0;
    assert_true(expr_is_one(t->d, REAL(1)));
    assert_false(expr_is_one(t->d, t->x));
    assert_true(expr_is_const(t->d, expr_bool(t->d, true), &v) && v == 1);
    assert_false(expr_is_const(t->d, EXPR_NONE, NULL));
    assert_true(expr_is_var(t->d, expr_var(t->d, 7, 2, ET_REAL), &var, &order));
    assert_int_equal(var, 7);
    assert_int_equal(order, 2);
    assert_false(expr_is_var(t->d, FN(PRE, t->x), NULL, NULL));
    assert_false(expr_is_var(t->d, EXPR_NONE, NULL, NULL));
}

static void logic_is_simplified(void **state)
{
    Bench *t = *state;
    Expr yes = expr_bool(t->d, true), no = expr_bool(t->d, false);
    Expr less = OP2(LT, t->x, t->y);
    assert_int_equal(OP2(AND, t->b, yes), t->b);
    assert_int_equal(OP2(AND, no, t->b), no);
    assert_int_equal(OP2(OR, t->b, yes), yes);
    assert_int_equal(OP2(OR, no, t->b), t->b);
    assert_int_equal(OP2(AND, t->b, FN(NOT, t->b)), no);
    assert_int_equal(OP2(OR, t->b, FN(NOT, t->b)), yes);
    assert_int_equal(FN(NOT, FN(NOT, t->b)), t->b);
    assert_text(t, FN(NOT, less), "x >= y");
    assert_int_equal(OP2(LE, t->x, t->x), yes);
    assert_int_equal(OP2(NE, t->x, t->x), no);
    assert_int_equal(expr_if(t->d, yes, t->x, t->y), t->x);
    assert_int_equal(expr_if(t->d, less, t->x, t->x), t->x);
    assert_text(t, expr_if(t->d, FN(NOT, t->b), t->x, t->y),
                "if b then y else x");
    assert_int_equal(expr_if(t->d, less, yes, no), less);
    Expr inner = expr_if(t->d, less, t->x, t->y);
    assert_text(t, expr_if(t->d, less, inner, t->z), "if x < y then x else z");
    assert_int_equal(OP2(EQ, expr_string(t->d, "a"), expr_string(t->d, "b")),
                     no);
}

static void logic_of_many_operands_sees_opposites_and_repetitions(void **state)
{
    Bench *t = *state;
    Expr less = OP2(LT, t->x, t->y), more = OP2(LT, t->y, t->z);
    Expr both = OP2(AND, OP2(AND, t->b, less), more);
    Expr one = OP2(OR, OP2(OR, t->b, less), more);
    assert_int_equal(OP2(AND, both, less), both);
    assert_int_equal(OP2(AND, less, both), both);
    assert_int_equal(OP2(AND, OP2(AND, more, t->b), both), both);
    assert_int_equal(OP2(AND, both, FN(NOT, less)), expr_bool(t->d, false));
    assert_int_equal(OP2(OR, FN(NOT, t->b), one), expr_bool(t->d, true));
    assert_int_equal(OP2(OR, one, more), one);
    assert_text(t, OP2(AND, less, one), "x < y and (y < z or (b or x < y))");
}

static void event_operators_are_expanded_and_shown_by_name(void **state)
{
    Bench *t = *state;
    Expr edge = FN(EDGE, t->b);
    assert_int_equal(expr_op(t->d, edge), EX_AND);
    assert_text(t, edge, "edge(b)");
    assert_text(t, FN(NOT, edge), "not edge(b)");
    assert_text(t, FN(CHANGE, t->n), "change(n)");
    assert_int_equal(FN(PRE, REAL(3)), REAL(3));
    assert_text(t, FN(PRE, FN(NOT, t->b)), "not pre(b)");
    assert_int_equal(FN(NOEVENT, t->x), t->x);
    Expr less = OP2(LT, t->x, t->y);
    assert_int_equal(expr_op(t->d, FN(NOEVENT, less)), EX_NOEVENT);
    assert_int_equal(OP2(HOMOTOPY, t->x, t->x), t->x);
    assert_text(t, expr_make(t->d, EX_SEMILINEAR, t->x, t->y, t->y), "x*y");
    assert_text(t, FN(DER, expr_time(t->d)), "1.0");
}

static void types_follow_the_arguments(void **state)
{
    Bench *t = *state;
    Expr two = expr_int(t->d, 2);
    assert_int_equal(expr_type(t->d, ADD(t->n, two)), ET_INTEGER);
    assert_int_equal(expr_type(t->d, ADD(t->n, t->x)), ET_REAL);
    assert_int_equal(expr_type(t->d, DIV(t->n, two)), ET_REAL);
    assert_int_equal(expr_type(t->d, MUL(t->n, REAL(1))), ET_REAL);
    assert_int_equal(expr_type(t->d, MUL(t->n, REAL(0))), ET_REAL);
    assert_int_equal(MUL(two, t->x), MUL(REAL(2), t->x));
    assert_int_equal(expr_type(t->d, OP2(LT, t->x, t->y)), ET_BOOLEAN);
    assert_int_equal(expr_type(t->d, expr_if(t->d, t->b, t->n, t->x)), ET_REAL);
    assert_text(t, ADD(expr_string(t->d, "a"), expr_string(t->d, "b")),
                "\"ab\"");
}

static void raw_nodes_stay_as_written(void **state)
{
    Bench *t = *state;
    Expr zero = REAL(0);
    assert_text(t, expr_make_raw(t->d, EX_ADD, zero, t->x, EXPR_NONE),
                "0.0 + x");
    Expr e = t->x; /* a long chain that expr_make would unfold in one go */
    for (int i = 0; i < 200000; i++)
        e = expr_make_raw(t->d, EX_MUL, REAL(1.5), e, EXPR_NONE);
    assert_true(expr_mul(t->d, REAL(2), e) > 0);
}

static void nodes_stay_where_they_are(void **state)
{
    Bench *t = *state;
    Expr e = FN(SIN, t->x);
    const ExprNode *before = expr_node(t->d, e);
    for (int i = 0; i < 100000; i++)
        ADD(t->x, REAL(i + 0.5));
    assert_ptr_equal(expr_node(t->d, e), before);
    assert_int_equal(FN(SIN, t->x), e);
    assert_true(dag_count(t->d) >= 200000);
    for (Expr f = 0; f < dag_count(t->d); f++) {
        const ExprNode *n = expr_node(t->d, f);
        for (int i = 0; i < n->narg; i++)
            assert_true(expr_arg(t->d, f, i) < f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_open, bench_close)
        TEST(equal_expressions_have_equal_handles),
        TEST(constants_are_folded_where_the_result_is_finite),
        TEST(neutral_elements_vanish),
        TEST(signs_move_outwards),
        TEST(constants_are_gathered),
        TEST(powers_and_inverse_functions_meet),
        TEST(sums_and_products_meet_their_parts_on_either_side),
        TEST(a_negated_relation_is_the_opposite_one),
        TEST(questions_about_nodes_are_answered),
        TEST(logic_is_simplified),
        TEST(logic_of_many_operands_sees_opposites_and_repetitions),
        TEST(event_operators_are_expanded_and_shown_by_name),
        TEST(types_follow_the_arguments),
        TEST(raw_nodes_stay_as_written),
        TEST(nodes_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
