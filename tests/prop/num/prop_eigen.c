/* prop_eigen.c - eigenvalues and Schur forms against LAPACK and against their
 * definitions.
 *
 * Random matrices: full, sparse (several strongly connected parts), badly
 * scaled, symmetric, orthogonal (shifts that do not converge by themselves),
 * companion matrices of x^n - 1, chains of equal lags.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <lapacke.h>
#include <math.h>

#include "num/eigen.h"
#include "support/random.h"

enum { MOST = 24, KINDS = 7 };

static void fill(Random *r, int kind, int n, double *a)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double *at = &a[i + j * n];
            *at = random_between(r, -1, 1);
            if (kind == 1 && random_below(r, 4) > 0)
                *at = 0;
            if (kind == 2)
                *at *= exp2(3 * (i - j));
            if (kind == 3 && i > j)
                *at = a[j + i * n];
            if (kind == 4) /* a permutation: one cycle */
                *at = i == (j + 1) % n;
            if (kind == 5) /* roots of x^n = 1/2 and a half of its row */
                *at = i == j + 1 ? 1 : j == n - 1 && i == 0 ? 0.5 : 0;
            if (kind == 6)
                *at = i == j ? -1 : i == j + 1 ? 1 : 0;
        }
    if (kind == 3)
        for (int j = 0; j < n; j++)
            for (int i = j + 1; i < n; i++)
                a[i + j * n] = a[j + i * n];
}

/* The largest distance of a value from the nearest of the others. */
static double distance(int n, const double *re, const double *im,
                       const double *re2, const double *im2)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        double best = INFINITY;
        for (int j = 0; j < n; j++)
            best = fmin(best, hypot(re[i] - re2[j], im[i] - im2[j]));
        worst = fmax(worst, best);
    }
    return worst;
}

/* Values that LAPACK finds again in the transposed matrix to ten digits are
 * well-conditioned; ours must be there too. A sum is always the trace. */
static void check_values(int n, const double *a, int *judged)
{
    double own[MOST * MOST], other[MOST * MOST], turned[MOST * MOST];
    double re[MOST], im[MOST], re2[MOST], im2[MOST], re3[MOST], im3[MOST];
    long double wide[MOST * MOST], wre[MOST], wim[MOST];
    double trace = 0, sum = 0, size = 0;
    for (int k = 0; k < n * n; k++) {
        wide[k] = own[k] = other[k] = a[k];
        turned[k % n * n + k / n] = a[k];
        size = fmax(size, fabs(a[k]));
    }
    assert_true(eigen_values(n, own, re, im));
    assert_true(eigen_values_wide(n, wide, wre, wim));
    LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, other, n, re2, im2, NULL, 1,
                  NULL, 1);
    LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, turned, n, re3, im3, NULL, 1,
                  NULL, 1);
    for (int i = 0; i < n; i++) {
        trace += a[i + i * n];
        sum += re[i];
        if (im[i] > 0)
            assert_true(i + 1 < n && im[i + 1] == -im[i] && re[i + 1] == re[i]);
    }
    assert_true(fabs(trace - sum) <= 1e-12 * n * n * (1 + size));
    double noise = distance(n, re2, im2, re3, im3);
    if (noise > 1e-10)
        return;
    ++*judged;
    assert_true(distance(n, re, im, re2, im2) <= 1e-9 * (1 + size));
    assert_true(distance(n, re2, im2, re, im) <= 1e-9 * (1 + size));
    for (int i = 0; i < n; i++) {
        re3[i] = (double)wre[i];
        im3[i] = (double)wim[i];
    }
    assert_true(distance(n, re3, im3, re, im) <= 1e-9 * (1 + size));
}

/* q t q^H is the matrix, q is unitary, t is triangular. */
static void check_schur(int n, const double *a, const Schur *s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            WideComplex sum = 0, unit = 0;
            for (int k = 0; k < n; k++) {
                WideComplex half = 0;
                for (int l = k; l < n; l++)
                    half += s->t[k + l * n] * conjl(s->q[j + l * n]);
                sum += s->q[i + k * n] * half;
                unit += s->q[i + k * n] * conjl(s->q[j + k * n]);
            }
            assert_true(cabsl(sum - a[i + j * n]) <
                        1e-16L * n * n * (1 + fabsl((Wide)a[i + j * n])) *
                            exp2l(3 * n));
            assert_true(cabsl(unit - (i == j)) < 1e-16L * n * n);
            if (i > j)
                assert_true(s->t[i + j * n] == 0);
        }
}

/* A right vector is only turned by a, a left one by its transpose: (a - lambda)
 * of it is rounding, beside what grows where two values are nearly one. */
static void check_vectors(int n, const double *a, const Schur *s)
{
    WideComplex right[MOST], left[MOST];
    for (int k = 0; k < n; k++) {
        WideComplex value = s->t[k + k * n];
        Wide length = 0, error = 0, other = 0;
        eigen_vectors(s, k, right, left);
        for (int i = 0; i < n; i++) {
            WideComplex r = -value * right[i], l = -conjl(value) * left[i];
            for (int j = 0; j < n; j++) {
                r += a[i + j * n] * right[j];
                l += a[j + i * n] * left[j];
            }
            length += creall(right[i] * conjl(right[i]));
            error = fmaxl(error, cabsl(r));
            other = fmaxl(other, cabsl(l));
        }
        assert_true(fabsl(length - 1) < 1e-15L);
        assert_true(error < 1e-15L * n * n && other < 1e-15L * n * n);
    }
}

static void check_form(Random *r, int n, const double *a)
{
    Arena *arena = arena_new();
    long double copy[MOST * MOST];
    WideComplex value[MOST];
    bool select[MOST];
    Schur s;
    for (int k = 0; k < n * n; k++)
        copy[k] = a[k];
    assert_true(eigen_schur(n, copy, &s, arena));
    check_schur(n, a, &s);
    if (n <= MOST / 2)
        check_vectors(n, a, &s);
    int count = 0, at[MOST];
    bool is_bottom = random_below(r, 2) == 1;
    for (int i = 0; i < n; i++) {
        value[i] = s.t[i + i * n];
        select[i] = random_below(r, 2) == 1;
        if (select[i])
            at[count++] = i;
    }
    eigen_reorder(&s, select, is_bottom);
    check_schur(n, a, &s);
    for (int c = 0; c < count; c++) {
        int i = is_bottom ? n - count + c : c;
        assert_true(s.t[i + i * n] == value[at[c]]);
    }
    arena_free(arena);
}

static void values_are_those_of_lapack(void **state)
{
    (void)state;
    Random r = random_start("prop/num/eigen");
    int cases = random_cases(700, 50000), judged = 0;
    for (int c = 0; c < cases; c++) {
        double a[MOST * MOST];
        int n = 1 + random_below(&r, MOST), kind = c % KINDS;
        fill(&r, kind, n, a);
        check_values(n, a, &judged);
        if (kind != 2)
            check_form(&r, n, a);
    }
    assert_true(judged > cases / 2);
}

/* A chain of lags is triangular: its values are its diagonal, to the bit. */
static void a_triangular_matrix_is_exact(void **state)
{
    (void)state;
    Random r = random_start("prop/num/eigen, triangles");
    for (int c = 0; c < 200; c++) {
        double a[MOST * MOST] = {0}, re[MOST], im[MOST];
        int order[MOST], n = 1 + random_below(&r, MOST);
        for (int i = 0; i < n; i++)
            order[i] = i;
        for (int i = n - 1; i > 0; i--) {
            int j = random_below(&r, i + 1), held = order[i];
            order[i] = order[j];
            order[j] = held;
        }
        for (int j = 0; j < n; j++)
            for (int i = j; i < n; i++)
                a[order[i] + order[j] * n] = i == j ? 1 + 1e-9 * i : 1e3;
        assert_true(eigen_values(n, a, re, im));
        for (int i = 0; i < n; i++) {
            int found = 0;
            for (int k = 0; k < n; k++)
                found += re[k] == 1 + 1e-9 * i && im[k] == 0;
            assert_int_equal(found, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_lapack),
        cmocka_unit_test(a_triangular_matrix_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
