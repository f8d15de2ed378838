/* test_mixed.c - explicit states: partitions, radii, what becomes smaller. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "tune/mixed.h"

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* Gustafsson (39), (40): x' = y, y' = -1000 x - 1001 y. By columns. */
static const double identity2[] = {1, 0, 0, 1};
static const double stiff[] = {0, -1000, 1, -1001};

static void check_split(double tau, bool x, bool y, double rho[4])
{
    Arena *a = arena_new();
    PencilSet *p = pencil_from_dense(2, 2, 1, identity2, stiff, a);
    MixOptions o = mixed_defaults();
    o.strict = true;
    bool e[2], at_old[4];
    mixed_partition(p, tau, MIX_ROW, &o, e);
    assert_int_equal(e[0], x);
    assert_int_equal(e[1], y);
    o.strict = false; /* the same on a model that decays */
    mixed_partition(p, tau, MIX_ROW, &o, e);
    assert_int_equal(e[0], x);
    assert_int_equal(e[1], y);
    for (int k = 0; k < 4; k++) {
        bool set[2] = {k / 2, k % 2};
        mixed_places(p, MIX_ROW, set, at_old);
        double radius = mixed_radius(p, 0, tau, at_old);
        assert_near(radius, rho[k], 1e-10 * rho[k]);
    }
    arena_free(a);
}

/* Reference values for E = 00, 01, 10, 11. */
static void the_stiff_oscillator_splits_as_in_the_source(void **state)
{
    (void)state;
    check_split(0.1, true, false,
                (double[]){0.9090909090909091, 109.00909842783086,
                           0.8999888739150518, 99.00000000000001});
    check_split(0.01, true, false,
                (double[]){0.9900990099009901, 9.100099107054291,
                           0.9899998988857092, 9.0});
    check_split(0.001, true, true,
                (double[]){0.9990009990009989, 0.9990009999989999,
                           0.998999998997994, 0.9989999999999999});
}

static void own_growth_is_that_of_the_exponential(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = pencil_from_dense(2, 2, 1, identity2, stiff, a);
    assert_near(mixed_own_growth(p, 0, 0.1), exp(-0.1), 1e-9);
    double one = 1, grows = 2;
    p = pencil_from_dense(1, 1, 1, &one, &grows, a);
    assert_near(mixed_own_growth(p, 0, 0.1), exp(0.2), 1e-12);
    /* I - tau Df is singular at this step */
    assert_near(mixed_own_growth(p, 0, 0.5), exp(1.0), 1e-12);
    arena_free(a);
}

/* An algebraic variable between two states does not change the figures: x1' =
 * -100 y, y = x1 - x2, x2' = -x2 is x1' = -100 x1 + 100 x2. */
static void algebraic_variables_are_looked_through(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double l[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    double df[9] = {0, 0, 1, 0, -1, -1, -100, 0, -1};
    double ode[4] = {-100, 0, 100, -1};
    PencilSet *p = pencil_from_dense(3, 2, 1, l, df, a);
    PencilSet *q = pencil_from_dense(2, 2, 1, identity2, ode, a);
    for (int k = 0; k < 4; k++) {
        bool set[2] = {k / 2, k % 2}, with[9], without[4];
        mixed_places(p, MIX_ROW, set, with);
        mixed_places(q, MIX_ROW, set, without);
        assert_near(mixed_radius(p, 0, 0.07, with),
                    mixed_radius(q, 0, 0.07, without), 1e-12);
    }
    assert_near(mixed_own_growth(p, 0, 0.07), exp(-0.07), 1e-12);
    arena_free(a);
}

/* x' = v, v' = -x: row x is the explicit one of symplectic Euler. By columns
 * the same: only v takes the old x. Both at once are explicit Euler in x. */
static void forms_of_an_oscillator(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double df[4] = {0, -1, 1, 0}, tau = 0.1;
    PencilSet *p = pencil_from_dense(2, 2, 1, identity2, df, a);
    bool x[2] = {true, false}, at_old[4];
    mixed_places(p, MIX_ROW, x, at_old);
    assert_near(mixed_radius(p, 0, tau, at_old), 1, 1e-12);
    mixed_places(p, MIX_COLUMN, x, at_old);
    assert_near(mixed_radius(p, 0, tau, at_old), 1, 1e-12);
    mixed_places(p, MIX_BOTH, x, at_old);
    assert_near(mixed_radius(p, 0, tau, at_old), sqrt(1 + tau * tau), 1e-12);
    assert_near(mixed_radius(p, 0, tau, NULL), 1 / sqrt(1 + tau * tau), 1e-12);
    arena_free(a);
}

/* The spring pendulum near (x, v, theta, omega), Gustafsson (35) to (38). */
static void spring_pendulum(const double *z, double *df)
{
    double k = 35, m = 3, g = 9.81, l = 1 + z[0], v = z[1], t = z[2], w = z[3];
    double rows[4][4] = {{0, 1, 0, 0},
                         {w * w - k / m, 0, -g * sin(t), 2 * l * w},
                         {0, 0, 0, 1},
                         {(g * sin(t) + 2 * v * w) / (l * l), -2 * w / l,
                          -g * cos(t) / l, -2 * v / l}};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            df[i + 4 * j] = rows[i][j];
}

static PencilSet *pendulum_set(Arena *a)
{
    static const double points[3][4] = {
        {1.5, 0.1, 0.785, 0.01}, {0.5, -1, 0.3, -1.2}, {1.05, 2, -0.6, 1.1}};
    double l[48] = {0}, df[48];
    for (int s = 0; s < 3; s++) {
        spring_pendulum(points[s], df + 16 * s);
        for (int i = 0; i < 4; i++)
            l[16 * s + 5 * i] = 1;
    }
    return pencil_from_dense(4, 4, 3, l, df, a);
}

/* His remark in 4.1: omega makes the loop smaller, theta beside it does
 * nothing more. */
static void only_states_that_help_are_proposed(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = pendulum_set(a);
    MixOptions o = mixed_defaults();
    o.margin = 0.01;
    const MixedList *list = mixed_find(p, 0.01, &o, a);
    assert_int_equal(list->implicit.largest, 4);
    assert_int_equal(list->everything.largest, 1);
    int omega = NONE;
    for (int i = 0; i < list->n; i++) {
        const MixedSet *s = &list->set[i];
        assert_true(s->cost < list->implicit.cost);
        assert_true(s->largest <= 4);
        if (s->form != MIX_ROW)
            continue;
        assert_false(s->is_explicit[2] && s->is_explicit[3]);
        if (s->nexplicit == 1 && s->is_explicit[3])
            omega = i;
    }
    assert_true(omega != NONE);
    assert_int_equal(list->set[omega].largest, 2);
    assert_true(list->set[omega].sound);
    /* products of steps were looked at, and can refuse what eigenvalues do not
     */
    assert_true(isfinite(list->set[omega].product_ratio));
    o.growth = 1e-3;
    list = mixed_find(p, 0.01, &o, a);
    for (int i = 0; i < list->n; i++)
        assert_false(list->set[i].sound);
    o.growth = 0;
    list = mixed_find(p, 0.01, &o, a);
    assert_true(list->set[0].sound && isnan(list->set[0].product_ratio));
    arena_free(a);
}

/* A state that is explicit in one sample only stays implicit. */
static void partition_is_the_union_of_the_fast_ones(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double l[8] = {1, 0, 0, 1, 1, 0, 0, 1};
    double df[8] = {-1, 0, 0, -500, -500, 0, 0, -500};
    PencilSet *p = pencil_from_dense(2, 2, 2, l, df, a);
    MixOptions o = mixed_defaults();
    bool e[2];
    assert_int_equal(mixed_partition(p, 0.01, MIX_ROW, &o, e), 0);
    ((Pencil *)p->sample)[1].kept_back = true;
    assert_int_equal(mixed_partition(p, 0.01, MIX_ROW, &o, e), 1);
    assert_true(e[0] && !e[1]);
    /* but the kept-back sample shows it */
    const MixedList *list = mixed_find(p, 0.01, &o, a);
    assert_int_equal(list->gustafsson.nexplicit, 1);
    assert_false(list->gustafsson.sound);
    assert_near(list->gustafsson.radius, 4, 1e-9);
    assert_int_equal(list->gustafsson.worst, 1);
    arena_free(a);
}

static void a_singular_implicit_part_is_never_sound(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double l[4] = {1, 0, 0, 0}, df[4] = {-1, 1, 1, 0}; /* index 2 */
    df[1] = 0;
    PencilSet *p = pencil_from_dense(2, 1, 1, l, df, a);
    MixOptions o = mixed_defaults();
    assert_true(isinf(mixed_radius(p, 0, 0.1, NULL)));
    assert_true(isnan(mixed_own_growth(p, 0, 0.1)));
    const MixedList *list = mixed_find(p, 0.1, &o, a);
    assert_false(list->implicit.sound);
    arena_free(a);
}

/* A ring in which one place is weak: the search finds that place alone. */
static void single_places_are_found(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double l[16] = {0}, df[16] = {0};
    for (int i = 0; i < 4; i++) {
        l[5 * i] = 1;
        df[5 * i] = -300;
        df[i + 4 * ((i + 3) % 4)] = i == 2 ? 0.01 : 200;
    }
    PencilSet *p = pencil_from_dense(4, 4, 1, l, df, a);
    MixOptions o = mixed_defaults();
    const MixedList *list = mixed_find(p, 0.1, &o, a);
    assert_true(list->n > 0 && list->set[0].sound);
    bool seen = false;
    for (int i = 0; i < list->n; i++) {
        const MixedSet *s = &list->set[i];
        if (s->form == MIX_PLACE && s->sound &&
            s->at_old[pencil_place(p, 2, 1)])
            seen = s->largest == 1;
    }
    assert_true(seen);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stiff_oscillator_splits_as_in_the_source),
        cmocka_unit_test(own_growth_is_that_of_the_exponential),
        cmocka_unit_test(algebraic_variables_are_looked_through),
        cmocka_unit_test(forms_of_an_oscillator),
        cmocka_unit_test(only_states_that_help_are_proposed),
        cmocka_unit_test(partition_is_the_union_of_the_fast_ones),
        cmocka_unit_test(a_singular_implicit_part_is_never_sound),
        cmocka_unit_test(single_places_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
