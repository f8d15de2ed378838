/* test_spread.c - spatialDistribution(): what leaves a pipe is what entered it,
 * or was there, followed back along the flow. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "spread/spread.h"

enum { STEPS = 400 };

/* A flow: way, what enters at both ends, at times 0, 1, 2, ... Between them all
 * are straight lines, and the way turns at these times only. */
typedef struct Flow {
    double x[STEPS + 1], in0[STEPS + 1], in1[STEPS + 1];
    double place[4], value[4]; /* at first */
} Flow;

static double random_in(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*seed >> 11) / 9007199254740992.0;
}

static void make_flow(Flow *f, uint64_t seed)
{
    double v = random_in(&seed, -0.2, 0.2);
    memset(f, 0, sizeof *f);
    f->x[0] = random_in(&seed, -3, 3);
    for (int k = 0; k <= STEPS; k++) {
        if (random_in(&seed, 0, 1) < 0.08)
            v = random_in(&seed, 0, 1) < 0.2 ? 0 : random_in(&seed, -0.2, 0.2);
        if (k > 0)
            f->x[k] = f->x[k - 1] + v * random_in(&seed, 0.5, 1);
        f->in0[k] = random_in(&seed, 0, 1);
        f->in1[k] = random_in(&seed, 2, 3);
    }
    f->place[1] = f->place[2] = random_in(&seed, 0.1, 0.9);
    f->place[3] = 1;
    for (int i = 0; i < 4; i++)
        f->value[i] = random_in(&seed, 4, 5);
}

static double between(double a, double b, double part)
{
    return a + part * (b - a);
}

static double at_first(const Flow *f, double y)
{
    for (int i = 0; i < 3; i++)
        if (y <= f->place[i + 1] && f->place[i + 1] > f->place[i])
            return between(f->value[i], f->value[i + 1],
                           (y - f->place[i]) / (f->place[i + 1] - f->place[i]));
    return f->value[3];
}

/* What is at an end at time k, followed back: where did it enter? */
static double followed_back(const Flow *f, int k, double end)
{
    double label = end - f->x[k];
    for (int j = k; j > 0; j--) {
        double y1 = label + f->x[j], y0 = label + f->x[j - 1];
        if (y0 < 0)
            return between(f->in0[j - 1], f->in0[j], (0 - y0) / (y1 - y0));
        if (y0 > 1)
            return between(f->in1[j - 1], f->in1[j], (1 - y0) / (y1 - y0));
    }
    return at_first(f, label + f->x[0]);
}

static double line_at(const SpreadMemory *m, double time, double x, int end)
{
    double anchor = spread_read(m, time, 2 * SPREAD_ANCHOR + end);
    double value = spread_read(m, time, 2 * SPREAD_VALUE + end);
    double slope = spread_read(m, time, 2 * SPREAD_SLOPE + end);
    return value + slope * (end - x - anchor);
}

/* Is it a jump, where two answers are right? */
static bool is_jump(const Flow *f, int k, double end)
{
    const double near = 1e-9;
    Flow moved = *f;
    double middle = followed_back(f, k, end);
    for (int side = -1; side <= 1; side += 2) {
        moved.x[k] = f->x[k] + side * near;
        if (fabs(followed_back(&moved, k, end) - middle) > 1e-6)
            return true;
    }
    return false;
}

static void follow(uint64_t seed, int *compared)
{
    Flow f;
    make_flow(&f, seed);
    Arena *arena = arena_new();
    SpreadMemory m = {0};
    double first[8];
    memcpy(first, f.place, sizeof f.place);
    memcpy(first + 4, f.value, sizeof f.value);
    bool positive = f.x[1] >= f.x[0];
    spread_begin(&m, f.x[0], 0, positive ? f.in0[0] : f.in1[0], positive, first,
                 4, arena);
    for (int k = 1; k <= STEPS; k++) {
        bool now = f.x[k] >= f.x[k - 1];
        if (now != positive) /* an event: recorded once more */
            spread_record(&m, f.x[k - 1], k - 1,
                          now ? f.in0[k - 1] : f.in1[k - 1], now, arena);
        positive = now;
        /* as if the step were known: the line that holds at its end */
        spread_record(&m, f.x[k], k, now ? f.in0[k] : f.in1[k], now, arena);
        if (f.x[k] == f.x[k - 1] || is_jump(&f, k, now))
            continue;
        double right = followed_back(&f, k, now);
        double found = line_at(&m, k, f.x[k], now);
        if (!(fabs(found - right) < 1e-9))
            fail_msg("seed %llu, time %d: %.12g, not %.12g",
                     (unsigned long long)seed, k, found, right);
        ++*compared;
    }
    assert_true(spread_read(&m, STEPS, 2 * SPREAD_NOROOM) == 0);
    assert_true(spread_is_sound(&m));
    arena_free(arena);
}

static void test_followed_back(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 1; seed <= 200; seed++)
        follow(seed, &compared);
    assert_true(compared > 50000);
}

/* The line holds before the step is recorded: the flow goes on as before. */
static void test_ahead(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    SpreadMemory m = {0};
    const double first[4] = {0, 1, 5, 7};
    spread_begin(&m, 0, 0, 0, true, first, 2, arena);
    for (int k = 1; k < 400; k++) {
        double x = 0.01 * k;
        double right = x <= 1 ? 7 - 2 * x : 3 * (x - 1);
        if (k > 1 && k % 100 > 1)
            assert_float_equal(line_at(&m, k, x, 1), right, 1e-12);
        spread_record(&m, x, k, 3 * x, true, arena);
    }
    assert_float_equal(spread_while(&m, 0.05), 5, 1e-9);
    arena_free(arena);
}

/* A fluid that stands keeps two points however long it does. */
static void test_stands(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    SpreadMemory m = {0};
    const double first[4] = {0, 1, 5, 7};
    spread_begin(&m, 2, 0, 1, true, first, 2, arena);
    int n = m.n;
    for (int k = 1; k < 10000; k++)
        spread_record(&m, 2, k, k, k % 2, arena);
    assert_int_equal(m.n, n);
    spread_record(&m, 2.5, 10001, 3, true, arena);
    assert_float_equal(line_at(&m, 10001, 2.5, 1), 6, 1e-12);
    arena_free(arena);
}

static void test_function(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Dag *d = dag_new(arena);
    Expr arg[SPREAD_LIST + 4];
    for (int i = 0; i < SPREAD_LIST + 4; i++)
        arg[i] = expr_var(d, i, 0, ET_REAL);
    Expr call = expr_call(d, spread_function(d, 2), SPREAD_RIGHT, ET_REAL, arg,
                          SPREAD_LIST + 4);
    assert_true(spread_is(d, call));
    assert_int_equal(spread_npoint(d, call), 2);
    assert_int_equal(expr_diff(d, call, arg[SPREAD_X]),
                     spread_result(d, call, SPREAD_RIGHT_BY_X));
    assert_true(expr_is_zero(d, expr_diff(d, call, arg[SPREAD_IN0])));
    assert_false(spread_is(d, arg[0]));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_followed_back),
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_stands),
        cmocka_unit_test(test_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
