/* test_lag.c - cuts of blocks: what is found, and how well it converges. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "driver/driver.h"
#include "matrices.h"
#include "tune/lag.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* The largest block of a step of a gallery model, at its start point, with
 * another value of a parameter. */
typedef struct Loop {
    Compilation *c;
    LagBlock *b;
} Loop;

static Loop open_loop(const char *model, double step, const char *parameter,
                      double value, bool keep_aliases)
{
    const char *source = getenv("TAKT_SOURCE");
    Loop loop = {.c = driver_new()};
    DriverOptions o =
        driver_defaults(arena_printf(loop.c->arena, "%s/models/gallery/%s.mo",
                                     source ? source : ".", model));
    plan_add_edit(&o.edits, PLAN_METHOD, "be", loop.c->arena);
    plan_add_number(&o.edits, PLAN_STEP, step, loop.c->arena);
    o.keep_aliases = keep_aliases;
    o.goal = STEP_STRUCTURE;
    assert_true(driver_compile(loop.c, &o, PHASE_STEP));
    const Schedule *s = loop.c->step->schedule[loop.c->step->inlined->cycle[0]];
    if (parameter) {
        int k = sys_find_var(loop.c->sys, parameter);
        ((double *)loop.c->step->samples->value[0])[k] = value;
    }
    int largest = 0;
    for (int i = 1; i < s->nblock; i++)
        if (s->block[i].size > s->block[largest].size)
            largest = i;
    loop.b = lag_from_schedule(s, largest, loop.c->step->samples, NULL, NULL,
                               loop.c->arena);
    assert_non_null(loop.b);
    return loop;
}

static void close_loop(Loop *loop)
{
    assert_int_equal(driver_end(loop->c), 0);
}

static LagCut judge_pair(const Loop *loop, const char *eqn1, const char *var1,
                         const char *eqn2, const char *var2)
{
    int x = lag_edge(loop->b, eqn1, var1), y = lag_edge(loop->b, eqn2, var2);
    assert_true(x != NONE && y != NONE);
    int edge[2] = {x < y ? x : y, x < y ? y : x};
    LagOptions o = lag_defaults();
    LagCut cut;
    assert_true(lag_judge(loop->b, edge, 2, &o, &cut, loop->c->arena));
    return cut;
}

/* ---- the circuit of 5.3 ---- */

static void circuit_figures(double step, double radius, double norm)
{
    Loop loop = open_loop("RcNetwork", step, NULL, 0, false);
    assert_int_equal(loop.b->n, 9);
    LagCut c = judge_pair(&loop, "#5", "VC", "#9", "I2");
    assert_int_equal(c.nblock, 2);
    assert_int_equal(c.size[0], 5);
    assert_int_equal(c.size[1], 4);
    assert_true(c.parallel);
    assert_near(c.radius, radius, 1e-10);
    assert_near(c.norm, norm, 1e-9);
    assert_true(c.norm > 1 && c.iterations != NONE); /* the norm rejects it */
    close_loop(&loop);
}

static void the_circuit_converges_where_the_norm_says_no(void **state)
{
    (void)state;
    circuit_figures(1, 0.8017837257372731, 2.5274008589934476);
    circuit_figures(0.1, 0.4036036763977874, 3.6570073040869544);
    circuit_figures(0.01, 0.13980422840171347, 4.069066980793365);
    circuit_figures(0.001, 0.04466929058490512, 4.117617624656444);
}

static void the_search_finds_the_split_of_the_circuit(void **state)
{
    (void)state;
    Loop loop = open_loop("RcNetwork", 0.01, NULL, 0, false);
    LagOptions o = lag_defaults();
    const LagList *list = lag_find(loop.b, &o, loop.c->arena);
    assert_true(list->complete);
    int pair = NONE;
    for (int i = 0; i < list->n; i++) {
        const LagCut *c = &list->cut[i];
        int x = lag_edge(loop.b, "#5", "VC"), y = lag_edge(loop.b, "#9", "I2");
        if (c->nedge == 2 && (c->edge[0] == x || c->edge[1] == x) &&
            (c->edge[0] == y || c->edge[1] == y))
            pair = i;
    }
    assert_true(pair != NONE);
    close_loop(&loop);
}

static void a_cut_becomes_part_of_a_plan(void **state)
{
    (void)state;
    Loop loop = open_loop("RcNetwork", 0.01, NULL, 0, false);
    LagCut c = judge_pair(&loop, "#5", "VC", "#9", "I2");
    Plan *plan = plan_default(loop.c->arena);
    lag_to_plan(&c, CUT_ITERATE, plan, loop.c->arena);
    assert_int_equal(plan->ncut, 2);
    assert_int_equal(plan->newton, c.iterations);
    assert_string_equal(plan->cut[0].eqn, "#5");
    assert_string_equal(plan->cut[0].var, "VC");
    assert_string_equal(plan->cut[1].eqn, "#9");
    assert_string_equal(plan->cut[1].var, "I2");
    lag_to_plan(&c, CUT_STEP, plan, loop.c->arena);
    assert_int_equal(plan->ncut, 4);
    assert_int_equal(plan->cut[3].kind, CUT_STEP);
    close_loop(&loop);
}

/* The same split seen from the iteration matrix, in which the derivatives are
 * eliminated: other norms, the same eigenvalues. */
static void the_iteration_matrix_has_the_same_split(void **state)
{
    (void)state;
    Arena *a = arena_new();
    /* columns VB VC I1 I2 I3 I4 I5; R1 = 1, R2 = 2, R3 = 3, C1 = 0.5, C2 =
     * 0.25; rows int(VB), int(VC), (69), (71), (73), (74), (75) */
    static const double rows[7][7] = {
        {0, 0, 0, 0, 0, 2, 0},   {0, 0, 0, 0, 0, 0, 4},
        {-1, 0, -1, 0, 0, 0, 0}, {1, -1, 0, -2, 0, 0, 0},
        {0, 1, 0, 0, -3, 0, 0},  {0, 0, 1, -1, 0, -1, 0},
        {0, 0, 0, 1, -1, 0, -1}};
    double l[49] = {0}, df[49];
    l[0] = l[8] = 1;
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++)
            df[i + 7 * j] = rows[i][j];
    PencilSet *p = pencil_from_dense(7, 2, 1, l, df, a);
    int n;
    LagBlock **b = lag_from_pencil(p, 0.01, &n, a);
    assert_int_equal(n, 1);
    assert_int_equal(b[0]->n, 7);
    int x = lag_edge(b[0], "#2", "x2"), y = lag_edge(b[0], "#5", "y2");
    assert_true(x != NONE && y != NONE);
    int edge[2] = {x < y ? x : y, x < y ? y : x};
    LagOptions o = lag_defaults();
    LagCut c;
    assert_true(lag_judge(b[0], edge, 2, &o, &c, a));
    assert_int_equal(c.size[0], 4);
    assert_int_equal(c.size[1], 3);
    assert_true(c.parallel);
    assert_near(c.radius, 0.13980422840171347, 1e-10);
    arena_free(a);
}

/* ---- the pendulums of 6.2 ---- */

/* The norm (116) and the radius of the cut of the spring, by the step and the
 * spring's constant. */
static LagCut pendulum_cut(double step, double k)
{
    Loop loop = open_loop("CoupledPendulums", step, "k", k, true);
    assert_int_equal(loop.b->n, 8);
    LagCut c = judge_pair(&loop, "#2", "xB", "#4", "xA");
    assert_int_equal(c.nblock, 2);
    assert_int_equal(c.size[0], 4);
    assert_true(c.parallel);
    double h2 = step * step, radius = k * h2 / (1 + h2 * (9.81 + k));
    assert_near(c.radius, radius, 1e-12);
    close_loop(&loop);
    return c;
}

static void pendulums_come_apart_below_a_spring(void **state)
{
    (void)state;
    assert_near(pendulum_cut(0.1, 1.0981).norm, 1, 1e-6);
    assert_near(pendulum_cut(0.01, 1.000981).norm, 1, 1e-6);
    assert_near(pendulum_cut(0.001, 1.00000981).norm, 1, 1e-6);
}

/* Figure 26 with the radius beside the norm, from the reference. The radius
 * stays below 1 for every spring: the test of the norm is sufficient only. */
static void the_curve_of_the_pendulums(void **state)
{
    (void)state;
    static const struct {
        double step, k, norm, radius;
    } point[] = {
        {0.1, 0.1, 0.0918933673005186, 0.000909835319807115},
        {0.1, 1, 0.9114700839274432, 0.009024456276509343},
        {0.1, 10, 8.430014189132793, 0.08346548702111678},
        {0.1, 100, 48.13879224059863, 0.476621705352462},
        {0.1, 1000, 91.00656869193793, 0.9010551355637453},
        {0.01, 0.1, 0.09991098821068321, 9.990099811087215e-06},
        {0.01, 1, 0.9990200593158796, 9.989201672991496e-05},
        {0.01, 100, 98.92371864555318, 0.00989138272628268},
        {0.001, 1, 0.999990190106045, 9.99989190116855e-07},
        {0.001, 1000, 998.992207678764, 0.0009989912086875623},
    };
    printf("       h        k     norm (116)   spectral radius  iterations\n");
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        LagCut c = pendulum_cut(point[i].step, point[i].k);
        assert_near(c.norm, point[i].norm, 1e-9 * point[i].norm);
        assert_near(c.radius, point[i].radius, 1e-9 * point[i].radius);
        assert_true(c.iterations != NONE);
        printf("%8g %8g %14.6f %17.9g %11d\n", point[i].step, point[i].k,
               c.norm, c.radius, c.iterations);
    }
}

/* ---- by hand ---- */

/* A block over a matrix (by rows), with names e1.., v1..; `old` may be NULL. */
static LagBlock *block_of(int n, const double *a, const double *old,
                          Arena *arena)
{
    LagBlock *b = NEW(arena, LagBlock);
    EdgeList list = edges_begin(arena);
    double *value = NEW_ARRAY(arena, double, n *n);
    b->n = n;
    b->eqn = NEW_ARRAY(arena, const char *, n);
    b->var = NEW_ARRAY(arena, const char *, n);
    int nedge = 0;
    for (int i = 0; i < n; i++) {
        b->eqn[i] = arena_printf(arena, "e%d", i + 1);
        b->var[i] = arena_printf(arena, "v%d", i + 1);
        for (int j = 0; j < n; j++)
            if (a[i * n + j] != 0) {
                edges_add(&list, i, j, EDGE_CONSTANT, 0);
                value[nedge++] = a[i * n + j];
            }
    }
    b->inc = edges_end(&list, n, n, arena);
    b->value = value;
    b->old = old;
    b->nsample = 1;
    return b;
}

/* v1 + 0.5 v2 = .., v2 + 0.5 v1 = ..: one cut is Gauss and Seidel, whose
 * radius is the square of Jacobi's. */
static void one_cut_converges_twice_as_fast_as_two(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double m[4] = {1, 0.5, 0.5, 1};
    LagBlock *b = block_of(2, m, NULL, a);
    LagOptions o = lag_defaults();
    LagCut one, two;
    int first = lag_edge(b, "e1", "v2"), second = lag_edge(b, "e2", "v1");
    assert_true(lag_judge(b, &first, 1, &o, &one, a));
    assert_true(lag_judge(b, (int[]){first, second}, 2, &o, &two, a));
    assert_near(one.radius, 0.25, 1e-14);
    assert_near(two.radius, 0.5, 1e-14);
    assert_int_equal(two.iterations, 20); /* 2^-20 < 1e-6 */
    assert_true(one.iterations < two.iterations);
    assert_false(one.parallel);
    assert_true(two.parallel);
    assert_true(isnan(two.step_radius));
    assert_false(two.step_sound);
    arena_free(a);
}

static void a_cut_that_diverges_is_last(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double m[4] = {1, 3, 2, 1};
    LagBlock *b = block_of(2, m, NULL, a);
    b->allowed = (bool[]){false, true, true, false};
    LagOptions o = lag_defaults();
    const LagList *list = lag_find(b, &o, a);
    assert_true(list->n > 0);
    for (int i = 0; i < list->n; i++) {
        assert_int_equal(list->cut[i].iterations, NONE);
        assert_true(list->cut[i].radius > 1);
        assert_true(isinf(list->cut[i].work));
    }
    arena_free(a);
}

/* A norm above 1 with G^2 = 0: two iterations are exact. */
static void nilpotent_iterations_end(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double m[9] = {1, 0, 50, 1, 1, 0, 0, 0, 1};
    LagBlock *b = block_of(3, m, NULL, a);
    int edge = lag_edge(b, "e1", "v3");
    LagOptions o = lag_defaults();
    LagCut c;
    assert_true(lag_judge(b, &edge, 1, &o, &c, a));
    assert_true(c.norm > 50);
    assert_near(c.radius, 0, 1e-14);
    assert_int_equal(c.iterations, 2);
    arena_free(a);
}

static void without_a_matching_there_is_no_cut(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double m[4] = {1, 1, 1, 0};
    LagBlock *b = block_of(2, m, NULL, a);
    int edge = lag_edge(b, "e2", "v1");
    LagOptions o = lag_defaults();
    LagCut c;
    assert_false(lag_judge(b, &edge, 1, &o, &c, a));
    assert_int_equal(lag_edge(b, "e2", "v2"), NONE);
    arena_free(a);
}

/* x' = -y, y = 4 x: y in the integration formula of x with the old value is
 * explicit Euler, unstable for h > 0.5. Rows: x + h y = old x; y - 4 x = 0. */
static void old_values_can_make_steps_grow(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double h = 0.6, m[4] = {1, h, -4, 1}, old[4] = {-1, 0, 0, 0};
    LagBlock *b = block_of(2, m, old, a);
    int edge = lag_edge(b, "e1", "v2");
    LagOptions o = lag_defaults();
    LagCut c;
    assert_true(lag_judge(b, &edge, 1, &o, &c, a));
    assert_near(c.step_radius, 4 * h - 1, 1e-12);
    assert_false(c.step_sound);
    const LagList *list = lag_find(b, &o, a);
    assert_near(list->own_radius, 1 / (1 + 4 * h), 1e-12);
    arena_free(a);
}

/* Three unknowns need the two that are computed before them. */
static void the_largest_block_of_a_pencil_is_the_first(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {
        -1, 1,  0,  0,  0,  /* x1 and x2 */
        1,  -2, 0,  0,  0,  /* */
        1,  0,  -1, 1,  0,  /* x3, x4 and x5 with x1 */
        0,  0,  0,  -1, 1,  /* */
        0,  0,  1,  0,  -1, /* */
    };
    int n = 0;
    LagBlock **b = lag_from_pencil(pencil_rows(5, 5, 1, df, a), 0.1, &n, a);
    assert_int_equal(n, 2);
    assert_int_equal(b[0]->n, 3);
    assert_int_equal(b[1]->n, 2);
    arena_free(a);
}

static void a_singular_pencil_has_no_blocks(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 1, 0}; /* nothing determines y1 */
    int n = 7;
    assert_non_null(lag_from_pencil(pencil_rows(2, 1, 1, df, a), 0.1, &n, a));
    assert_int_equal(n, 0);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_circuit_converges_where_the_norm_says_no),
        cmocka_unit_test(the_search_finds_the_split_of_the_circuit),
        cmocka_unit_test(a_cut_becomes_part_of_a_plan),
        cmocka_unit_test(the_iteration_matrix_has_the_same_split),
        cmocka_unit_test(pendulums_come_apart_below_a_spring),
        cmocka_unit_test(the_curve_of_the_pendulums),
        cmocka_unit_test(one_cut_converges_twice_as_fast_as_two),
        cmocka_unit_test(a_cut_that_diverges_is_last),
        cmocka_unit_test(nilpotent_iterations_end),
        cmocka_unit_test(without_a_matching_there_is_no_cut),
        cmocka_unit_test(the_largest_block_of_a_pencil_is_the_first),
        cmocka_unit_test(a_singular_pencil_has_no_blocks),
        cmocka_unit_test(old_values_can_make_steps_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
