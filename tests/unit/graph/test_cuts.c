/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/cuts.h"
#include "graph/dominators.h"
#include "graphs.h"

/* Gustafsson's circuit (68)-(75) in VB VC I1 I2 I3 I4 I5 VB' VC'. */
static const char *const circuit[] = {"x.x......", "xx.x.....", ".x..x....",
                                      ".....x.x.", "......x.x", "..xx.x...",
                                      "...xx.x..", "x......x.", ".x......x"};

static void the_circuit_falls_into_five_and_four(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *inc = draw(circuit, 9, a);
    const int vc = incidence_find(inc, 1, 1), i2 = incidence_find(inc, 6, 3);
    const int both[] = {vc, i2};
    const Blt *blt = cuts_blocks(inc, both, 2, a);
    assert_int_equal(blt->nblock, 2);
    assert_int_equal(blt_largest(blt), 5);

    CutOptions o = cuts_defaults();
    const CutList *list = cuts_find(inc, &o, a);
    assert_true(list->complete);
    assert_int_equal(list->cut[0].nedge, 1);
    bool has_vc = false, has_i2 = false;
    for (int k = 0; k < list->n; k++) {
        Cut c = list->cut[k];
        has_vc |= c.nedge == 1 && c.edge[0] == vc && c.largest == 5;
        has_i2 |= c.nedge == 1 && c.edge[0] == i2 && c.largest == 5;
    }
    assert_true(has_vc && has_i2);
    arena_free(a);
}

static void only_allowed_edges_are_cut(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *inc = draw(circuit, 9, a);
    bool *allowed = NEW_ARRAY(a, bool, inc->nedge);
    CutOptions o = cuts_defaults();
    o.allowed = allowed;
    assert_int_equal(cuts_find(inc, &o, a)->n, 0);
    allowed[incidence_find(inc, 1, 1)] = true;
    const CutList *list = cuts_find(inc, &o, a);
    assert_int_equal(list->n, 1);
    assert_int_equal(list->cut[0].largest, 5);
    arena_free(a);
}

/* Two complete graphs of k unknowns joined by two edges each way. */
static void two_edges_separate_two_dense_halves(void **state)
{
    (void)state;
    enum { K = 6 };
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < K; i++)
            for (int j = 0; j < K; j++)
                edges_add(&list, half * K + i, half * K + j, EDGE_CONSTANT, 0);
    edges_add(&list, 0, K, EDGE_CONSTANT, 0);
    edges_add(&list, 1, K + 1, EDGE_CONSTANT, 0);
    edges_add(&list, K + 2, 2, EDGE_CONSTANT, 0);
    edges_add(&list, K + 3, 3, EDGE_CONSTANT, 0);
    const Incidence *inc = edges_end(&list, 2 * K, 2 * K, a);
    CutOptions o = cuts_defaults();
    const CutList *cuts = cuts_find(inc, &o, a);
    assert_true(cuts->n >= 2);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(cuts->cut[k].nedge, 2);
        assert_int_equal(cuts->cut[k].largest, K);
        assert_int_equal(cuts->cut[k].nblock, 2);
    }
    o.most_edges = 1;
    assert_int_equal(cuts_find(inc, &o, a)->n, 0);
    arena_free(a);
}

static void bridges_of_a_large_ring_are_found(void **state)
{
    (void)state;
    enum { N = 100000 };
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int i = 0; i < N; i++) {
        edges_add(&list, i, i, EDGE_CONSTANT, 0);
        edges_add(&list, i, (i + 1) % N, EDGE_CONSTANT, 0);
    }
    const Incidence *inc = edges_end(&list, N, N, a);
    bool *bridge = NEW_ARRAY(a, bool, inc->nedge);
    const Match *m = match_maximum(inc, a);
    double begin = seconds();
    assert_int_equal(cuts_bridges(inc, m, bridge), N);
    printf("ring of %d: %.2f s\n", N, seconds() - begin);
    const Incidence *square = grid(300, a);
    bridge = NEW_ARRAY(a, bool, square->nedge);
    m = match_maximum(square, a);
    begin = seconds();
    int n = cuts_bridges(square, m, bridge);
    printf("grid of 300 x 300: %d bridges, %.2f s\n", n, seconds() - begin);
    CutOptions o = cuts_defaults();
    begin = seconds();
    const CutList *cuts = cuts_find(square, &o, a);
    printf("%d cuts, %.2f s\n", cuts->n, seconds() - begin);
    assert_false(cuts->complete);
    arena_free(a);
}

static void dominators_are_what_all_ways_pass(void **state)
{
    (void)state;
    /* 0 -> 1 -> 3, 0 -> 2 -> 3, 3 -> 4 -> 3, 5 not reached */
    const int start[] = {0, 2, 3, 4, 5, 6, 7}, to[] = {1, 2, 3, 3, 4, 3, 0};
    int idom[6];
    dominators_find(6, start, to, 0, idom);
    const int want[] = {NONE, 0, 0, 0, 3, NONE};
    assert_memory_equal(idom, want, sizeof want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_circuit_falls_into_five_and_four),
        cmocka_unit_test(only_allowed_edges_are_cut),
        cmocka_unit_test(two_edges_separate_two_dense_halves),
        cmocka_unit_test(bridges_of_a_large_ring_are_found),
        cmocka_unit_test(dominators_are_what_all_ways_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
