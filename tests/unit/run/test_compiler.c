/* test_compiler.c - what the user's compiler is asked for. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "run/model.h"

/* A compiler that writes its arguments between two blanks each, and fails. */
static void write_compiler(const char *script, const char *words)
{
    FILE *f = fopen(script, "w");
    assert_non_null(f);
    fprintf(f, "printf ' %%s ' \"$@\" >'%s'\nexit 1\n", words);
    assert_int_equal(fclose(f), 0);
}

/* Generated code is C99, and equal to a run to the last bit only without
 * contraction; it is loaded, so that it is shared and may be moved. */
static void code_is_compiled_as_what_it_is(void **state)
{
    (void)state;
    char dir[] = "/tmp/takt-test-XXXXXX", text[4096] = "";
    assert_non_null(mkdtemp(dir));
    Arena *a = arena_new();
    const char *script = arena_printf(a, "%s/cc", dir);
    const char *words = arena_printf(a, "%s/words", dir);
    write_compiler(script, words);
    setenv("CC", arena_printf(a, "sh %s -g0", script), 1);
    const RunFile file[] = {{"m.h", "\n"}, {"m.c", "\n"}};
    const RunSource source = {.name = "m", .file = file, .nfile = 2};
    Diag *diag = diag_new(sources_new(a), a);
    assert_null(run_load(&source, a, diag));
    assert_int_equal(diag_count(diag, DIAG_ERROR), 1);
    FILE *f = fopen(words, "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    static const char *const want[] = {
        "-g0", "-std=c99", "-ffp-contract=off", "-shared", "-fPIC", "-lm"};
    for (int i = 0; i < 6; i++)
        assert_non_null(strstr(text, arena_printf(a, " %s ", want[i])));
    unlink(script);
    unlink(words);
    rmdir(dir);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_compiled_as_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
