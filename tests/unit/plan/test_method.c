/* The tables of methods: order, error constants, shape; tableaux of users. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "plan/method.h"

static void every_method_has_its_order_and_no_more(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int i = 0; i < method_count(); i++) {
        const Method *m = method_find(method_name(i), a);
        assert_non_null(m);
        method_check(m);
        if (m->kind == MK_ROSENBROCK) {
            assert_true(method_order_defect(m, m->order) < 1e-13);
            assert_true(m->order == 4 ||
                        method_order_defect(m, m->order + 1) > 1e-4);
        }
        if (m->kind != MK_RK && m->kind != MK_MULTISTEP)
            continue;
        int upto = m->kind == MK_RK && m->order > 5 ? 5 : m->order;
        assert_true(method_order_defect(m, upto) < 1e-13);
        if (m->kind == MK_MULTISTEP || m->order < 5)
            assert_true(method_order_defect(m, m->order + 1) > 1e-4);
    }
    arena_free(a);
}

static void check_constant(const char *name, double want)
{
    Arena *a = arena_new();
    double found = method_find(name, a)->error_constant;
    if (fabs(found - want) > 1e-12)
        fail_msg("%s: error constant %.15g, expected %.15g", name, found, want);
    arena_free(a);
}

static void error_constants_are_those_of_the_book(void **state)
{
    (void)state;
    check_constant("be", 0.5);
    check_constant("fe", -0.5);
    check_constant("bdf1", 0.5);
    check_constant("bdf2", 1.0 / 3);
    check_constant("bdf5", 1.0 / 6);
    check_constant("trapezoid", 1.0 / 12);
    check_constant("radau3", -1.0 / 72); /* (8.50), sign by (8.49) */
    check_constant("radau5", 1.0 / 7200 * (11 - 10)); /* (8.53) */
    check_constant("lobatto4", 1.0 / 480);            /* (8.56) */
    check_constant("am3", -1.0 / 24 * -1);
}

static void shapes_follow_from_the_tables(void **state)
{
    (void)state;
    Arena *a = arena_new();
    assert_true(method_find("rk4", a)->is_explicit);
    assert_true(method_find("sdirk4", a)->is_diagonal);
    assert_true(method_find("sdirk4", a)->is_stiffly_accurate);
    assert_true(method_find("radau5", a)->is_stiffly_accurate);
    assert_true(method_find("lobatto4", a)->is_stiffly_accurate);
    assert_true(method_find("trapezoid", a)->is_stiffly_accurate);
    assert_false(method_find("midpoint", a)->is_stiffly_accurate);
    assert_false(method_find("rk4", a)->is_stiffly_accurate);
    assert_int_equal(method_back(method_find("bdf5", a)), 5);
    assert_int_equal(method_back(method_find("bi2", a)), 1);
    assert_string_equal(method_find("bdf3", a)->start->name, "radau5");
    assert_null(method_find("bdf1", a)->start);
    arena_free(a);
}

static void extrapolation_is_a_tableau_of_substeps(void **state)
{
    (void)state;
    Arena *a = arena_new();
    const Method *m = method_find("liex3", a);
    assert_int_equal(m->nstage, 6);
    assert_int_equal(m->newton, 1);
    assert_int_equal(m->stage_guess[0], NONE);
    assert_int_equal(m->stage_guess[2], 1);
    assert_int_equal(m->stage_guess[3], NONE);
    assert_true(fabs(m->b[0] - 0.5) < 1e-15); /* weights 1/2, -4, 9/2 */
    assert_true(fabs(m->b[1] + 2.0) < 1e-15);
    assert_true(fabs(m->b[5] - 1.5) < 1e-15);
    assert_true(fabs(m->c[4] - 2.0 / 3) < 1e-15);
    arena_free(a);
}

/* R at infinity: 1 - b' (alpha + Gamma)^-1 1, by forward substitution. */
static double at_infinity(const Method *m)
{
    double x[24], sum = 1;
    for (int i = 0; i < m->nstage; i++) {
        x[i] = 1;
        for (int j = 0; j < i; j++)
            x[i] -= m->a[i * m->nstage + j] * x[j];
        x[i] /= m->a[i * m->nstage + i];
        sum -= m->b[i] * x[i];
    }
    return sum;
}

static void rosenbrock_methods_damp_what_is_infinitely_fast(void **state)
{
    (void)state;
    static const char *const name[] = {"ros2", "rosw3", "rodas3", "rodas4",
                                       "rodasp4"};
    Arena *a = arena_new();
    for (int i = 0; i < 5; i++) {
        const Method *m = method_find(name[i], a);
        assert_int_equal(m->kind, MK_ROSENBROCK);
        assert_true(fabs(at_infinity(m)) < 1e-13);
        assert_int_equal(m->order_any, i == 0 ? 2 : i == 1 ? 3 : 1);
    }
    arena_free(a);
}

/* One step of x' = z x both ways: k by alpha, Gamma, b; u by the transformed
 * coefficients. */
static void transformed_coefficients_give_the_same_step(void **state)
{
    (void)state;
    Arena *a = arena_new();
    double z = -0.7;
    for (int i = 0; i < method_count(); i++) {
        const Method *m = method_find(method_name(i), a);
        double k[24] = {0}, u[24] = {0}, x = 1, y = 1;
        int n = m->nstage;
        for (int j = 0; m->kind == MK_ROSENBROCK && j < n; j++) {
            double at = 1, slope = 0, value = 1, sum = 0;
            for (int l = 0; l < j; l++) {
                at += m->alpha_ij[j * n + l] * k[l];
                slope += m->gamma_ij[j * n + l] * k[l];
                value += m->value_weight[j * n + l] * u[l];
                sum += m->slope_weight[j * n + l] * u[l];
            }
            k[j] = z * (at + slope) / (1 - z * m->gamma);
            u[j] = m->gamma * (z * value + sum) / (1 - z * m->gamma);
            x += m->b[j] * k[j];
            y += m->end_weight[j] * u[j];
        }
        if (m->kind == MK_ROSENBROCK && fabs(x - y) > 1e-14)
            fail_msg("%s: %.17g and %.17g", m->name, x, y);
    }
    arena_free(a);
}

/* Reads `text` as the file of a method; the messages go to `said`. */
static const Method *read_text(const char *text, char *said, size_t size,
                               Arena *a)
{
    char path[] = "/tmp/takt-method-XXXXXX.json";
    int fd = mkstemps(path, 5);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    fputs(text, f);
    fclose(f);
    Sources *sources = sources_new(a);
    Diag *diag = diag_new(sources, a);
    const Method *m = method_read(path, sources, a, diag);
    FILE *out = fmemopen(said, size, "w");
    diag_print(diag, out);
    fclose(out);
    remove(path);
    return m;
}

static void a_tableau_of_the_user_is_read_and_tested(void **state)
{
    (void)state;
    char said[2000];
    Arena *a = arena_new();
    const Method *m = read_text(
        "{\"name\": \"sdirk2\", \"order\": 2, \"b\": [0.5, \"1/2\"],\n"
        " \"a\": [[1, 0], [-1, 1]]}",
        said, sizeof said, a);
    assert_non_null(m);
    assert_true(m->is_diagonal && !m->is_explicit);
    assert_int_equal(m->nstage, 2);

    m = read_text("{\"order\": 2, \"alpha\": [1, \"-4/3\", \"1/3\"],"
                  " \"beta\": [\"2/3\"], \"newton\": 3}",
                  said, sizeof said, a);
    assert_non_null(m);
    assert_int_equal(m->newton, 3);
    assert_int_equal(m->nback, 2);
    assert_non_null(m->start);

    m = read_text("{\"order\": 2, \"oneleg\": true, \"alpha\": [1, -1],"
                  " \"beta\": [0.5, 0.5]}",
                  said, sizeof said, a);
    assert_non_null(m);
    assert_int_equal(m->kind, MK_ONELEG);

    m = read_text("{\"order\": 2, \"a\": [[0, 0], [1, 0]], \"b\": [0.5, 0.5],"
                  " \"gamma\": [[1, 0], [-2, 1]]}",
                  said, sizeof said, a);
    assert_non_null(m);
    assert_int_equal(m->kind, MK_ROSENBROCK);
    assert_int_equal(m->order_any, 2);
    assert_true(fabs(m->value_weight[2] - 1) < 1e-15);
    assert_true(fabs(m->slope_weight[2] + 2) < 1e-15);
    arena_free(a);
}

static void refuses(const char *text, const char *message)
{
    char said[2000] = "";
    Arena *a = arena_new();
    assert_null(read_text(text, said, sizeof said, a));
    if (!strstr(said, message))
        fail_msg("no '%s' in: %s", message, said);
    arena_free(a);
}

static void a_wrong_tableau_is_refused_with_its_reason(void **state)
{
    (void)state;
    refuses("{\"order\": 2, \"a\": [[0]], \"b\": [1]}", "not of order 2");
    refuses("{\"order\": 2, \"a\": [[0]], \"b\": [1], \"gamma\": [[0.4]]}",
            "not of order 2");
    refuses("{\"order\": 1, \"a\": [[0]], \"b\": [1], \"gamma\": [[0]]}",
            "the same number > 0 all along");
    refuses("{\"order\": 1, \"a\": [[1]], \"b\": [1], \"gamma\": [[1]]}",
            "0 on and above");
    refuses("{\"order\": 1, \"a\": [[0]], \"b\": [1], \"c\": [0.5]}",
            "sums to 0");
    refuses("{\"order\": 1, \"a\": [[0, 1]], \"b\": [1]}", "as long as 'b'");
    refuses("{\"order\": 1, \"a\": [[0]], \"b\": [1], \"d\": 1}", "no key 'd'");
    refuses("{\"order\": 1, \"b\": [\"1/0\"], \"a\": [[0]]}", "fraction");
    refuses("{\"order\": 1, \"b\": [1]}", "matrix 'a'");
    refuses("{\"order\": 0, \"b\": [1], \"a\": [[1]]}", "at least 1");
    refuses("[1, 2]", "object");
    refuses("{\"order\": 1,", "not valid JSON");
    refuses("{\"order\": 1, \"alpha\": [2, -2], \"beta\": [2]}", "must be 1");
}

static void no_method_has_no_order_and_no_stages(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    const Method *m = method_find("none", arena);
    assert_int_equal(m->kind, MK_NONE);
    assert_int_equal(m->order, 0);
    assert_int_equal(m->stage_order, 0);
    assert_int_equal(m->nstage, 0);
    assert_int_equal(m->nback, 0);
    assert_null(m->start);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_its_order_and_no_more),
        cmocka_unit_test(error_constants_are_those_of_the_book),
        cmocka_unit_test(shapes_follow_from_the_tables),
        cmocka_unit_test(extrapolation_is_a_tableau_of_substeps),
        cmocka_unit_test(rosenbrock_methods_damp_what_is_infinitely_fast),
        cmocka_unit_test(transformed_coefficients_give_the_same_step),
        cmocka_unit_test(a_tableau_of_the_user_is_read_and_tested),
        cmocka_unit_test(a_wrong_tableau_is_refused_with_its_reason),
        cmocka_unit_test(no_method_has_no_order_and_no_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
