/* test_drift.c - entries that no eigenvalue needs but the outputs do.
 *
 * A chain of lags follows a ramp: x_0' = slope, x_i' = k (x_{i-1} - x_i). The
 * matrix is triangular: without the entries (i, i-1) every eigenvalue stays
 * where it is, and each lag follows a step late.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "matrices.h"
#include "tune/search.h"

enum { N = 4, STEPS = 100 };
#define TAU   0.01
#define RATE  50.0
#define SLOPE 2.0

/* Exact for a ramp that has always gone on: x_i = slope (t - i / k). */
static DriftPath *ramp(int each, Arena *a)
{
    int n = STEPS / each + 1;
    DriftPath *d = NEW(a, DriftPath);
    DriftRun *run = NEW(a, DriftRun);
    double *time = NEW_ARRAY(a, double, n), *z = NEW_ARRAY(a, double, n *N);
    double *gradient = NEW_ARRAY(a, double, N), *range = NEW(a, double);
    for (int k = 0; k < n; k++) {
        time[k] = k * each * TAU;
        for (int i = 0; i < N; i++)
            z[k * N + i] = SLOPE * (time[k] - i / RATE);
    }
    *range = SLOPE * STEPS * TAU;
    gradient[N - 1] = 1; /* the last lag is watched */
    *run = (DriftRun){0, n, time, z, range};
    *d = (DriftPath){.nrun = 1, .run = run, .nwatch = 1, .gradient = gradient};
    return d;
}

static PencilSet *lags(Arena *a)
{
    double df[N * N] = {0}; /* by rows */
    for (int i = 1; i < N; i++) {
        df[i * N + i] = -RATE;
        df[i * N + i - 1] = RATE;
    }
    return pencil_rows(N, N, 1, df, a);
}

/* Each lag a step late: TAU of the run's length, times N - 1. */
static const double late = 100.0 * (N - 1) / STEPS;

static void a_dropped_drive_is_a_delay_of_one_step(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    const int pair[][2] = {{1, 0}, {2, 1}, {3, 2}};
    bool *keep = keep_without(p, 3, pair, a);
    double share[N * N];
    for (int each = 1; each <= 5; each += 4) {
        Drift d = drift_estimate(ramp(each, a), p, TAU, keep, NULL, share);
        assert_true(fabs(d.percent - late) < 0.01 * late);
        for (int i = 1; i < N; i++)
            assert_true(fabs(share[pencil_place(p, i, i - 1)] - late / 3) <
                        0.02 * late);
    }
    arena_free(a);
}

static void nothing_dropped_is_no_drift(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    Drift d = drift_estimate(ramp(1, a), p, TAU, NULL, NULL, NULL);
    assert_true(d.percent == 0);
    arena_free(a);
}

static void a_frozen_entry_drifts_by_what_it_misses(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    double frozen[N * N];
    for (int e = 0; e < p->nnz; e++)
        frozen[e] = NAN;
    frozen[pencil_place(p, 1, 0)] = RATE / 2; /* half of it is late */
    Drift d = drift_estimate(ramp(1, a), p, TAU, NULL, frozen, NULL);
    assert_true(fabs(d.percent - late / 6) < 0.01 * late);
    arena_free(a);
}

static int count_drives(const PencilSet *p, const bool *keep)
{
    int count = 0;
    for (int i = 1; i < N; i++)
        count += is_kept(p, keep, i, i - 1);
    return count;
}

static void eigenvalues_alone_drop_what_drives_a_model(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    ChoiceOptions o = {.tau = TAU, .rho = 0.01};
    Choice c = choice_make(p, &o, NULL, a);
    assert_int_equal(c.code, TUNE_FINE);
    assert_int_equal(count_drives(p, c.keep), 0);
    assert_int_equal(c.nheld, 0);
    arena_free(a);
}

/* Two thirds of the drift may stay, then one third, then nothing. */
static void entries_are_held_until_the_outputs_stay_near(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    DriftPath *path = ramp(1, a);
    for (int drives = 0; drives < N; drives++) {
        ChoiceOptions o = {.tau = TAU,
                           .rho = 0.01,
                           .path = path,
                           .drift = late * (N - 1 - drives + 0.3) / (N - 1)};
        if (drives == N - 1)
            o.drift = 0.01;
        Choice c = choice_make(p, &o, NULL, a);
        assert_int_equal(c.code, TUNE_FINE);
        assert_true(c.drift.percent <= o.drift);
        assert_true(c.nheld >= drives && c.nheld <= drives + 1);
        assert_int_equal(count_drives(p, c.keep), c.nheld);
        for (int i = 1; i < N; i++) {
            int e = pencil_place(p, i, i - 1);
            assert_true((c.held[e] > 0) == c.keep[e]);
        }
    }
    arena_free(a);
}

static double number_kept(void *context, const bool *keep)
{
    const PencilSet *p = context;
    double count = 0;
    for (int e = 0; e < p->nnz; e++)
        count += keep[e];
    return count;
}

static void the_search_stays_near_too(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    ChoiceOptions free = {.tau = TAU, .rho = 0.01}, near = free;
    near.path = ramp(1, a);
    near.drift = 0.4 * late; /* one of three drives may go */
    Choice start = choice_make(p, &free, NULL, a);
    bool *all = NEW_ARRAY(a, bool, p->nnz);
    memset(all, 1, (size_t)p->nnz);
    start.keep = all; /* for the search to drop */
    SearchOptions so = {.cost = number_kept, .context = p};
    Choice x = search_improve(p, &free, &start, &so, NULL, NULL, NULL, a);
    Choice y = search_improve(p, &near, &start, &so, NULL, NULL, NULL, a);
    assert_int_equal(count_drives(p, x.keep), 0);
    assert_int_equal(count_drives(p, y.keep), 2);
    assert_true(y.drift.percent <= near.drift);
    arena_free(a);
}

static void what_is_known_is_used(void **state)
{
    (void)state;
    Arena *a = arena_new();
    PencilSet *p = lags(a);
    ChoiceKnown *known = choice_known(p, a);
    ChoiceOptions o = {.tau = TAU, .rho = 0.01, .known = known};
    Choice first = choice_make(p, &o, NULL, a);
    const Spectrum *s = known->spectrum[0];
    assert_non_null(s);
    o.rho = 0.1;
    choice_make(p, &o, NULL, a);
    assert_ptr_equal(known->spectrum[0], s);
    assert_int_equal(first.code, TUNE_FINE);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dropped_drive_is_a_delay_of_one_step),
        cmocka_unit_test(nothing_dropped_is_no_drift),
        cmocka_unit_test(a_frozen_entry_drifts_by_what_it_misses),
        cmocka_unit_test(eigenvalues_alone_drop_what_drives_a_model),
        cmocka_unit_test(entries_are_held_until_the_outputs_stay_near),
        cmocka_unit_test(the_search_stays_near_too),
        cmocka_unit_test(what_is_known_is_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
