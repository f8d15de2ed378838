/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "base/distance.h"

static const char *const names[] = {
    "check", "cost", "sweep", "Resistor", "resistor1", "R", "SineVoltage"};
enum { N = sizeof names / sizeof names[0] };

static const char *nearest(const char *name)
{
    return distance_nearest(name, names, N);
}

static void letters_swapped_dropped_added_or_replaced(void **state)
{
    (void)state;
    assert_string_equal(nearest("chekc"), "check");
    assert_string_equal(nearest("chck"), "check");
    assert_string_equal(nearest("checck"), "check");
    assert_string_equal(nearest("chack"), "check");
    assert_string_equal(nearest("SinVoltage"), "SineVoltage");
}

static void case_counts_least(void **state)
{
    (void)state;
    assert_string_equal(nearest("resistor"), "Resistor");
    assert_string_equal(nearest("r"), "R");
}

static void far_names_are_not_suggested(void **state)
{
    (void)state;
    assert_null(nearest("xyzzy"));
    assert_null(nearest("q"));
    assert_null(nearest(""));
    assert_null(distance_nearest("check", names, 0));
}

static void the_name_itself_is_no_suggestion(void **state)
{
    (void)state;
    const char *const one[] = {"check"};
    assert_null(distance_nearest("check", one, 1));
}

static void long_names_do_not_overrun(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'x', sizeof name - 1);
    name[999] = '\0';
    const char *const one[] = {name};
    assert_null(nearest(name));
    assert_null(distance_nearest("xxxxxxxxx", one, 1));
    name[64] = '\0';
    char other[65];
    memcpy(other, name, 65);
    other[10] = 'y';
    assert_ptr_equal(distance_nearest(other, one, 1), name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_swapped_dropped_added_or_replaced),
        cmocka_unit_test(case_counts_least),
        cmocka_unit_test(far_names_are_not_suggested),
        cmocka_unit_test(the_name_itself_is_no_suggestion),
        cmocka_unit_test(long_names_do_not_overrun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
