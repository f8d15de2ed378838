/* Table-driven LU and QR against LAPACK; alarms on made-singular matrices. */
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

#include "num/table.h"

enum { MOST = 60, SAMPLES = 3 };

static unsigned long long state_of_random = 4711;

static double random_unit(void)
{
    state_of_random =
        state_of_random * 6364136223846793005u + 1442695040888963407u;
    return (double)(state_of_random >> 11) / 9007199254740992.0 * 2 - 1;
}

static int random_below(int n)
{
    return (int)(fabs(random_unit()) * n) % n;
}

typedef struct Case {
    int n, nnz;
    int row[MOST * MOST], col[MOST * MOST];
    double entry[SAMPLES * MOST * MOST];
} Case;

/* A pattern with a hidden transversal; `extra` more entries, some of them only
 * above a hidden triangle so that it is reducible. */
static void random_case(Case *c, int n, int extra)
{
    static bool used[MOST][MOST];
    memset(used, 0, sizeof used);
    c->n = n;
    c->nnz = 0;
    int shift = random_below(n);
    bool reducible = random_unit() > 0;
    for (int i = 0; i < n + extra; i++) {
        int r = i < n ? i : random_below(n), j = i < n ? i : random_below(n);
        if (reducible && j > r) {
            int swap = j;
            j = r;
            r = swap;
        }
        if (reducible && i > n && i % 7 == 0 && r + 1 < n)
            j = r + 1;
        int col = (j + shift) % n;
        if (used[r][col])
            continue;
        used[r][col] = true;
        c->row[c->nnz] = r;
        c->col[c->nnz++] = col;
    }
    for (int s = 0; s < SAMPLES; s++)
        for (int k = 0; k < c->nnz; k++)
            c->entry[s * c->nnz + k] =
                k < n ? 2 + random_unit() : random_unit();
}

static double solve_dense(const Case *c, const double *entry, double *x,
                          double *norm)
{
    static double a[MOST * MOST];
    int pivot[MOST], n = c->n;
    memset(a, 0, sizeof a);
    for (int k = 0; k < c->nnz; k++)
        a[c->col[k] * n + c->row[k]] = entry[k];
    *norm = LAPACKE_dlange(LAPACK_COL_MAJOR, '1', n, n, a, n);
    LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, a, n, pivot);
    double rcond = 0;
    LAPACKE_dgecon(LAPACK_COL_MAJOR, '1', n, a, n, *norm, &rcond);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, a, n, pivot, x, n);
    return rcond;
}

typedef struct Result {
    double x[MOST];
    double excess;
} Result;

static Result solve_table(const FactorTable *t, const double *entry,
                          const double *rhs, Arena *arena)
{
    Result out = {.excess = 0};
    double *w = NEW_ARRAY(arena, double, t->nfactor);
    double *v = NEW_ARRAY(arena, double, t->nvector);
    for (int i = 0; i < t->nfactor; i++)
        w[i] = NAN; /* nothing may be taken from the step before */
    for (int k = 0; k < t->nnz; k++)
        w[t->place[k]] = entry[k];
    memcpy(v, rhs, (size_t)t->nrow * sizeof(double));
    table_factor(t, w);
    table_solve(t, w, v);
    memcpy(out.x, v + t->nrow, (size_t)t->n * sizeof(double));
    out.excess = t->excess == NONE ? 0 : w[t->excess];
    return out;
}

/* Largest error over the largest solution, times rcond; the residual, scaled.
 */
static double error_of(const Case *c, const double *entry, const double *x,
                       const double *rhs, double *residual)
{
    double y[MOST], norm, worst = 0, size = 0, r[MOST];
    memcpy(y, rhs, sizeof y);
    memcpy(r, rhs, sizeof r);
    double rcond = solve_dense(c, entry, y, &norm);
    for (int k = 0; k < c->nnz; k++)
        r[c->row[k]] -= entry[k] * x[c->col[k]];
    for (int i = 0; i < c->n; i++) {
        worst = fmax(worst, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    *residual = 0;
    for (int i = 0; i < c->n; i++)
        *residual = fmax(*residual, fabs(r[i]) / (norm * size + fabs(rhs[i])));
    return worst / size * rcond;
}

static void tables_agree_with_lapack(void **state)
{
    (void)state;
    static Case c;
    int trials = getenv("TAKT_LONG") ? 5000 : 300, tables = 0, alarms = 0;
    double error[4] = {0}, residual[4] = {0};
    for (int trial = 0; trial < trials; trial++) {
        Arena *arena = arena_new();
        int n = 2 + trial % (MOST - 2);
        random_case(&c, n, 3 * n);
        const StaticLu *lu =
            static_lu_new(n, c.nnz, c.row, c.col, c.entry, SAMPLES, 0.1, arena);
        for (int kind = 0; kind < 4; kind++) {
            TableOptions o = {.watch = true, .refine = kind >= 2};
            const FactorTable *t =
                kind % 2 ? table_qr(n, n, c.nnz, c.row, c.col, &o, arena)
                : lu     ? table_lu(lu, c.row, c.col, &o, arena)
                         : NULL;
            for (int s = 0; t && s < SAMPLES; s++) {
                double rhs[MOST], res;
                for (int i = 0; i < n; i++)
                    rhs[i] = random_unit();
                const double *entry = c.entry + s * c.nnz;
                Result x = solve_table(t, entry, rhs, arena);
                double e = error_of(&c, entry, x.x, rhs, &res);
                assert_false(isnan(e));
                error[kind] = fmax(error[kind], e);
                residual[kind] = fmax(residual[kind], res);
                alarms += x.excess > 0;
                tables++;
            }
        }
        arena_free(arena);
    }
    static const char *const name[] = {"LU", "QR", "LU refined", "QR refined"};
    for (int k = 0; k < 4; k++) {
        printf("%s: error times rcond %.2g, scaled residual %.2g\n", name[k],
               error[k], residual[k]);
        assert_true(error[k] < 1e-13);
        assert_true(residual[k] < 1e-13);
    }
    printf("%d solutions, %d alarms\n", tables, alarms);
    assert_int_equal(alarms, 0);
    assert_true(tables > 2 * trials);
}

/* More rows than columns: what is left over is orthogonal to all columns, which
 * is what makes the sum of squares smallest. Some rows are all zero. */
static void more_rows_give_least_squares(void **state)
{
    (void)state;
    static Case c;
    double worst = 0;
    for (int trial = 0; trial < 300; trial++) {
        Arena *arena = arena_new();
        int n = 1 + trial % 20, more = 1 + trial % 5, nrow = n + more;
        double rhs[MOST], left[MOST], size = 0;
        c.nnz = 0;
        for (int i = 0; i < nrow; i++)
            for (int j = 0; j < n; j++)
                if (i == j || (i % 7 != 6 && random_below(4) == 0)) {
                    c.row[c.nnz] = i;
                    c.col[c.nnz] = j;
                    c.entry[c.nnz++] = random_unit() + 2 * (i == j);
                }
        for (int i = 0; i < nrow; i++)
            left[i] = rhs[i] = random_unit();
        TableOptions o = {.watch = trial % 2, .refine = trial % 3 == 0};
        const FactorTable *t =
            table_qr(nrow, n, c.nnz, c.row, c.col, &o, arena);
        assert_non_null(t);
        Result x = solve_table(t, c.entry, rhs, arena);
        for (int k = 0; k < c.nnz; k++)
            left[c.row[k]] -= c.entry[k] * x.x[c.col[k]];
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < c.nnz; k++)
                sum += c.col[k] == j ? c.entry[k] * left[c.row[k]] : 0;
            worst = fmax(worst, fabs(sum));
            size = fmax(size, fabs(x.x[j]));
        }
        assert_true(size > 0 && size < 1e3);
        arena_free(arena);
    }
    printf("least squares: largest product of a column and what is left over "
           "%.2g\n",
           worst);
    assert_true(worst < 1e-11);
}

/* A full pattern in which one row is a combination of two others. */
static void make_singular(Case *c, int n)
{
    c->n = n;
    c->nnz = n * n;
    int one = random_below(n), a = (one + 1) % n, b = (one + 2) % n;
    double fa = random_unit(), fb = n > 2 ? random_unit() : 0;
    for (int k = 0; k < n * n; k++) {
        c->row[k] = k % n;
        c->col[k] = k / n;
        c->entry[k] = random_unit();
    }
    for (int j = 0; j < n; j++)
        c->entry[j * n + one] =
            fa * c->entry[j * n + a] + fb * c->entry[j * n + b];
    double scale = pow(10, 6 * random_unit()); /* whatever the units are */
    for (int k = 0; k < n * n; k++)
        c->entry[k] *= scale;
}

static bool is_finite(const Result *r, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(r->x[i]))
            return false;
    return true;
}

static void singular_matrices_raise_alarm_and_others_do_not(void **state)
{
    (void)state;
    static Case c;
    int trials = getenv("TAKT_LONG") ? 20000 : 2000;
    int missed[2] = {0}, falsely[2] = {0}, weak = 0;
    for (int trial = 0; trial < trials; trial++) {
        Arena *arena = arena_new();
        int n = 2 + trial % 12;
        double rhs[MOST], y[MOST], norm;
        make_singular(&c, n);
        for (int i = 0; i < n; i++)
            rhs[i] = y[i] = random_unit();
        /* pivots by structure alone: samples would not accept it */
        const StaticLu *lu =
            static_lu_new(n, c.nnz, c.row, c.col, NULL, 0, 0.1, arena);
        TableOptions o = {.watch = true};
        const FactorTable *t[2] = {
            table_lu(lu, c.row, c.col, &o, arena),
            table_qr(n, n, c.nnz, c.row, c.col, &o, arena)};
        for (int k = 0; k < 2; k++) {
            Result r = solve_table(t[k], c.entry, rhs, arena);
            missed[k] += is_finite(&r, n) && !(r.excess > 0);
        }
        for (int k = 0; k < n * n; k++)
            c.entry[k] = random_unit();
        double rcond = solve_dense(&c, c.entry, y, &norm);
        weak += rcond < 1e-6;
        for (int k = 0; k < 2; k++) {
            Result r = solve_table(t[k], c.entry, rhs, arena);
            falsely[k] += rcond > 1e-6 && (r.excess > 0 || !is_finite(&r, n));
        }
        arena_free(arena);
    }
    printf("%d singular matrices: missed %d (LU), %d (QR); as many regular "
           "ones (%d of them nearly singular): false alarms %d, %d\n",
           trials, missed[0], missed[1], weak, falsely[0], falsely[1]);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(missed[k], 0);
        assert_int_equal(falsely[k], 0);
    }
}

/* A pivot that was fine in the samples and has become small. */
static void a_pivot_that_vanishes_raises_alarm(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    Case c = {.n = 2, .nnz = 4, .row = {0, 1, 0, 1}, .col = {0, 0, 1, 1}};
    double sample[4] = {1, 0.2, 0.2, 1}, now[4] = {1e-9, 1, 1, 1};
    double rhs[2] = {1, 2};
    const StaticLu *lu =
        static_lu_new(2, 4, c.row, c.col, sample, 1, 0.1, arena);
    TableOptions o = {.watch = true};
    const FactorTable *t = table_lu(lu, c.row, c.col, &o, arena);
    assert_true(solve_table(t, sample, rhs, arena).excess <= 0);
    assert_true(solve_table(t, now, rhs, arena).excess > 0);
    now[0] = 0;
    Result r = solve_table(t, now, rhs, arena);
    assert_false(is_finite(&r, 2));
    const FactorTable *q = table_qr(2, 2, 4, c.row, c.col, &o, arena);
    r = solve_table(q, now, rhs, arena);
    assert_true(r.excess <= 0); /* QR does not care */
    assert_true(fabs(r.x[0] - 1) < 1e-15 && fabs(r.x[1] - 1) < 1e-15);
    arena_free(arena);
}

/* Numbers near the ends of the range, and rows of zeros, make no NaN of a
 * rotation. */
static void rotations_bear_zeros_and_extremes(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    int row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2},
        col[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    static const double size[] = {1, 1e-300, 1e-200, 1e200, 1e300};
    TableOptions o = {.watch = true};
    const FactorTable *t = table_qr(3, 3, 9, row, col, &o, arena);
    for (int k = 0; k < 5; k++) {
        double entry[9] = {0, 0, 2, 0, 3, 0, 5, 0, 0}, rhs[3] = {5, 3, 2};
        for (int i = 0; i < 9; i++)
            entry[i] *= size[k];
        for (int i = 0; i < 3; i++)
            rhs[i] *= size[k];
        Result r = solve_table(t, entry, rhs, arena);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(r.x[i] - 1) < 1e-14);
    }
    double zero[9] = {0}, rhs[3] = {1, 1, 1};
    Result r = solve_table(t, zero, rhs, arena);
    assert_false(is_finite(&r, 3));
    arena_free(arena);
}

/* A triangular chain of small blocks: nothing may be added beside them. */
static void a_reducible_matrix_does_not_fill(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    enum { BLOCKS = 15, N = 3 * BLOCKS };
    int row[N * 9], col[N * 9], nnz = 0;
    for (int b = 0; b < BLOCKS; b++)
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                row[nnz] = 3 * b + i, col[nnz++] = 3 * b + j;
            for (int j = 0; b > 0 && j < 3; j++)
                row[nnz] = 3 * b + i, col[nnz++] = 3 * (b - 1) + j;
            if (b > 4)
                row[nnz] = 3 * b + i, col[nnz++] = i;
        }
    StaticLuCount count;
    assert_true(static_lu_count(N, nnz, row, col, NULL, 0, 0.1, &count));
    assert_int_equal(count.nblock, BLOCKS);
    assert_int_equal(count.largest, 3);
    assert_int_equal(count.nnz, nnz);
    const StaticLu *f = static_lu_new(N, nnz, row, col, NULL, 0, 0.1, arena);
    assert_int_equal(f->nentry, nnz);
    assert_true(f->flops <= count.flops);
    /* without a transversal there are no factors */
    int bad_row[3] = {0, 0, 1}, bad_col[3] = {0, 1, 0};
    assert_true(static_lu_count(2, 3, bad_row, bad_col, NULL, 0, 0.1, &count));
    assert_false(static_lu_count(2, 2, bad_row, bad_col, NULL, 0, 0.1, &count));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_agree_with_lapack),
        cmocka_unit_test(more_rows_give_least_squares),
        cmocka_unit_test(singular_matrices_raise_alarm_and_others_do_not),
        cmocka_unit_test(a_pivot_that_vanishes_raises_alarm),
        cmocka_unit_test(rotations_bear_zeros_and_extremes),
        cmocka_unit_test(a_reducible_matrix_does_not_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
