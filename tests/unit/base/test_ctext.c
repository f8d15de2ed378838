/* Literals, comments and names of C. SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "base/ctext.h"

static Arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void a_literal_has_the_bytes_of_its_text(void **unused)
{
    (void)unused;
    assert_string_equal(c_string("a \"b\" \\ c", arena),
                        "\"a \\\"b\\\" \\\\ c\"");
    assert_string_equal(c_string("line\nline\x7f", arena),
                        "\"line\\012line\\177\"");
    assert_string_equal(c_string("\xC3\xA4"
                                 "1",
                                 arena),
                        "\"\\303\\2441\"");
    assert_string_equal(c_string("", arena), "\"\"");
    assert_string_equal(c_string("%s // */", arena), "\"%s // */\"");
}

static void a_literal_has_no_trigraph(void **unused)
{
    (void)unused;
    assert_string_equal(c_string("?"
                                 "?/\"; system(1); //",
                                 arena),
                        "\"?\\?/\\\"; system(1); //\"");
    assert_string_equal(c_string("?"
                                 "?"
                                 "?"
                                 "?-",
                                 arena),
                        "\"?\\?\\?\\?-\"");
}

static void a_comment_stays_one(void **unused)
{
    (void)unused;
    assert_string_equal(c_comment("a */ b", arena), "a * / b");
    assert_string_equal(c_comment("a /* b", arena), "a / * b");
    assert_string_equal(c_comment("*/*/", arena), "* / * / ");
    assert_string_equal(c_comment("a\nb\\", arena), "a b\\ ");
    assert_string_equal(c_comment("*\n/", arena), "* / ");
    assert_string_equal(c_comment("?"
                                  "?/",
                                  arena),
                        "? ?/ ");
    assert_string_equal(c_comment("\xC3\xA4", arena), "\xC3\xA4");
    assert_string_equal(c_comment("\xE2\x80\xAEx\xFF", arena), "?x?");
    assert_string_equal(c_comment("?\xFF", arena), "? ?");
    assert_string_equal(c_comment(NULL, arena), "");
}

static void names_become_identifiers(void **unused)
{
    (void)unused;
    assert_string_equal(c_identifier("a.b[3].c", arena), "a_b_3_c");
    assert_string_equal(c_identifier("der(x)", arena), "der_x");
    assert_string_equal(c_identifier("3phase", arena), "v3phase");
    assert_string_equal(c_identifier("'1a'", arena), "v1a");
    assert_string_equal(c_identifier("__x", arena), "x");
    assert_string_equal(c_identifier("''", arena), "v");
    assert_string_equal(c_identifier("\xC3\xA4", arena), "v");
}

static void long_names_are_cut_and_stay_different(void **unused)
{
    (void)unused;
    char a[1001], b[1001];
    memset(a, 'a', 1000);
    memset(b, 'a', 1000);
    a[1000] = b[1000] = '\0';
    b[999] = 'b';
    const char *x = c_identifier(a, arena), *y = c_identifier(b, arena);
    assert_int_equal(strlen(x), C_IDENTIFIER_MOST);
    assert_int_equal(strlen(y), C_IDENTIFIER_MOST);
    assert_string_not_equal(x, y);
    a[C_IDENTIFIER_MOST] = '\0';
    assert_string_equal(c_identifier(a, arena), a);
}

static void what_others_use_is_reserved(void **unused)
{
    (void)unused;
    static const char *const taken[] = {
        "int",       "class",   "NULL",     "INFINITY", "NAN",    "EOF",
        "I",         "errno",   "stdin",    "sin",      "sinf",   "sinl",
        "TAKT_REAL", "takt_lt", "_x",       "size_t",   "linux",  "y0",
        "INT8_MAX",  "PRId64",  "UINT64_C", "M_PI",     "memcpy", "xor_eq",
        "BUFSIZ",    "yn",      "acos",     "offsetof"};
    static const char *const left[] = {
        "x",   "phi",  "R1", "E1",    "INTAKE", "time", "final",
        "PRI", "gain", "f",  "SIGMA", "index",  "l"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        assert_true(c_is_reserved(taken[i]));
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        assert_false(c_is_reserved(left[i]));
}

/* Every word of the lists is found: they are sorted. */
static void every_word_of_the_lists_is_found(void **unused)
{
    (void)unused;
    static const char *const all[] = {
#define WORD(x) #x,
#define MATH(x) #x,
#include "base/reserved.def"
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_true(c_is_reserved(all[i]));
}

static void a_prefix_is_no_word_of_c_and_no_header(void **unused)
{
    (void)unused;
    assert_string_equal(c_prefix("Tank", arena), "Tank");
    assert_string_equal(c_prefix("int", arena), "int_");
    assert_string_equal(c_prefix("math", arena), "math_");
    assert_string_equal(c_prefix("m", arena), "m_");
    assert_string_equal(c_prefix("'q\"x'", arena), "q_x");
    assert_string_equal(c_prefix("takt_rt_base", arena), "takt_rt_base_");
}

static void identifiers_are_known(void **unused)
{
    (void)unused;
    assert_true(c_is_identifier("_table1"));
    assert_false(c_is_identifier("1x"));
    assert_false(c_is_identifier(""));
    assert_false(c_is_identifier("a b"));
    assert_false(c_is_identifier("double"));
    assert_false(c_is_identifier("\xE4"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_literal_has_the_bytes_of_its_text),
        cmocka_unit_test(a_literal_has_no_trigraph),
        cmocka_unit_test(a_comment_stays_one),
        cmocka_unit_test(names_become_identifiers),
        cmocka_unit_test(long_names_are_cut_and_stay_different),
        cmocka_unit_test(what_others_use_is_reserved),
        cmocka_unit_test(every_word_of_the_lists_is_found),
        cmocka_unit_test(a_prefix_is_no_word_of_c_and_no_header),
        cmocka_unit_test(identifiers_are_known),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
