/* test_products.c - the worst run, against products that are all formed. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "tune/products.h"

enum { N = 3, SAMPLES = 7, HELD = 5, TRIALS = 60 };

static double next(unsigned *seed) /* [-1, 1) */
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (double)(1 << 23) - 1;
}

/* Samples HELD steps apart, in two scenarios; some repeat the one before. */
static StepMaps random_maps(unsigned *seed, double size, Arena *a)
{
    StepMap *list = NEW_ARRAY(a, StepMap, SAMPLES);
    double *unit = NEW_ARRAY(a, double, N);
    for (int i = 0; i < N; i++)
        unit[i] = pow(10, next(seed));
    for (int s = 0; s < SAMPLES; s++) {
        double *m = NEW_ARRAY(a, double, N *N);
        for (int i = 0; i < N * N; i++)
            m[i] = size * next(seed);
        if (s > 0 && next(seed) > 0)
            memcpy(m, list[s - 1].m, N * N * sizeof *m);
        list[s] = (StepMap){m, HELD * s, s > SAMPLES / 2, false};
    }
    return (StepMaps){
        .n = N, .nx = N, .unit = unit, .nsample = SAMPLES, .sample = list};
}

/* p := m p */
static void multiply(const double *m, double *p)
{
    double q[N * N] = {0};
    for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
            for (int i = 0; i < N; i++)
                q[i + j * N] += m[i + k * N] * p[k + j * N];
    memcpy(p, q, sizeof q);
}

static double log_norm(const StepMaps *p, int from, int to)
{
    double q[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, worst = 0;
    for (int s = from; s <= to; s++) {
        bool is_last = s + 1 == SAMPLES ||
                       p->sample[s + 1].scenario != p->sample[s].scenario;
        for (int k = 0; k < (is_last ? 1 : HELD); k++)
            multiply(p->sample[s].m, q);
    }
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int j = 0; j < N; j++)
            sum += fabs(q[i + j * N]) * p->unit[j];
        worst = fmax(worst, sum / p->unit[i]);
    }
    return log(worst);
}

static ProductWorst by_hand(const StepMaps *p, const StepMaps *exact)
{
    ProductWorst w = {.from = NONE, .to = NONE};
    for (int i = 0; i < SAMPLES; i++)
        for (int j = i;
             j < SAMPLES && p->sample[j].scenario == p->sample[i].scenario;
             j++) {
            double norm = log_norm(p, i, j), other = log_norm(exact, i, j);
            w.norm = fmax(w.norm, norm);
            w.exact = fmax(w.exact, other);
            if (norm - fmax(0, other) > w.ratio) {
                w.ratio = norm - fmax(0, other);
                w.from = i;
                w.to = j;
            }
        }
    return w;
}

static void assert_near(double got, double want)
{
    assert_true(fabs(got - want) < 1e-8);
}

static void the_worst_run_is_that_of_all(void **state)
{
    (void)state;
    unsigned seed = 1;
    int ngrows = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        Arena *a = arena_new();
        double size = 0.3 + 0.05 * (trial % 20); /* calm ones, wild ones */
        StepMaps p = random_maps(&seed, size, a);
        StepMaps exact = random_maps(&seed, 0.7, a);
        exact.unit = p.unit;
        Products *known = products_new(&exact, 1, 0, a);
        for (int again = 0; again < 2; again++) { /* with what was remembered */
            ProductWorst got =
                products_compare(products_new(&p, 1, 0, a), known, NULL);
            ProductWorst want = by_hand(&p, &exact);
            assert_near(got.ratio, want.ratio);
            assert_near(got.norm, want.norm);
            assert_near(got.exact, want.exact);
            assert_int_equal(got.from == NONE, want.from == NONE);
            if (got.from != NONE) /* of runs that are equal any one */
                assert_near(log_norm(&p, got.from, got.to) -
                                fmax(0, log_norm(&exact, got.from, got.to)),
                            want.ratio);
            ngrows += got.ratio > 0;
        }
        arena_free(a);
    }
    assert_true(ngrows > TRIALS / 4 && ngrows < 2 * TRIALS);
}

/* Of a large step that is always the same the powers of 1, 2, 4, ... steps:
 * x+ = 0.9 x + 4 y, y+ = 0.9 y has 4 k 0.9^(k-1) in its power k. */
static void a_constant_step_has_powers(void **state)
{
    (void)state;
    enum { LARGE = 150 };
    Arena *a = arena_new();
    double *unit = NEW_ARRAY(a, double, LARGE);
    double *shear = NEW_ARRAY(a, double, LARGE *LARGE);
    double *calm = NEW_ARRAY(a, double, LARGE *LARGE);
    StepMap one[SAMPLES], other[SAMPLES];
    for (int i = 0; i < LARGE; i++) {
        unit[i] = 1;
        shear[i + i * LARGE] = calm[i + i * LARGE] = 0.9;
    }
    shear[0 + 1 * LARGE] = 4;
    for (int s = 0; s < SAMPLES; s++) {
        one[s] = (StepMap){shear, HELD * s, 0, false};
        other[s] = (StepMap){calm, HELD * s, 0, false};
    }
    StepMaps p = {.n = LARGE, .unit = unit, .nsample = SAMPLES, .sample = one};
    StepMaps exact = p;
    exact.sample = other;
    ProductWorst w = products_compare(products_new(&p, 1, 0, a),
                                      products_new(&exact, 1, 0, a), NULL);
    double worst = 0;
    for (int k = 1; k <= (SAMPLES - 1) * HELD; k *= 2)
        worst = fmax(worst, pow(0.9, k) + 4 * k * pow(0.9, k - 1));
    assert_near(w.ratio, log(worst));
    assert_near(w.exact, 0);
    arena_free(a);
}

static void a_sample_without_a_matrix_ends_a_run(void **state)
{
    (void)state;
    Arena *a = arena_new();
    unsigned seed = 7;
    StepMaps p = random_maps(&seed, 1, a);
    ((StepMap *)p.sample)[1].m = NULL;
    ProductWorst w = products_compare(products_new(&p, 1, 0, a),
                                      products_new(&p, 1, 0, a), NULL);
    assert_float_equal(w.ratio, 0, 1e-12); /* beside itself nothing grows */
    assert_true(isfinite(w.norm) && w.norm == w.exact);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worst_run_is_that_of_all),
        cmocka_unit_test(a_constant_step_has_powers),
        cmocka_unit_test(a_sample_without_a_matrix_ends_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
