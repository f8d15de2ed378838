/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "base/paths.h"

static void the_environment_wins(void **state)
{
    (void)state;
    setenv("TAKT_MODELS", "/tmp", 1);
    assert_string_equal(models_dir(), "/tmp");
    unsetenv("TAKT_MODELS");
}

static void a_directory_that_is_not_there_is_passed_over(void **state)
{
    (void)state;
    const char *usual = models_dir();
    setenv("TAKT_MODELS", "/nowhere/at/all", 1);
    assert_string_equal(models_dir(), usual);
    setenv("TAKT_MODELS", "", 1);
    assert_string_equal(models_dir(), usual);
    unsetenv("TAKT_MODELS");
}

static void a_build_finds_the_models_of_its_source(void **state)
{
    (void)state;
    char path[4096];
    snprintf(path, sizeof path, "%s/Takt/package.mo", models_dir());
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    fclose(in);
}

static void files_for_a_while_go_where_the_user_says(void **state)
{
    (void)state;
    setenv("TMPDIR", "/var/tmp", 1);
    assert_string_equal(temp_dir(), "/var/tmp");
    setenv("TMPDIR", "", 1);
    assert_string_equal(temp_dir(), "/tmp");
    unsetenv("TMPDIR");
    assert_string_equal(temp_dir(), "/tmp");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_wins),
        cmocka_unit_test(a_directory_that_is_not_there_is_passed_over),
        cmocka_unit_test(a_build_finds_the_models_of_its_source),
        cmocka_unit_test(files_for_a_while_go_where_the_user_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
