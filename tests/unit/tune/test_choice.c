/* test_choice.c - which entries are kept, dropped, frozen; at what cost. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "matrices.h"
#include "pipe.h"
#include "tune/certificate.h"
#include "tune/choice.h"
#include "tune/search.h"

static Choice choose(const PencilSet *p, ChoiceOptions o, Arena *a)
{
    return choice_make(p, &o, NULL, a);
}

/* (4.1): the tiny entries make gamma = -100 of alpha = -1. The criterion keeps
 * them and gives up the others; by magnitude it is the other way round. */
static void the_hidden_gamma_is_kept(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = schiela_4_1(-1, -2, -100, 1e-6, a);
    ChoiceOptions o = {.tau = 0.01, .rho = 0.1};
    Choice c = choose(p, o, a);
    assert_int_equal(c.code, TUNE_FINE);
    assert_true(is_kept(p, c.keep, 0, 2));
    assert_true(is_kept(p, c.keep, 2, 0));
    assert_true(is_kept(p, c.keep, 2, 2));
    assert_false(is_kept(p, c.keep, 0, 0));
    assert_false(is_kept(p, c.keep, 1, 1));
    assert_true(c.worst_ratio <= 1);
    arena_free(a);
}

/* What holds in a sample holds in all that have its matrices, and need not be
 * tested there again. */
static void equal_samples_are_tested_once(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double l[4] = {1, 1, 1, 1}, df[4] = {-1, -2, -1, -1};
    PencilSet *p = pencil_from_dense(1, 1, 4, l, df, a);
    const PencilSet *one = pencil_from_dense(1, 1, 2, l, df, a);
    assert_int_equal(p->sample[1].same, 1);
    assert_int_equal(p->sample[2].same, 0);
    assert_int_equal(p->sample[3].same, 0);
    assert_false(pencil_is_repeated(p, 0) || pencil_is_repeated(p, 1));
    assert_true(pencil_is_repeated(p, 2) && pencil_is_repeated(p, 3));
    ((Pencil *)p->sample)[0].kept_back = true; /* then the third is new */
    assert_false(pencil_is_repeated(p, 2));
    assert_true(pencil_is_repeated(p, 3));
    ((Pencil *)p->sample)[0].kept_back = false;
    ChoiceOptions o = {.tau = 0.01, .rho = 0.1};
    Choice four = choose(p, o, a), two = choose(one, o, a);
    assert_int_equal(four.tests, two.tests);
    assert_true(four.worst_ratio == two.worst_ratio);
    arena_free(a);
}

/* A tridiagonal matrix needs three groups of columns, one with a full row as
 * many as it has columns, a diagonal one; and one evaluation at the point. */
static void columns_share_evaluations(void **state)
{
    (void)state;
    enum { N = 7 };
    Arena *a = arena_new();
    double df[3 * N * N] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            df[i * N + j] = abs(i - j) <= 1;
            df[N * N + i * N + j] = i == 3 || i == j;
            df[2 * N * N + i * N + j] = i == j;
        }
    static const int want[] = {4, N + 1, 2};
    for (int k = 0; k < 3; k++)
        assert_int_equal(
            pencil_evaluations(pencil_rows(N, N, 1, df + k * N * N, a), NULL),
            want[k]);
    PencilSet *full = pencil_rows(N, N, 1, df + N * N, a);
    bool *keep = NEW_ARRAY(a, bool, full->nnz);
    for (int j = 0; j < N; j++)
        keep[pencil_place(full, j, j)] = true;
    assert_int_equal(pencil_evaluations(full, keep), 2);
    arena_free(a);
}

static void magnitude_loses_the_hidden_gamma(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = schiela_4_1(-1, -2, -100, 1e-6, a);
    ChoiceOptions o = {.tau = 0.01, .rho = 0.1};
    ChoiceSample s = choice_sample(p, 0, &o, a);
    bool keep[9];
    criterion_magnitude(p, 0, o.tau, 1e-3, keep);
    assert_true(is_kept(p, keep, 0, 0) && is_kept(p, keep, 1, 1));
    assert_false(is_kept(p, keep, 0, 2) || is_kept(p, keep, 2, 2));
    assert_int_equal(choice_test(p, &s, &o, keep, NULL, NULL).test,
                     CHOICE_SINGULAR);
    keep[pencil_place(p, 2, 2)] = true; /* regular, but gamma is lost */
    assert_int_equal(choice_test(p, &s, &o, keep, NULL, NULL).test,
                     CHOICE_MOVED);
    arena_free(a);
}

static void the_pipe_may_be_bidiagonal(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = pipe_pencil(a);
    bool *keep = NEW_ARRAY(a, bool, p->nnz);
    pipe_bidiagonal(p, keep);
    static const double steps[] = {1e-3, 1e-2, 0.1};
    for (int i = 0; i < 3; i++) {
        CertificateOptions o = {.choice = {.tau = steps[i], .rho = 0.1}};
        Certificate c = certificate_make(p, &o, keep, NULL, NULL, a);
        assert_true(c.is_safe);
        assert_true(c.radius < 1 && c.ratio < 0.1);
    }
    arena_free(a);
}

/* The choice finds at least what Loderer found by hand. */
static void the_choice_on_the_pipe_is_no_larger(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = pipe_pencil(a);
    bool *keep = NEW_ARRAY(a, bool, p->nnz);
    pipe_bidiagonal(p, keep);
    ChoiceOptions o = {.tau = 0.01, .rho = 0.1};
    Choice c = choose(p, o, a);
    assert_int_equal(c.code, TUNE_FINE);
    assert_true(c.nnz <= choice_nnz(p, keep));
    assert_true(c.worst_ratio <= 1 && c.radius < 1);
    arena_free(a);
}

static void forced_entries_are_kept(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0.001, 0.001, -2};
    PencilSet *p = pencil_rows(2, 2, 1, df, a);
    bool force[4] = {false};
    force[pencil_place(p, 0, 1)] = true;
    Choice c = choose(p, (ChoiceOptions){.tau = 1e-3}, a);
    assert_false(is_kept(p, c.keep, 0, 1));
    c = choose(p, (ChoiceOptions){.tau = 1e-3, .force = force}, a);
    assert_true(is_kept(p, c.keep, 0, 1));
    assert_false(is_kept(p, c.keep, 1, 0));
    arena_free(a);
}

/* Each sample needs another stiff entry; the pattern has both. */
static void the_pattern_grows_over_samples(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1000, 0, 0, -1, -1, 0, 0, -1000};
    PencilSet *p = pencil_rows(2, 2, 2, df, a);
    Choice c = choose(p, (ChoiceOptions){.tau = 0.01}, a);
    assert_true(is_kept(p, c.keep, 0, 0) && is_kept(p, c.keep, 1, 1));
    ((Pencil *)p->sample)[1].kept_back = true;
    c = choose(p, (ChoiceOptions){.tau = 0.01}, a);
    assert_true(is_kept(p, c.keep, 0, 0) && !is_kept(p, c.keep, 1, 1));
    arena_free(a);
}

static void a_kept_back_sample_refuses_a_plan(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1000, 0, 0, -1, -1, 0, 0, -1000};
    PencilSet *p = pencil_rows(2, 2, 2, df, a);
    ((Pencil *)p->sample)[1].kept_back = true;
    CertificateOptions o = {.choice = {.tau = 0.01}};
    Choice c = choice_make(p, &o.choice, NULL, a);
    Certificate r = certificate_make(p, &o, c.keep, c.frozen, NULL, a);
    assert_false(r.is_safe);
    assert_int_equal(r.test, CHOICE_MOVED);
    assert_int_equal(r.sample, 1);
    assert_non_null(strstr(r.why, "kept back"));
    assert_non_null(strstr(r.why, "stiff mode of x2"));
    assert_int_equal(r.row[0].figures.test, CHOICE_PASSED);
    arena_free(a);
}

/* (5.1) with rho = 1 would allow |lambda~| = 1.01. */
static void a_mode_may_not_grow(void **state)
{
    (void)state;
    Arena *a = arena_new();
    /* an oscillation, explicit without its couplings */
    const double df[] = {0, 1, -1, 0};
    PencilSet *p = pencil_rows(2, 2, 1, df, a);
    ChoiceOptions o = {.tau = 0.01, .rho = 1, .rho_m = 0.1};
    ChoiceSample s = choice_sample(p, 0, &o, a);
    bool none[4] = {false};
    ChoiceFigures f = choice_test(p, &s, &o, none, NULL, NULL);
    assert_int_equal(f.test, CHOICE_GROWS);
    assert_true(f.worst_ratio < 1 && f.radius > 1);
    arena_free(a);
}

static void an_unstable_model_is_handled(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {2, 0.001, 0, 0.001, -500, 1, 0, 0, -1};
    PencilSet *p = pencil_rows(3, 3, 1, df, a);
    CertificateOptions o = {.choice = {.tau = 0.01, .rho = 0.1}};
    Choice c = choice_make(p, &o.choice, NULL, a);
    assert_int_equal(c.code, TUNE_FINE);
    assert_true(c.radius > 1); /* the model's own growth */
    assert_true(is_kept(p, c.keep, 1, 1));
    Certificate r = certificate_make(p, &o, c.keep, NULL, NULL, a);
    assert_true(r.is_safe);
    assert_true(r.radius <= r.exact_radius + 1e-6);
    arena_free(a);
}

static void a_singular_df_is_no_obstacle(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {0, 1, 0, 0, 0, 1, 0, 0, -300}; /* integrators */
    PencilSet *p = pencil_rows(3, 3, 1, df, a);
    Choice c = choose(p, (ChoiceOptions){.tau = 0.01, .rho = 0.05}, a);
    assert_int_equal(c.code, TUNE_FINE);
    assert_true(is_kept(p, c.keep, 2, 2));
    assert_true(c.worst_ratio <= 1 && fabs(c.radius - 1) < 1e-6);
    arena_free(a);
}

static void triple_integrators_are_no_growth(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {0, 1, 0, 0, 0, 1, 0, 0, 0};
    PencilSet *p = pencil_rows(3, 3, 1, df, a);
    ChoiceOptions o = {.tau = 0.01};
    ChoiceSample s = choice_sample(p, 0, &o, a);
    assert_int_equal(choice_test(p, &s, &o, NULL, NULL, NULL).test,
                     CHOICE_PASSED);
    arena_free(a);
}

static void a_mass_matrix_that_varies_is_refused(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double l[] = {1, 2}, df[] = {-1, -1};
    PencilSet *p = pencil_from_dense(1, 1, 2, l, df, a);
    Choice c = choose(p, (ChoiceOptions){.tau = 0.01}, a);
    assert_int_equal(c.code, TUNE_MASS_VARIES);
    assert_non_null(strstr(c.why, "int(x1)"));
    assert_true(c.keep[0]);
    arena_free(a);
}

static void what_cannot_be_analysed_keeps_everything(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double index2[] = {0, 1, 1, 0}, bad[] = {NAN, 1, 1, -1};
    Choice c =
        choose(pencil_rows(2, 1, 1, index2, a), (ChoiceOptions){.tau = 0.1}, a);
    assert_int_equal(c.code, TUNE_HIGHER_INDEX);
    assert_int_equal(c.ndropped, 0);
    assert_int_equal(c.bad_sample, 0);
    c = choose(pencil_rows(2, 2, 1, bad, a), (ChoiceOptions){.tau = 0.1}, a);
    assert_int_equal(c.code, TUNE_NOT_FINITE);
    PencilSet *none = pencil_rows(2, 2, 0, index2, a);
    c = choose(none, (ChoiceOptions){.tau = 0.1}, a);
    assert_int_equal(c.code, TUNE_NO_SAMPLES);
    CertificateOptions o = {.choice = {.tau = 0.1}};
    assert_false(certificate_make(none, &o, NULL, NULL, NULL, a).is_safe);
    PencilSet *two = pencil_rows(2, 1, 1, index2, a);
    Certificate r = certificate_make(two, &o, NULL, NULL, NULL, a);
    assert_false(r.is_safe);
    assert_int_equal(r.code, TUNE_HIGHER_INDEX);
    arena_free(a);
}

/* 0 = x - y1 - 2 y2, 0 = x - 2 y1 - y2: without the twos the iteration for y
 * diverges, however small the step. */
static void the_algebraic_iteration_must_contract(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 0, 1, -1, -2, 1, -2, -1};
    static const int dropped[][2] = {{1, 2}, {2, 1}};
    PencilSet *p = pencil_rows(3, 1, 1, df, a);
    ChoiceOptions o = {.tau = 1e-3, .rho = 1, .rho_m = 10, .slack = 10};
    ChoiceSample s = choice_sample(p, 0, &o, a);
    ChoiceFigures f =
        choice_test(p, &s, &o, keep_without(p, 2, dropped, a), NULL, NULL);
    assert_int_equal(f.test, CHOICE_ALGEBRAIC);
    assert_true(fabs(f.contraction - 2) < 1e-6);
    /* one of them alone does no harm: y1 follows from y2 */
    f = choice_test(p, &s, &o, keep_without(p, 1, dropped, a), NULL, NULL);
    assert_true(f.contraction > 1); /* I - J22^-1 g_y has 4 on its diagonal */
    const double weak[] = {-1, 0, 0, 1, -4, -1, 1, -1, -4};
    p = pencil_rows(3, 1, 1, weak, a);
    s = choice_sample(p, 0, &o, a);
    f = choice_test(p, &s, &o, keep_without(p, 2, dropped, a), NULL, NULL);
    assert_int_equal(f.test, CHOICE_PASSED);
    assert_true(fabs(f.contraction - 0.25) < 1e-9);
    arena_free(a);
}

static void extrapolation_keeps_the_algebraic_part(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 1,  0,     0, -2, 0,     1,
                         1,  0, -3, 0.001, 0, 1,  0.001, -5};
    PencilSet *p = pencil_rows(4, 2, 1, df, a);
    Choice c = choose(p, (ChoiceOptions){.tau = 0.01, .rho = 0.5}, a);
    assert_false(is_kept(p, c.keep, 2, 3));
    c = choose(p, (ChoiceOptions){.tau = 0.01, .rho = 0.5, .order = 3}, a);
    assert_true(is_kept(p, c.keep, 2, 3) && is_kept(p, c.keep, 3, 2));
    arena_free(a);
}

/* One step of an oscillation without one of its couplings turns the state
 * without growth; the extrapolated step makes it grow. */
static void the_extrapolated_step_itself_is_tested(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1.95};
    PencilSet *p = pencil_rows(1, 1, 1, df, a);
    bool none[1] = {false};
    ChoiceOptions o = {.tau = 1, .rho = 4, .order = 8};
    ChoiceSample s = choice_sample(p, 0, &o, a);
    ChoiceFigures f = choice_test(p, &s, &o, none, NULL, NULL);
    double z = -1.95, sum = 0; /* sum of w_j (1 + z/j)^j */
    for (int j = 1; j <= 8; j++) {
        double w = 1;
        for (int i = 1; i <= 8; i++)
            w *= i == j ? 1 : (double)j / (j - i);
        sum += w * pow(1 + z / j, j);
    }
    assert_true(fabs(f.extrapolated - fabs(sum)) < 1e-9);
    const double oscillation[] = {0, 1, -1, -0.1};
    static const int dropped[][2] = {{0, 1}};
    p = pencil_rows(2, 2, 1, oscillation, a);
    bool *keep = keep_without(p, 1, dropped, a);
    o = (ChoiceOptions){.tau = 1.7, .rho = 10};
    s = choice_sample(p, 0, &o, a);
    assert_int_equal(choice_test(p, &s, &o, keep, NULL, NULL).test,
                     CHOICE_PASSED);
    o.order = 3;
    s = choice_sample(p, 0, &o, a);
    f = choice_test(p, &s, &o, keep, NULL, NULL);
    assert_int_equal(f.test, CHOICE_EXTRAPOLATED);
    assert_true(f.radius < 0.95 && f.extrapolated > 1.01);
    arena_free(a);
}

/* An entry that varies by 1 % can be a constant, one that varies by its whole
 * size cannot. */
static void entries_are_frozen_to_their_mean(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1000, 0, 0, -900, -1010, 0, 0, -1};
    PencilSet *p = pencil_rows(2, 2, 2, df, a);
    ChoiceOptions o = {.tau = 0.01, .rho = 0.1, .freeze = true};
    Choice c = choose(p, o, a);
    assert_int_equal(c.nfrozen, 1);
    assert_true(fabs(c.frozen[pencil_place(p, 0, 0)] + 1005) < 1e-9);
    assert_true(isnan(c.frozen[pencil_place(p, 1, 1)]));
    assert_true(c.worst_ratio <= 1);
    CertificateOptions co = {.choice = o};
    assert_true(certificate_make(p, &co, c.keep, c.frozen, NULL, a).is_safe);
    arena_free(a);
}

/* Two matrices that each damp both modes, and whose product grows: frozen
 * spectra alone prove nothing. */
static void products_of_steps_are_looked_at(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-5, 40, 0, -5, -5, 0, 40, -5,
                         -5, 40, 0, -5, -5, 0, 40, -5};
    PencilSet *p = pencil_rows(2, 2, 4, df, a);
    for (int s = 0; s < 4; s++)
        ((Pencil *)p->sample)[s].time = 0.1 * s;
    static const int dropped[][2] = {{0, 1}, {1, 0}};
    bool *keep = keep_without(p, 2, dropped, a);
    CertificateOptions o = {.choice = {.tau = 0.1, .rho = 1}};
    Certificate c = certificate_make(p, &o, keep, NULL, NULL, a);
    for (int s = 0; s < 4; s++) /* triangular: the spectrum does not move */
        assert_int_equal(c.row[s].figures.test, CHOICE_PASSED);
    assert_true(c.product > 10);
    assert_true(c.product_exact >= c.product_ratio / 100);
    o.growth = 1.5;
    c = certificate_make(p, &o, keep, NULL, NULL, a);
    assert_false(c.is_safe && c.product_ratio > 1.5);
    arena_free(a);
}

/* ---- cost ---- */
static int calls;

static double entries_of_row_two(void *context, const bool *keep)
{
    const PencilSet *p = context;
    double cost = 0;
    calls++;
    for (int j = 0; j < p->n; j++)
        cost += is_kept(p, keep, 1, j);
    return cost;
}

static void a_cheaper_pattern_is_found_and_never_a_dearer_one(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-400, 3, 2,  1,   3, -300, 2,   0.5,
                         1,    2, -1, 0.1, 1, 1,    0.1, -2};
    PencilSet *p = pencil_rows(4, 4, 1, df, a);
    ChoiceOptions o = {.tau = 0.01, .rho = 0.1};
    bool all[16];
    memset(all, 1, sizeof all);
    Choice full = choose(p, o, a);
    full.keep = all; /* as if nothing had been dropped */
    double before, after;
    Choice c = search_improve(p, &o, &full, NULL, NULL, &before, &after, a);
    assert_true(after < before);
    assert_true(after == search_flops(p, o.tau, c.keep));
    assert_true(c.worst_ratio <= 1);
    SearchOptions own = {.cost = entries_of_row_two, .context = p};
    c = search_improve(p, &o, &full, &own, NULL, &before, &after, a);
    assert_true(calls > 0 && before == 4 && after < 4);
    assert_true(is_kept(p, c.keep, 1, 1));
    Choice source = choose(p, o, a);
    search_improve(p, &o, &source, NULL, NULL, &before, &after, a);
    assert_true(after <= before);
    arena_free(a);
}

/* Two stiff pairs tied by weak entries fall apart. */
static void a_block_is_split(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-500, 400, 0.01, 0,   300, -600, 0,   0.01,
                         0.01, 0,   -700, 200, 0,   0.01, 500, -800};
    PencilSet *p = pencil_rows(4, 4, 1, df, a);
    ChoiceOptions o = {.tau = 0.01, .rho = 0.001};
    Choice start = choose(p, o, a);
    bool all[16];
    memset(all, 1, sizeof all);
    start.keep = all;
    Choice c = search_improve(p, &o, &start, NULL, NULL, NULL, NULL, a);
    assert_false(is_kept(p, c.keep, 0, 2) || is_kept(p, c.keep, 3, 1));
    assert_true(is_kept(p, c.keep, 0, 1) && is_kept(p, c.keep, 3, 2));
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hidden_gamma_is_kept),
        cmocka_unit_test(equal_samples_are_tested_once),
        cmocka_unit_test(columns_share_evaluations),
        cmocka_unit_test(magnitude_loses_the_hidden_gamma),
        cmocka_unit_test(the_pipe_may_be_bidiagonal),
        cmocka_unit_test(the_choice_on_the_pipe_is_no_larger),
        cmocka_unit_test(forced_entries_are_kept),
        cmocka_unit_test(the_pattern_grows_over_samples),
        cmocka_unit_test(a_kept_back_sample_refuses_a_plan),
        cmocka_unit_test(a_mode_may_not_grow),
        cmocka_unit_test(an_unstable_model_is_handled),
        cmocka_unit_test(a_singular_df_is_no_obstacle),
        cmocka_unit_test(triple_integrators_are_no_growth),
        cmocka_unit_test(a_mass_matrix_that_varies_is_refused),
        cmocka_unit_test(what_cannot_be_analysed_keeps_everything),
        cmocka_unit_test(the_algebraic_iteration_must_contract),
        cmocka_unit_test(extrapolation_keeps_the_algebraic_part),
        cmocka_unit_test(the_extrapolated_step_itself_is_tested),
        cmocka_unit_test(entries_are_frozen_to_their_mean),
        cmocka_unit_test(products_of_steps_are_looked_at),
        cmocka_unit_test(a_cheaper_pattern_is_found_and_never_a_dearer_one),
        cmocka_unit_test(a_block_is_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
