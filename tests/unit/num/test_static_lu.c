/* Pivots that serve all samples, and between them. */
#include "num/static_lu.h"
#include "support/test.h"

enum { N = 2, NNZ = 4, SAMPLES = 2 };

static const int ROW[NNZ] = {0, 0, 1, 1}, COL[NNZ] = {0, 1, 0, 1};

static void a_pivot_that_changes_its_sign_is_refused(void **unused)
{
    (void)unused;
    Arena *arena = arena_new();
    /* a 1; 1 a, with a = 0.5 and -0.5: somewhere between it is 0 */
    const double entry[SAMPLES * NNZ] = {0.5, 1, 1, 0.5, -0.5, 1, 1, -0.5};
    const StaticLu *f =
        static_lu_steady(N, NNZ, ROW, COL, entry, SAMPLES, 0.1, NULL, arena);
    assert_non_null(f);
    assert_int_not_equal(f->row[0], f->col[0]);
    arena_free(arena);
}

static void where_all_change_their_sign_there_is_no_order(void **unused)
{
    (void)unused;
    Arena *arena = arena_new();
    /* a rotation by 45 degrees, and by 225 */
    const double entry[SAMPLES * NNZ] = {1, -1, 1, 1, -1, 1, -1, -1};
    assert_null(
        static_lu_steady(N, NNZ, ROW, COL, entry, SAMPLES, 0.1, NULL, arena));
    assert_non_null(
        static_lu_new(N, NNZ, ROW, COL, entry, SAMPLES, 0.1, arena));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pivot_that_changes_its_sign_is_refused),
        cmocka_unit_test(where_all_change_their_sign_there_is_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
