/* test_criterion.c - what the loss of an entry does, by hand. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "matrices.h"
#include "tune/criterion.h"

/* Df_22 = (4 1; 2 1), its inverse (1/2 -1/2; -1 2): the traces of the entries
 * are 2, 1, 1 and 2. */
static void the_trace_of_an_algebraic_entry_is_its_share_of_one(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const double df[] = {-1, 0, 1, 1, 4, 1, 0, 2, 1};
    const double want[2][2] = {{2, 1}, {1, 2}};
    PencilSet *p = pencil_rows(3, 1, 1, df, a);
    const Spectrum *s = spectrum_make(p, 0, 0.01, NULL, a);
    const Criterion *c = criterion_make(p, s, a);
    assert_int_equal(c->code, TUNE_FINE);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            int e = pencil_place(p, 1 + i, 1 + j);
            assert_true(fabs(c->algebraic_trace[e] - want[i][j]) < 1e-12);
        }
    arena_free(a);
}

/* Other units of equations and variables (Schiela 4.4.2): the same figures, and
 * the same entries by cycles; by magnitude others. */
static void the_criterion_is_invariant_to_scaling(void **state)
{
    (void)state;
    enum { N = 3 };
    static const double l[N * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double df[N * N] = {-3, 0.4, 0.01, 2, -40, 0.3, 0.5, 7, -0.2};
    static const double unit[N] = {1e-3, 1, 256};
    double other[N * N];
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            other[i + j * N] = df[i + j * N] * unit[j] / unit[i];
    Arena *a = arena_new();
    ClusterOptions o = {0};
    const PencilSet *p = pencil_from_dense(N, N, 1, l, df, a);
    const PencilSet *q = pencil_from_dense(N, N, 1, l, other, a);
    const Criterion *x = criterion_make(p, spectrum_make(p, 0, 0.1, &o, a), a);
    const Criterion *y = criterion_make(q, spectrum_make(q, 0, 0.1, &o, a), a);
    assert_int_equal(x->ncluster, y->ncluster);
    for (int e = 0; e < p->nnz * x->ncluster; e++)
        assert_float_equal(x->c[e], y->c[e], 1e-9 * (1e-3 + x->c[e]));
    bool one[N * N], two[N * N];
    criterion_cycles(p, 0, 0.1, 0.02, one);
    criterion_cycles(q, 0, 0.1, 0.02, two);
    assert_memory_equal(one, two, (size_t)p->nnz);
    criterion_magnitude(p, 0, 0.1, 0.02, one);
    criterion_magnitude(q, 0, 0.1, 0.02, two);
    assert_memory_not_equal(one, two, (size_t)p->nnz);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_of_an_algebraic_entry_is_its_share_of_one),
        cmocka_unit_test(the_criterion_is_invariant_to_scaling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
