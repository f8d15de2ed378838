/* test_array.c - derivative arrays against symbolic differentiation, the index
 * of known systems, completions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "array/index.h"
#include "simplify/simplify.h"
#include "support/flat_text.h"

typedef struct Case {
    Arena *arena;
    Diag *diag;
    Sys *sys;
    Array *array;
} Case;

static Case make(const char *text, int most)
{
    Case c = {.arena = arena_new()};
    Sources *sources = sources_new(c.arena);
    sources_add(sources, "test.mo", text, strlen(text));
    c.diag = diag_new(sources, c.arena);
    c.sys = simplify(flat_text(text, c.arena), (SimplifyOptions){0}, c.arena,
                     c.diag);
    assert_non_null(c.sys);
    c.array = array_new(c.sys, 0, most, c.arena, c.diag);
    assert_non_null(c.array);
    return c;
}

/* ---- against symbolic differentiation ---- */

typedef struct Leaves {
    const Array *a;
    const double *z;
    double t;
} Leaves;

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Leaves *p = context;
    int v, order;
    if (expr_op(d, e) == EX_TIME)
        return p->t;
    assert_true(expr_is_var(d, e, &v, &order));
    if (p->a->width[v] == 0)
        return p->a->value[v];
    int last = p->a->width[v] - 1;
    int q = order > last ? order - last : 0;
    return p->z[q * p->a->n + p->a->first[v] + order - q];
}

static void near(double got, double want, double size)
{
    if (!(fabs(got - want) <= 1e-9 * (size + fabs(want))))
        fail_msg("%.15g instead of %.15g", got, want);
}

/* The entries of a row (in steps of nrow) for all columns that stand for the
 * same derivative as column j: x'' is der(x)' too. */
static double sum_of(const Case *c, const double *row, int nrow, int k, int j)
{
    const Array *a = c->array;
    const ArrayColumn *x = &a->col[j % a->n];
    double sum = 0;
    for (int i = 0; i < (k + 2) * a->n; i++) {
        const ArrayColumn *y = &a->col[i % a->n];
        if (y->var == x->var && y->order + i / a->n == x->order + j / a->n)
            sum += row[i * nrow];
    }
    return sum;
}

/* Every row and entry of F_k at one point. */
static void compare_with_symbolic(Case *c, int k, const double *z, double t)
{
    Array *a = c->array;
    Dag *d = a->dag;
    int n = a->n, nrow = (k + 1) * n;
    double *f = NEW_ARRAY(c->arena, double, nrow);
    double *m = NEW_ARRAY(c->arena, double, nrow *(k + 2) * n);
    bool *varies = NEW_ARRAY(c->arena, bool, c->sys->nvar);
    for (int v = 0; v < c->sys->nvar; v++)
        varies[v] = a->width[v] > 0;
    array_jacobian(a, k, t, z, f, m);
    Leaves p = {a, z, t};
    for (int r = 0; r < a->neqn; r++) {
        Expr e = a->residual[r];
        for (int i = 0; i <= k; i++) {
            double want = expr_eval(d, e, leaf_value, &p);
            near(f[i * n + r], want, 1 + fabs(want));
            for (int j = 0; j < (k + 2) * n; j++) {
                const ArrayColumn *col = &a->col[j % n];
                Expr x = expr_var(d, col->var, col->order + j / n, ET_REAL);
                Expr slope = expr_diff(d, e, x);
                near(sum_of(c, &m[i * n + r], nrow, k, j),
                     expr_eval(d, slope, leaf_value, &p), 1);
            }
            e = expr_total_diff(d, e, varies, c->sys->nvar);
        }
    }
}

static void random_point(double *z, int n)
{
    unsigned seed = 7;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        z[i] = 0.4 + 0.3 * (double)(seed >> 8) / 0xffffff;
    }
}

static void derivatives_are_those_of_symbolic_differentiation(void **state)
{
    (void)state;
    Case c = make("parameter Real a = 2.5; Real x; Real y; Real z; equation "
                  "der(x)*y^3 + sin(x*z) = exp(-time)*sqrt(y);"
                  "der(y)^2 + log(x + y)*tanh(z) = cos(time)/(1 + x^2) + z^a;"
                  "asin(x*y) + atan(z)*der(x) = x*y*z + tan(z/2);",
                  5);
    double z[3 * 7];
    random_point(z, 21);
    compare_with_symbolic(&c, 5, z, 0.3);
    arena_free(c.arena);
}

static void eighth_derivatives_of_a_rational_system_are_right(void **state)
{
    (void)state;
    Case c = make("Real x; Real y; equation der(x) = x*y/(1 + x);"
                  "der(y)*x = x^2 - time;",
                  8);
    double z[2 * 10];
    random_point(z, 20);
    compare_with_symbolic(&c, 8, z, 0.2);
    arena_free(c.arena);
}

static void second_derivatives_become_columns(void **state)
{
    (void)state;
    Case c = make("Real x; Real y; equation der(der(x)) = -x*der(x) + y;"
                  "y = sin(x) + time^2;",
                  3);
    assert_int_equal(c.array->n, 3);
    double z[3 * 5];
    random_point(z, 15);
    /* the columns x and der(x) are tied: x' = der(x) */
    for (int q = 0; q < 4; q++)
        z[(q + 1) * 3 + c.array->row[2].column] =
            z[q * 3 + c.array->row[2].next];
    compare_with_symbolic(&c, 3, z, 0.1);
    arena_free(c.arena);
}

static void the_branch_in_force_is_differentiated(void **state)
{
    (void)state;
    Case c = make("Real x; Real y; equation"
                  " der(x) = if x > 0.1 then y^2 else sqrt(x - 1);"
                  " y = x*abs(x) + noEvent(x);",
                  4);
    double z[2 * 6];
    random_point(z, 12);
    compare_with_symbolic(&c, 4, z, 0.3);
    arena_free(c.arena);
}

/* ---- index ---- */

static void check_index(const char *text, int structural, int index,
                        int uniform, int states, bool a5)
{
    Case c = make(text, 7);
    ArrayIndex *x = array_index(c.array, 0, 1, c.arena);
    assert_int_equal(x->structural_index, structural);
    assert_int_equal(x->differentiation_index, index);
    assert_int_equal(x->uniform_index, uniform);
    assert_int_equal(x->states, states);
    assert_int_equal(x->has_a5, a5);
    arena_free(c.arena);
}

static void the_examples_of_campbell_and_zhong_have_index_2(void **state)
{
    (void)state;
    check_index("Real x(start=-1); Real y(start=2); equation"
                " y*der(y)^2 + x = exp(time); y = 2 + sin(time);",
                2, 2, 2, 0, false);
    check_index("Real x(start=-1); Real y(start=2); equation"
                " y*der(y) + x = exp(time); y = 2 + sin(time);",
                2, 2, 2, 0, true);
}

static void differentiation_and_uniform_index_may_differ(void **state)
{
    (void)state;
    check_index("Real y1; Real y2(start=1); Real y3; equation"
                " y3*der(y2) + y1 = sin(time);"
                " y3*der(y3) + y2 = cos(time); (2 + sin(time))*y3 = 0;",
                3, 1, 3, 0, false);
}

static void structure_misses_what_varies(void **state)
{
    (void)state;
    check_index("Real a(start=1); Real b; Real c; equation"
                " der(a) + b - c = 0; der(b) + a = exp(-time);"
                " (2 + sin(time))*(der(a) + b - c) + a - b = cos(time);",
                1, 2, 2, 1, true);
}

/* ---- completions ---- */

/* x' at (x, t) by the least squares of F_k; columns of v and w are free. */
static void complete_at(Case *c, int k, int rank, double t, double *z,
                        bool reuse)
{
    int n = c->array->n, ncol = (k + 2) * n;
    bool free[64];
    for (int j = 0; j < ncol; j++)
        free[j] = j >= n;
    Complete *m = complete_new(c->array, k, free, rank, false, c->arena);
    assert_true(complete_solve(m, t, z, reuse));
}

/* y' of (49d): the root of 2 y^2 p^3 + (2 x y - 2 y f + 1) p - g' near p. */
static double phi(double x, double y, double f, double dg, double p)
{
    for (int i = 0; i < 60; i++)
        p -= (2 * y * y * p * p * p + (2 * x * y - 2 * y * f + 1) * p - dg) /
             (6 * y * y * p * p + 2 * x * y - 2 * y * f + 1);
    return p;
}

/* y' of (53), (60): 2 y0 p0 y p^2 + p + 2 y0 p0 (x - f) - g' = 0. */
static double psi(double x, double y, double f, double dg, double y0, double p0)
{
    double p = p0, c = 2 * y0 * p0;
    for (int i = 0; i < 60; i++)
        p -= (c * y * p * p + p + c * (x - f) - dg) / (2 * c * y * p + 1);
    return p;
}

#define EXAMPLE1                                                               \
    "Real x(start=-1); Real y(start=2); equation"                              \
    " y*der(y)^2 + x = exp(time); y = 2 + sin(time);"
#define EXAMPLE2                                                               \
    "Real x(start=-1); Real y(start=2); equation"                              \
    " y*der(y) + x = exp(time); y = 2 + sin(time);"

static double push(unsigned *seed, double by)
{
    *seed = *seed * 1664525u + 1013904223u;
    return by * (2 * (double)(*seed >> 8) / 0xffffff - 1);
}

static void near_8(double got, double want)
{
    if (!(fabs(got - want) <= 1e-8 * (1 + fabs(want))))
        fail_msg("%.12g instead of %.12g", got, want);
}

/* The point of example 1 or 2 at t, x and y beside the manifold. */
static void point_of(int example, double t, unsigned *seed, double by,
                     double *z)
{
    double g = 2 + sin(t), dg = cos(t), f = exp(t);
    double h = example == 1 ? g * dg * dg : g * dg;
    memset(z, 0, 8 * sizeof *z);
    z[0] = f - h + push(seed, by);
    z[1] = g + push(seed, by);
    double dh = example == 1 ? dg * dg * dg - 2 * g * dg * sin(t)
                             : dg * dg - g * sin(t);
    z[2] = f - dh;
    z[3] = dg;
    z[5] = -sin(t);
    z[7] = -cos(t);
}

static void completions_50_and_57_are_those_of_the_paper(void **state)
{
    (void)state;
    unsigned seed = 3;
    Case c = make(EXAMPLE1, 3), d = make(EXAMPLE2, 3);
    for (int i = 0; i < 20; i++) {
        double t = 0.1 + 0.02 * i, z[8];
        double f = exp(t), dg = cos(t), ddg = -sin(t);
        point_of(1, t, &seed, 1e-3, z);
        complete_at(&c, 2, 4, t, z, false);
        double p = phi(z[0], z[1], f, dg, dg);
        near_8(z[3], p);
        near_8(z[2], f - p * p * p - 2 * z[1] * p * ddg);
        point_of(2, t, &seed, 1e-3, z);
        complete_at(&d, 2, 4, t, z, false);
        p = (dg - z[0] * z[1] + z[1] * f) / (1 + z[1] * z[1]);
        near_8(z[3], p);
        near_8(z[2], f - p * p - z[1] * ddg);
    }
    arena_free(c.arena);
    arena_free(d.arena);
}

/* The factors are those of one point, the solution is asked for at another:
 * what v* then depends on is the table of 4.2. */
typedef struct Frozen {
    Case c;
    Complete *m;
} Frozen;

static Frozen freeze_at(const char *text, double t, const double *at)
{
    Frozen f = {make(text, 3), NULL};
    bool free[8] = {0, 0, 1, 1, 1, 1, 1, 1};
    double z[8];
    f.m = complete_new(f.c.array, 2, free, 4, false, f.c.arena);
    memcpy(z, at, sizeof z);
    assert_true(complete_factor(f.m, t, z));
    return f;
}

static void reuse_gives_53_and_60_and_57(void **state)
{
    (void)state;
    unsigned seed = 5;
    for (int i = 0; i < 20; i++) {
        double t = 0.1 + 0.02 * i, z[8], z0[8];
        double f = exp(t), dg = cos(t), ddg = -sin(t);
        /* example 1, one time step: x, t are those of the factors (53) */
        point_of(1, t, &seed, 1e-3, z);
        memcpy(z0, z, sizeof z0);
        for (int j = 2; j < 8; j++)
            z0[j] += push(&seed, 1e-2);
        Frozen a = freeze_at(EXAMPLE1, t, z0);
        assert_true(complete_frozen(a.m, t, z));
        double p = psi(z[0], z[1], f, dg, z0[1], z0[3]);
        near_8(z[3], p);
        near_8(z[2], f - p * p * p - 2 * z[1] * p * ddg);
        arena_free(a.c.arena);
        /* several time steps: factors of another point (60) */
        double t0 = t - 0.03;
        point_of(1, t0, &seed, 1e-3, z0);
        point_of(1, t, &seed, 1e-3, z);
        a = freeze_at(EXAMPLE1, t0, z0);
        assert_true(complete_frozen(a.m, t, z));
        p = psi(z[0], z[1], f, dg, z0[1], z0[3]);
        near_8(z[3], p);
        near_8(z[2], f - p * p * p - 2 * z[1] * p * ddg);
        arena_free(a.c.arena);
        /* example 2 with factors of another point (57) */
        point_of(2, t0, &seed, 1e-3, z0);
        point_of(2, t, &seed, 1e-3, z);
        a = freeze_at(EXAMPLE2, t0, z0);
        assert_true(complete_frozen(a.m, t, z));
        p = (dg - z[0] * z0[1] + z0[1] * f) / (1 + z0[1] * z[1]);
        near_8(z[3], p);
        near_8(z[2], f - p * p - z[1] * ddg);
        arena_free(a.c.arena);
    }
}

/* How far v* at (x, t) moves when entry `which` of the point of the factors
 * moves (8: its time), over the length of that move; `same` keeps x, t of the
 * factors at those of the solution. */
static double dependence(const char *text, int example, int which)
{
    unsigned seed = 11;
    double t = 0.4, z[8], v[2][2], by = 1e-4;
    for (int side = 0; side < 2; side++) {
        double z0[8], t0 = t;
        seed = 11;
        point_of(example, t, &seed, 0.1, z);
        memcpy(z0, z, sizeof z0);
        *(which == 8 ? &t0 : &z0[which]) += side ? by : -by;
        Frozen f = freeze_at(text, t0, z0);
        assert_true(complete_frozen(f.m, t, z));
        v[side][0] = z[2];
        v[side][1] = z[3];
        arena_free(f.c.arena);
    }
    return fmax(fabs(v[1][0] - v[0][0]), fabs(v[1][1] - v[0][1])) / (2 * by);
}

static void the_table_of_4_2_is_as_measured(void **state)
{
    (void)state;
    double most[2][3] = {{0}}; /* example; v0 w0, x0, t0 */
    for (int e = 1; e <= 2; e++) {
        for (int j = 0; j <= 8; j++) {
            double d = dependence(e == 1 ? EXAMPLE1 : EXAMPLE2, e, j);
            double *m = &most[e - 1][j == 8 ? 2 : j < 2 ? 1 : 0];
            *m = fmax(*m, d);
        }
    }
    assert_true(most[0][0] > 1e-4);  /* (A1)-(A4): v0, w0 */
    assert_true(most[0][1] > 1e-4);  /* and x0 */
    assert_true(most[1][0] < 1e-10); /* (A5): not v0, w0 */
    assert_true(most[1][1] > 1e-4);  /* but x0 */
    /* f and g are sums beside the rest: G_v, G_w do not see t0 here */
    assert_true(most[0][2] < 1e-10 && most[1][2] < 1e-10);
}

/* Theorem 2: with (A5) factors of other (v0, w0) at the same (x, t) give the
 * completion (5). */
static void reuse_within_a_step_changes_nothing_with_a5(void **state)
{
    (void)state;
    unsigned seed = 21;
    Case c = make(EXAMPLE2, 3);
    for (int i = 0; i < 20; i++) {
        double t = 0.1 + 0.05 * i, z[8], z0[8], want[8];
        point_of(2, t, &seed, 0.1, z);
        memcpy(want, z, sizeof want);
        memcpy(z0, z, sizeof z0);
        complete_at(&c, 2, 4, t, want, false);
        for (int j = 2; j < 8; j++)
            z0[j] += push(&seed, 1);
        Frozen f = freeze_at(EXAMPLE2, t, z0);
        assert_true(complete_frozen(f.m, t, z));
        assert_true(fabs(z[2] - want[2]) < 1e-10);
        assert_true(fabs(z[3] - want[3]) < 1e-10);
        arena_free(f.c.arena);
    }
    arena_free(c.arena);
}

/* Where time is a factor of derivatives, t0 counts too. */
static void factors_of_another_time_count_where_time_is_a_factor(void **state)
{
    (void)state;
    double d = dependence("Real x(start=-1); Real y(start=2); equation"
                          " (1 + time)*y*der(y) + x = exp(time);"
                          " y = 2 + sin(time);",
                          2, 8);
    assert_true(d > 1e-4);
}

/* The end of a run of Runge-Kutta's formula of order 4 on example 1, factors
 * made anew in every `every`-th step: other completions on the way. */
static double error_of_run(int nstep, int every)
{
    Case c = make(EXAMPLE1, 3);
    bool free[8] = {0, 0, 1, 1, 1, 1, 1, 1};
    unsigned seed = 1;
    double z[8], x[2], k[4][2], h = 1.0 / nstep;
    point_of(1, 0, &seed, 0, z);
    memcpy(x, z, sizeof x);
    Complete *m = complete_new(c.array, 2, free, 4, false, c.arena);
    for (int i = 0; i < nstep; i++) {
        if (i % every == 0)
            assert_true(complete_factor(m, i * h, z));
        for (int s = 0; s < 4; s++) {
            double part = s == 0 ? 0 : s < 3 ? 0.5 : 1;
            for (int j = 0; j < 2; j++)
                z[j] = x[j] + (s ? part * h * k[s - 1][j] : 0);
            assert_true(complete_frozen(m, (i + part) * h, z));
            memcpy(k[s], z + 2, sizeof k[s]);
        }
        for (int j = 0; j < 2; j++)
            x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        memcpy(z, x, sizeof x);
    }
    double g = 2 + sin(1), dg = cos(1);
    arena_free(c.arena);
    return hypot(x[0] - (exp(1) - g * dg * dg), x[1] - g);
}

/* Section 4.3: an integrator keeps its order across changes of completion. */
static void the_order_survives_a_change_of_completion(void **state)
{
    (void)state;
    double last = 0;
    for (int n = 20; n <= 80; n *= 2) {
        double error = error_of_run(n, 5);
        if (getenv("TAKT_SHOW"))
            printf("%d steps, new factors in every fifth: error %.2e%s%.2f\n",
                   n, error, last > 0 ? ", order " : " ",
                   last > 0 ? log2(last / error) : 0);
        assert_true(last == 0 || log2(last / error) > 3.7);
        last = error;
    }
}

static void completions_depend_on_the_scaling_of_rows(void **state)
{
    (void)state;
    Case c = make("Real x(start=1); Real y; Real u; Real v; Real l; equation"
                  " der(x) = u; der(y) = v; der(u) = -l*x;"
                  " der(v) = -l*y - 9.81; x^2 + y^2 = 1;",
                  3);
    double z[2][25] = {{0}};
    bool free[25];
    for (int j = 0; j < 25; j++)
        free[j] = j >= 5;
    for (int s = 0; s < 2; s++) {
        z[s][0] = 0.6 + 1e-3;
        z[s][1] = -0.8;
        z[s][4] = 7;
        Complete *m = complete_new(c.array, 3, free, 17, s == 1, c.arena);
        assert_true(complete_solve(m, 0, z[s], false));
    }
    double most = 0;
    for (int j = 5; j < 10; j++)
        most = fmax(most, fabs(z[0][j] - z[1][j]));
    assert_true(most > 1e-4);
    arena_free(c.arena);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(derivatives_are_those_of_symbolic_differentiation),
        cmocka_unit_test(eighth_derivatives_of_a_rational_system_are_right),
        cmocka_unit_test(second_derivatives_become_columns),
        cmocka_unit_test(the_branch_in_force_is_differentiated),
        cmocka_unit_test(the_examples_of_campbell_and_zhong_have_index_2),
        cmocka_unit_test(differentiation_and_uniform_index_may_differ),
        cmocka_unit_test(structure_misses_what_varies),
        cmocka_unit_test(completions_50_and_57_are_those_of_the_paper),
        cmocka_unit_test(reuse_gives_53_and_60_and_57),
        cmocka_unit_test(the_table_of_4_2_is_as_measured),
        cmocka_unit_test(reuse_within_a_step_changes_nothing_with_a5),
        cmocka_unit_test(factors_of_another_time_count_where_time_is_a_factor),
        cmocka_unit_test(the_order_survives_a_change_of_completion),
        cmocka_unit_test(completions_depend_on_the_scaling_of_rows),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
