/* The table of targets. */
#include "support/test.h"

#include "target/target.h"

static void every_target_is_found_by_its_name(void **state)
{
    (void)state;
    for (const Target *const *t = targets; *t; t++) {
        assert_ptr_equal(target_find((*t)->name), *t);
        assert_true((*t)->help && *(*t)->help);
    }
    assert_null(target_find("z80"));
    assert_null(target_find(""));
}

static void plain_c_is_what_is_taken_without_a_target(void **state)
{
    (void)state;
    assert_string_equal(targets[0]->name, "c");
    assert_null(targets[0]->files);
}

static void the_list_of_targets_has_them_all(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (const Target *const *t = targets; *t; t++) {
        assert_non_null(strstr(target_words(a), (*t)->name));
        assert_non_null(strstr(target_help(a), (*t)->help));
    }
    arena_free(a);
}

static void firmware_carries_the_prefix_of_the_code(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const TargetFile *file;
    TargetInput in = {.name = "motor"};
    int n = target_find("cortex-m")->files(&in, &file, a, NULL), nnamed = 0;
    assert_true(n >= 3);
    for (int i = 0; i < n; i++) {
        assert_null(strstr((const char *)file[i].data, "@NAME@"));
        assert_null(strstr((const char *)file[i].data, "@UPPER@"));
        nnamed += strstr((const char *)file[i].data, "motor") != NULL;
    }
    assert_true(nnamed >= 2);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_target_is_found_by_its_name),
        cmocka_unit_test(plain_c_is_what_is_taken_without_a_target),
        cmocka_unit_test(the_list_of_targets_has_them_all),
        cmocka_unit_test(firmware_carries_the_prefix_of_the_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
