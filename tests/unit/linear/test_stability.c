/* test_stability.c - what a step of a method makes of modes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "linear/linear.h"

static void assert_growth(const char *name, double re, double im, double want)
{
    Arena *a = arena_new();
    double got = stability_growth(method_find(name, a), re, im);
    if (!(fabs(got - want) < 1e-12))
        fail_msg("%s at %g + %g i: %.17g instead of %.17g", name, re, im, got,
                 want);
    arena_free(a);
}

static void a_step_multiplies_a_mode(void **state)
{
    (void)state;
    assert_growth("fe", -3, 0, 2);
    assert_growth("be", -1, 0, 0.5);
    assert_growth("be", 0, 1, sqrt(0.5));
    assert_growth("trapezoid", 0, 2, 1);
    assert_growth("rk4", -1, 0, 0.375); /* 1 - 1 + 1/2 - 1/6 + 1/24 */
    assert_growth("bdf2", 0, 0, 1);
    assert_growth("none", -3, 0, 1);
}

/* Backward Euler damps exp(3 t) in steps of 1 to 1/2, and what decays too. */
static void only_what_grows_is_hidden(void **state)
{
    (void)state;
    double re[] = {3, -1}, im[] = {0, 0};
    Linear l = {.nx = 2, .re = re, .im = im};
    Arena *a = arena_new();
    StabilityReport r = stability_look(&l, method_find("be", a), 1);
    assert_int_equal(r.nhidden, 1);
    assert_int_equal(r.hidden, 0);
    assert_true(fabs(r.damping - 0.5) < 1e-12);
    assert_int_equal(r.nunstable, 0);
    /* forward Euler: both grow, and -1 does so in steps above 2 */
    r = stability_look(&l, method_find("fe", a), 3);
    assert_int_equal(r.nhidden, 0);
    assert_int_equal(r.unstable, 1);
    assert_true(fabs(r.largest - 2) < 1e-6);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_multiplies_a_mode),
        cmocka_unit_test(only_what_grows_is_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
