/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "routine/routine.h"

/* y = sin(sin(... x)) with n sines, as a function that stays one. */
static Expr chain(Dag *d, int n)
{
    Expr formal = expr_formal(d, 0, ET_REAL), e = formal;
    Expr x = expr_var(d, 0, 0, ET_REAL);
    for (int i = 0; i < n; i++)
        e = expr_unary(d, EX_SIN, e);
    RoutineCall c = routine_make(d, "chain", &formal, &x, 1, &e, 1);
    return routine_result(d, &c, 1, ET_REAL);
}

/* How often it can be differentiated, up to `most`. */
static int orders(Dag *d, Expr e, int most)
{
    Expr x = expr_var(d, 0, 0, ET_REAL);
    int n = 0;
    while (n < most && (e = expr_diff(d, e, x)) != EXPR_NONE)
        n++;
    return n;
}

static void small_functions_have_derivatives_of_any_order(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Dag *d = dag_new(arena);
    assert_int_equal(orders(d, chain(d, 1), 5), 5);
    arena_free(arena);
}

static void large_ones_have_two_and_do_not_grow_without_end(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Dag *d = dag_new(arena);
    assert_int_equal(orders(d, chain(d, 600), 5), 2);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_functions_have_derivatives_of_any_order),
        cmocka_unit_test(large_ones_have_two_and_do_not_grow_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
