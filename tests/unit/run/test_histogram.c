/* test_histogram.c - counts of times. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <stdlib.h>

#include "run/histogram.h"

static void an_empty_histogram_has_no_times(void **state)
{
    static Histogram h;
    (void)state;
    assert_int_equal(histogram_quantile(&h, 0.5), 0);
    assert_true(histogram_mean(&h) == 0);
}

static void edges_rise_and_times_are_at_most_their_edge(void **state)
{
    static Histogram h;
    (void)state;
    for (int i = 1; i < HISTOGRAM_SIZE; i++)
        assert_true(histogram_edge(i) > histogram_edge(i - 1));
    for (int64_t t = 0; t < 5000; t++) {
        h = (Histogram){0};
        histogram_add(&h, t);
        int k = 0;
        while (h.count[k] == 0)
            k++;
        assert_true(t <= histogram_edge(k));
        assert_true(k == 0 || t > histogram_edge(k - 1));
    }
}

static void least_largest_and_mean_are_exact(void **state)
{
    static Histogram h;
    (void)state;
    h = (Histogram){0};
    histogram_add(&h, 1000);
    histogram_add(&h, 3001);
    histogram_add(&h, -5); /* a clock that went back is no time */
    assert_int_equal(h.min, 0);
    assert_int_equal(h.max, 3001);
    assert_true(histogram_mean(&h) == 4001.0 / 3);
    assert_int_equal(histogram_quantile(&h, 1), 3001);
    assert_int_equal(histogram_quantile(&h, 0), 0);
}

static void times_beyond_all_buckets_are_kept(void **state)
{
    static Histogram h;
    (void)state;
    h = (Histogram){0};
    histogram_add(&h, INT64_MAX);
    assert_int_equal(h.count[HISTOGRAM_SIZE - 1], 1);
    assert_true(histogram_quantile(&h, 0.5) == INT64_MAX);
}

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void quantiles_are_those_of_the_sorted_times(void **state)
{
    enum { N = 5000 };
    static int64_t time[N];
    static Histogram h;
    uint64_t x = 88172645463325252u;
    (void)state;
    h = (Histogram){0};
    for (int i = 0; i < N; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        time[i] = (int64_t)(x % 1000) << (x >> 60);
        histogram_add(&h, time[i]);
    }
    qsort(time, N, sizeof time[0], by_size);
    const double q[] = {0.001, 0.1, 0.5, 0.9, 0.999, 1};
    for (int i = 0; i < 6; i++) {
        double want = (double)time[(int)(q[i] * N + 0.999999) - 1];
        double got = (double)histogram_quantile(&h, q[i]);
        assert_true(got >= want && got <= want * (1 + 1.0 / 64));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_histogram_has_no_times),
        cmocka_unit_test(edges_rise_and_times_are_at_most_their_edge),
        cmocka_unit_test(least_largest_and_mean_are_exact),
        cmocka_unit_test(times_beyond_all_buckets_are_kept),
        cmocka_unit_test(quantiles_are_those_of_the_sorted_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
