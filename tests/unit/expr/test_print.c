/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "unit/expr/expr_test.h"

#define REAL(v)           expr_real(t->d, v)
#define RAW1(op, a)       expr_make_raw(t->d, EX_##op, a, EXPR_NONE, EXPR_NONE)
#define RAW2(op, a, b)    expr_make_raw(t->d, EX_##op, a, b, EXPR_NONE)
#define RAW3(op, a, b, c) expr_make_raw(t->d, EX_##op, a, b, c)

static void parentheses_are_the_fewest_that_keep_the_value(void **state)
{
    Bench *t = *state;
    Expr x = t->x, y = t->y, z = t->z;
    assert_text(t, RAW2(ADD, RAW2(ADD, x, y), z), "x + y + z");
    assert_text(t, RAW2(ADD, x, RAW2(ADD, y, z)), "x + (y + z)");
    assert_text(t, RAW2(SUB, x, RAW2(SUB, y, z)), "x - (y - z)");
    assert_text(t, RAW2(MUL, RAW2(ADD, x, y), z), "(x + y)*z");
    assert_text(t, RAW2(DIV, x, RAW2(MUL, y, z)), "x/(y*z)");
    assert_text(t, RAW2(DIV, RAW2(DIV, x, y), z), "x/y/z");
    assert_text(t, RAW2(POW, RAW2(POW, x, y), z), "(x^y)^z");
    assert_text(t, RAW2(POW, x, RAW1(NEG, y)), "x^(-y)");
    assert_text(t, RAW1(NEG, RAW2(MUL, x, y)), "-x*y");
    assert_text(t, RAW1(NEG, RAW2(ADD, x, y)), "-(x + y)");
    assert_text(t, RAW2(MUL, x, RAW1(NEG, y)), "x*(-y)");
    assert_text(t, RAW2(ADD, RAW1(NEG, x), y), "-x + y");
    assert_text(t, RAW2(SUB, x, RAW1(NEG, y)), "x - (-y)");
    assert_text(t, RAW1(NEG, RAW1(NEG, x)), "-(-x)");
}

static void a_negative_number_is_a_sign_and_a_number(void **state)
{
    Bench *t = *state;
    assert_text(t, RAW2(MUL, REAL(-2), t->x), "-2.0*x");
    assert_text(t, RAW2(MUL, t->x, REAL(-2)), "x*(-2.0)");
    assert_text(t, RAW2(ADD, t->x, RAW2(MUL, REAL(-2), t->y)), "x + (-2.0*y)");
    assert_text(t, RAW2(POW, REAL(-2), t->x), "(-2.0)^x");
    assert_text(t, RAW2(DIV, RAW2(MUL, REAL(-2), t->x), t->y), "-2.0*x/y");
    assert_text(t, RAW2(MUL, t->y, RAW2(MUL, REAL(-2), t->x)), "y*(-2.0*x)");
}

static void numbers_read_back_as_they_were(void **state)
{
    Bench *t = *state;
    assert_text(t, REAL(2), "2.0");
    assert_text(t, REAL(0.1), "0.1");
    assert_text(t, REAL(1e-25), "1e-25");
    assert_text(t, REAL(1.0 / 3), "0.3333333333333333");
    assert_text(t, REAL(0.1 + 0.2), "0.30000000000000004");
    assert_text(t, expr_int(t->d, -7), "-7");
    assert_text(t, expr_bool(t->d, true), "true");
    assert_text(t, REAL(INFINITY), "(1.0/0.0)");
    assert_text(t, REAL(NAN), "(0.0/0.0)");
}

static void logic_and_branches_follow_the_grammar(void **state)
{
    Bench *t = *state;
    Expr less = RAW2(LT, t->x, t->y), c = expr_var(t->d, 4, 0, ET_BOOLEAN);
    assert_text(t, RAW2(AND, RAW2(OR, less, c), c), "(x < y or b) and b");
    assert_text(t, RAW2(OR, RAW2(AND, less, c), c), "x < y and b or b");
    assert_text(t, RAW1(NOT, less), "not x < y");
    assert_text(t, RAW1(NOT, RAW1(NOT, c)), "not (not b)");
    assert_text(t, RAW1(NOT, RAW2(AND, c, less)), "not (b and x < y)");
    assert_text(t, RAW2(EQ, less, c), "(x < y) == b");
    Expr inner = RAW3(IF, c, t->x, t->y);
    assert_text(t, RAW3(IF, less, t->z, inner),
                "if x < y then z elseif b then x else y");
    assert_text(t, RAW3(IF, less, inner, t->z),
                "if x < y then if b then x else y else z");
    assert_text(t, RAW2(ADD, inner, t->z), "(if b then x else y) + z");
    assert_text(t, RAW1(SIN, inner), "sin(if b then x else y)");
}

static void calls_derivatives_and_strings_print(void **state)
{
    Bench *t = *state;
    Expr arg[2] = {t->x, RAW2(ADD, t->y, t->z)};
    dag_add_function(t->d, &(ExprFunction){.name = "f"});
    dag_add_function(t->d, &(ExprFunction){.name = "Table.value"});
    assert_text(t, expr_call(t->d, 1, 0, ET_REAL, arg, 2),
                "Table.value(x, y + z)");
    assert_text(t, expr_call(t->d, 2, 1, ET_REAL, arg, 1), "function2#2(x)");
    assert_text(t, expr_call(t->d, 1, 0, ET_REAL, NULL, 0), "Table.value()");
    assert_text(t, expr_var(t->d, 0, 2, ET_REAL), "der(der(x))");
    assert_text(t, RAW1(DER, RAW2(MUL, t->x, t->y)), "der(x*y)");
    assert_text(t, expr_make(t->d, EX_INITIAL, EXPR_NONE, EXPR_NONE, EXPR_NONE),
                "initial()");
    assert_text(t, RAW2(SAMPLE, REAL(0), REAL(0.1)), "sample(0.0, 0.1)");
    assert_text(t, expr_string(t->d, "a \"b\"\\\n\t"),
                "\"a \\\"b\\\"\\\\\\n\\t\"");
    Expr text = RAW2(CONCAT, expr_string(t->d, "x = "), RAW1(TOSTR, t->x));
    assert_text(t, text, "\"x = \" + String(x)");
    assert_text(t, EXPR_NONE, "?");
    assert_string_equal(
        expr_text(t->d, expr_var(t->d, 9, 0, ET_REAL), NULL, NULL, 0, t->arena),
        "v9");
}

static void a_limit_ends_what_would_grow_without_bound(void **state)
{
    Bench *t = *state;
    Expr e = t->x;
    for (int i = 0; i < 200; i++) /* 2^200 leaves as a tree */
        e = expr_mul(t->d, expr_unary(t->d, EX_SIN, e),
                     expr_unary(t->d, EX_COS, e));
    const char *text = expr_text(t->d, e, bench_name, t, 60, t->arena);
    assert_true(strlen(text) <= 63);
    assert_string_equal(text + strlen(text) - 3, "...");
    assert_string_equal(expr_text(t->d, t->x, bench_name, t, 1, t->arena), "x");
    assert_string_equal(expr_text(t->d, REAL(1.5), bench_name, t, 2, t->arena),
                        "...");
    FILE *out = tmpfile();
    expr_print(t->d, expr_add(t->d, t->x, t->y), bench_name, t, 0, out);
    rewind(out);
    char line[32];
    assert_string_equal(fgets(line, sizeof line, out), "x + y");
    fclose(out);
    assert_string_equal(expr_op_name(EX_ADD), "ADD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, bench_open, bench_close)
        TEST(parentheses_are_the_fewest_that_keep_the_value),
        TEST(a_negative_number_is_a_sign_and_a_number),
        TEST(numbers_read_back_as_they_were),
        TEST(logic_and_branches_follow_the_grammar),
        TEST(calls_derivatives_and_strings_print),
        TEST(a_limit_ends_what_would_grow_without_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
