/* Dominators, bridges, cuts and peeling against their definitions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/cuts.h"
#include "graph/dominators.h"
#include "systems.h"

enum { MOST = 12 };

/* What can be reached from `root` without passing `without`. */
static void reach(const Incidence *g, int root, int without, bool *seen)
{
    int stack[MOST * MOST], n = 0;
    memset(seen, 0, MOST * sizeof *seen);
    if (root == without)
        return;
    seen[root] = true;
    stack[n++] = root;
    while (n > 0) {
        int i = stack[--n];
        for (int k = g->start[i]; k < g->start[i + 1]; k++) {
            int j = g->var[k];
            if (j == without || seen[j])
                continue;
            seen[j] = true;
            stack[n++] = j;
        }
    }
}

static void dominators_are_what_all_ways_pass(void **state)
{
    (void)state;
    Random r = random_start("dominators");
    for (int c = 0; c < random_cases(5000, 100000); c++) {
        Arena *a = arena_new();
        int n = 1 + random_below(&r, MOST), idom[MOST];
        const Incidence *g =
            random_any(&r, n, n, random_between(&r, 0.05, 0.4), a);
        bool all[MOST], without[MOST][MOST];
        reach(g, 0, NONE, all);
        for (int d = 0; d < n; d++)
            reach(g, 0, d, without[d]);
        dominators_find(n, g->start, g->var, 0, idom);
        for (int v = 0; v < n; v++) {
            assert_int_equal(idom[v] != NONE, v > 0 && all[v]);
            if (idom[v] == NONE)
                continue;
            /* idom dominates v, and every other dominator dominates idom */
            assert_false(without[idom[v]][v]);
            for (int d = 0; d < n; d++)
                if (d != v && !without[d][v])
                    assert_true(d == idom[v] || !without[d][idom[v]]);
        }
        arena_free(a);
    }
}

/* A random block: the largest one of a random system. */
static const Incidence *random_block(Random *r, Arena *a)
{
    const Incidence *inc = random_regular(r, 2 + random_below(r, 12),
                                          random_between(r, 0.5, 2), 0, a);
    const Blt *blt = blt_order(inc, a);
    int best = 0;
    for (int b = 1; b < blt->nblock; b++)
        if (blt->start[b + 1] - blt->start[b] >
            blt->start[best + 1] - blt->start[best])
            best = b;
    int at = blt->start[best], n = blt->start[best + 1] - at;
    return incidence_part(inc, &blt->eqn[at], n, &blt->var[at], n,
                          incidence_map(inc, a), NULL, a);
}

static const Cut *find_cut(const CutList *list, int edge)
{
    for (int k = 0; k < list->n; k++)
        if (list->cut[k].nedge == 1 && list->cut[k].edge[0] == edge)
            return &list->cut[k];
    return NULL;
}

static void single_cuts_are_all_that_exist(void **state)
{
    (void)state;
    Random r = random_start("cuts");
    int cases = random_cases(3000, 50000), nsingle = 0, nlarger = 0;
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        const Incidence *inc = random_block(&r, a);
        CutOptions o = cuts_defaults();
        o.most_cuts = 1000;
        const CutList *list = cuts_find(inc, &o, a);
        assert_true(list->complete);
        for (int k = 0; k < inc->nedge; k++) {
            const Blt *blt = cuts_blocks(inc, &k, 1, a);
            const Cut *cut = find_cut(list, k);
            assert_int_equal(blt && blt->nblock > 1, cut != NULL);
            if (cut)
                assert_int_equal(cut->largest, blt_largest(blt));
            nsingle += cut != NULL;
        }
        for (int k = 0; k < list->n; k++) {
            const Cut *cut = &list->cut[k];
            const Blt *blt = cuts_blocks(inc, cut->edge, cut->nedge, a);
            assert_int_equal(blt->nblock, cut->nblock);
            assert_true(cut->nblock > 1 && cut->nedge <= 2);
            nlarger += cut->nedge == 2;
        }
        arena_free(a);
    }
    printf("%d single cuts, %d of two edges\n", nsingle, nlarger);
    assert_true(nsingle > 0 && nlarger > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dominators_are_what_all_ways_pass),
        cmocka_unit_test(single_cuts_are_all_that_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
