/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include "graph/pantelides.h"
#include "graphs.h"

/* x'' = -x F, y'' = -y F - g, x^2 + y^2 = L^2 in the unknowns x, y, F. */
static const char *const pendulum[] = {"2.0", ".20", "00."};

static void check_pendulum(const Incidence *sigma, const Offsets *o)
{
    const int c[] = {0, 0, 2}, d[] = {2, 2, 0};
    offsets_check(sigma, o);
    assert_memory_equal(o->c, c, sizeof c);
    assert_memory_equal(o->d, d, sizeof d);
    assert_int_equal(o->value, 2);
    assert_int_equal(o->index, 3);
}

static void the_pendulum_has_index_three_by_both_methods(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *sigma = draw(pendulum, 3, a);
    check_pendulum(sigma, signature_offsets(sigma, a));
    const Pantelides *p = pantelides_run(sigma, 20, a);
    assert_int_equal(p->status, PANTELIDES_DONE);
    check_pendulum(sigma, p->offsets);
    assert_int_equal(p->step[0].root, 2);
    assert_int_equal(p->step[0].n, 1);
    assert_int_equal(p->step[0].times, 2);
    arena_free(a);
}

static void an_ordinary_system_needs_no_differentiation(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"10", "01"};
    const Offsets *o = signature_offsets(draw(line, 2, a), a);
    assert_int_equal(o->index, 0);
    assert_int_equal(o->value, 2);
    const char *const loop[] = {"10", "00"}; /* one algebraic unknown */
    assert_int_equal(signature_offsets(draw(loop, 2, a), a)->index, 1);
    arena_free(a);
}

static void a_singular_system_is_refused_by_both(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"11.", "0..", "1.."};
    const Incidence *sigma = draw(line, 3, a);
    assert_null(signature_offsets(sigma, a));
    const Pantelides *p = pantelides_run(sigma, 20, a);
    assert_int_equal(p->status, PANTELIDES_SINGULAR);
    assert_null(p->offsets);
    assert_true(p->root == 1 || p->root == 2);
    arena_free(a);
}

/* x1 = f(t), x1' = x2, x2' = x3 ...: equation 0 is differentiated n times. */
static const Incidence *prescribed(int n, Arena *a)
{
    EdgeList list = edges_begin(a);
    edges_add(&list, 0, 0, EDGE_CONSTANT, 0);
    for (int i = 1; i < n; i++) {
        edges_add(&list, i, i - 1, EDGE_CONSTANT, 1);
        edges_add(&list, i, i, EDGE_CONSTANT, 0);
    }
    return edges_end(&list, n, n, a);
}

static void differentiation_stops_at_the_limit(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *sigma = prescribed(30, a);
    assert_int_equal(signature_offsets(sigma, a)->index, 30);
    assert_int_equal(pantelides_run(sigma, 29, a)->status, PANTELIDES_DONE);
    assert_int_equal(pantelides_run(sigma, 28, a)->status, PANTELIDES_LIMIT);
    arena_free(a);
}

static void the_leading_structure_has_only_tight_edges(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *sigma = draw(pendulum, 3, a);
    const Incidence *lead =
        signature_leading(sigma, signature_offsets(sigma, a), a);
    assert_int_equal(lead->nedge, 6);
    const char *const line[] = {"10", "00"};
    sigma = draw(line, 2, a);
    lead = signature_leading(sigma, signature_offsets(sigma, a), a);
    assert_int_equal(lead->nedge, 3);
    assert_int_equal(incidence_find(lead, 1, 0), NONE);
    arena_free(a);
}

/* A hundred thousand pendulums in a row, each hanging on the one before. */
static const Incidence *many_constraints(int n, Arena *out)
{
    Arena *local = arena_new();
    EdgeList list = edges_begin(local);
    for (int k = 0; k < n; k++) {
        int x = 3 * k, y = x + 1, force = x + 2;
        edges_add(&list, x, x, EDGE_CONSTANT, 2);
        edges_add(&list, x, force, EDGE_VARYING, 0);
        edges_add(&list, y, y, EDGE_CONSTANT, 2);
        edges_add(&list, y, force, EDGE_VARYING, 0);
        edges_add(&list, force, x, EDGE_NONLINEAR, 0);
        edges_add(&list, force, y, EDGE_NONLINEAR, 0);
        if (k > 0) {
            edges_add(&list, force, x - 3, EDGE_NONLINEAR, 0);
            edges_add(&list, force, y - 3, EDGE_NONLINEAR, 0);
            edges_add(&list, x - 3, force, EDGE_VARYING, 0);
            edges_add(&list, y - 3, force, EDGE_VARYING, 0);
        }
    }
    const Incidence *inc = edges_end(&list, 3 * n, 3 * n, out);
    arena_free(local);
    return inc;
}

static void large_systems_of_high_index_are_fast(void **state)
{
    (void)state;
    enum { N = 40000 };
    Arena *a = arena_new();
    const Incidence *sigma = many_constraints(N, a);
    double begin = seconds();
    const Offsets *o = signature_offsets(sigma, a);
    double middle = seconds();
    const Pantelides *p = pantelides_run(sigma, 20, a);
    printf("%d equations: signature %.2f s, pantelides %.2f s\n", 3 * N,
           middle - begin, seconds() - middle);
    assert_int_equal(o->value, 2 * N);
    assert_int_equal(o->index, 3);
    assert_memory_equal(o->c, p->offsets->c, 3 * N * sizeof *o->c);
    assert_memory_equal(o->d, p->offsets->d, 3 * N * sizeof *o->d);
    offsets_check(sigma, o);
    arena_free(a);
}

static void a_transversal_prefers_heavy_edges(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"52.", "4.1", ".13"};
    const Match *m = signature_offsets(draw(line, 3, a), a)->match;
    assert_int_equal(m->var_of[0], 1); /* 2 + 4 + 3 = 9, 5 + 1 + 1 = 7 */
    assert_int_equal(m->var_of[1], 0);
    assert_int_equal(m->var_of[2], 2);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pendulum_has_index_three_by_both_methods),
        cmocka_unit_test(an_ordinary_system_needs_no_differentiation),
        cmocka_unit_test(a_singular_system_is_refused_by_both),
        cmocka_unit_test(differentiation_stops_at_the_limit),
        cmocka_unit_test(the_leading_structure_has_only_tight_edges),
        cmocka_unit_test(large_systems_of_high_index_are_fast),
        cmocka_unit_test(a_transversal_prefers_heavy_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
