/* prop_least_sum.c - against all corners: of n rows every k are made 0, and
 * the least sum over these is the least of all, as it is taken at a corner. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "num/least_sum.h"
#include "support/random.h"

enum { MOST_N = 8, MOST_K = 3 };

typedef struct Case {
    int n, k;
    double null[MOST_N * MOST_K], weight[MOST_N], x[MOST_N];
} Case;

/* Small whole numbers, so that entries are equal and 0 now and then. */
static double pick(Random *r)
{
    return random_below(r, 4) == 0 ? 0 : random_below(r, 9) - 4;
}

static bool make_orthonormal(Case *c)
{
    for (int q = 0; q < c->k; q++) {
        double *v = c->null + q * c->n, size = 0;
        for (int p = 0; p < q; p++) {
            double part = 0;
            for (int i = 0; i < c->n; i++)
                part += c->null[i + p * c->n] * v[i];
            for (int i = 0; i < c->n; i++)
                v[i] -= part * c->null[i + p * c->n];
        }
        for (int i = 0; i < c->n; i++)
            size += v[i] * v[i];
        if (size < 1e-6)
            return false;
        for (int i = 0; i < c->n; i++)
            v[i] /= sqrt(size);
    }
    return true;
}

static double sum_at(const Case *c, const double *x)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++)
        sum += c->weight[i] * fabs(x[i]);
    return sum;
}

/* The sum where the rows of `set` are 0, INFINITY: they do not determine c. */
static double sum_in_corner(const Case *c, unsigned set)
{
    double a[MOST_K * MOST_K], move[MOST_K], x[MOST_N];
    int pivot[MOST_K], row = 0;
    for (int i = 0; i < c->n; i++) {
        if (!(set >> i & 1))
            continue;
        for (int j = 0; j < c->k; j++)
            a[row + j * c->k] = c->null[i + j * c->n];
        move[row++] = -c->x[i];
    }
    double size = dense_norm(c->k, c->k, a);
    if (!dense_lu_factor(c->k, a, pivot) ||
        dense_lu_rcond(c->k, a, pivot, size) < 1e-8)
        return INFINITY;
    dense_lu_solve(c->k, a, pivot, move, 1);
    for (int i = 0; i < c->n; i++) {
        x[i] = c->x[i];
        for (int j = 0; j < c->k; j++)
            x[i] += c->null[i + j * c->n] * move[j];
    }
    return sum_at(c, x);
}

static double least_of_corners(const Case *c)
{
    double least = INFINITY;
    for (unsigned set = 0; set < 1u << c->n; set++)
        if (__builtin_popcount(set) == c->k)
            least = fmin(least, sum_in_corner(c, set));
    return least;
}

static bool make_case(Random *r, Case *c, bool all)
{
    c->n = 2 + random_below(r, MOST_N - 1);
    c->k = 1 + random_below(r, c->n - 1 < MOST_K ? c->n - 1 : MOST_K);
    for (int i = 0; i < c->n; i++) {
        c->x[i] = pick(r);
        c->weight[i] = all || random_below(r, 4) ? 1 + random_below(r, 3) : 0;
    }
    for (int i = 0; i < c->n * c->k; i++)
        c->null[i] = pick(r);
    return make_orthonormal(c);
}

static void no_corner_has_a_smaller_sum(void **state)
{
    (void)state;
    Random r = random_start("prop_least_sum");
    int moved = 0;
    for (int k = random_cases(2000, 100000); k > 0; k--) {
        Case c;
        if (!make_case(&r, &c, true))
            continue;
        double least = least_of_corners(&c), x[MOST_N];
        memcpy(x, c.x, sizeof x);
        moved += least_sum(c.n, c.k, c.null, c.weight, x);
        double found = sum_at(&c, x);
        if (!(found <= least + 1e-9 * (1 + least)))
            fail_msg("n = %d, k = %d: %g, but %g in a corner", c.n, c.k, found,
                     least);
    }
    assert_true(moved > 100);
}

static void what_it_finds_is_a_solution_and_no_worse(void **state)
{
    (void)state;
    Random r = random_start("prop_least_sum");
    for (int k = random_cases(2000, 100000); k > 0; k--) {
        Case c;
        if (!make_case(&r, &c, false))
            continue;
        double x[MOST_N], left[MOST_N];
        memcpy(x, c.x, sizeof x);
        bool moved = least_sum(c.n, c.k, c.null, c.weight, x);
        assert_int_equal(moved, memcmp(x, c.x, (size_t)c.n * sizeof *x) != 0);
        assert_true(sum_at(&c, x) <= sum_at(&c, c.x));
        for (int i = 0; i < c.n; i++)
            left[i] = x[i] - c.x[i];
        for (int j = 0; j < c.k; j++) { /* what is moved lies in the columns */
            double part = 0;
            for (int i = 0; i < c.n; i++)
                part += c.null[i + j * c.n] * (x[i] - c.x[i]);
            for (int i = 0; i < c.n; i++)
                left[i] -= part * c.null[i + j * c.n];
        }
        for (int i = 0; i < c.n; i++)
            assert_true(fabs(left[i]) < 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_corner_has_a_smaller_sum),
        cmocka_unit_test(what_it_finds_is_a_solution_and_no_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
