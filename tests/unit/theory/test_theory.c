/* Orders, error constants and stability of methods against what is known. */
#include "support/test.h"

#include <math.h>

#include "theory/dae.h"
#include "theory/theory.h"

static const Theory *theory_of(const char *name, Arena *a)
{
    const Method *m = method_find(name, a);
    assert_non_null(m);
    return theory_make(m, a);
}

static void every_method_has_its_order_and_no_more(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int i = 0; i < method_count(); i++) {
        const Theory *t = theory_of(method_name(i), a);
        if (t->m->kind == MK_NONE)
            continue;
        assert_int_equal(t->order, t->m->order);
        if (t->m->kind != MK_CYCLE)
            assert_true(fabs(exact_double(t->constant) - t->m->error_constant) <
                        1e-14);
        assert_true(t->next_defect > 1e-4);
        assert_int_equal(t->order_hat, t->m->b_hat ? t->m->order_hat : 0);
        if (t->m->kind == MK_ROSENBROCK)
            assert_int_equal(t->order_any, t->m->order_any);
    }
    arena_free(a);
}

static void is_text(const char *name, const char *want)
{
    Arena *a = arena_new();
    assert_string_equal(theory_function(theory_of(name, a), a), want);
    arena_free(a);
}

/* (8.48), (8.51), (8.54) of Cellier and Kofman. */
static void stability_functions_are_exact(void **state)
{
    (void)state;
    is_text("radau3", "(1 + 1/3 z) / (1 - 2/3 z + 1/6 z^2)");
    is_text("radau5", "(1 + 2/5 z + 1/20 z^2) / (1 - 3/5 z + 3/20 z^2 - 1/60 "
                      "z^3)");
    is_text("lobatto4", "(1 + 1/4 z) / (1 - 3/4 z + 1/4 z^2 - 1/24 z^3)");
    is_text("bdf3", "largest root w of (11 - 6 z) w^3 - 18 w^2 + 9 w - 2 = 0");
    is_text("bi2", "(1 + z) / (1 - z)");
    is_text("ros2", "(1 + (-1 + sqrt2) z) / (1 - (2 - sqrt2) z + (3 - 2 "
                    "sqrt2)/2 z^2)");
}

/* (8.49), (8.52), (8.55): the series of F, exactly. */
static void series_of_radau_and_lobatto_are_those_of_the_book(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        long p, q; /* the first coefficient that is not 1/k! */
        int k;
    } want[] = {
        {"radau3", 1, 36, 4}, {"radau5", 11, 7200, 6}, {"lobatto4", 1, 96, 5}};
    Arena *a = arena_new();
    for (int i = 0; i < 3; i++) {
        const Theory *t = theory_of(want[i].name, a);
        Exact c[8]; /* up = down * series */
        for (int k = 0; k < 8; k++) {
            c[k] = k <= t->up.n ? t->up.c[k] : exact_of(0, 1);
            for (int j = 1; j <= k && j <= t->down.n; j++)
                c[k] = exact_sub(c[k], exact_mul(t->down.c[j], c[k - j]));
        }
        long factorial = 1;
        for (int k = 1; k < want[i].k; k++) {
            factorial *= k;
            assert_int_equal(
                exact_sign(exact_sub(c[k], exact_of(1, factorial))), 0);
        }
        Exact last = exact_of(want[i].p, want[i].q);
        assert_int_equal(exact_sign(exact_sub(c[want[i].k], last)), 0);
    }
    arena_free(a);
}

/* Hairer, Wanner II: V.1 table (angles of BDF), IV.9 (extrapolation), IV.2. */
static void angles_and_limits_are_the_known_ones(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double angle, real, imaginary;
    } want[] = {
        {"fe", 0, 2, 0},
        {"rk2", 0, 2, 0},
        {"rk3", 0, 2.51275, 1.73205},
        {"rk4", 0, 2.78529, 2.82843},
        {"be", 90, INFINITY, INFINITY},
        {"bdf2", 90, INFINITY, INFINITY},
        {"bdf3", 86.03, INFINITY, 0},
        {"bdf4", 73.35, INFINITY, 0},
        {"bdf5", 51.84, INFINITY, NAN},
        {"am3", 0, 6, 0},
    };
    Arena *a = arena_new();
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const Theory *t = theory_of(want[i].name, a);
        assert_true(fabs(t->angle - want[i].angle) < 0.006);
        if (isinf(want[i].real))
            assert_true(isinf(t->real));
        else
            assert_true(fabs(t->real - want[i].real) < 1e-5);
        if (isinf(want[i].imaginary))
            assert_true(isinf(t->imaginary));
        else if (!isnan(want[i].imaginary))
            assert_true(fabs(t->imaginary - want[i].imaginary) < 1e-5);
    }
    arena_free(a);
}

static void verdicts_are_proven_where_numbers_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool a, l, proven;
    } want[] = {
        {"radau5", true, true, true},     {"lobatto4", true, true, true},
        {"sdirk4", true, true, true}, /* E has a negative term */
        {"trapezoid", true, false, true}, {"bi2", true, false, true},
        {"bdf2", true, true, true},       {"bdf3", false, false, true},
        {"rk4", false, false, true},      {"liex2", true, true, true},
        {"liex4", false, false, true},    {"rodas4", true, true, false}};
    Arena *a = arena_new();
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        const Theory *t = theory_of(want[i].name, a);
        assert_int_equal(t->a.yes, want[i].a);
        assert_int_equal(t->l.yes, want[i].l);
        assert_int_equal(t->a.is_proven, want[i].proven);
    }
    arena_free(a);
}

/* Signs of |F| - 1 on a grid against closed forms. */
static void domains_have_the_signs_of_closed_forms(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Method *fe = method_find("fe", a), *be = method_find("be", a);
    const Method *mid = method_find("midpoint", a);
    for (int i = -20; i <= 20; i++)
        for (int j = -20; j <= 20; j++) {
            double x = 0.193 * i + 0.011, y = 0.187 * j + 0.007;
            assert_int_equal(theory_growth(fe, x, y) < 1, hypot(1 + x, y) < 1);
            assert_int_equal(theory_growth(be, x, y) < 1, hypot(1 - x, y) > 1);
            assert_int_equal(theory_growth(mid, x, y) < 1, x < 0);
        }
    arena_free(a);
}

static void stability_does_not_depend_on_the_matrix_of_derivatives(void **state)
{
    (void)state;
    static const char *const name[] = {"bdf1", "bdf3", "bdf5", "am3"};
    Arena *a = arena_new();
    for (int i = 0; i < 4; i++) {
        DaeTest test[DAE_TESTS];
        dae_test(method_find(name[i], a), test);
        for (int k = 0; k < DAE_TESTS; k++) {
            assert_int_equal(test[k].rank, 2);
            assert_true(test[k].difference < 1e-13 * test[k].condition + 1e-12);
        }
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_its_order_and_no_more),
        cmocka_unit_test(stability_functions_are_exact),
        cmocka_unit_test(series_of_radau_and_lobatto_are_those_of_the_book),
        cmocka_unit_test(angles_and_limits_are_the_known_ones),
        cmocka_unit_test(verdicts_are_proven_where_numbers_are_exact),
        cmocka_unit_test(domains_have_the_signs_of_closed_forms),
        cmocka_unit_test(
            stability_does_not_depend_on_the_matrix_of_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
