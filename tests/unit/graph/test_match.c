/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/match.h"
#include "graphs.h"

static void matched_pairs_are_moved_where_that_helps(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"xx.", "x.x", "x.."};
    const Incidence *inc = draw(line, 3, a);
    Match *m = match_new(inc, a);
    m->var_of[0] = 0, m->eqn_of[0] = 0, m->size = 1;
    assert_true(match_grow(inc, NULL, m));
    match_check(inc, m);
    assert_int_equal(m->size, 3);
    assert_int_equal(m->var_of[2], 0);
    assert_false(match_grow(inc, NULL, m));
    arena_free(a);
}

static void too_few_unknowns_leave_equations_free(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"x..", "x..", "x.."};
    const Incidence *inc = draw(line, 3, a);
    const Match *m = match_maximum(inc, a);
    match_check(inc, m);
    assert_int_equal(m->size, 1);
    arena_free(a);
}

static void only_allowed_edges_are_used(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"xx", "xx"};
    const Incidence *inc = draw(line, 2, a);
    Match *m = match_new(inc, a);
    const unsigned char allowed[] = {1, 0, 1, 0};
    match_grow(inc, allowed, m);
    assert_int_equal(m->size, 1);
    assert_int_equal(m->eqn_of[1], NONE);
    arena_free(a);
}

static void a_million_equations_in_a_chain_are_matched(void **state)
{
    (void)state;
    enum { N = 1000000 };
    Arena *a = arena_new();
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        const Incidence *inc = chain(N, shuffled, a);
        double begin = seconds();
        const Match *m = match_maximum(inc, a);
        printf("chain of %d%s: %.2f s\n", N, shuffled ? ", mixed" : "",
               seconds() - begin);
        assert_int_equal(m->size, N);
        match_check(inc, m);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matched_pairs_are_moved_where_that_helps),
        cmocka_unit_test(too_few_unknowns_leave_equations_free),
        cmocka_unit_test(only_allowed_edges_are_used),
        cmocka_unit_test(a_million_equations_in_a_chain_are_matched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
