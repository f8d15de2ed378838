/* test_table.c - when factors in tables raise alarm. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "num/table.h"

/* One over a bound that is so many times the largest factor of the samples. */
static void the_bound_of_factors_grows_with_those_of_the_samples(void **state)
{
    (void)state;
    for (int is_float = 0; is_float < 2; is_float++) {
        double one = table_growth(1, is_float);
        assert_true(one > 0 && one < 1);
        assert_true(fabs(table_growth(8, is_float) * 8 / one - 1) < 1e-12);
    }
    assert_true(table_growth(1, true) > table_growth(1, false));
    assert_true(table_cancelled(true) > table_cancelled(false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_of_factors_grows_with_those_of_the_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
