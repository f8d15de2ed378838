/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "told/told.h"

typedef struct Fixture {
    Arena *arena;
    Dag *d;
    Expr formal, rate, x, dx; /* of the function; of the model */
} Fixture;

static Fixture begin(void)
{
    Fixture f = {.arena = arena_new()};
    f.d = dag_new(f.arena);
    f.formal = expr_formal(f.d, 0, ET_REAL);
    f.rate = expr_formal(f.d, 1, ET_REAL);
    f.x = expr_var(f.d, 0, 0, ET_REAL);
    f.dx = expr_var(f.d, 0, 1, ET_REAL);
    return f;
}

static const Told *told_as(Fixture *f, ToldKind kind, const Expr *out)
{
    Told *t = NEW(f->arena, Told);
    Expr *both = NEW_ARRAY(f->arena, Expr, 2);
    both[0] = f->formal;
    both[1] = f->rate;
    *t = (Told){kind, "f", 1, both, both + 1, out};
    return t;
}

/* The cube root of a by bisection in [-100, 100]. */
static Expr bisect(Dag *d, Expr a)
{
    Expr low = expr_real(d, -100), high = expr_real(d, 100);
    for (int i = 0; i < 60; i++) {
        Expr m = expr_mul(d, expr_real(d, 0.5), expr_add(d, low, high));
        Expr cube = expr_mul(d, m, expr_mul(d, m, m));
        Expr less = expr_binary(d, EX_LT, cube, a);
        low = expr_if(d, less, m, low);
        high = expr_if(d, less, high, m);
    }
    return expr_mul(d, expr_real(d, 0.5), expr_add(d, low, high));
}

static void over_time_it_is_told_and_by_arguments_it_is_not(void **state)
{
    (void)state;
    Fixture f = begin();
    bool varies = true;
    Expr out = expr_mul(f.d, expr_real(f.d, 7), f.rate);
    const Told *t = told_as(&f, TOLD_OVER_TIME, &out);
    Expr y = told_result(f.d, t, 0, expr_mul(f.d, f.x, f.x), &f.x);
    assert_true(told_has(f.d, y));
    assert_int_equal(expr_total_diff(f.d, y, &varies, 1),
                     expr_mul(f.d, expr_real(f.d, 7), f.dx));
    assert_int_equal(expr_simplify(f.d, expr_diff(f.d, y, f.x)),
                     expr_simplify(f.d, expr_mul(f.d, expr_real(f.d, 2), f.x)));
    assert_int_equal(told_values(f.d, expr_neg(f.d, y)),
                     expr_neg(f.d, expr_mul(f.d, f.x, f.x)));
    arena_free(f.arena);
}

static void always_is_by_arguments_too(void **state)
{
    (void)state;
    Fixture f = begin();
    Expr out = expr_mul(f.d, expr_real(f.d, 7), f.rate);
    const Told *t = told_as(&f, TOLD_ALWAYS, &out);
    Expr y = told_result(f.d, t, 0, expr_mul(f.d, f.x, f.x), &f.x);
    assert_int_equal(expr_diff(f.d, y, f.x), expr_real(f.d, 7));
    assert_false(told_has(f.d, y));
    arena_free(f.arena);
}

static void bisection_misleads_and_branches_do_not(void **state)
{
    (void)state;
    Fixture f = begin();
    Dag *d = f.d;
    ToldPoint p;
    Expr root = bisect(d, f.formal);
    Expr square = expr_mul(d, f.formal, f.formal);
    Expr pieces = expr_if(d, expr_binary(d, EX_LT, f.formal, expr_real(d, 0.3)),
                          square, expr_mul(d, expr_real(d, 5), f.formal));
    Expr right = expr_div(
        d, f.rate, expr_mul(d, expr_real(d, 3), expr_mul(d, root, root)));
    const Told *none = told_as(&f, TOLD_ALWAYS, NULL);
    assert_int_equal(told_judge(d, none, &pieces, 1, &p), TOLD_AS_WRITTEN);
    assert_int_equal(told_judge(d, none, &root, 1, &p), TOLD_NOT_AT_ALL);
    assert_true(p.written == 0 && p.slope != 0);
    assert_int_equal(
        told_judge(d, told_as(&f, TOLD_ALWAYS, &right), &root, 1, &p),
        TOLD_RIGHT);
    assert_int_equal(
        told_judge(d, told_as(&f, TOLD_ALWAYS, &f.rate), &root, 1, &p),
        TOLD_NOT_AT_ALL);
    arena_free(f.arena);
}

static double at_eight(void *context, const Dag *d, Expr e)
{
    return e == *(Expr *)context ? 8 : expr_op(d, e) == EX_ARG ? 1 : 0;
}

static void differences_are_the_slope_of_values(void **state)
{
    (void)state;
    Fixture f = begin();
    Expr root = bisect(f.d, f.formal);
    const Told *t = told_as(&f, TOLD_ALWAYS, NULL);
    const Expr *out = told_differences(f.d, t, &root, 1);
    double slope = expr_eval(f.d, out[0], at_eight, &f.formal);
    assert_true(slope > 1.0 / 12 - 1e-8 && slope < 1.0 / 12 + 1e-8);
    arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_time_it_is_told_and_by_arguments_it_is_not),
        cmocka_unit_test(always_is_by_arguments_too),
        cmocka_unit_test(bisection_misleads_and_branches_do_not),
        cmocka_unit_test(differences_are_the_slope_of_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
