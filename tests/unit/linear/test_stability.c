/* test_stability.c - what a step of a method makes of modes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "linear/linear.h"
#include "theory/theory.h"

static void assert_growth(const char *name, double re, double im, double want)
{
    Arena *a = arena_new();
    double got = theory_growth(method_find(name, a), re, im);
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
    StabilityReport r = stability_look(&l, method_find("be", a), 1, 10);
    assert_int_equal(r.nhidden, 1);
    assert_int_equal(r.hidden, 0);
    assert_true(fabs(r.damping - 0.5) < 1e-12);
    assert_int_equal(r.nunstable, 0);
    /* forward Euler: both grow, and -1 does so in steps above 2 */
    r = stability_look(&l, method_find("fe", a), 3, 10);
    assert_int_equal(r.nhidden, 0);
    assert_int_equal(r.unstable, 1);
    assert_true(fabs(r.largest - 2) < 1e-6);
    arena_free(a);
}

/* Backward Euler takes from i w in a step h the factor 1/sqrt(1 + (h w)^2). */
static void a_ringing_mode_is_lost(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Method *be = method_find("be", a);
    double w = 100, h = 1e-3;
    double rate = 0.5 * log(1 + h * w * h * w) / h;
    assert_true(fabs(stability_loss(be, h, 2, 0, w) - 2 * rate) < 1e-9);
    /* it decays itself: what is lost beyond that, for three of its times */
    double own = 1, g = hypot(1 + h * own, h * w);
    assert_true(fabs(stability_loss(be, h, 100, -own, w) -
                     3 * (log(g) / h - own)) < 1e-9);
    /* the trapezoidal rule keeps it, and what is well damped does not ring */
    assert_true(stability_loss(method_find("trapezoid", a), h, 2, 0, w) < 1e-9);
    assert_true(stability_loss(be, h, 2, -20, w) == 0);
    assert_true(stability_loss(be, h, 2, -1e4, 0) == 0);
    assert_true(stability_loss(be, h, 2, 1, w) == 0);
    double re[] = {-0.05, -0.05, -1e5}, im[] = {w, -w, 0};
    Linear l = {.nx = 3, .re = re, .im = im};
    StabilityReport r = stability_look(&l, be, h, 2);
    assert_int_equal(r.nlost, 1);
    assert_int_equal(r.lost, 0);
    assert_int_equal(stability_look(&l, be, h / 1000, 2).nlost, 0);
    arena_free(a);
}

/* e^5 in a step is 148; Radau IIA of order 5 makes 12.75 of it. */
static void growth_that_a_step_cannot_follow_is_missed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double re[] = {1000}, im[] = {0};
    Linear l = {.nx = 1, .re = re, .im = im};
    const Method *m = method_find("radau5", a);
    StabilityReport r = stability_look(&l, m, 5e-3, 1);
    assert_int_equal(r.nmissed, 1);
    assert_true(fabs(r.wrong - 12.75) < 1e-9);
    assert_int_equal(r.nhidden, 0);
    r = stability_look(&l, m, 1e-3, 1);
    assert_int_equal(r.nmissed, 0);
    r = stability_look(&l, m, 5e-2, 1); /* R(50) is small */
    assert_int_equal(r.nhidden, 1);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_multiplies_a_mode),
        cmocka_unit_test(only_what_grows_is_hidden),
        cmocka_unit_test(a_ringing_mode_is_lost),
        cmocka_unit_test(growth_that_a_step_cannot_follow_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
