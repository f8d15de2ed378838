/* The range of a table holds all of its values, and no more than it needs.
 * Random tables of every kind, beside values at many points. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "lut/lut.h"
#include "support/random.h"

enum { MOST = 9, POINTS = 400 };

static double number(Random *r, double from, double to)
{
    return from +
           (to - from) * (double)(random_bits(r) >> 11) / 9007199254740992.0;
}

/* Abscissae that rise, sometimes with a jump. */
static void axis(Dag *d, Random *r, int n, bool jumps, Expr *x)
{
    double at = number(r, -2, 0);
    for (int i = 0; i < n; i++) {
        x[i] = expr_real(d, at);
        if (!jumps || random_below(r, 5) > 0)
            at += number(r, 1e-4, 1);
    }
}

static const ExprFunction *one(Dag *d, Random *r, Arena *arena, bool *is_exact)
{
    static const LutSmoothness kind[] = {LUT_LINEAR, LUT_CONSTANT, LUT_AKIMA,
                                         LUT_FRITSCH_BUTLAND, LUT_STEFFEN};
    Expr x[MOST], y[MOST];
    int n = 3 + random_below(r, MOST - 2), k = random_below(r, 5);
    axis(d, r, n, k < 2, x);
    for (int i = 0; i < n; i++)
        y[i] = expr_real(d, number(r, -3, 3));
    const Lut *t = lut_new(d, x, y, n, kind[k],
                           (LutExtrapolation)(1 + random_below(r, 3)), arena);
    *is_exact = k == 0;
    Expr u = expr_time(d), side = expr_real(d, 1);
    Expr call = random_below(r, 2) ? lut_value(d, t, 0, u)
                                   : lut_value_over_time(d, t, 0, u, side);
    return dag_function(d, expr_node(d, call)->fn);
}

static const ExprFunction *two(Dag *d, Random *r, Arena *arena)
{
    Expr x[MOST], y[MOST], z[MOST * MOST];
    int n = 2 + random_below(r, MOST - 1), m = 2 + random_below(r, MOST - 1);
    axis(d, r, n, false, x);
    axis(d, r, m, false, y);
    for (int i = 0; i < n * m; i++)
        z[i] = expr_real(d, number(r, -3, 3));
    const Lut *t = lut_new2(d, x, n, y, m, z,
                            random_below(r, 2) ? LUT_LINEAR : LUT_CONSTANT,
                            (LutExtrapolation)(1 + random_below(r, 2)), arena);
    Expr call = lut_value2(d, t, 0, 0, expr_time(d), expr_real(d, 0));
    return dag_function(d, expr_node(d, call)->fn);
}

/* What the values at many points within the ranges are between. */
static ExprRange sampled(const ExprFunction *f, const ExprRange *u)
{
    ExprRange seen = {INFINITY, -INFINITY};
    for (int i = 0; i <= POINTS; i++) {
        double at[2];
        for (int k = 0; k < 2; k++)
            at[k] = u[k].min + (u[k].max - u[k].min) *
                                   (k == 0 ? i : (i * 37) % (POINTS + 1)) /
                                   POINTS;
        if (f->nplain == 2 && f->list && u[1].min == u[1].max)
            at[1] = u[1].min;
        double y = f->value(f, 0, at, f->list);
        seen.min = fmin(seen.min, y);
        seen.max = fmax(seen.max, y);
    }
    return seen;
}

static void a_range_holds_all_values(void **state)
{
    Random r = random_start("prop_range");
    int bounded = 0, cases = random_cases(400, 20000);
    (void)state;
    for (int i = 0; i < cases; i++) {
        Arena *arena = arena_new();
        Dag *d = dag_new(arena);
        bool is_exact = false, is_two = i % 4 == 3;
        const ExprFunction *f =
            is_two ? two(d, &r, arena) : one(d, &r, arena, &is_exact);
        ExprRange u[2];
        for (int k = 0; k < 2; k++) {
            u[k].min = number(&r, -4, 6);
            u[k].max = u[k].min + number(&r, 0, random_below(&r, 2) ? 5 : 0.1);
        }
        if (!is_two)
            u[1] = (ExprRange){1, 1};
        ExprRange told = lut_enclose(f, u, f->list), seen = sampled(f, u);
        assert_true(told.min <= seen.min + 1e-9 * (1 + fabs(seen.min)));
        assert_true(told.max >= seen.max - 1e-9 * (1 + fabs(seen.max)));
        bounded += isfinite(told.min) && isfinite(told.max);
        arena_free(arena);
    }
    assert_int_equal(bounded, cases);
}

/* In a cell that shrinks to a point the range does too. */
static void a_range_shrinks_with_its_arguments(void **state)
{
    Random r = random_start("prop_range");
    (void)state;
    for (int i = 0; i < random_cases(200, 5000); i++) {
        Arena *arena = arena_new();
        Dag *d = dag_new(arena);
        bool is_exact;
        const ExprFunction *f = one(d, &r, arena, &is_exact);
        double at = number(&r, -4, 6);
        ExprRange u[2] = {{at, at + 1e-9}, {1, 1}};
        ExprRange told = lut_enclose(f, u, f->list), seen = sampled(f, u);
        double jump = 0; /* one of the table may lie in the cell */
        for (int k = 0; k < 2; k++) {
            double plain[2] = {k ? u[0].max + 1e-7 : u[0].min - 1e-7, 1};
            double y = f->value(f, 0, plain, f->list);
            jump = fmax(jump, fmax(fabs(y - seen.min), fabs(y - seen.max)));
        }
        assert_true(told.max - told.min <= 2 * jump + 1e-3);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_holds_all_values),
        cmocka_unit_test(a_range_shrinks_with_its_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
