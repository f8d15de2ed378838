/* test_value.c - values, types and operators without any class around. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <string.h>

#include "instance/values_internal.h"

typedef struct Fixture {
    Context in;
    Run run;
    Flat flat;
    Arena *arena;
} Fixture;

static int set_up(void **state)
{
    Arena *a = arena_new();
    Fixture *f = NEW(a, Fixture);
    f->arena = a;
    f->flat.dag = dag_new(a);
    f->in = (Context){.arena = a,
                      .dag = f->flat.dag,
                      .flat = &f->flat,
                      .names = intern_new(a),
                      .run = &f->run,
                      .values = values_new(a),
                      .path = expr_bool(f->flat.dag, true),
                      .end = NONE};
    f->run.root = &f->in;
    f->in.diag = diag_new(sources_new(a), a);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    arena_free(((Fixture *)*state)->arena);
    return 0;
}

/* first, first + 1, ... of that shape */
static Value *counted(const Context *in, int ndim, const int *dim, int first)
{
    Value *v = value_make(in, type_builtin(TYPE_INTEGER), ndim, dim);
    for (int i = 0; i < v->nscalar; i++)
        v->scalar[i] = expr_int(in->dag, first + i);
    return v;
}

static int at(const Context *in, const Value *v, int i)
{
    double x;
    assert_true(expr_is_const(in->dag, v->scalar[i], &x));
    return (int)x;
}

static void gather_takes_rows_and_columns_in_any_order(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *a = counted(in, 2, (int[]){3, 4}, 0);
    Index ix[2] = {
        {.keep = true, .n = 2, .at = (int[]){2, 0}, .run = EXPR_NONE},
        {.keep = true, .n = 2, .at = (int[]){1, 3}, .run = EXPR_NONE}};
    Value *r = value_gather(in, a, ix, 2);
    assert_int_equal(r->ndim, 2);
    assert_int_equal(at(in, r, 0), 9);
    assert_int_equal(at(in, r, 1), 11);
    assert_int_equal(at(in, r, 2), 1);
    assert_int_equal(at(in, r, 3), 3);
}

static void scatter_is_the_inverse_of_gather(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *a = counted(in, 3, (int[]){2, 3, 2}, 0);
    Value *b = counted(in, 3, (int[]){2, 3, 2}, 100);
    Index ix[2] = {{.keep = true, .n = 2, .run = EXPR_NONE},
                   {.keep = false, .n = 1, .at = (int[]){1}, .run = EXPR_NONE}};
    Value *part = value_gather(in, a, ix, 2);
    value_scatter(in, b, ix, 2, part);
    for (int i = 0; i < 12; i++) {
        bool inside = i / 2 % 3 == 1;
        assert_int_equal(at(in, b, i), inside ? i : 100 + i);
    }
}

static void a_value_that_was_read_is_copied_before_it_changes(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    Value *v = counted(in, 1, (int[]){3}, 0);
    v->owned = true;
    Value *same = v;
    value_own(in, &same);
    assert_ptr_equal(same, v);
    value_share(v);
    value_own(in, &same);
    assert_ptr_not_equal(same, v);
    assert_memory_equal(same->scalar, v->scalar, 3 * sizeof(Expr));
}

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

static Type record_type(const char *name, TypeMember *m, int n)
{
    return (Type){.kind = TYPE_RECORD,
                  .enumeration = NONE,
                  .name = name,
                  .member = m,
                  .nmember = n};
}

static void records_fit_by_the_names_of_their_members(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    const char *a = intern_str(in->names, "a");
    const char *b = intern_str(in->names, "b");
    TypeMember one[2] = {{a, type_builtin(TYPE_REAL), 0, NULL},
                         {b, type_builtin(TYPE_BOOLEAN), 0, NULL}};
    TypeMember two[2] = {{b, type_builtin(TYPE_BOOLEAN), 0, NULL},
                         {a, type_builtin(TYPE_INTEGER), 0, NULL}};
    Type want = record_type("Want", one, 2), have = record_type("Have", two, 2);
    Value *member[2] = {value_bool(in, true), value_int(in, 7)};
    Value *v = value_record(in, &have, 0, NULL, member);
    Value *r = value_fit(in, v, &want, 0, NULL, "x", NO_SPAN);
    assert_int_equal(r->member[0]->type->kind, TYPE_REAL);
    assert_int_equal(at(in, r->member[0], 0), 7);
    two[0].name = intern_str(in->names, "c");
    assert_null(type_common(&want, &have));
}

static void type_text_shows_sizes(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    assert_string_equal(
        type_text(in, type_builtin(TYPE_REAL), 2, (int[]){3, NONE}),
        "Real[3, :]");
}

static void numbers_print_as_the_specification_says(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    assert_string_equal(string_of_real(in, 1234567.0, 6), "1.23457e+06");
    assert_string_equal(string_of_real(in, 0.1, 17), "0.10000000000000001");
    assert_string_equal(string_pad(in, "ab", 4, false), "  ab");
    assert_string_equal(string_pad(in, "ab", 4, true), "ab  ");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(gather_takes_rows_and_columns_in_any_order),
        CASE(scatter_is_the_inverse_of_gather),
        CASE(a_value_that_was_read_is_copied_before_it_changes),
        CASE(concatenation_keeps_rows_together),
        CASE(matrix_product_of_vector_and_matrix),
        CASE(an_empty_product_is_zero),
        CASE(integer_overflow_is_reported),
        CASE(an_error_makes_no_further_errors),
        CASE(records_fit_by_the_names_of_their_members),
        CASE(type_text_shows_sizes),
        CASE(numbers_print_as_the_specification_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
