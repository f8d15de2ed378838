/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/dm.h"
#include "graphs.h"

static void a_regular_system_is_all_well_determined(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"xx", "x."};
    const Dm *dm = dm_split(draw(line, 2, a), a);
    assert_int_equal(dm->part[DM_WELL].neqn, 2);
    assert_int_equal(dm->part[DM_WELL].nvar, 2);
    assert_int_equal(dm->surplus + dm->missing, 0);
    arena_free(a);
}

static void the_three_parts_are_told_apart(void **state)
{
    (void)state;
    Arena *a = arena_new();
    /* Equations 0 and 3 both determine unknown 0; 1 is fine; unknowns 2 and 3
     * have equation 2 between them. */
    const char *const line[] = {"x...", "xx..", ".xxx", "x..."};
    const Dm *dm = dm_split(draw(line, 4, a), a);
    const int over[] = {0, 3}, under[] = {2, 3};
    assert_int_equal(dm->part[DM_OVER].neqn, 2);
    assert_memory_equal(dm->part[DM_OVER].eqn, over, sizeof over);
    assert_int_equal(dm->part[DM_OVER].nvar, 1);
    assert_int_equal(dm->part[DM_OVER].var[0], 0);
    assert_int_equal(dm->part[DM_UNDER].neqn, 1);
    assert_int_equal(dm->part[DM_UNDER].eqn[0], 2);
    assert_memory_equal(dm->part[DM_UNDER].var, under, sizeof under);
    assert_int_equal(dm->part[DM_WELL].eqn[0], 1);
    assert_int_equal(dm->surplus, 1);
    assert_int_equal(dm->missing, 1);
    arena_free(a);
}

static void equations_and_unknowns_without_edges_are_named(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"x.", ".."};
    const Dm *dm = dm_split(draw(line, 2, a), a);
    assert_int_equal(dm->part_of_eqn[1], DM_OVER);
    assert_int_equal(dm->part_of_var[1], DM_UNDER);
    assert_int_equal(dm->part_of_eqn[0], DM_WELL);
    arena_free(a);
}

static void two_mistakes_are_two_pieces(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"x....", "x....", ".x...", ".x...", "..xx."};
    const Incidence *inc = draw(line, 5, a);
    const Dm *dm = dm_split(inc, a);
    int eqn[5], var[5];
    assert_int_equal(dm_pieces(inc, dm, DM_OVER, eqn, var), 2);
    assert_int_equal(eqn[0], eqn[1]);
    assert_int_equal(eqn[2], eqn[3]);
    assert_int_not_equal(eqn[0], eqn[2]);
    assert_int_equal(var[1], eqn[2]);
    assert_int_equal(var[2], NONE);
    assert_int_equal(dm_pieces(inc, dm, DM_UNDER, eqn, var), 2);
    assert_int_equal(var[2], var[3]);
    assert_int_not_equal(var[2], var[4]);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regular_system_is_all_well_determined),
        cmocka_unit_test(the_three_parts_are_told_apart),
        cmocka_unit_test(equations_and_unknowns_without_edges_are_named),
        cmocka_unit_test(two_mistakes_are_two_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
