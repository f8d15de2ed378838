/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graphs.h"

static void edges_come_out_sorted_and_merged(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    edges_add(&list, 2, 1, EDGE_CONSTANT, 0);
    edges_add(&list, 0, 3, EDGE_CONSTANT, 1);
    edges_add(&list, 0, 0, EDGE_VARYING, 0);
    edges_add(&list, 0, 3, EDGE_NONLINEAR, 0);
    const Incidence *inc = edges_end(&list, 3, 4, a);
    incidence_check(inc);
    assert_int_equal(inc->nedge, 3);
    assert_int_equal(inc->start[1], 2);
    assert_int_equal(inc->start[2], 2); /* equation 1 has no unknown */
    assert_int_equal(inc->var[0], 0);
    assert_int_equal(inc->var[1], 3);
    assert_int_equal(inc->cls[1], EDGE_NONLINEAR);
    assert_int_equal(inc->weight[1], 1);
    arena_free(a);
}

static void transposing_lists_the_equations_of_each_unknown(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"x.x", ".xx", "x.."};
    const Incidence *inc = draw(line, 3, a);
    const Transpose *t = incidence_transpose(inc, a);
    const int start[] = {0, 2, 3, 5}, eqn[] = {0, 2, 1, 0, 1};
    assert_memory_equal(t->start, start, sizeof start);
    assert_memory_equal(t->eqn, eqn, sizeof eqn);
    for (int j = 0; j < 3; j++)
        for (int k = t->start[j]; k < t->start[j + 1]; k++)
            assert_int_equal(inc->var[t->edge[k]], j);
    arena_free(a);
}

static void an_edge_is_found_or_not(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"x.x.", "....", ".xxx"};
    const Incidence *inc = draw(line, 3, a);
    assert_int_equal(incidence_find(inc, 0, 2), 1);
    assert_int_equal(incidence_find(inc, 0, 3), NONE);
    assert_int_equal(incidence_find(inc, 1, 0), NONE);
    assert_int_equal(incidence_find(inc, 2, 3), 4);
    arena_free(a);
}

static void a_part_is_renumbered_and_remembers_its_edges(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"1234", "5.67", ".8.9"};
    const Incidence *inc = draw(line, 3, a);
    const int eqn[] = {1, 0}, var[] = {3, 0};
    const int *edge;
    const Incidence *part =
        incidence_part(inc, eqn, 2, var, 2, incidence_map(inc, a), &edge, a);
    incidence_check(part);
    assert_int_equal(part->nedge, 4);
    const int weight[] = {7, 5, 4, 1};
    assert_memory_equal(part->weight, weight, sizeof weight);
    for (int k = 0; k < 4; k++)
        assert_int_equal(inc->weight[edge[k]], weight[k]);
    arena_free(a);
}

static void an_empty_graph_is_a_graph(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    const Incidence *inc = edges_end(&list, 0, 0, a);
    incidence_check(inc);
    assert_int_equal(inc->nedge, 0);
    assert_int_equal(incidence_transpose(inc, a)->start[0], 0);
    arena_free(a);
}

static void edges_can_be_dropped(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"12", "34"};
    const Incidence *inc = draw(line, 2, a);
    const bool drop[] = {false, true, true, false};
    const int *edge;
    const Incidence *rest = incidence_without(inc, drop, &edge, a);
    incidence_check(rest);
    assert_int_equal(rest->nedge, 2);
    assert_int_equal(rest->weight[1], 4);
    assert_int_equal(edge[1], 3);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_come_out_sorted_and_merged),
        cmocka_unit_test(transposing_lists_the_equations_of_each_unknown),
        cmocka_unit_test(an_edge_is_found_or_not),
        cmocka_unit_test(a_part_is_renumbered_and_remembers_its_edges),
        cmocka_unit_test(an_empty_graph_is_a_graph),
        cmocka_unit_test(edges_can_be_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
