/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "num/dense.h"

static void a_system_is_solved(void **state)
{
    (void)state;
    double a[9] = {0, 1, 4, 2, 1, 0, 1, 0, 3}; /* by columns; a[0] is 0 */
    double norm = dense_norm(3, 3, a);
    double b[6] = {7, 3, 13, 1, 1, 4}; /* a*(1, 2, 3), a*(1, 0, 0) + (1,0,0) */
    b[3] = 0;
    int pivot[3];
    assert_true(dense_lu_factor(3, a, pivot));
    dense_lu_solve(3, a, pivot, b, 2);
    const double x[6] = {1, 2, 3, 1, 0, 0};
    for (int i = 0; i < 6; i++)
        assert_true(fabs(b[i] - x[i]) < 1e-14);
    double rcond = dense_lu_rcond(3, a, pivot, norm);
    assert_true(fabs(rcond - 1 / 9.0) < 1e-14);
}

static void a_singular_or_infinite_matrix_is_refused(void **state)
{
    (void)state;
    double zero[4] = {1, 2, 0, 0}, inf[4] = {1, 0, 0, INFINITY};
    double s[2], x[4], y[4];
    int pivot[2];
    assert_false(dense_lu_factor(2, zero, pivot));
    assert_false(dense_lu_factor(2, inf, pivot));
    assert_int_equal(dense_null(2, 2, inf, DENSE_TOLERANCE, x), -1);
    assert_false(dense_svd(2, inf, s, x, y));
    assert_false(dense_eigenvalues(2, inf, x, y));
    assert_true(dense_norm_2(2, 2, inf) == INFINITY);
}

static void scaling_brings_units_together(void **state)
{
    (void)state;
    /* pascal beside metres: regular, though its entries span 30 decades */
    double a[4] = {1e15, 1e5, 1e-5, -1e-15};
    double row[2], col[2];
    double null[4];
    assert_int_equal(dense_null(2, 2, a, DENSE_TOLERANCE, null), 0);
    dense_scale(2, 2, a, row, col);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(a[i]) >= 0.25 && fabs(a[i]) <= 2);
    double zeros[4] = {0, 0, 0, 3};
    dense_scale(2, 2, zeros, row, col);
    assert_true(row[0] == 1 && col[0] == 1);
}

static void null_vectors_are_those_of_the_unscaled_matrix(void **state)
{
    (void)state;
    double a[6] = {1e6, 1e-6, 2e6, 2e-6, 3, 5e-12}; /* 2 rows, 3 columns */
    double null[9];
    assert_int_equal(dense_null(2, 3, a, DENSE_TOLERANCE, null), 1);
    assert_true(fabs(null[0] - 1) < 1e-12);
    assert_true(fabs(null[1] + 0.5) < 1e-12);
    assert_true(fabs(null[2]) < 1e-6);
    assert_int_equal(dense_null(0, 2, a, DENSE_TOLERANCE, null), 2);
}

static void singular_values_come_in_order(void **state)
{
    (void)state;
    double a[9] = {0, 2, 0, 3, 0, 0, 0, 0, 0}, s[3], u[9], v[9];
    assert_true(fabs(dense_norm_2(3, 3, a) - 3) < 1e-14);
    assert_true(dense_svd(3, a, s, u, v));
    assert_true(fabs(s[0] - 3) < 1e-14 && fabs(s[1] - 2) < 1e-14 && s[2] == 0);
    assert_true(fabs(u[0] * v[1] - 1) < 1e-14); /* 3 stands at (0, 1) */
    assert_true(fabs(u[4] * v[3] - 1) < 1e-14); /* 2 stands at (1, 0) */
    double b[4] = {1, 1, 1, 1};
    assert_true(fabs(dense_norm_2(4, 1, b) - 2) < 1e-14);
    assert_true(fabs(dense_norm_2(1, 4, b) - 2) < 1e-14);
    assert_true(fabs(dense_norm_2(2, 2, b) - 2) < 1e-14);
    assert_true(dense_norm_2(0, 0, b) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_is_solved),
        cmocka_unit_test(a_singular_or_infinite_matrix_is_refused),
        cmocka_unit_test(scaling_brings_units_together),
        cmocka_unit_test(null_vectors_are_those_of_the_unscaled_matrix),
        cmocka_unit_test(singular_values_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
