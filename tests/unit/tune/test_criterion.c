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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trace_of_an_algebraic_entry_is_its_share_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
