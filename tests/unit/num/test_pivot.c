/* Pivoting solves against a residual computed here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/pivot.h"

static double random_unit(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/* A random sparse matrix with a zero diagonal but for a cyclic shift, so that
 * it needs pivoting; returns the largest residual of a solve. */
static double solve_random(int n, unsigned seed)
{
    int nnz = 5 * n;
    int *row = malloc((size_t)nnz * sizeof(int));
    int *col = malloc((size_t)nnz * sizeof(int));
    double *a = malloc((size_t)nnz * sizeof(double));
    double *b = malloc((size_t)n * sizeof(double));
    double *x = malloc((size_t)n * sizeof(double));
    for (int k = 0; k < nnz; k++) {
        row[k] = k % n;
        col[k] =
            k < n ? (k + 1) % n : (int)(fabs(random_unit(&seed)) * (n - 1));
        a[k] = k < n ? 5 + random_unit(&seed) : random_unit(&seed);
    }
    for (int i = 0; i < n; i++)
        x[i] = b[i] = random_unit(&seed);
    Pivot *p = pivot_new(n, nnz, row, col);
    assert_true(pivot_factor(p, a));
    for (int k = 0; k < nnz; k++)
        a[k] *= 1 + 1e-3 * random_unit(&seed);
    assert_true(pivot_factor(p, a)); /* again, in the old order */
    assert_true(pivot_factor(p, a)); /* the same: nothing to do */
    pivot_solve(p, x);
    for (int k = 0; k < nnz; k++)
        b[row[k]] -= a[k] * x[col[k]];
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(b[i]));
    pivot_free(p);
    free(row), free(col), free(a), free(b), free(x);
    return worst;
}

static void small_and_large_systems_are_solved(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed < 50; seed++) {
        assert_true(solve_random(3 + (int)seed % 20, seed) < 1e-12);
        assert_true(solve_random(60, seed) < 1e-12);
    }
}

static void a_singular_matrix_is_refused(void **state)
{
    (void)state;
    for (int n = 4; n <= 64; n *= 4) {
        int row[64 + 1], col[64 + 1];
        double a[64 + 1];
        for (int i = 0; i < n; i++)
            row[i] = col[i] = i, a[i] = 1;
        a[2] = 0;
        Pivot *p = pivot_new(n, n, row, col);
        assert_false(pivot_factor(p, a));
        assert_false(pivot_factor(p, a)); /* still */
        assert_true(pivot_determinant(p) == 0);
        a[2] = NAN;
        assert_false(pivot_factor(p, a));
        assert_false(pivot_factor(p, a));
        a[2] = 1e-3;
        assert_true(pivot_factor(p, a));
        pivot_free(p);
    }
}

/* Rows that change places change the sign, a factor of a row is one of the
 * determinant: dense, and by KLU. */
static void determinants_follow_their_rules(void **state)
{
    (void)state;
    enum { MOST = 30 };
    for (int n = 5; n <= MOST; n += 25) {
        static int row[MOST * MOST], col[MOST * MOST];
        static double a[MOST * MOST], b[MOST * MOST];
        unsigned seed = 7;
        for (int k = 0; k < n * n; k++) {
            row[k] = k / n;
            col[k] = k % n;
            a[k] = random_unit(&seed);
        }
        Pivot *p = pivot_new(n, n * n, row, col);
        assert_true(pivot_factor(p, a));
        double first = pivot_determinant(p);
        assert_true(fabs(fabs(first) - 1) < 1e-12);
        for (int i = 0; i + 1 < n; i++) {
            memcpy(b, a, sizeof b);
            for (int j = 0; j < n; j++) {
                b[i * n + j] = a[(i + 1) * n + j];
                b[(i + 1) * n + j] = 3 * a[i * n + j];
            }
            assert_true(pivot_factor(p, b));
            assert_true(fabs(pivot_determinant(p) + 3 * first) < 1e-9);
        }
        pivot_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_and_large_systems_are_solved),
        cmocka_unit_test(a_singular_matrix_is_refused),
        cmocka_unit_test(determinants_follow_their_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
