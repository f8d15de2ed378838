/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "graphs.h"

static const Tear *tear(const char *const *line, int n, const signed char *pre,
                        Arena *a)
{
    TearProblem p = {draw(line, n, a), 0, NULL, pre};
    TearOptions o = tear_defaults();
    const Tear *t = tear_block(&p, &o, a);
    tear_check(&p, t);
    return t;
}

/* The loop of the circuit of Cellier and Kofman (8.81), backward Euler, in
 * u1 i1 u2 i2 iC duC uC. */
static const char *const circuit[] = {"oo.....", "..oo...", "....oo.",
                                      "o.....o", "..o...o", ".o.oo..",
                                      ".....ho"};

static void the_circuit_needs_one_iteration_variable(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Tear *t = tear(circuit, 7, NULL, a);
    assert_int_equal(t->ntorn, 1);
    assert_int_equal(t->npenalty, 0); /* nobody divides by the step */
    assert_int_equal(t->ncausal, 6);
    assert_true(isnan(t->growth));
    arena_free(a);
}

/* The spring pendulum, backward Euler: y' z' x y theta z. */
static const char *const pendulum[] = {"o.x.xx", ".oxxxx", "..oh..",
                                       "h..o..", "....oh", ".h...o"};

static void the_spring_pendulum_needs_two_its_accelerations(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const signed char prefer[] = {1, 1, 0, 0, 0, 0};
    const Tear *t = tear(pendulum, 6, prefer, a);
    assert_int_equal(t->ntorn, 2);
    assert_int_equal(t->torn[0], 0);
    assert_int_equal(t->torn[1], 1);
    assert_int_equal(t->npenalty, 0);
    arena_free(a);
}

static void wishes_are_obeyed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    signed char prefer[7] = {0};
    for (int j = 0; j < 7; j++) {
        memset(prefer, 0, sizeof prefer);
        prefer[j] = TEAR_MUST;
        const Tear *t = tear(circuit, 7, prefer, a);
        bool torn = false;
        for (int k = 0; k < t->ntorn; k++)
            torn |= t->torn[k] == j;
        assert_true(torn);
    }
    memset(prefer, 0, sizeof prefer);
    prefer[6] = TEAR_NEVER;
    const Tear *t = tear(circuit, 7, prefer, a);
    assert_int_equal(t->nforbidden, 0);
    for (int k = 0; k < t->ntorn; k++)
        assert_int_not_equal(t->torn[k], 6);
    memset(prefer, TEAR_NEVER, sizeof prefer);
    assert_true(tear(circuit, 7, prefer, a)->nforbidden > 0);
    arena_free(a);
}

static void what_cannot_be_solved_for_is_torn(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"xxx", "xxx", "xxx"};
    const Tear *t = tear(line, 3, NULL, a);
    assert_int_equal(t->ntorn, 3);
    assert_int_equal(t->ncausal, 0);
    const char *const one[] = {"o"};
    assert_int_equal(tear(one, 1, NULL, a)->ntorn, 0);
    const char *const linear[] = {"xo", "ox"};
    assert_int_equal(tear(linear, 2, NULL, a)->ntorn, 1);
    arena_free(a);
}

static void a_varying_factor_is_divided_by_only_on_request(void **state)
{
    (void)state;
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int i = 0; i < 3; i++) {
        edges_add(&list, i, i, EDGE_VARYING, 0);
        edges_add(&list, i, (i + 1) % 3, EDGE_NONLINEAR, 0);
    }
    TearProblem p = {edges_end(&list, 3, 3, a), 0, NULL, NULL};
    TearOptions o = tear_defaults();
    assert_int_equal(tear_block(&p, &o, a)->ntorn, 3);
    o.least = EDGE_VARYING;
    assert_int_equal(tear_block(&p, &o, a)->ntorn, 1);
    arena_free(a);
}

static void penalties_are_used_where_they_are_cheap(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TearProblem p = heat(0.1, 1, a);
    TearOptions o = tear_defaults();
    o.bound = INFINITY;
    o.penalty_cost = 0;
    const Tear *t = tear_block(&p, &o, a);
    tear_check(&p, t);
    assert_int_equal(t->ntorn, 2);
    assert_true(t->npenalty > 40);
    assert_true(t->growth > 1e50);
    arena_free(a);
}

/* Some choice with at most `ntorn` was seen and refused. */
static bool has_refused(const Tear *t, int ntorn, double growth)
{
    for (int k = 0; k < t->nalternative; k++)
        if (t->alternative[k].ntorn <= ntorn && !t->alternative[k].accepted &&
            t->alternative[k].growth > growth)
            return true;
    return false;
}

static void heat_is_torn_with_25_unknowns_and_little_growth(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double step[] = {0.1, 0.01, 0.001};
    for (int k = 0; k < 3; k++) {
        TearProblem p = heat(step[k], 1, a);
        TearOptions o = tear_defaults();
        double begin = seconds();
        const Tear *t = tear_block(&p, &o, a);
        printf("step %g, %.2f s\n", step[k], seconds() - begin);
        tear_check(&p, t);
        assert_true(t->ntorn <= 25);
        assert_true(t->growth <= 1e3);
        assert_int_equal(t->npenalty, 0);
        assert_true(has_refused(t, 3, 1e40));
    }
    arena_free(a);
}

static void the_modified_heuristic_gives_25_as_in_the_book(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TearProblem p = heat(0.1, 1, a);
    TearOptions o = tear_defaults();
    o.methods = 1u << TEAR_MODIFIED;
    const Tear *t = tear_block(&p, &o, a);
    assert_int_equal(t->alternative[0].ntorn, 25);
    arena_free(a);
}

static void a_looser_bound_needs_no_more_unknowns(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TearProblem p = heat(0.1, 1, a);
    TearOptions o = tear_defaults();
    o.penalty_cost = 0;
    const double bound[] = {1e1, 1e3, 1e9, 1e30, INFINITY};
    int before = 100;
    for (int k = 0; k < 5; k++) {
        o.bound = bound[k];
        const Tear *t = tear_block(&p, &o, a);
        printf("bound %g: %d torn, growth %.3g\n", bound[k], t->ntorn,
               t->growth);
        tear_check(&p, t);
        assert_true(t->growth <= bound[k]);
        assert_true(t->ntorn <= before + 1);
        before = t->ntorn;
    }
    assert_int_equal(before, 2);
    arena_free(a);
}

static void radau_on_heat_is_torn_in_less_than_a_second(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TearProblem p = heat(0.1, 2, a);
    TearOptions o = tear_defaults();
    double begin = seconds();
    const Tear *t = tear_block(&p, &o, a);
    printf("%.2f s\n", seconds() - begin);
    tear_check(&p, t);
    assert_true(t->ntorn <= 100);
    assert_true(t->growth <= 1e3);
    arena_free(a);
}

static void growth_is_that_of_the_causal_order(void **state)
{
    (void)state;
    Arena *a = arena_new();
    /* x1 = 3 x0, x2 = -5 x1 + x0: growth 14 in x2 per unit of x0 */
    const char *const line[] = {"oo.", "ooo", "o.o"};
    const double value[] = {-3, 1, -1, 5, 1, 1, 1};
    TearProblem p = {draw(line, 3, a), 1, value, NULL};
    const int eqn[] = {0, 1}, var[] = {1, 2};
    TearGrowth g = tear_growth(&p, eqn, var, 2);
    assert_float_equal(g.value, 14, 1e-12);
    assert_int_equal(g.var, 2);
    assert_int_equal(g.torn, 0);
    assert_false(g.is_bound);
    arena_free(a);
}

static void growth_is_the_largest_over_the_points(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const char *const line[] = {"oo", "oo"};
    const double value[] = {1, 1, 1, 2, /**/ 7, 1, 1, 1, /**/ 1, 0, 1, 1};
    TearProblem p = {draw(line, 2, a), 2, value, NULL};
    const int eqn[] = {0}, var[] = {1};
    TearGrowth g = tear_growth(&p, eqn, var, 1);
    assert_float_equal(g.value, 7, 0);
    assert_int_equal(g.sample, 1);
    p.nsample = 3; /* where the pivot is zero */
    assert_true(isinf(tear_growth(&p, eqn, var, 1).value));
    TearOptions o = tear_defaults();
    const Tear *t = tear_block(&p, &o, a);
    assert_true(t->growth <= 1e3);
    assert_int_equal(t->ntorn, 1);
    arena_free(a);
}

static void a_given_tearing_is_completed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    TearProblem p = {draw(circuit, 7, a), 0, NULL, NULL};
    TearOptions o = tear_defaults();
    const int torn[] = {6, 6};
    const Tear *t = tear_given(&p, &o, torn, 2, a);
    tear_check(&p, t);
    assert_int_equal(t->ntorn, 1);
    assert_int_equal(t->torn[0], 6);
    p.inc = draw(pendulum, 6, a);
    const int one[] = {0};
    t = tear_given(&p, &o, one, 1, a);
    tear_check(&p, t);
    assert_true(t->ntorn >= 2);
    arena_free(a);
}

static void a_block_of_90000_equations_is_torn_in_seconds(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Incidence *inc = grid(300, a);
    double *value = NEW_ARRAY(a, double, inc->nedge);
    for (int i = 0; i < inc->neqn; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
            value[k] = inc->var[k] == i ? 4.1 : -1;
    for (int nsample = 0; nsample < 2; nsample++) {
        TearProblem p = {inc, nsample, value, NULL};
        TearOptions o = tear_defaults();
        double begin = seconds();
        const Tear *t = tear_block(&p, &o, a);
        printf("%.2f s\n", seconds() - begin);
        tear_check(&p, t);
        assert_true(t->ntorn < 45000);
        assert_true(nsample == 0 || t->growth <= 1e3);
    }
    arena_free(a);
}

/* Numbers at many points in a block of middle size: what the search follows
 * and what is reported must be the same growth. */
static void the_result_is_accepted_whatever_the_numbers(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const int nsample = 20;
    const Incidence *inc = grid(30, a);
    double *value = NEW_ARRAY(a, double, nsample * inc->nedge);
    for (int k = 0; k < nsample * inc->nedge; k++)
        value[k] = 1 + k % 7 - k % 3;
    value[5] = NAN;
    value[6] = 0;
    value[7] = INFINITY;
    TearProblem p = {inc, nsample, value, NULL};
    for (int m = 0; m < TEAR_NMETHOD; m++) {
        TearOptions o = tear_defaults();
        o.methods = 1u << m;
        double begin = seconds();
        const Tear *t = tear_block(&p, &o, a);
        printf("%s: %d torn, growth %g, %.2f s\n", tear_method_name(m),
               t->ntorn, t->growth, seconds() - begin);
        tear_check(&p, t);
        assert_true(t->growth <= o.bound);
    }
    arena_free(a);
}

static void a_dense_block_costs_no_more_than_a_glance(void **state)
{
    (void)state;
    enum { N = 1500 };
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int k = 0; k < N * N; k++)
        edges_add(&list, k / N, k % N, EDGE_CONSTANT, 0);
    TearProblem p = {edges_end(&list, N, N, a), 0, NULL, NULL};
    TearOptions o = tear_defaults();
    double begin = seconds();
    const Tear *t = tear_block(&p, &o, a);
    printf("%.2f s\n", seconds() - begin);
    assert_int_equal(t->ntorn, N - 1);
    arena_free(a);
}

/* Tearing one unknown opens the whole ring. */
static void a_ring_of_100000_needs_one(void **state)
{
    (void)state;
    enum { N = 100000 };
    Arena *a = arena_new();
    EdgeList list = edges_begin(a);
    for (int i = 0; i < N; i++) {
        edges_add(&list, i, i, EDGE_CONSTANT, 0);
        edges_add(&list, i, (i + 1) % N, EDGE_CONSTANT, 0);
    }
    TearProblem p = {edges_end(&list, N, N, a), 0, NULL, NULL};
    TearOptions o = tear_defaults();
    double begin = seconds();
    const Tear *t = tear_block(&p, &o, a);
    printf("%.2f s\n", seconds() - begin);
    assert_int_equal(t->ntorn, 1);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_circuit_needs_one_iteration_variable),
        cmocka_unit_test(the_spring_pendulum_needs_two_its_accelerations),
        cmocka_unit_test(wishes_are_obeyed),
        cmocka_unit_test(what_cannot_be_solved_for_is_torn),
        cmocka_unit_test(a_varying_factor_is_divided_by_only_on_request),
        cmocka_unit_test(penalties_are_used_where_they_are_cheap),
        cmocka_unit_test(heat_is_torn_with_25_unknowns_and_little_growth),
        cmocka_unit_test(the_modified_heuristic_gives_25_as_in_the_book),
        cmocka_unit_test(a_looser_bound_needs_no_more_unknowns),
        cmocka_unit_test(radau_on_heat_is_torn_in_less_than_a_second),
        cmocka_unit_test(growth_is_that_of_the_causal_order),
        cmocka_unit_test(growth_is_the_largest_over_the_points),
        cmocka_unit_test(a_given_tearing_is_completed),
        cmocka_unit_test(a_block_of_90000_equations_is_torn_in_seconds),
        cmocka_unit_test(the_result_is_accepted_whatever_the_numbers),
        cmocka_unit_test(a_dense_block_costs_no_more_than_a_glance),
        cmocka_unit_test(a_ring_of_100000_needs_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
