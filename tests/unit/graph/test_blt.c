/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/blt.h"
#include "graph/scc.h"
#include "graphs.h"

static void blt_solves_what_is_needed_first(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"xx..", ".xx.", "..xx", "...x"};
    const Incidence *inc = draw(line, 4, a);
    const Blt *blt = blt_order(inc, a);
    blt_check(inc, blt);
    assert_int_equal(blt->nblock, 4);
    for (int k = 0; k < 4; k++)
        assert_int_equal(blt->eqn[k], 3 - k);
    assert_int_equal(blt_largest(blt), 1);
    arena_free(a);
}

static void blt_keeps_source_order_within_a_block(void **state)
{
    (void)state;
    Arena *a = arena_new();
    /* 0 and 3 need each other and come after 1; 2 comes last. */
    const char *const line[] = {"xx.x", ".x..", "xxxx", "x..x"};
    const Incidence *inc = draw(line, 4, a);
    const Blt *blt = blt_order(inc, a);
    blt_check(inc, blt);
    assert_int_equal(blt->nblock, 3);
    const int eqn[] = {1, 0, 3, 2}, start[] = {0, 1, 3, 4};
    assert_memory_equal(blt->eqn, eqn, sizeof eqn);
    assert_memory_equal(blt->start, start, sizeof start);
    arena_free(a);
}

static void a_singular_system_has_no_order(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const twice[] = {"x..", "x..", ".xx"};
    assert_null(blt_order(draw(twice, 3, a), a));
    const char *const flat[] = {"x..", ".xx"};
    assert_null(blt_order(draw(flat, 2, a), a));
    arena_free(a);
}

static void nothing_to_order_is_an_order(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    const Blt *blt = blt_order(edges_end(&list, 0, 0, a), a);
    assert_int_equal(blt->nblock, 0);
    assert_int_equal(blt_largest(blt), 0);
    arena_free(a);
}

static void a_long_chain_and_a_large_block_are_ordered(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *line = chain(1000000, true, a);
    double begin = seconds();
    const Blt *blt = blt_order(line, a);
    printf("chain of 1000000, mixed: %.2f s\n", seconds() - begin);
    blt_check(line, blt);
    assert_int_equal(blt->nblock, 1000000);

    const Incidence *square = grid(300, a);
    begin = seconds();
    blt = blt_order(square, a);
    printf("grid of 300 x 300: %.2f s\n", seconds() - begin);
    blt_check(square, blt);
    assert_int_equal(blt->nblock, 1);
    assert_int_equal(blt_largest(blt), 90000);
    arena_free(a);
}

static void components_are_numbered_so_that_edges_lead_back(void **state)
{
    (void)state;
    /* 0 -> 1 <-> 2, 3 -> 3, 4 alone; one edge leads to no one. */
    const int start[] = {0, 1, 2, 4, 5, 5}, to[] = {1, 2, 1, NONE, 3};
    int comp[5];
    assert_int_equal(scc_find(5, start, to, comp), 4);
    assert_int_equal(comp[1], comp[2]);
    assert_true(comp[0] > comp[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blt_solves_what_is_needed_first),
        cmocka_unit_test(blt_keeps_source_order_within_a_block),
        cmocka_unit_test(a_singular_system_has_no_order),
        cmocka_unit_test(nothing_to_order_is_an_order),
        cmocka_unit_test(a_long_chain_and_a_large_block_are_ordered),
        cmocka_unit_test(components_are_numbered_so_that_edges_lead_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
