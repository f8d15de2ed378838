/* test_check.c - when phases check what they hand out. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "base/check.h"

#ifdef TAKT_SANITIZED
static void sanitizers_always_check(void **state)
{
    (void)state;
    unsetenv("TAKT_CHECK");
    assert_true(check_is_on());
}
#else
static void a_release_checks_when_asked(void **state)
{
    (void)state;
    unsetenv("TAKT_CHECK");
    assert_false(check_is_on());
    setenv("TAKT_CHECK", "0", 1);
    assert_false(check_is_on());
    setenv("TAKT_CHECK", "1", 1);
    assert_true(check_is_on());
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TAKT_SANITIZED
        cmocka_unit_test(sanitizers_always_check),
#else
        cmocka_unit_test(a_release_checks_when_asked),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
