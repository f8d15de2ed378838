/* Numbers as text, whatever the locale. SPDX-License-Identifier: BSD-3-Clause
 */
#include "support/test.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"

static void a_number_has_as_few_digits_as_give_it_back(void **unused)
{
    (void)unused;
    char text[32];
    assert_string_equal(number_text(0.1, text), "0.1");
    assert_string_equal(number_text(1.0 / 3, text), "0.3333333333333333");
    assert_string_equal(number_text(-0.0, text), "-0");
    assert_string_equal(number_text(NAN, text), "nan");
    assert_string_equal(number_text(-INFINITY, text), "-1e999");
    assert_string_equal(number_shortest(1e-25, false, text), "1e-25");
    assert_string_equal(number_shortest((double)0.1f, true, text), "0.1");
    assert_string_equal(number_shortest(123456, false, text), "123456");
}

static void a_rounded_number_has_the_digits_asked_for(void **unused)
{
    (void)unused;
    assert_true(number_round(0.123456, 4) == 0.1235);
    assert_true(number_round(-9.9996e-30, 4) == -1e-29);
    assert_true(number_round(123456, 1) == 100000);
    assert_true(number_round(1.0 / 3, 17) == 1.0 / 3);
    assert_true(number_round(0, 4) == 0);
    assert_true(isnan(number_round(NAN, 4)));
    assert_true(number_round(-INFINITY, 4) == -INFINITY);
    /* a last bit more or less is not seen */
    assert_true(number_round(0.7 + 1e-16, 6) == 0.7);
}

static void numbers_are_read_with_a_point(void **unused)
{
    (void)unused;
    char *end;
    const char *text = "2.5,5";
    assert_true(number_read(text, &end) == 2.5);
    assert_ptr_equal(end, text + 3);
    assert_true(number_read("0x1.8p3", &end) == 12);
    assert_true(number_read("x", &end) == 0);
}

/* Only where a locale with a comma is installed: tests/cli/locale.sh makes one.
 */
static void a_decimal_comma_of_the_host_is_not_seen(void **unused)
{
    (void)unused;
    const char *name = getenv("TAKT_COMMA");
    if (!name || !setlocale(LC_ALL, name))
        skip();
    char text[32];
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1,5");
    assert_string_equal(number_text(1.5, text), "1.5");
    assert_true(number_read("1.5", NULL) == 1.5);
    Plain p = plain_begin();
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1.5");
    plain_end(p);
    snprintf(text, sizeof text, "%g", 1.5);
    assert_string_equal(text, "1,5");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_has_as_few_digits_as_give_it_back),
        cmocka_unit_test(a_rounded_number_has_the_digits_asked_for),
        cmocka_unit_test(numbers_are_read_with_a_point),
        cmocka_unit_test(a_decimal_comma_of_the_host_is_not_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
