/* Static LU over several samples against LAPACK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/static_lu.h"

enum { MOST = 60, SAMPLES = 5 };

static unsigned long long state_of_random = 12345;

static double random_unit(void)
{
    state_of_random =
        state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_random >> 11) / 9007199254740992.0 * 2 - 1;
}

/* A pattern with a hidden transversal, and values of every sample. */
static int random_system(int n, int *row, int *col, double *entry)
{
    static bool used[MOST][MOST];
    memset(used, 0, sizeof used);
    int nnz = 0, shift = (int)(fabs(random_unit()) * n) % n;
    for (int i = 0; i < n; i++) {
        row[nnz] = i, col[nnz] = (i + shift) % n;
        used[i][(i + shift) % n] = true;
        nnz++;
    }
    for (int k = 0; k < 3 * n; k++) {
        int i = (int)(fabs(random_unit()) * n) % n;
        int j = (int)(fabs(random_unit()) * n) % n;
        if (used[i][j])
            continue;
        used[i][j] = true;
        row[nnz] = i, col[nnz] = j, nnz++;
    }
    for (int s = 0; s < SAMPLES; s++)
        for (int k = 0; k < nnz; k++)
            entry[s * nnz + k] = k < n ? 2 + random_unit() : random_unit();
    return nnz;
}

/* Largest difference from LAPACK over the largest solution, times the
 * reciprocal condition number: an error of a few rounding units. */
static double compare(const StaticLu *f, int n, int nnz, const int *row,
                      const int *col, const double *entry)
{
    static double dense[MOST * MOST], b[MOST], x[MOST], y[MOST];
    static double work[MOST * MOST], inverse[MOST];
    int pivot[MOST];
    memset(dense, 0, sizeof dense);
    memcpy(work, entry, (size_t)nnz * sizeof(double));
    for (int k = 0; k < nnz; k++)
        dense[col[k] * n + row[k]] = entry[k];
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, dense, n);
    for (int i = 0; i < n; i++)
        b[i] = y[i] = random_unit();
    LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, dense, n, pivot);
    double rcond = 0;
    LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, dense, n, norm, &rcond);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, dense, n, pivot, y, n);
    static_lu_factor(f, work, inverse);
    static_lu_solve(f, work, inverse, b, x);
    double worst = 0, size = 0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return worst / size * rcond;
}

static void solutions_agree_with_lapack_in_every_sample(void **state)
{
    (void)state;
    int trials = getenv("TAKT_LONG") ? 20000 : 1000, solved = 0;
    static int row[MOST * MOST], col[MOST * MOST];
    static double entry[SAMPLES * MOST * MOST];
    double worst = 0;
    for (int t = 0; t < trials; t++) {
        Arena *arena = arena_new();
        int n = 2 + t % (MOST - 2);
        int nnz = random_system(n, row, col, entry);
        const StaticLu *f =
            static_lu_new(n, nnz, row, col, entry, SAMPLES, 0.05, arena);
        for (int s = 0; f && s < SAMPLES; s++)
            worst = fmax(worst, compare(f, n, nnz, row, col, entry + s * nnz));
        solved += f != NULL;
        arena_free(arena);
    }
    printf("%d of %d systems have a static order; worst error times rcond "
           "%.2g\n",
           solved, trials, worst);
    assert_true(worst < 1e-13);
    assert_true(solved > trials / 2);
}

/* [s 1; 1 s]: the diagonal is the pivot if s never vanishes; a sample with
 * s = 0 must move it. */
static void a_pivot_that_vanishes_in_one_sample_is_not_taken(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int row[4] = {0, 0, 1, 1}, col[4] = {0, 1, 0, 1};
    double entry[8] = {5, 1, 1, 5, 0, 1, 1, 0};
    assert_non_null(static_lu_new(2, 4, row, col, entry, 1, 0.1, arena));
    const StaticLu *f = static_lu_new(2, 4, row, col, entry, 2, 0.1, arena);
    assert_non_null(f);
    assert_int_not_equal(f->row[0], f->col[0]);
    assert_true(f->weakest >= 0.1);
    double contrary[8] = {1, 0, 0, 1, 0, 1, 1, 0}; /* no order serves both */
    assert_null(static_lu_new(2, 4, row, col, contrary, 2, 0.1, arena));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_agree_with_lapack_in_every_sample),
        cmocka_unit_test(a_pivot_that_vanishes_in_one_sample_is_not_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
