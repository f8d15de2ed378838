/* test_spectrum.c - modes, groups and shares; what cannot be analysed. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "matrices.h"
#include "tune/spectrum.h"

static const Spectrum *of(const PencilSet *p, double tau, Arena *a)
{
    return spectrum_make(p, 0, tau, NULL, a);
}

static void modes_fall_into_groups(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {
        -1000, 0,   0,  0, 0, 0,   0, /* stiff */
        0,     0,   10, 0, 0, 0,   0, /* an undamped oscillation of 10 1/s */
        0,     -10, 0,  0, 0, 0,   0,   0, 0, 0, -0.5, 0, 0, 0, /* slow */
        0,     0,   0,  0, 0, 0,   0,                           /* constant */
        0,     0,   0,  0, 0, 500, 0,   /* superstable */
        0,     0,   0,  0, 0, 0,   0.1, /* unstable */
    };
    PencilSet *p = pencil_rows(7, 7, 1, df, a);
    const Spectrum *s = of(p, 0.01, a);
    assert_int_equal(s->code, TUNE_FINE);
    assert_int_equal(s->count[MODE_STIFF], 1);
    assert_int_equal(s->count[MODE_OSCILLATORY], 2);
    assert_int_equal(s->count[MODE_SLOW], 2);
    assert_int_equal(s->count[MODE_SUPERSTABLE], 1);
    assert_int_equal(s->count[MODE_UNSTABLE], 1);
    assert_true(fabs(s->radius - 1 / (1 - 0.001)) < 1e-12);
    assert_true(s->explicit_step < 1e-12); /* the oscillation has no damping */
    assert_string_equal(mode_kind_text(MODE_SUPERSTABLE), "superstable");
    arena_free(a);
}

static void explicit_euler_has_a_largest_step(void **state)
{
    (void)state;
    Arena *a = arena_new();
    /* x' = y, y' = -1000 x - 1001 y: eigenvalues -1 and -1000 */
    const double df[] = {0, 1, -1000, -1001};
    const Spectrum *s = of(pencil_rows(2, 2, 1, df, a), 0.01, a);
    assert_true(fabs(s->explicit_step - 2e-3) < 1e-9);
    const double nothing[] = {0, 1, 0, 0};
    s = of(pencil_rows(2, 2, 1, nothing, a), 0.01, a);
    assert_int_equal(s->code, TUNE_FINE);
    assert_true(isinf(s->explicit_step));
    arena_free(a);
}

static void the_hidden_gamma_is_found(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Spectrum *s = of(schiela_4_1(-1, -2, -100, 1e-6, a), 0.01, a);
    assert_int_equal(s->code, TUNE_FINE);
    assert_int_equal(s->nmode, 2);
    assert_true(fabs(creal(s->mode[0].mu) + 2) < 1e-9);
    assert_true(fabs(creal(s->mode[1].mu) + 100) < 1e-6);
    arena_free(a);
}

static void shares_name_the_states_of_a_mode(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 0, 0, 0, 100, 0, -100, -1};
    PencilSet *p = pencil_rows(3, 3, 1, df, a);
    const Spectrum *s = of(p, 0.01, a);
    for (int i = 0; i < 3; i++) {
        bool is_slow = s->mode[i].kind == MODE_SLOW;
        const char *names = spectrum_states(p, s, s->mode[i].cluster, 3, a);
        assert_string_equal(names, is_slow ? "x1" : "x2, x3");
    }
    for (int k = 0; k < s->ncluster; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += s->cluster[k].share[i];
        assert_true(fabs(sum - 1) < 1e-12);
    }
    arena_free(a);
}

/* A Jordan block of size three: a chain of integrators with friction. */
static void defective_eigenvalues_stay_together(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 1, 0, 0, 0, -1, 1, 0, 0, 0, -1, 0, 0, 0, 0, -50};
    const Spectrum *s = of(pencil_rows(4, 4, 1, df, a), 0.1, a);
    assert_int_equal(s->code, TUNE_FINE);
    assert_int_equal(s->ncluster, 2);
    int large = s->cluster[0].size == 3 ? 0 : 1;
    assert_int_equal(s->cluster[large].size, 3);
    assert_true(s->cluster[large].projector < 2);
    for (int l = 0; l < 3; l++)
        assert_int_equal(s->mode[s->cluster[large].mode[l]].kind, MODE_SLOW);
    arena_free(a);
}

/* Two eigenvalues 1e-3 apart whose vectors are nearly parallel. */
static void what_cannot_be_separated_is_united(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 1e5, 0, 0, -1.001, 0, 0, 0, -30};
    PencilSet *p = pencil_rows(3, 3, 1, df, a);
    /* balancing cannot help: x3 sees both */
    const double tied[] = {-1, 1e3, 0, 1e-12, -1.0001, 0, 1, 1, -30};
    PencilSet *q = pencil_rows(3, 3, 1, tied, a);
    assert_int_equal(of(p, 0.1, a)->code, TUNE_FINE);
    ClusterOptions strict = {.worst_projector = 10};
    const Spectrum *s = spectrum_make(q, 0, 0.1, &strict, a);
    assert_int_equal(s->code, TUNE_FINE);
    for (int k = 0; k < s->ncluster; k++)
        assert_true(s->cluster[k].projector <= 10);
    arena_free(a);
}

static void a_singular_matrix_is_named(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {100, 0, 0, -1}; /* 1 - tau mu = 0 */
    const Spectrum *s = of(pencil_rows(2, 2, 1, df, a), 0.01, a);
    assert_int_equal(s->code, TUNE_SINGULAR);
    assert_non_null(strstr(s->why, "x1"));
    assert_non_null(strstr(s->why, "singular"));
    assert_int_equal(s->nmode, 0);
    arena_free(a);
}

/* x' = y, 0 = x - u: the index is 2, and y has no equation of its own. */
static void an_index_above_one_is_named(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {0, 1, 1, 0};
    const Spectrum *s = of(pencil_rows(2, 1, 1, df, a), 0.01, a);
    assert_int_equal(s->code, TUNE_HIGHER_INDEX);
    assert_non_null(strstr(s->why, "y1"));
    assert_int_equal(s->nmode, 2); /* by QZ on the whole pair */
    for (int i = 0; i < 2; i++)
        assert_true(cabs(s->mode[i].lambda) < 1e-6);
    arena_free(a);
}

/* x1' = y, 0 = x1 - u, and beside it x2' = -100 x2: a step of backward Euler of
 * 0.01 halves x2 and leaves nothing of what x1 and y were. */
static void a_higher_index_leaves_other_modes_as_they_are(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {0, 0, 1, 0, -100, 0, 1, 0, 0};
    const Spectrum *s = of(pencil_rows(3, 2, 1, df, a), 0.01, a);
    assert_int_equal(s->code, TUNE_HIGHER_INDEX);
    assert_int_equal(s->nmode, 3);
    int halved = 0, gone = 0;
    for (int i = 0; i < 3; i++) {
        halved += cabs(s->mode[i].lambda - 0.5) < 1e-9;
        gone += cabs(s->mode[i].lambda) < 1e-6;
    }
    assert_int_equal(halved, 1);
    assert_int_equal(gone, 2);
    arena_free(a);
}

static void two_dependent_algebraic_equations_are_named(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 0, 1, 1, 2, 1, 1, 2};
    const Spectrum *s = of(pencil_rows(3, 1, 1, df, a), 0.01, a);
    assert_int_equal(s->code, TUNE_SINGULAR);
    assert_non_null(strstr(s->why, "y1"));
    arena_free(a);
}

static void what_is_not_finite_is_refused(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {NAN, 0, 0, -1}, inf[] = {-1, INFINITY, 0, -1};
    assert_int_equal(of(pencil_rows(2, 2, 1, df, a), 0.01, a)->code,
                     TUNE_NOT_FINITE);
    assert_int_equal(of(pencil_rows(2, 2, 1, inf, a), 0.01, a)->code,
                     TUNE_NOT_FINITE);
    arena_free(a);
}

/* The same circuit in volts and in microvolts. */
static void units_do_not_matter(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-3, 1, 2, 0.5, -4, 1, 1, 0.2, -2};
    const double unit[] = {1, 1e6, 1e-7};
    double scaled[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            scaled[3 * i + j] = df[3 * i + j] * unit[j] / unit[i];
    const Spectrum *s = of(pencil_rows(3, 3, 1, df, a), 0.1, a);
    const Spectrum *t = of(pencil_rows(3, 3, 1, scaled, a), 0.1, a);
    for (int i = 0; i < 3; i++)
        assert_true(cabs(s->mode[i].lambda - t->mode[i].lambda) < 1e-13);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_fall_into_groups),
        cmocka_unit_test(explicit_euler_has_a_largest_step),
        cmocka_unit_test(the_hidden_gamma_is_found),
        cmocka_unit_test(shares_name_the_states_of_a_mode),
        cmocka_unit_test(defective_eigenvalues_stay_together),
        cmocka_unit_test(what_cannot_be_separated_is_united),
        cmocka_unit_test(a_singular_matrix_is_named),
        cmocka_unit_test(an_index_above_one_is_named),
        cmocka_unit_test(a_higher_index_leaves_other_modes_as_they_are),
        cmocka_unit_test(two_dependent_algebraic_equations_are_named),
        cmocka_unit_test(what_is_not_finite_is_refused),
        cmocka_unit_test(units_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
