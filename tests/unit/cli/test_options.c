/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "base/quantity.h"
#include "cli/options.h"

typedef struct Values {
    TextList libs, args;
    double step, number;
    int count;
    bool json;
    const char *method, *scalar;
    int code;
} Values;

/* Reads a line of words. Returns what options_read returned. */
static bool read_line(const char *line, Values *v, Arena *arena)
{
    *v = (Values){.step = -1, .code = -1};
    const Option option[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &v->libs},
        {"step", "TIME", "step size", OPT_TIME, &v->step},
        {"number", "X", "a number", OPT_NUMBER, &v->number},
        {"count", "N", "a count", OPT_INT, &v->count},
        {"method", "NAME|ida", "the method", OPT_METHOD, &v->method},
        {"scalar", "double|float", "the type", OPT_WORD, &v->scalar},
        {"json", NULL, "print JSON", OPT_FLAG, &v->json},
        {0},
    };
    const Command command = {"sim", "MODEL", "Simulates.", "takt sim a.mo",
                             option};
    char *copy = arena_printf(arena, "sim %s", line);
    char *argv[32];
    int argc = 0;
    for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
        argv[argc++] = w;
    return options_read(&command, argc, argv, &v->args, arena, &v->code);
}

static void values_stand_beside_or_after_the_name(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Values v;
    assert_true(read_line("m.mo -L one -Ltwo --step 1ms --method=be "
                          "--count=-3 --number -2.5e3 --json",
                          &v, a));
    assert_int_equal(v.args.n, 1);
    assert_string_equal(v.args.at[0], "m.mo");
    assert_int_equal(v.libs.n, 2);
    assert_string_equal(v.libs.at[0], "one");
    assert_string_equal(v.libs.at[1], "two");
    assert_true(v.step == 1e-3);
    assert_string_equal(v.method, "be");
    assert_int_equal(v.count, -3);
    assert_true(v.number == -2500);
    assert_true(v.json);
    arena_free(a);
}

static void two_dashes_end_the_options(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Values v;
    assert_true(read_line("- -- --json m.mo", &v, a));
    assert_false(v.json);
    assert_int_equal(v.args.n, 3);
    assert_string_equal(v.args.at[0], "-");
    assert_string_equal(v.args.at[1], "--json");
    arena_free(a);
}

static void what_is_wrong_ends_with_code_2(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "--jsno",         "--jsonx",        "-x",
        "--json=1",       "--step",         "--step 1parsec",
        "--step=",        "--count 1.5",    "--count 99999999999",
        "--number abc",   "--number 1e999", "-L",
        "--scalar doubl", "--scalar=",      "--help=latex",
    };
    Arena *a = arena_new();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        Values v;
        assert_false(read_line(wrong[i], &v, a));
        assert_int_equal(v.code, 2);
    }
    arena_free(a);
}

static void help_ends_with_code_0(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Values v;
    assert_false(read_line("m.mo --help --nonsense", &v, a));
    assert_int_equal(v.code, 0);
    arena_free(a);
}

static void a_word_is_one_of_those_in_the_table(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Values v;
    assert_true(read_line("--scalar float --method own.json", &v, a));
    assert_string_equal(v.scalar, "float");
    assert_string_equal(v.method, "own.json");
    assert_false(read_line("--scalar double|float", &v, a));
    arena_free(a);
}

static void times_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"0.2", 0.2},    {"1ms", 1e-3},  {"50us", 50e-6},
                {"50µs", 50e-6}, {"3 ns", 3e-9}, {"2min", 120},
                {"1h", 3600},    {"1e-3s", 1e-3}};
    double t;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(quantity_time(good[i].text, &t));
        assert_true(t == good[i].seconds);
    }
    static const char *const bad[] = {"",    "ms",  "1 parsec", "1ms2",
                                      "nan", "inf", "1e999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(quantity_time(bad[i], &t));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_stand_beside_or_after_the_name),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(what_is_wrong_ends_with_code_2),
        cmocka_unit_test(help_ends_with_code_0),
        cmocka_unit_test(a_word_is_one_of_those_in_the_table),
        cmocka_unit_test(times_have_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
