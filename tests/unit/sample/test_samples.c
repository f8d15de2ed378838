/* test_samples.c - when points are taken, by the seed. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "sample/samples.h"

static double *times(Arena *a, unsigned seed, int scenario)
{
    SampleSpec spec = {.count = 6, .seed = seed};
    return sample_times(&spec, 2, 12, scenario, a);
}

static void the_ends_of_a_run_are_points(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double *t = times(a, 1, 0);
    assert_true(t[0] == 2 && t[5] == 12);
    arena_free(a);
}

static void points_lie_near_an_even_grid(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double most = 0;
    for (unsigned seed = 0; seed < 50; seed++) {
        const double *t = times(a, seed, 0);
        for (int i = 1; i < 5; i++) {
            double off = fabs(t[i] - (2 + 2 * i));
            assert_true(off <= 0.6);
            most = fmax(most, off);
        }
    }
    assert_true(most > 0.55); /* a jitter that is used */
    arena_free(a);
}

static void one_point_is_the_start(void **state)
{
    (void)state;
    Arena *a = arena_new();
    SampleSpec spec = {.count = 1, .seed = 3};
    assert_true(sample_times(&spec, 2, 12, 0, a)[0] == 2);
    arena_free(a);
}

/* Plans that were certified at some points can be certified there again. */
static void a_seed_gives_the_same_points_for_ever(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double *t = times(a, 1, 0), *again = times(a, 1, 0);
    for (int i = 0; i < 6; i++)
        assert_true(t[i] == again[i]);
    const double expected[] = {2,
                               4.35569821205521,
                               6.54396265553129,
                               8.53317588168987,
                               9.75094773530095,
                               12};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(t[i] - expected[i]) < 1e-14);
    const double scenario[] = {2,
                               3.86059034957884,
                               5.48896830579935,
                               8.48791909522266,
                               9.51219642592821,
                               12};
    t = times(a, 1, 2);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(t[i] - scenario[i]) < 1e-14);
    arena_free(a);
}

static void another_seed_or_scenario_has_other_points(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double *t = times(a, 1, 0), *u = times(a, 2, 0), *v = times(a, 1, 1);
    for (int i = 1; i < 5; i++) {
        assert_true(t[i] != u[i]);
        assert_true(t[i] != v[i] && u[i] != v[i]);
    }
    arena_free(a);
}

static void random_numbers_lie_between_minus_one_and_one(void **state)
{
    (void)state;
    uint64_t seed = 12345;
    double sum = 0, least = 1, most = -1;
    for (int i = 0; i < 10000; i++) {
        double x = sample_random(&seed);
        sum += x;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    assert_true(least >= -1 && least < -0.99);
    assert_true(most < 1 && most > 0.99);
    assert_true(fabs(sum) < 200); /* three and a half sigma */
}

static void what_a_scenario_sets_is_an_object(void **state)
{
    (void)state;
    Arena *a = arena_new();
    Sources *sources = sources_new(a);
    Diag *diag = diag_new(sources, a);
    const char *const text[] = {"{\"scenarios\": [{\"set\": {}}]}",
                                "{\"scenarios\": [{\"set\": 5}]}"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            sample_spec_read(text[i], NULL, sources, a, diag) == NULL, i);
        assert_int_equal(diag_count(diag, DIAG_ERROR), i);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_scenario_sets_is_an_object),
        cmocka_unit_test(the_ends_of_a_run_are_points),
        cmocka_unit_test(points_lie_near_an_even_grid),
        cmocka_unit_test(one_point_is_the_start),
        cmocka_unit_test(a_seed_gives_the_same_points_for_ever),
        cmocka_unit_test(another_seed_or_scenario_has_other_points),
        cmocka_unit_test(random_numbers_lie_between_minus_one_and_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
