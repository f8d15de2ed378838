/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/color.h"
#include "graphs.h"

static void a_tridiagonal_pattern_needs_three_groups(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int i = 0; i < 100000; i++)
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < 100000)
                edges_add(&list, i, j, EDGE_CONSTANT, 0);
    const Incidence *inc = edges_end(&list, 100000, 100000, a);
    const Coloring *c = color_columns(inc, a);
    color_check(inc, c);
    assert_int_equal(c->ncolor, 3);
    assert_int_equal(c->least, 3);
    assert_int_equal(c->var[c->start[1]], 1);
    arena_free(a);
}

static void a_dense_equation_separates_all(void **state)
{
    (void)state;
    enum { N = 20000 };
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int i = 0; i < N; i++) {
        edges_add(&list, i, i, EDGE_CONSTANT, 0);
        edges_add(&list, 0, i, EDGE_CONSTANT, 0);
    }
    const Incidence *inc = edges_end(&list, N, N, a);
    double begin = seconds();
    const Coloring *c = color_columns(inc, a);
    printf("%.2f s\n", seconds() - begin);
    color_check(inc, c);
    assert_int_equal(c->ncolor, N);
    arena_free(a);
}

static void a_diagonal_needs_one_group(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"x..", ".x.", "..."};
    const Incidence *inc = draw(line, 3, a);
    const Coloring *c = color_columns(inc, a);
    color_check(inc, c);
    assert_int_equal(c->ncolor, 1);
    EdgeList none = edges_begin(a);
    assert_int_equal(color_columns(edges_end(&none, 0, 0, a), a)->ncolor, 0);
    arena_free(a);
}

static void a_grid_needs_few_groups(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *inc = grid(300, a);
    double begin = seconds();
    const Coloring *c = color_columns(inc, a);
    printf("%d groups, %.2f s\n", c->ncolor, seconds() - begin);
    color_check(inc, c);
    assert_true(c->ncolor <= 9);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tridiagonal_pattern_needs_three_groups),
        cmocka_unit_test(a_dense_equation_separates_all),
        cmocka_unit_test(a_diagonal_needs_one_group),
        cmocka_unit_test(a_grid_needs_few_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
