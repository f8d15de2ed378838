/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "load/load_internal.h"
#include "tree.h"

static void versions_are_compared_by_their_numbers(void **state)
{
    (void)state;
    assert_true(version_compare("3.2.3", "4.0.0") < 0);
    assert_true(version_compare("3.10", "3.9") > 0);
    assert_true(version_compare("4.2.0 dev", "4.2.0") < 0);
    assert_true(version_compare("4.2.0 dev", "4.1.0") > 0);
    assert_true(version_compare("1.0", "1.0.0") == 0);
    assert_true(version_compare("1.0.1", "1.0") > 0);
    assert_true(version_compare("", "1") < 0);
    assert_true(version_compare("2-beta.1", "2-beta.2") < 0);
    assert_true(version_compare("4.0.0", "4.0.0") == 0);
}

static void write_version(Tree *t, const char *dir, const char *version,
                          const char *more)
{
    tree_write(t, arena_printf(t->arena, "libs/%s/package.mo", dir),
               arena_printf(t->arena,
                            "package L\n  annotation(version = \"%s\"%s);\n"
                            "end L;\n",
                            version, more));
}

static const char *version_of(Tree *t)
{
    LoadClass *cls = load_find(t->lib, "L");
    return cls ? load_version(cls) : NULL;
}

static void add(Tree *t, const char *name, const char *annotation)
{
    LoadClass **cls;
    const char *file = arena_printf(t->arena, "%s.mo", name);
    tree_write(t, file,
               arena_printf(t->arena, "model %s\n  annotation(%s);\nend %s;\n",
                            name, annotation, name));
    assert_int_equal(load_add_file(t->lib, tree_path(t, file), &cls), 1);
}

static void without_a_request_the_highest_version_is_taken(void **state)
{
    Tree *t = *state;
    write_version(t, "L 1.9", "1.9", "");
    write_version(t, "L 1.10", "1.10", "");
    write_version(t, "L", "1.8", "");
    tree_load(t, "libs", NULL);
    assert_string_equal(version_of(t), "1.10");
    assert_string_equal(tree_messages(t), "");
}

static void the_version_asked_for_is_taken(void **state)
{
    Tree *t = *state;
    write_version(t, "L 1.9", "1.9", "");
    write_version(t, "L 1.10", "1.10", "");
    write_version(t, "L", "1.8", "");
    tree_load(t, "libs", NULL);
    add(t, "M", "uses(L(version = \"1.8\"))");
    assert_string_equal(version_of(t), "1.8");
    assert_string_equal(tree_messages(t), "");
}

static void a_library_may_say_that_it_fits(void **state)
{
    Tree *t = *state;
    write_version(t, "L", "2.0", ", conversion(noneFromVersion = \"1.8\")");
    tree_load(t, "libs", NULL);
    add(t, "M", "uses(L(version = \"1.8\"))");
    assert_string_equal(version_of(t), "2.0");
    assert_string_equal(tree_messages(t), "");
}

static void a_newer_one_is_taken_with_a_warning(void **state)
{
    Tree *t = *state;
    write_version(t, "L", "1.9", "");
    tree_load(t, "libs", NULL);
    add(t, "M", "uses(L(version = \"1.8\"))");
    assert_string_equal(version_of(t), "1.9");
    assert_int_equal(diag_count(t->diag, DIAG_WARNING), 1);
    assert_int_equal(diag_count(t->diag, DIAG_ERROR), 0);
}

static void a_version_that_is_not_there_is_an_error(void **state)
{
    Tree *t = *state;
    write_version(t, "L", "2.0", "");
    tree_load(t, "libs", NULL);
    add(t, "M", "uses(L(version = \"1.8\"))");
    load_find(t->lib, "L");
    assert_string_equal(
        tree_messages(t),
        "M.mo:2:19: error: 'M' needs version 1.8 of 'L', found version 2.0; "
        "name a directory that has it with -L [E0208]\n"
        "   2 |   annotation(uses(L(version = \"1.8\")));\n"
        "     |                   ^~~~~~~~~~~~~~~~~~\n"
        "libs/L/package.mo:1:9: note: version 2.0 was read from "
        "libs/L/package.mo\n");
}

static void two_that_need_different_versions_are_an_error(void **state)
{
    Tree *t = *state;
    write_version(t, "L 1.8", "1.8", "");
    write_version(t, "L 2.0", "2.0", "");
    tree_load(t, "libs", NULL);
    add(t, "M", "uses(L(version = \"1.8\"))");
    assert_string_equal(version_of(t), "1.8");
    add(t, "N", "uses(L(version = \"2.0\"))");
    assert_string_equal(
        tree_messages(t),
        "N.mo:2:19: error: 'N' needs version 2.0 of 'L', but 'M' needs version "
        "1.8 [E0207]\n"
        "   2 |   annotation(uses(L(version = \"2.0\")));\n"
        "     |                   ^~~~~~~~~~~~~~~~~~\n"
        "M.mo:2:19: note: version 1.8 is asked for here\n"
        "libs/L 1.8/package.mo:1:9: note: version 1.8 was read from libs/L "
        "1.8/package.mo\n");
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, tree_set_up, tree_tear_down)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_are_compared_by_their_numbers),
        TEST(without_a_request_the_highest_version_is_taken),
        TEST(the_version_asked_for_is_taken),
        TEST(a_library_may_say_that_it_fits),
        TEST(a_newer_one_is_taken_with_a_warning),
        TEST(a_version_that_is_not_there_is_an_error),
        TEST(two_that_need_different_versions_are_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
