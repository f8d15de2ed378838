/* prop_dense.c - random matrices of known rank, badly scaled.
 *
 * The rank is made, not measured: a product of integer factors of full rank by
 * construction (unit triangles), so that it is exact, with rows and columns
 * scaled over 16 decades.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>

#include "base/arena.h"
#include "num/dense.h"
#include "support/random.h"

typedef struct Sample {
    int nrow, ncol, rank;
    double *a; /* before scaling: integers */
    double *b; /* scaled */
    double *row, *col;
} Sample;

/* Row i of the left factor begins with a unit of its own for i < rank, so its
 * rank is full; likewise the columns of the right one. */
static double factor(Random *r, int i, int k)
{
    if (i <= k)
        return i == k;
    return random_below(r, 3) - 1;
}

static Sample sample_new(Random *r, Arena *arena)
{
    Sample s;
    s.nrow = 1 + random_below(r, 12);
    s.ncol = 1 + random_below(r, 12);
    int most = s.nrow < s.ncol ? s.nrow : s.ncol;
    s.rank = random_below(r, most + 1);
    double *left = NEW_ARRAY(arena, double, s.nrow *s.rank + 1);
    double *right = NEW_ARRAY(arena, double, s.ncol *s.rank + 1);
    for (int k = 0; k < s.rank; k++) {
        for (int i = 0; i < s.nrow; i++)
            left[i + k * s.nrow] = factor(r, i, k);
        for (int j = 0; j < s.ncol; j++)
            right[j + k * s.ncol] = factor(r, j, k);
    }
    s.a = NEW_ARRAY(arena, double, s.nrow *s.ncol);
    s.b = NEW_ARRAY(arena, double, s.nrow *s.ncol);
    s.row = NEW_ARRAY(arena, double, s.nrow);
    s.col = NEW_ARRAY(arena, double, s.ncol);
    for (int i = 0; i < s.nrow; i++)
        s.row[i] = exp2(random_below(r, 50) - 25);
    for (int j = 0; j < s.ncol; j++)
        s.col[j] = exp2(random_below(r, 50) - 25);
    for (int i = 0; i < s.nrow; i++) {
        for (int j = 0; j < s.ncol; j++) {
            double sum = 0;
            for (int k = 0; k < s.rank; k++)
                sum += left[i + k * s.nrow] * right[j + k * s.ncol];
            s.a[i + j * s.nrow] = sum;
            s.b[i + j * s.nrow] = s.row[i] * sum * s.col[j];
        }
    }
    return s;
}

/* a v = 0 for every null vector, to the rounding of the scaled matrix. */
static void check_null(const Sample *s, Arena *arena)
{
    double *null = NEW_ARRAY(arena, double, s->ncol * s->ncol);
    int n = dense_null(s->nrow, s->ncol, s->b, DENSE_TOLERANCE, null);
    assert_int_equal(n, s->ncol - s->rank);
    double *row = NEW_ARRAY(arena, double, s->nrow);
    double *col = NEW_ARRAY(arena, double, s->ncol);
    double *b = NEW_ARRAY(arena, double, s->nrow * s->ncol);
    memcpy(b, s->b, (size_t)(s->nrow * s->ncol) * sizeof *b);
    dense_scale(s->nrow, s->ncol, b, row, col);
    double norm = dense_norm(s->nrow, s->ncol, b);
    for (int k = 0; k < n; k++) {
        const double *v = null + k * s->ncol;
        double size = 0;
        for (int j = 0; j < s->ncol; j++)
            size += fabs(v[j] / col[j]);
        for (int i = 0; i < s->nrow; i++) {
            double sum = 0;
            for (int j = 0; j < s->ncol; j++)
                sum += b[i + j * s->nrow] * (v[j] / col[j]);
            assert_true(fabs(sum) <= 1e-13 * norm * size);
        }
    }
}

/* u diag(s) v^T gives the matrix back, filled up to a square; v is orthogonal,
 * and the values are those of LAPACK. */
static void check_svd(const Sample *s, Arena *arena)
{
    int n = s->nrow > s->ncol ? s->nrow : s->ncol;
    double *a = NEW_ARRAY(arena, double, n *n);
    double *copy = NEW_ARRAY(arena, double, n *n);
    double *u = NEW_ARRAY(arena, double, n *n);
    double *v = NEW_ARRAY(arena, double, n *n);
    double *sigma = NEW_ARRAY(arena, double, n);
    double *other = NEW_ARRAY(arena, double, n), none;
    for (int j = 0; j < s->ncol; j++)
        for (int i = 0; i < s->nrow; i++)
            a[i + j * n] = s->a[i + j * s->nrow];
    memcpy(copy, a, (size_t)(n * n) * sizeof *copy);
    assert_true(dense_svd(n, copy, sigma, u, v));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0, right = 0;
            for (int k = 0; k < n; k++) {
                sum += u[i + k * n] * sigma[k] * v[j + k * n];
                right += v[i + k * n] * v[j + k * n];
            }
            assert_true(fabs(sum - a[i + j * n]) <= 1e-13 * (1 + sigma[0]));
            assert_true(fabs(right - (i == j)) <= 1e-13);
        }
    }
    assert_true(fabs(dense_norm_2(n, n, a) - sigma[0]) <= 1e-13 * sigma[0]);
    assert_int_equal(LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'N', n, n, a, n, other,
                                    &none, n, &none, n),
                     0);
    for (int k = 0; k < n; k++)
        assert_true(fabs(sigma[k] - other[k]) <= 1e-12 * (1 + other[0]));
}

static void ranks_are_found_through_bad_scaling(void **state)
{
    (void)state;
    Random r = random_start("prop/num/dense");
    int n = random_cases(2000, 50000);
    for (int i = 0; i < n; i++) {
        Arena *arena = arena_new();
        Sample s = sample_new(&r, arena);
        check_null(&s, arena);
        check_svd(&s, arena);
        arena_free(arena);
    }
}

/* The residual of a solution is that of a backward stable method. */
static void solutions_have_small_residuals(void **state)
{
    (void)state;
    Random r = random_start("prop/num/dense, solving");
    int cases = random_cases(2000, 50000);
    for (int c = 0; c < cases; c++) {
        double a[400], lu[400], x[20], b[20];
        int n = 1 + random_below(&r, 20), pivot[20];
        for (int k = 0; k < n * n; k++)
            lu[k] = a[k] = random_between(&r, -1, 1);
        for (int i = 0; i < n; i++)
            x[i] = b[i] = random_between(&r, -1, 1);
        assert_true(dense_lu_factor(n, lu, pivot));
        dense_lu_solve(n, lu, pivot, x, 1);
        double size = 1;
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(x[i]));
        for (int i = 0; i < n; i++) {
            double rest = -b[i];
            for (int j = 0; j < n; j++)
                rest += a[i + j * n] * x[j];
            assert_true(fabs(rest) <= 1e-13 * n * n * size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_found_through_bad_scaling),
        cmocka_unit_test(solutions_have_small_residuals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
