/* prop_number.c - numbers as text against the plain way: printf with one digit
 * more until the same number comes back. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "support/random.h"

static void plainly(double x, int least, int single, char *out)
{
    for (int n = least; n <= 17; n++) {
        snprintf(out, 32, "%.*g", n, x);
        double back = strtod(out, NULL);
        if (back == x || (single && (float)back == (float)x))
            return;
    }
}

static void assert_text(double x)
{
    char want[32], got[32];
    if (!isfinite(x))
        return;
    plainly(x, 15, 0, want);
    assert_string_equal(number_text(x, got), want);
    for (int single = 0; single < 2; single++) {
        plainly(x, 1, single, want);
        assert_string_equal(number_shortest(x, single, got), want);
    }
}

static void texts_are_those_of_printf(void **state)
{
    (void)state;
    Random r = random_start("prop/base/number");
    int cases = random_cases(4000, 1000000);
    for (int c = 0; c < cases; c++) {
        double unit = random_between(&r, -1, 1);
        uint64_t bits = random_bits(&r);
        double any;
        memcpy(&any, &bits, sizeof any);
        assert_text(any);
        assert_text(unit);
        assert_text(ldexp(unit, random_below(&r, 120) - 60));
        /* few digits, near powers of ten, and halves in the last place */
        double few =
            random_below(&r, 100000) * pow(10, random_below(&r, 40) - 20);
        assert_text(few);
        assert_text(nextafter(few, INFINITY));
        assert_text(nextafter(pow(10, random_below(&r, 40) - 20), -INFINITY));
        assert_text(random_below(&r, 2000000) - 1000000 +
                    ldexp(random_below(&r, 4096), -12));
        assert_text(floor(ldexp(fabs(unit), 56)) + 0.5);
    }
}

static void ends_of_the_range(void **state)
{
    (void)state;
    const double x[] = {
        0.0,    -0.0,  1e15,    1e16,     999999999999999.5,
        1e-4,   1e-5,  9.5,     99.99,    0.5,
        1e22,   1e23,  1e100,   5e-324,   2.2250738585072014e-308,
        1e-300, 1e300, 0.99999, 123456.5, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++) {
        assert_text(x[i]);
        assert_text(-x[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_those_of_printf),
        cmocka_unit_test(ends_of_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
