/* test_curves.c - how far two runs are apart. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "tuning/curves.h"

static Curves *make(Arena *a, const char **name, int n, int rows, double step,
                    double (*f)(int curve, double t))
{
    Curves *c = NEW(a, Curves);
    c->arena = a;
    c->n = n;
    c->name = name;
    for (int k = 0; k < rows; k++) {
        vec_push(a, &c->time, k * step);
        for (int i = 0; i < n; i++)
            vec_push(a, &c->value, f(i, k * step));
    }
    return c;
}

static double line(int curve, double t)
{
    return (curve + 1) * t;
}

static double shifted(int curve, double t)
{
    return line(curve, t) + (curve == 1 && t > 0.45 && t < 0.55 ? 0.1 : 0);
}

static double broken(int curve, double t)
{
    return t > 0.5 ? NAN : line(curve, t);
}

static const char *names[] = {"a", "b"};

static void equal_curves_have_no_distance(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Curves *r = make(a, names, 2, 11, 0.1, line);
    Deviation d = curves_deviation(make(a, names, 2, 101, 0.01, line), r);
    assert_true(d.percent < 1e-9 && d.complete);
    arena_free(a);
}

static void the_worst_curve_and_time_are_named(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Curves *r = make(a, names, 2, 101, 0.01, line);
    Deviation d = curves_deviation(make(a, names, 2, 11, 0.1, shifted), r);
    assert_int_equal(d.curve, 1);
    assert_true(fabs(d.time - 0.5) < 1e-9);
    assert_true(fabs(d.percent - 5) < 1e-9); /* 0.1 of a range of 2 */
    arena_free(a);
}

static void a_run_that_breaks_off_is_infinitely_far(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Curves *r = make(a, names, 2, 11, 0.1, line);
    assert_true(
        isinf(curves_deviation(make(a, names, 2, 11, 0.1, broken), r).percent));
    assert_false(curves_deviation(make(a, names, 2, 5, 0.1, line), r).complete);
    arena_free(a);
}

static double flat(int curve, double t)
{
    (void)t;
    return curve == 0 ? -0.25 : 0;
}

static void the_range_of_what_does_not_move_is_its_size(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Curves *moves = make(a, names, 2, 11, 0.1, line);
    assert_true(fabs(curves_range(moves, 1) - 2) < 1e-12);
    Curves *rests = make(a, names, 2, 11, 0.1, flat);
    assert_true(curves_range(rests, 0) == 0.25);
    assert_true(curves_range(rests, 1) == 1e-9);
    const char *rod[] = {"rod[1].T", "rod[2].T"};
    Curves *array = make(a, rod, 2, 11, 0.1, line);
    for (int k = 0; k < array->time.n; k++)
        array->value.at[2 * k] *= 1e-6;
    double most = curves_range(array, 1);
    assert_true(curves_range(array, 0) < 1e-5 * most);
    assert_true(curves_ranges(array, a)[0] == 0.01 * most);
    assert_true(curves_ranges(array, a)[1] == most);
    array->name[0] = "other";
    assert_true(curves_ranges(array, a)[0] < 1e-5 * most);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_curves_have_no_distance),
        cmocka_unit_test(the_worst_curve_and_time_are_named),
        cmocka_unit_test(a_run_that_breaks_off_is_infinitely_far),
        cmocka_unit_test(the_range_of_what_does_not_move_is_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
