/* test_modes.c - modes of small models by our own loops, of large ones by
 * LAPACK. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>

#include "linear/linear.h"
#include "support/random.h"

enum { SMALL = 6, LARGE = 16 };

/* Two integrators in a row, in either order: both modes are 0, to the bit. */
static void a_chain_is_exact(void **state)
{
    (void)state;
    double upper[] = {0, 0, 1, 0}, lower[] = {0, 1, 0, 0};
    double *each[] = {upper, lower};
    Arena *arena = arena_new();
    for (int k = 0; k < 2; k++) {
        Linear l = {.nx = 2, .a = each[k]};
        assert_true(linear_modes(&l, arena));
        for (int i = 0; i < 2; i++)
            assert_true(l.re[i] == 0 && l.im[i] == 0);
    }
    arena_free(arena);
}

static void an_infinite_entry_has_no_modes(void **state)
{
    (void)state;
    double a[] = {-1, INFINITY, 0, -1};
    Linear l = {.nx = 2, .a = a};
    Arena *arena = arena_new();
    assert_false(linear_modes(&l, arena));
    arena_free(arena);
}

static void assert_near(double x, double y, double within)
{
    if (!(fabs(x - y) < within))
        fail_msg("%.17g and %.17g", x, y);
}

/* The first are those of the small model: what is beside it decays fast. */
static void assert_same_modes(const Linear *small, const Linear *large)
{
    for (int i = 0; i < SMALL; i++) {
        assert_near(small->re[i], large->re[i], 1e-9);
        assert_near(small->im[i], large->im[i], 1e-9);
        for (int k = 0; k < SMALL; k++)
            assert_near(small->share[k + i * SMALL],
                        large->share[k + i * LARGE], 1e-6);
    }
}

/* States of very different size: scales leave values and shares as they are. */
static void modes_do_not_depend_on_who_finds_them(void **state)
{
    (void)state;
    Random r = random_start("unit/linear/modes");
    for (int c = 0; c < 50; c++) {
        double a[SMALL * SMALL], b[LARGE * LARGE] = {0}, scale[SMALL];
        for (int i = 0; i < SMALL; i++)
            scale[i] = ldexp(1, random_below(&r, 30) - 15);
        for (int j = 0; j < SMALL; j++)
            for (int i = 0; i < SMALL; i++)
                b[i + j * LARGE] = a[i + j * SMALL] =
                    ((i == j ? 3 * i : 0) + random_between(&r, -1, 1)) *
                    scale[i] / scale[j];
        for (int i = SMALL; i < LARGE; i++)
            b[i + i * LARGE] = -100 - i;
        Linear small = {.nx = SMALL, .a = a}, large = {.nx = LARGE, .a = b};
        Arena *arena = arena_new();
        assert_true(linear_modes(&small, arena) && linear_modes(&large, arena));
        assert_same_modes(&small, &large);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_exact),
        cmocka_unit_test(an_infinite_entry_has_no_modes),
        cmocka_unit_test(modes_do_not_depend_on_who_finds_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
