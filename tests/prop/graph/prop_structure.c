/* Matching, blocks and the parts of singular systems against SuiteSparse's BTF
 * and against definitions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <btf.h>

#include "graph/blt.h"
#include "graph/dm.h"
#include "graph/scc.h"
#include "systems.h"

static void matchings_are_as_large_as_plain_ones(void **state)
{
    (void)state;
    Random r = random_start("matchings");
    int cases = random_cases(10000, 100000);
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        const Incidence *inc =
            random_any(&r, 1 + random_below(&r, 40), 1 + random_below(&r, 40),
                       random_between(&r, 0.01, 0.2), a);
        const Match *m = match_maximum(inc, a);
        match_check(inc, m);
        assert_int_equal(m->size, plain_matching(inc, NONE, NONE));
        arena_free(a);
    }
}

/* BTF's block of each unknown (column); returns the number of blocks. */
static int btf_blocks(const Incidence *inc, int *block_of, Arena *a)
{
    int n = inc->neqn, nmatch;
    const Transpose *t = incidence_transpose(inc, a);
    int *perm = NEW_ARRAY(a, int, n), *perm_col = NEW_ARRAY(a, int, n);
    int *bound = NEW_ARRAY(a, int, n + 1), *space = NEW_ARRAY(a, int, 5 * n);
    double work;
    int nblock = btf_order(n, (int *)t->start, (int *)t->eqn, 0, &work, perm,
                           perm_col, bound, &nmatch, space);
    assert_int_equal(nmatch, n);
    for (int b = 0; b < nblock; b++)
        for (int k = bound[b]; k < bound[b + 1]; k++)
            block_of[perm_col[k]] = b;
    return nblock;
}

/* Are two numberings of blocks the same partition? */
static bool is_same_partition(const int *x, const int *y, int n, int nblock,
                              Arena *a)
{
    int *to = NEW_ARRAY(a, int, nblock);
    for (int b = 0; b < nblock; b++)
        to[b] = NONE;
    for (int j = 0; j < n; j++) {
        if (to[x[j]] == NONE)
            to[x[j]] = y[j];
        if (to[x[j]] != y[j])
            return false;
    }
    return true;
}

/* No unknown is needed before its block. */
static void check_order(const Incidence *inc, const Blt *blt,
                        const int *block_of)
{
    for (int b = 0; b < blt->nblock; b++)
        for (int k = blt->start[b]; k < blt->start[b + 1]; k++) {
            int i = blt->eqn[k];
            for (int e = inc->start[i]; e < inc->start[i + 1]; e++)
                assert_true(block_of[inc->var[e]] <= b);
        }
}

static void blocks_are_those_of_btf(void **state)
{
    (void)state;
    Random r = random_start("blocks");
    int cases = random_cases(10000, 100000);
    long equations = 0, blocks = 0;
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        int n = random_size(&r, 200);
        const Incidence *inc =
            random_regular(&r, n, random_between(&r, 0, 2.5), 0, a);
        const Blt *blt = blt_order(inc, a);
        assert_non_null(blt);
        blt_check(inc, blt);
        int *ours = NEW_ARRAY(a, int, n), *theirs = NEW_ARRAY(a, int, n);
        for (int b = 0; b < blt->nblock; b++)
            for (int k = blt->start[b]; k < blt->start[b + 1]; k++)
                ours[blt->var[k]] = b;
        assert_int_equal(btf_blocks(inc, theirs, a), blt->nblock);
        assert_true(is_same_partition(ours, theirs, n, blt->nblock, a));
        check_order(inc, blt, ours);
        equations += n;
        blocks += blt->nblock;
        arena_free(a);
    }
    printf("%d systems, %ld equations, %ld blocks\n", cases, equations, blocks);
}

static void components_are_mutual_reachability(void **state)
{
    (void)state;
    Random r = random_start("components");
    int cases = random_cases(5000, 50000);
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        int n = 1 + random_below(&r, 25);
        const Incidence *g =
            random_any(&r, n, n, random_between(&r, 0, 0.15), a);
        bool *reach = NEW_ARRAY(a, bool, n *n);
        for (int i = 0; i < n; i++) {
            reach[i * n + i] = true;
            for (int k = g->start[i]; k < g->start[i + 1]; k++)
                reach[i * n + g->var[k]] = true;
        }
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    reach[i * n + j] |= reach[i * n + k] && reach[k * n + j];
        int comp[25];
        scc_find(n, g->start, g->var, comp);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                bool both = reach[i * n + j] && reach[j * n + i];
                assert_true((comp[i] == comp[j]) == both);
                assert_true(!reach[i * n + j] || comp[i] >= comp[j]);
            }
        arena_free(a);
    }
}

/* An equation is over-determined if some maximum matching does without it. */
static void check_parts(const Incidence *inc, const Dm *dm)
{
    int size = plain_matching(inc, NONE, NONE);
    for (int i = 0; i < inc->neqn; i++) {
        bool over = plain_matching(inc, i, NONE) == size;
        assert_int_equal(over, dm->part_of_eqn[i] == DM_OVER);
    }
    for (int j = 0; j < inc->nvar; j++) {
        bool under = plain_matching(inc, NONE, j) == size;
        assert_int_equal(under, dm->part_of_var[j] == DM_UNDER);
    }
    for (int i = 0; i < inc->neqn; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            int e = dm->part_of_eqn[i], v = dm->part_of_var[inc->var[k]];
            assert_true(e <= v); /* upper triangular, as in the header */
        }
}

static void parts_are_what_some_matching_does_without(void **state)
{
    (void)state;
    Random r = random_start("parts");
    int cases = random_cases(5000, 50000);
    int singular = 0;
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        const Incidence *inc =
            random_any(&r, 1 + random_below(&r, 15), 1 + random_below(&r, 15),
                       random_between(&r, 0.05, 0.3), a);
        const Dm *dm = dm_split(inc, a);
        check_parts(inc, dm);
        const DmList *p = dm->part;
        assert_int_equal(p[DM_WELL].neqn, p[DM_WELL].nvar);
        assert_int_equal(p[DM_OVER].neqn - p[DM_OVER].nvar, dm->surplus);
        assert_int_equal(p[DM_UNDER].nvar - p[DM_UNDER].neqn, dm->missing);
        singular += dm->surplus + dm->missing > 0;
        arena_free(a);
    }
    printf("%d of %d systems are singular\n", singular, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matchings_are_as_large_as_plain_ones),
        cmocka_unit_test(blocks_are_those_of_btf),
        cmocka_unit_test(components_are_mutual_reachability),
        cmocka_unit_test(parts_are_what_some_matching_does_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
