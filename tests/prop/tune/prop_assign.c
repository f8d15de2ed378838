/* prop_assign.c - bottleneck assignments against all permutations. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "support/random.h"
#include "tune/assign.h"

enum { MOST = 6 };

/* The smallest largest cost over all permutations of what is left. */
static double best(int n, const double *cost, int row, bool *taken)
{
    if (row == n)
        return 0;
    double least = INFINITY;
    for (int j = 0; j < n; j++) {
        if (taken[j])
            continue;
        taken[j] = true;
        least =
            fmin(least, fmax(cost[row + j * n], best(n, cost, row + 1, taken)));
        taken[j] = false;
    }
    return least;
}

static void the_largest_cost_is_as_small_as_can_be(void **state)
{
    (void)state;
    Random r = random_start("prop_assign");
    int cases = random_cases(2000, 50000);
    for (int k = 0; k < cases; k++) {
        int n = 1 + random_below(&r, MOST), pair[MOST];
        double cost[MOST * MOST];
        for (int i = 0; i < n * n; i++) /* with ties */
            cost[i] = k % 2 ? random_below(&r, 5) : random_unit(&r);
        bool taken[MOST] = {false}, seen[MOST] = {false};
        double worst = assign_bottleneck(n, cost, pair), largest = 0;
        for (int i = 0; i < n; i++) {
            assert_true(pair[i] >= 0 && pair[i] < n && !seen[pair[i]]);
            seen[pair[i]] = true;
            largest = fmax(largest, cost[i + pair[i] * n]);
        }
        double expected = best(n, cost, 0, taken);
        assert_true(worst == expected && largest == expected);
    }
}

static void nothing_costs_nothing(void **state)
{
    (void)state;
    assert_true(assign_bottleneck(0, NULL, NULL) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_cost_is_as_small_as_can_be),
        cmocka_unit_test(nothing_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
