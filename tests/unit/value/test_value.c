/* test_value.c - values and types without any class around. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/context.h"

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

static void records_are_equal_member_by_member(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    const char *a = intern_str(in->names, "a");
    const char *b = intern_str(in->names, "b");
    const Type *real = type_builtin(TYPE_REAL);
    TypeMember one[2] = {{a, real, 0, NULL}, {b, real, 0, NULL}};
    TypeMember two[2] = {{a, real, 0, NULL}, {b, real, 0, NULL}};
    Type x = record_type("X", one, 2), y = record_type("Y", two, 2);
    assert_true(type_equal(&x, &y));
    assert_false(type_equal(&x, real));
    y.nmember = 1;
    assert_false(type_equal(&x, &y));
    y.nmember = 2;
    two[1].name = a;
    assert_false(type_equal(&x, &y));
    two[1].name = b;
    two[1].ndim = 1;
    assert_false(type_equal(&x, &y));
    two[1].ndim = 0;
    two[1].type = type_builtin(TYPE_INTEGER);
    assert_false(type_equal(&x, &y));
}

/* A record of an array and a scalar, and a tuple of it with itself, made in an
 * arena that is gone when they are read. */
static void a_copy_outlives_what_it_is_made_of(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    const Type *real = type_builtin(TYPE_REAL);
    TypeMember m[] = {{.name = "a", .type = real, .ndim = 1},
                      {.name = "b", .type = real}};
    Type record = record_type("R", m, 2);
    Context call = *in;
    call.scratch = arena_new();
    Value *part[] = {counted(&call, 1, (int[]){3}, 5), value_real(&call, 7)};
    Value *one = value_record(&call, &record, 0, NULL, part);
    Value *both[] = {one, one};
    Value tuple = *one;
    tuple.nvalue = 2;
    tuple.tuple = both;
    Value *copy = value_copy(in, &tuple);
    memset(part[0]->scalar, 0, 3 * sizeof(Expr));
    arena_free(call.scratch);
    for (int k = 0; k < 2; k++) {
        const Value *r = copy->tuple[k];
        assert_int_equal(r->member[0]->dim[0], 3);
        assert_int_equal(at(in, r->member[0], 2), 7);
        assert_int_equal(at(in, r->member[1], 0), 7);
    }
}

static void type_text_shows_sizes(void **state)
{
    const Context *in = &((Fixture *)*state)->in;
    assert_string_equal(
        type_text(in, type_builtin(TYPE_REAL), 2, (int[]){3, NONE}),
        "Real[3, :]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(gather_takes_rows_and_columns_in_any_order),
        CASE(scatter_is_the_inverse_of_gather),
        CASE(a_value_that_was_read_is_copied_before_it_changes),
        CASE(records_fit_by_the_names_of_their_members),
        CASE(records_are_equal_member_by_member),
        CASE(a_copy_outlives_what_it_is_made_of),
        CASE(type_text_shows_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
