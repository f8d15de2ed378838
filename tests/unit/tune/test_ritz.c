/* test_ritz.c - what a few products show, against all eigenvalues. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "tune/ritz.h"
#include "tune/step.h"

enum { N = 120 };

static double next(unsigned *seed) /* [-1, 1) */
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1 << 23) - 1;
}

/* How far a value is from the nearest eigenvalue. */
static double distance(double complex x, const double complex *value)
{
    double least = INFINITY;
    for (int i = 0; i < N; i++)
        least = fmin(least, cabs(x - value[i]));
    return least;
}

static double *random_matrix(unsigned *seed, double scale, Arena *a)
{
    double *m = NEW_ARRAY(a, double, N *N);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            m[i + j * N] = (i == j ? 0.5 * next(seed) : 0) +
                           (abs(i - j) < 4 ? scale * next(seed) : 0);
    return m;
}

/* Every value given is one, to what they are given to. */
static void values_are_eigenvalues(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int trial = 0; trial < 10; trial++) {
        Arena *a = arena_new();
        double *m = random_matrix(&seed, 0.02 * trial, a);
        double complex all[N], some[RITZ_STEPS];
        assert_int_equal(step_eigenvalues(N, m, all), TUNE_FINE);
        int n = ritz_values(N, m, some);
        for (int i = 0; i < n; i++)
            assert_true(distance(some[i], all) < 10 * RITZ_SETTLED);
        arena_free(a);
    }
}

/* One that grows and one near -1 are found. */
static void outer_values_are_found(void **state)
{
    (void)state;
    unsigned seed = 11;
    Arena *a = arena_new();
    double *m = random_matrix(&seed, 0.01, a);
    m[17 + 17 * N] = -0.98;
    m[80 + 80 * N] = 1.2;
    double complex some[RITZ_STEPS];
    int n = ritz_values(N, m, some);
    double most = 0, left = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, cabs(some[i]));
        left = fmin(left, creal(some[i]));
    }
    assert_float_equal(most, 1.2, 0.01);
    assert_float_equal(left, -0.98, 0.01);
    arena_free(a);
}

/* A space that ends early holds eigenvalues only. */
static void few_distinct_values_are_exact(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double *m = NEW_ARRAY(a, double, N *N);
    for (int i = 0; i < N; i++)
        m[i + i * N] = i % 3 == 0 ? 0.25 : i % 3 == 1 ? -0.5 : 0.75;
    double complex some[RITZ_STEPS];
    assert_int_equal(ritz_values(N, m, some), 3);
    assert_float_equal(creal(some[0]), 0.75, 1e-12);
    assert_float_equal(creal(some[1]), -0.5, 1e-12);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_eigenvalues),
        cmocka_unit_test(outer_values_are_found),
        cmocka_unit_test(few_distinct_values_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
