/* test_operator.c - operators on values without any class around. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/context.h"

#include "eval/eval_internal.h"
#include "value/text.h"
#include "eval/builtin.h"

static void concatenation_keeps_rows_together(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *part[2] = {counted(in, 2, (int[]){2, 2}, 0),
                      counted(in, 2, (int[]){2, 1}, 10)};
    Value *r = array_cat(in, 1, part, 2, NO_SPAN);
    const int want[6] = {0, 1, 10, 2, 3, 11};
    for (int i = 0; i < 6; i++)
        assert_int_equal(at(in, r, i), want[i]);
}

static void matrix_product_of_vector_and_matrix(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *v = counted(in, 1, (int[]){2}, 1);
    Value *m = counted(in, 2, (int[]){2, 3}, 1);
    Value *r = op_binary(in, OP_MUL, v, m, NO_SPAN);
    assert_int_equal(r->ndim, 1);
    assert_int_equal(at(in, r, 0), 1 * 1 + 2 * 4);
    assert_int_equal(at(in, r, 2), 1 * 3 + 2 * 6);
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 0);
}

static void an_empty_product_is_zero(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *a = counted(in, 2, (int[]){2, 0}, 0);
    Value *b = counted(in, 2, (int[]){0, 1}, 0);
    Value *r = op_binary(in, OP_MUL, a, b, NO_SPAN);
    assert_int_equal(r->nscalar, 2);
    assert_int_equal(at(in, r, 1), 0);
}

static void integer_overflow_is_reported(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    op_binary(in, OP_MUL, value_int(in, 65536), value_int(in, 65536), NO_SPAN);
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 1);
}

static void an_error_makes_no_further_errors(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *e = value_error(in);
    Value *r = op_binary(in, OP_ADD, e, value_string(in, "a"), NO_SPAN);
    r = op_unary(in, OP_NOT, r, NO_SPAN);
    r = value_fit(in, r, type_builtin(TYPE_REAL), 0, NULL, "x", NO_SPAN);
    assert_int_equal(r->type->kind, TYPE_ANY);
    assert_int_equal(diag_count(in->diag, DIAG_ERROR), 0);
}

static void numbers_print_as_the_specification_says(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    assert_string_equal(string_of_real(in, 1234567.0, 6), "1.23457e+06");
    assert_string_equal(string_of_real(in, 0.1, 17), "0.10000000000000001");
    assert_string_equal(string_pad(in, "ab", 4, false), "  ab");
    assert_string_equal(string_pad(in, "ab", 4, true), "ab  ");
}

static void padding_is_bounded(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    assert_string_equal(string_pad(in, "ab", 4, true), "ab  ");
    assert_string_equal(string_pad(in, "ab", 4, false), "  ab");
    assert_string_equal(string_pad(in, "ab", 1, false), "ab");
    assert_int_equal(strlen(string_pad(in, "ab", 10000, true)), 10000);
    assert_int_equal(strlen(string_pad(in, "ab", 10001, true)), 10000);
    assert_int_equal(strlen(string_pad(in, "ab", 99999, false)), 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(concatenation_keeps_rows_together),
        CASE(matrix_product_of_vector_and_matrix),
        CASE(an_empty_product_is_zero),
        CASE(integer_overflow_is_reported),
        CASE(an_error_makes_no_further_errors),
        CASE(numbers_print_as_the_specification_says),
        CASE(padding_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
