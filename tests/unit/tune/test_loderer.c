/* test_loderer.c - indicators of a whole sparsing, on the pipe and on examples
 * made to part them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "matrices.h"
#include "pipe.h"
#include "tune/loderer.h"

static void close_to(double value, double expected, double relative)
{
    if (fabs(value - expected) > relative * fabs(expected))
        fail_msg("%.10g is not %.10g", value, expected);
}

static const double fast[] = {1016.4230918422578, 1013.1974449166147,
                              1009.9945008702698, 1006.8093220255814,
                              1003.646600842725};
static const double species[] = {757.2641720282, 754.8614810468455,
                                 752.4741738749816, 750.1021520140516,
                                 747.7453175961597};
static const double slow[] = {0.03263091815037486, 0.03623566488702619,
                              0.04521338222933951, 0.056306557053977566,
                              0.06528094695663787};

static void the_pipe_has_its_spectrum(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const PencilSet *p = pipe_pencil(a);
    const Spectrum *s = spectrum_make(p, 0, 1e-3, NULL, a);
    assert_int_equal(s->code, TUNE_FINE);
    for (int i = 0; i < 5; i++) { /* largest lambda first: the slow ones */
        close_to(-creal(s->mode[i].mu), slow[i], 1e-5);
        assert_int_equal(s->mode[i].kind, MODE_SLOW);
    }
    for (int i = 0; i < 5; i++)
        close_to(-creal(s->mode[20 + i].mu), fast[4 - i], 1e-5);
    for (int i = 0; i < 15; i++)
        close_to(-creal(s->mode[5 + i].mu), species[4 - i / 3], 1e-5);
    arena_free(a);
}

/* Loderer says there are no multiple eigenvalues; there are five triples. */
static void triple_eigenvalues_of_the_pipe_are_clusters(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const PencilSet *p = pipe_pencil(a);
    const Spectrum *s = spectrum_make(p, 0, 1e-2, NULL, a);
    for (int k = 0; k < s->ncluster; k++) {
        const ModeCluster *c = &s->cluster[k];
        int species_in = 0;
        assert_true(c->projector < 1e5);
        for (int l = 0; l < c->size; l++) {
            double mu = -creal(s->mode[c->mode[l]].mu);
            species_in += mu > 700 && mu < 800;
        }
        assert_int_equal(species_in % 3, 0);
        for (int i = 15; i < 25 && species_in > 0; i++)
            assert_true(c->share[i] < 1e-9); /* no temperature takes part */
    }
    assert_int_equal(s->count[MODE_STIFF] + s->count[MODE_SLOW], 25);
    assert_int_equal(s->count[MODE_SLOW], 5);
    arena_free(a);
}

/* The figures are those of the same matrices in 60 digits. Single changes of
 * the gas are badly conditioned, one in 1e10: in a double with a matrix that is
 * not balanced they are rounding, off by 20 % to 800 %. */
static void the_pipe_has_its_indicators(void **state)
{
    (void)state;
    static const struct {
        double dt, d_r, d_2, root, d_s;
    } expected[] = {
        {0.001, 2.91198052446e-7, 2.9741149364e-6, 1.25075969153e-7,
         1.97450704925e-7},
        {0.01, 4.86695186269e-6, 5.04081400465e-5, 1.75112074183e-6,
         1.79129217863e-6},
        {0.1, 0.00015503232606, 0.000544035856311, 6.13617612749e-5,
         0.000117861916417},
    };
    Arena *a = arena_new();
    const PencilSet *p = pipe_pencil(a);
    bool *keep = NEW_ARRAY(a, bool, p->nnz);
    pipe_bidiagonal(p, keep);
    for (int i = 0; i < 3; i++) {
        const Spectrum *s = spectrum_make(p, 0, expected[i].dt, NULL, a);
        Indicators d = loderer_indicators(p, s, keep, NULL);
        assert_int_equal(d.code, TUNE_FINE);
        close_to(d.d_1, expected[i].d_r, 1e-6); /* nothing cancels */
        close_to(d.d_r, expected[i].d_r, 1e-6);
        close_to(d.abs_sum, expected[i].d_r, 1e-6);
        close_to(d.d_2, expected[i].d_2, 1e-6);
        close_to(d.d_s, expected[i].d_s, 1e-6);
        close_to(d.d_s_printed, 2 * expected[i].d_s, 1e-6);
        close_to(d.root_square, expected[i].root, 1e-4);
        close_to(d.d_2c, d.root_square, 1e-3);
        assert_true(d.rounding < 1e-4 * d.d_r);
        assert_true(d.trace_rounding < 1e-10 * d.d_1);
        assert_true(d.d_2 > 5 * d.root_square); /* Loderer's is far off */
        assert_true(d.fits_c1 && d.fits_c2 && !d.is_ringing);
    }
    arena_free(a);
}

/* Ten equal lags in a row, in coordinates that no scaling brings back: but for
 * rounding one Jordan block. An entry of 1e-25 moves its eigenvalues by less
 * than anybody can tell, though their sum is known. */
static void changes_below_rounding_are_seen_as_such(void **state)
{
    (void)state;
    enum { N = 10, ALL = N + 1 };
    Arena *a = arena_new();
    double df[ALL * ALL] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) /* q lag q with q = 1 - 2/N */
            for (int k = 0; k < N; k++)
                for (int l = 0; l < N; l++) {
                    double lag = k == l ? -1 : k == l + 1 ? 1 : 0;
                    df[i * ALL + j] +=
                        ((i == k) - 2.0 / N) * lag * ((l == j) - 2.0 / N);
                }
    df[N * ALL + N] = -2;
    df[N * ALL] = 1;
    df[N] = 1e-25;
    static const int dropped[][2] = {{0, N}};
    PencilSet *p = pencil_rows(ALL, ALL, 1, df, a);
    const Spectrum *s = spectrum_make(p, 0, 0.1, NULL, a);
    Indicators d =
        loderer_indicators(p, s, keep_without(p, 1, dropped, a), NULL);
    assert_int_equal(d.code, TUNE_FINE);
    assert_true(d.d_r <= d.rounding);
    assert_true(d.d_1 > 0 && d.d_1 < 1e-24);
    assert_true(d.d_1 > 1e6 * d.trace_rounding);
    arena_free(a);
}

/* Two modes move apart, two towards each other: what one pair gains the other
 * loses, and the sum is 0 though each moves. */
static Indicators split_and_joined(double t, Arena *a)
{
    const double df[] = {-1, 2, 0,  0, 2, -1, 0,  0,   /* -1 +- 2 */
                         0,  0, -1, t, 0, 0,  -t, -1}; /* -1 +- i t */
    static const int dropped[][2] = {{0, 1}, {2, 3}};
    PencilSet *p = pencil_rows(4, 4, 1, df, a);
    const Spectrum *s = spectrum_make(p, 0, 0.05, NULL, a);
    return loderer_indicators(p, s, keep_without(p, 2, dropped, a), NULL);
}

static void d_1_cancels_where_the_corrected_d_2_does_not(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double low = 0.5, high = 8;
    for (int i = 0; i < 60; i++) { /* the sum changes its sign with t */
        double mid = (low + high) / 2;
        const double df[] = {-1, mid, -mid, -1};
        static const int dropped[][2] = {{0, 1}};
        PencilSet *p = pencil_rows(2, 2, 1, df, a);
        const Spectrum *s = spectrum_make(p, 0, 0.05, NULL, a);
        Indicators d =
            loderer_indicators(p, s, keep_without(p, 1, dropped, a), NULL);
        const double other[] = {-1, 2, 2, -1};
        PencilSet *q = pencil_rows(2, 2, 1, other, a);
        const Spectrum *z = spectrum_make(q, 0, 0.05, NULL, a);
        Indicators e =
            loderer_indicators(q, z, keep_without(q, 1, dropped, a), NULL);
        if (d.d_1 < e.d_1)
            low = mid;
        else
            high = mid;
    }
    Indicators d = split_and_joined(low, a);
    assert_int_equal(d.code, TUNE_FINE);
    assert_true(d.d_1 < 1e-12);
    assert_true(d.abs_sum < 1e-12);
    assert_true(d.root_square > 1e-3);
    assert_true(d.d_2c > 0.7 * d.root_square && d.d_2c < 1.4 * d.root_square);
    arena_free(a);
}

/* A real spectrum, two weak couplings of opposite sign: the eigenvalues move by
 * the product of them, but the trace of the square sees them singly. */
static void the_paper_s_d_2_fails(void **state)
{
    (void)state;
    Arena *a = arena_new();
    static const int dropped[][2] = {{0, 1}, {1, 0}};
    const double opposite[] = {-1, 0.01, -0.01, -3},
                 same[] = {-1, 0.01, 0.01, -3};
    PencilSet *p = pencil_rows(2, 2, 1, opposite, a);
    Indicators d = loderer_indicators(p, spectrum_make(p, 0, 0.5, NULL, a),
                                      keep_without(p, 2, dropped, a), NULL);
    assert_true(d.d_2_square < 0); /* the square of a size */
    assert_true(d.d_2 == 0 && d.root_square > 1e-6);
    assert_true(d.d_2c > 0.4 * d.root_square && d.d_2c < 2.5 * d.root_square);
    PencilSet *q = pencil_rows(2, 2, 1, same, a);
    Indicators e = loderer_indicators(q, spectrum_make(q, 0, 0.5, NULL, a),
                                      keep_without(q, 2, dropped, a), NULL);
    assert_true(e.d_2 > 10 * e.root_square); /* or far too large */
    assert_true(e.d_2c > 0.4 * e.root_square && e.d_2c < 2.5 * e.root_square);
    arena_free(a);
}

/* Without its diagonal entry a stiff mode is explicit: 1 - 1.8 = -0.8. */
static void alternating_steps_are_ringing(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-18, 0, 0, -1};
    static const int dropped[][2] = {{0, 0}};
    PencilSet *p = pencil_rows(2, 2, 1, df, a);
    const Spectrum *s = spectrum_make(p, 0, 0.1, NULL, a);
    Indicators d =
        loderer_indicators(p, s, keep_without(p, 1, dropped, a), NULL);
    assert_true(d.is_ringing);
    assert_true(fabs(d.worst_argument - 3.14159265358979) < 1e-9);
    assert_false(loderer_indicators(p, s, NULL, NULL).is_ringing);
    arena_free(a);
}

static void an_algebraic_part_has_indicators_too(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 1,  0,    0, -2, 0,    1,
                         1,  0, -3, 0.01, 0, 1,  0.01, -5};
    static const int dropped[][2] = {{2, 3}, {3, 2}};
    PencilSet *p = pencil_rows(4, 2, 1, df, a);
    const Spectrum *s = spectrum_make(p, 0, 0.1, NULL, a);
    Indicators d =
        loderer_indicators(p, s, keep_without(p, 2, dropped, a), NULL);
    assert_int_equal(d.code, TUNE_FINE);
    assert_true(fabs(d.d_1 - d.abs_sum) < 1e-12);
    assert_true(d.d_r > 0 && d.d_2c > 0.5 * d.root_square);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pipe_has_its_spectrum),
        cmocka_unit_test(triple_eigenvalues_of_the_pipe_are_clusters),
        cmocka_unit_test(the_pipe_has_its_indicators),
        cmocka_unit_test(changes_below_rounding_are_seen_as_such),
        cmocka_unit_test(d_1_cancels_where_the_corrected_d_2_does_not),
        cmocka_unit_test(the_paper_s_d_2_fails),
        cmocka_unit_test(alternating_steps_are_ringing),
        cmocka_unit_test(an_algebraic_part_has_indicators_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
