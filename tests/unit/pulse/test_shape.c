/* Crests between two points: five points of a step tell which relations are
 * worth a search. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "support/test.h"

#include "pulse/shape.h"

/* A cubic from a to b with slopes fa and fb, times the length of the step. */
typedef struct Cubic {
    double a, b, fa, fb;
} Cubic;

static double at(const void *cubic, double x)
{
    const Cubic *c = cubic;
    double y = 1 - x;
    return c->a * y * y * (1 + 2 * x) + c->b * x * x * (3 - 2 * x) +
           x * y * (y * c->fa - x * c->fb);
}

static bool dips(const Cubic *c)
{
    double peak;
    return shape_least(0, 1, at, c, &peak);
}

static bool may_dip(const Cubic *c)
{
    double point[SHAPE_POINTS];
    for (int k = 0; k < SHAPE_POINTS; k++)
        point[k] = at(c, (double)k / (SHAPE_POINTS - 1));
    return shape_may_dip(point);
}

/* No cubic that golden section finds to go through 0 is passed over; lines and
 * what bends away from 0 are. */
static void finds_all_dips(void **state)
{
    int found = 0, spared = 0, all = 0;
    (void)state;
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++)
            for (int i = -20; i <= 20; i++)
                for (int j = -20; j <= 20; j++) {
                    Cubic c = {pow(2, -a), pow(2, -b), 0.25 * i, 0.25 * j};
                    bool is = dips(&c);
                    if (is)
                        assert_true(may_dip(&c));
                    found += is;
                    spared += !may_dip(&c);
                    all++;
                }
    assert_true(found > all / 10);
    assert_true(spared > all / 4);
}

static void passes_over_lines(void **state)
{
    (void)state;
    for (int i = 1; i <= 20; i++) {
        double b = 0.1 * i;
        assert_false(may_dip(&(Cubic){1, b, b - 1, b - 1}));
    }
}

/* Without a solution inside nothing is told. */
static void bears_nan(void **state)
{
    double none[SHAPE_POINTS] = {1, NAN, NAN, NAN, 1};
    (void)state;
    assert_false(shape_may_dip(none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_all_dips),
                                       cmocka_unit_test(passes_over_lines),
                                       cmocka_unit_test(bears_nan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
