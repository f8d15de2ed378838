/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "base/intern.h"

static void equal_strings_have_equal_addresses(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Intern *t = intern_new(a);
    char other[] = "resistor.v";
    assert_ptr_equal(intern_str(t, "resistor.v"), intern(t, other, 10));
    assert_ptr_not_equal(intern_str(t, "R"), intern_str(t, "r"));
    assert_string_equal(intern(t, other, 3), "res");
    arena_free(a);
}

static void a_string_never_seen_is_not_found(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Intern *t = intern_new(a);
    assert_null(intern_find(t, "x", 1));
    const char *x = intern_str(t, "x");
    assert_ptr_equal(intern_find(t, "xyz", 1), x);
    assert_null(intern_find(t, "", 0));
    assert_string_equal(intern(t, "abc", 0), "");
    arena_free(a);
}

static void addresses_stay_while_the_table_grows(void **state)
{
    (void)state;
    enum { N = 20000 };
    Arena *a = arena_new();
    Intern *t = intern_new(a);
    const char **first = NEW_ARRAY(a, const char *, N);
    for (int i = 0; i < N; i++)
        first[i] = intern_str(t, arena_printf(a, "cell[%d].T", i));
    for (int i = 0; i < N; i++) {
        const char *name = arena_printf(a, "cell[%d].T", i);
        assert_ptr_equal(intern_str(t, name), first[i]);
        assert_string_equal(first[i], name);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_strings_have_equal_addresses),
        cmocka_unit_test(a_string_never_seen_is_not_found),
        cmocka_unit_test(addresses_stay_while_the_table_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
