/* Long and deep texts: the first are read, the second refused, neither makes
 * takt slow or ends it. SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "fixture.h"

static void chains_of_any_length_are_read(void **state)
{
    Fixture *f = *state;
    static const char *const part[] = {" + b",   " * b", " or b",
                                       " and b", " - b", " ./ b"};
    for (int k = 0; k < 6; k++) {
        const char *text = repeated(f, "model M\nequation\n  x = a", part[k],
                                    100000, ";\nend M;\n");
        AstFile *a = parse_text(f, text);
        assert_int_equal(a->nerror, 0);
        AstFile *b = parse_text(f, printed(f, a));
        assert_true(ast_equal_file(a, b));
        FILE *null = fopen("/dev/null", "w");
        ast_dump_file(a, null);
        fclose(null);
    }
}

static void long_lists_are_read(void **state)
{
    Fixture *f = *state;
    AstFile *a = parse_text(f, repeated(f, "model M\nequation\n  x = {1", ", 2",
                                        100000, "};\nend M;\n"));
    assert_int_equal(a->cls[0]->section[0].eqn[0]->rhs->narg, 100001);
    a = parse_text(f,
                   repeated(f, "model M\nequation\n  x = if a then b",
                            " elseif a then b", 50000, " else c;\nend M;\n"));
    assert_int_equal(a->nerror, 0);
    a = parse_text(
        f, repeated(f, "model M \"a\"", " + \"b\"", 100000, " end M;\n"));
    assert_int_equal(strlen(a->cls[0]->comment), 100001);
    a = parse_text(f, repeated(f, "model M\n  A a", ".b", 100000, "; end M;"));
    assert_int_equal(a->nerror, 1);
    a = parse_text(
        f, repeated(f, "model M\nequation\n a", ".b", 100000, " = 1; end M;"));
    assert_int_equal(a->nerror, 0);
    a = parse_text(f, repeated(f, "", "model M end M;\n", 20000, ""));
    assert_int_equal(a->ncls, 20000);
    assert_int_equal(a->nerror, 0);
}

/* Each head nests one level; n levels of it are given. */
static int errors_of_depth(Fixture *f, const char *head, int n)
{
    return parse_text(f, repeated(f, "model M\nequation\n  x = ", head, n,
                                  "1;\nend M;\n"))
        ->nerror;
}

static void nesting_has_a_limit(void **state)
{
    Fixture *f = *state;
    static const char *const head[] = {
        "(",
        "{",
        "[",
        "-(",
        "not ",
        "f(",
        "if a then b else ",
        "a[",
        "- ",
        "f(a = ",
        "f(function g(a = ",
    };
    for (size_t k = 0; k < sizeof head / sizeof head[0]; k++) {
        int before = diag_count(f->diag, DIAG_ERROR);
        assert_true(errors_of_depth(f, head[k], 100000) > 0);
        assert_true(diag_count(f->diag, DIAG_ERROR) > before);
    }
    AstFile *a =
        parse_text(f, repeated(f, "", "model M\n", 100000, "end M;\n"));
    assert_true(a->nerror > 0);
    a = parse_text(f, repeated(f, "model M\nA a", "(a", 100000, ";\nend M;\n"));
    assert_true(a->nerror > 0);
    a = parse_text(f, repeated(f, "model M\nequation\n", "if a then ", 100000,
                               "end M;\n"));
    assert_true(a->nerror > 0);
    a = parse_text(f, repeated(f, "model M\nalgorithm\n", "while a loop ",
                               100000, "end M;\n"));
    assert_true(a->nerror > 0);
    a = parse_text(f, repeated(f, "model M\nA a", "(redeclare A a", 100000,
                               ";\nend M;\n"));
    assert_true(a->nerror > 0);
}

static void nesting_up_to_the_limit_is_read(void **state)
{
    Fixture *f = *state;
    const char *open =
        repeated(f, "model M\nequation\n  x = ", "(", PARSE_DEPTH - 10, "1");
    const char *all = repeated(f, open, ")", PARSE_DEPTH - 10, ";\nend M;\n");
    AstFile *a = parse_text(f, all);
    assert_int_equal(a->nerror, 0);
    assert_true(ast_equal_file(a, parse_text(f, printed(f, a))));
}

static void too_deep_is_said_once(void **state)
{
    Fixture *f = *state;
    assert_int_equal(errors_of_depth(f, "(", 5000), 1);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diag_print(f->diag, out);
    fclose(out);
    assert_non_null(strstr(text, "more than 1000 levels deep"));
    free(text);
}

static void after_many_errors_the_rest_is_not_read(void **state)
{
    Fixture *f = *state;
    AstFile *a = parse_text(
        f, repeated(f, "model M\n", "Real 1;\n", 100000, "end M;\n"));
    assert_in_range(a->nerror, PARSE_ERRORS, PARSE_ERRORS + 1);
    a = parse_text(f, repeated(f, "", "$\n", 100000, ""));
    assert_in_range(a->nerror, 1, PARSE_ERRORS + 1);
    a = parse_text(f, repeated(f, "model M ", "\"\\q\" + ", 100000, "1"));
    assert_in_range(a->nerror, 1, PARSE_ERRORS + 1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(chains_of_any_length_are_read),
        TEST(long_lists_are_read),
        TEST(nesting_has_a_limit),
        TEST(nesting_up_to_the_limit_is_read),
        TEST(too_deep_is_said_once),
        TEST(after_many_errors_the_rest_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
