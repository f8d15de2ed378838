/* test_clock.c - ticks that do not drift. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <signal.h>

#include "run/clock.h"

static void ticks_of_whole_periods_are_exact(void **state)
{
    ClockTicks t = clock_ticks(1e6, 12345);
    (void)state;
    assert_true(clock_tick(&t, 0) == 12345);
    assert_true(clock_tick(&t, 1) == 1012345);
    /* after 30 years of milliseconds */
    assert_true(clock_tick(&t, 946080000000) == 946080000000 * 1000000 + 12345);
}

static void ticks_of_thirds_do_not_drift(void **state)
{
    ClockTicks t = clock_ticks(1e6 / 3, 0);
    (void)state;
    for (int64_t k = 0; k < 3000000; k += 3) {
        int64_t off = clock_tick(&t, k) - k / 3 * 1000000;
        assert_true(off >= -1 && off <= 1);
    }
}

static void the_next_tick_is_not_before_the_time(void **state)
{
    const double period[] = {1e6, 1e6 / 3, 1.5, 1e9};
    (void)state;
    for (int i = 0; i < 4; i++) {
        ClockTicks t = clock_ticks(period[i], 1000);
        for (int64_t ns = 1001; ns < 100000000; ns += 7654321) {
            int64_t k = clock_next(&t, ns);
            assert_true(clock_tick(&t, k) >= ns - 1);
            assert_true(clock_tick(&t, k - 1) < ns);
        }
    }
}

static void a_period_below_a_nanosecond_is_no_trouble(void **state)
{
    ClockTicks t = clock_ticks(1e-6, 0);
    (void)state;
    assert_true(clock_tick(&t, 3000000) == 3);
    assert_true(clock_next(&t, 5) >= 4999999);
}

static void waiting_ends_behind_its_time(void **state)
{
    int64_t due = clock_now() + 2000000;
    (void)state;
    clock_wait(due);
    assert_true(clock_now() >= due);
    clock_wait(due - 1000000000); /* long over */
}

static void signals_are_noted_and_given_back(void **state)
{
    struct sigaction before, after;
    (void)state;
    sigaction(SIGTERM, NULL, &before);
    assert_true(clock_catch_signals());
    assert_false(clock_catch_signals());
    assert_int_equal(clock_caught(), 0);
    raise(SIGTERM);
    assert_int_equal(clock_caught(), SIGTERM);
    clock_release_signals();
    sigaction(SIGTERM, NULL, &after);
    assert_true(before.sa_handler == after.sa_handler);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_of_whole_periods_are_exact),
        cmocka_unit_test(ticks_of_thirds_do_not_drift),
        cmocka_unit_test(the_next_tick_is_not_before_the_time),
        cmocka_unit_test(a_period_below_a_nanosecond_is_no_trouble),
        cmocka_unit_test(waiting_ends_behind_its_time),
        cmocka_unit_test(signals_are_noted_and_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
