/* test_rq.c - the structured RQ: solutions, flops, condition. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

#include "array/rank.h"
#include "array/rq.h"

static double noise(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return 2 * ((double)(*seed >> 8) / 0xffffff) - 1;
}

/* A random matrix of the form (61). */
static Rq *random_rq(int r, int n, int m, Arena *arena)
{
    unsigned seed = (unsigned)(100 * r + 10 * n + m);
    Rq *q = rq_new(r, n, m, arena);
    for (int i = 0; i < q->nrow; i++)
        for (int j = 0; j < q->ncol; j++)
            if (j / n <= i / n || j >= q->nrow)
                q->a[i * q->ncol + j] = noise(&seed);
    return q;
}

static double *by_columns(const Rq *q, Arena *arena)
{
    double *a = NEW_ARRAY(arena, double, q->nrow * q->ncol);
    for (int i = 0; i < q->nrow; i++)
        for (int j = 0; j < q->ncol; j++)
            a[j * q->nrow + i] = q->a[i * q->ncol + j];
    return a;
}

/* The same with few entries: a band in each block, and one more in the last
 * columns. */
static Rq *sparse_rq(int r, int n, int m, Arena *arena)
{
    unsigned seed = 7;
    Rq *q = rq_new(r, n, m, arena);
    for (int i = 0; i < q->nrow; i++) {
        for (int b = 0; b <= i / n; b++)
            for (int d = -1; d <= 1; d++)
                if (i % n + d >= 0 && i % n + d < n)
                    q->a[i * q->ncol + b * n + i % n + d] =
                        noise(&seed) + (d == 0 ? 3 : 0);
        q->a[i * q->ncol + q->nrow + i % m] = noise(&seed);
    }
    return q;
}

/* Patterns change the work, not the result. */
static void zeros_are_passed_over(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Rq *q = sparse_rq(3, 40, 20, arena), *dense = sparse_rq(3, 40, 20, arena);
    double f[160], z[180], want[180];
    unsigned seed = 5;
    dense->pattern = NULL;
    for (int i = 0; i < q->nrow; i++)
        f[i] = noise(&seed);
    assert_true(rq_factor(q) && rq_factor(dense));
    rq_solve(q, f, z);
    rq_solve(dense, f, want);
    assert_true(q->is_sparse && !dense->is_sparse);
    for (int j = 0; j < q->ncol; j++)
        assert_true(fabs(z[j] - want[j]) < 1e-10);
    if (getenv("TAKT_SHOW"))
        printf("n = 40, m = 20, r = 3: %ld flops, without patterns %ld\n",
               q->flops, dense->flops);
    assert_true(2 * q->flops < dense->flops);
    arena_free(arena);
}

static void solutions_are_those_of_minimum_norm(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (int r = 0; r < 5; r++) {
        for (int m = 1; m <= 4; m++) {
            Rq *q = random_rq(r, 4, m, arena);
            double *a = by_columns(q, arena), f[64], want[64], z[64], s[64];
            unsigned seed = 9;
            for (int i = 0; i < q->nrow; i++)
                f[i] = want[i] = noise(&seed);
            lapack_int rank;
            assert_true(rq_factor(q));
            rq_solve(q, f, z);
            LAPACKE_dgelsd(LAPACK_COL_MAJOR, q->nrow, q->ncol, 1, a, q->nrow,
                           want, q->ncol, s, 1e-14, &rank);
            for (int j = 0; j < q->ncol; j++)
                assert_true(fabs(z[j] - want[j]) <
                            1e-9 * (1 + s[0] / s[q->nrow - 1]));
        }
    }
    arena_free(arena);
}

/* (67), and the plain QR that the tables set beside it. */
static double paper_rq(double r, double n, double m)
{
    return (r + 1) * (3 * r + 4) / 6 * n * n * n +
           (r + 1) * ((r + 1) * m + r / 2 + 1.5) * n * n +
           (r + 1) * (2 * m + 13.0 / 6) * n;
}

static double paper_qr(double r, double n, double m)
{
    double N = (r + 1) * n;
    return 2.0 / 3 * N * N * N + N * N * m + 1.5 * N * N + N * m + 5.0 / 6 * N;
}

static double flops_of(int r, int n, int m)
{
    Arena *arena = arena_new();
    Rq *q = random_rq(r, n, m, arena);
    assert_true(rq_factor(q));
    double flops = (double)q->flops;
    arena_free(arena);
    return flops;
}

/* What grows with n^3 and with m n^2: differences in n and m leave these. */
static void flops_have_the_leading_coefficients_of_67(void **state)
{
    (void)state;
    for (int r = 0; r <= 4; r++) {
        /* third difference in n with m = 1: 6 times the coefficient of n^3 */
        double d3 = flops_of(r, 6, 1) - 3 * flops_of(r, 5, 1) +
                    3 * flops_of(r, 4, 1) - flops_of(r, 3, 1);
        assert_true(fabs(d3 - (r + 1) * (3 * r + 4)) < 1e-6);
        /* difference in m, second difference in n: 2 times that of m n^2 */
        double d = 0;
        for (int i = 0; i < 3; i++) {
            static const double c[] = {1, -2, 1};
            d += c[i] * (flops_of(r, 6 - i, 3) - flops_of(r, 6 - i, 2));
        }
        assert_true(fabs(d - 2 * (r + 1) * (r + 1)) < 1e-6);
    }
}

static void totals_are_those_of_tables_1_and_2(void **state)
{
    (void)state;
    for (int r = 1; r <= 10; r++) {
        double mine = flops_of(r, 10, 10), theirs = paper_rq(r, 10, 10);
        double ratio = paper_qr(r, 10, 10);
        if (getenv("TAKT_SHOW"))
            printf("index %2d: RQ %8.0f, (67) %8.0f, %+5.1f %%; QR/RQ %.2f, "
                   "printed %.2f\n",
                   r, mine, theirs, 100 * (mine / theirs - 1), ratio / mine,
                   ratio / theirs);
        assert_true(fabs(mine / theirs - 1) < 0.08);
    }
    for (int n = 3; n <= 15; n += 2)
        assert_true(fabs(flops_of(5, n, n) / paper_rq(5, n, n) - 1) < 0.08);
}

static void conditions_are_seen(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Rq *q = random_rq(2, 5, 3, arena);
    double *a = by_columns(q, arena), least, largest, low, high;
    assert_true(rank_extremes(q->nrow, q->ncol, a, &least, &largest));
    assert_true(rq_factor(q));
    double truth = largest / least;
    assert_true(rq_ratio(q, &low, &high) <= truth * 1.0000001);
    double estimate = rq_condition(q);
    assert_true(estimate > truth / 20 && estimate < truth * 20);
    assert_true(rq_bound(q) >= truth);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(solutions_are_those_of_minimum_norm),
        cmocka_unit_test(zeros_are_passed_over),
        cmocka_unit_test(flops_have_the_leading_coefficients_of_67),
        cmocka_unit_test(totals_are_those_of_tables_1_and_2),
        cmocka_unit_test(conditions_are_seen),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
