/* prop_lie.c - steps from tables against dense LAPACK, on random stiff systems
 * L x' = f(x, t) with a sparse, nonlinear f and a singular L in half of them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "support/random.h"
#include "support/test.h"
#include "takt/takt_rt.h"

enum { MAX = 40, STEPS = 50 };

/* f_i = sum_j a_ij x_j + b_i x_p^2 + sin(t + i); `a` dense for the reference */
typedef struct Sys {
    int n;
    double a[MAX][MAX], b[MAX], l[MAX][MAX];
    int p[MAX]; /* the unknown that occurs squared */
    int nnz, row[MAX * MAX], col[MAX * MAX];
} Sys;

static int rhs(void *user, double t, const double *x, double *f)
{
    const Sys *s = user;
    for (int i = 0; i < s->n; i++) {
        f[i] = s->b[i] * x[s->p[i]] * x[s->p[i]] + sin(t + i);
        for (int j = 0; j < s->n; j++)
            if (s->a[i][j] != 0)
                f[i] += s->a[i][j] * x[j];
    }
    return 0;
}

static double slope(const Sys *s, const double *x, int i, int j)
{
    return s->a[i][j] + (s->p[i] == j ? 2 * s->b[i] * x[j] : 0);
}

static int derivative(void *user, double t, const double *x, const double *v,
                      double *jv)
{
    const Sys *s = user;
    (void)t;
    for (int i = 0; i < s->n; i++) {
        jv[i] = 0;
        for (int j = 0; j < s->n; j++)
            jv[i] += slope(s, x, i, j) * v[j];
    }
    return 0;
}

static int entries(void *user, double t, const double *x, double *value)
{
    const Sys *s = user;
    (void)t;
    for (int k = 0; k < s->nnz; k++)
        value[k] = slope(s, x, s->row[k], s->col[k]);
    return 0;
}

static void make(Sys *s, Random *r)
{
    memset(s, 0, sizeof *s);
    s->n = 1 + random_below(r, MAX);
    bool dae = random_below(r, 2);
    for (int i = 0; i < s->n; i++) {
        s->a[i][i] = -pow(10, random_between(r, 0, 5));
        for (int k = random_below(r, 4); k > 0; k--) {
            int j = random_below(r, s->n);
            if (j != i)
                s->a[i][j] = random_between(r, -0.2, 0.2) * fabs(s->a[i][i]);
        }
        s->p[i] = random_below(r, s->n);
        s->b[i] = random_between(r, -0.1, 0.1);
        s->l[i][i] = dae && random_below(r, 3) == 0 ? 0 : 1;
        if (s->l[i][i] != 0 && i > 0 && s->l[i - 1][i - 1] != 0)
            s->l[i][i - 1] = random_between(r, -0.3, 0.3);
    }
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < s->n; i++)
            if (s->a[i][j] != 0 || s->p[i] == j) {
                s->row[s->nnz] = i;
                s->col[s->nnz++] = j;
            }
}

/* The Jacobian as each kind of table sees it: exact, or quotients one column
 * at a time. */
static void jacobian_of(Sys *s, int kind, double t, const double *x,
                        double (*jac)[MAX])
{
    double y[MAX], f[MAX], g[MAX];
    memcpy(y, x, sizeof y);
    rhs(s, t, y, f);
    for (int j = 0; j < s->n; j++) {
        volatile double to = x[j] + 1.4901161193847656e-8 * fmax(fabs(x[j]), 1);
        y[j] = to;
        if (kind == TAKT_RT_DIFFERENCES)
            rhs(s, t, y, g);
        for (int i = 0; i < s->n; i++)
            jac[i][j] = kind == TAKT_RT_DIFFERENCES
                            ? (g[i] - f[i]) / (to - x[j])
                            : slope(s, x, i, j);
        y[j] = x[j];
    }
}

/* `count` substeps of size h from x with the Jacobian J; LAPACK. */
static void march(Sys *s, double (*jac)[MAX], double t, double h, int count,
                  double *x)
{
    for (int k = 1; k <= count; k++) {
        double m[MAX * MAX], f[MAX];
        lapack_int pivot[MAX];
        rhs(s, t + k * h, x, f);
        for (int i = 0; i < s->n; i++) {
            f[i] *= h;
            for (int j = 0; j < s->n; j++)
                m[i * s->n + j] = s->l[i][j] - h * jac[i][j];
        }
        assert_int_equal(
            LAPACKE_dgesv(LAPACK_ROW_MAJOR, s->n, 1, m, s->n, pivot, f, 1), 0);
        for (int i = 0; i < s->n; i++)
            x[i] += f[i];
    }
}

/* A step of the extrapolated method as the textbook has it (Hairer, Wanner
 * IV.9); order 1 is the method itself with J at the end of the step. */
static void reference(Sys *s, int kind, int order, int step, double h,
                      double *x)
{
    double t = step * h, end = (step + 1) * h;
    static double jac[MAX][MAX];
    double tab[8][8][MAX];
    jacobian_of(s, kind, order > 1 ? t : end, x, jac);
    for (int j = 0; j < order; j++) {
        memcpy(tab[j][0], x, sizeof tab[j][0]);
        march(s, jac, t, h / (j + 1), j + 1, tab[j][0]);
        for (int k = 0; k < j; k++)
            for (int i = 0; i < s->n; i++)
                tab[j][k + 1][i] =
                    tab[j][k][i] + (tab[j][k][i] - tab[j - 1][k][i]) /
                                       ((double)(j + 1) / (j - k) - 1);
    }
    memcpy(x, tab[order - 1][order - 1], sizeof(double) * (size_t)s->n);
}

static void compare(Sys *s, int kind, int order, double h)
{
    double x[MAX] = {0}, lvalue[MAX * MAX];
    int lrow[MAX * MAX], lcol[MAX * MAX], nl = 0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            if (s->l[i][j] != 0) {
                lrow[nl] = i;
                lcol[nl] = j;
                lvalue[nl++] = s->l[i][j];
            }
    TaktRtModel model = {.n = s->n, .rhs = rhs, .user = s};
    TaktRtSetup setup = takt_rt_setup(h, x);
    if (nl == 0) { /* all algebraic: a zero says so */
        lrow[0] = lcol[0] = 0;
        lvalue[0] = 0;
        nl = 1;
    }
    setup.nl = nl;
    setup.lrow = lrow;
    setup.lcol = lcol;
    setup.lvalue = lvalue;
    setup.order = order;
    if (kind == TAKT_RT_DIRECTIONS)
        model.derivative = derivative;
    if (kind == TAKT_RT_ENTRIES) {
        model.jacobian = entries;
        setup.npattern = s->nnz;
        setup.prow = s->row;
        setup.pcol = s->col;
    }
    uint32_t *table;
    TaktRtReport report;
    TaktRtStatus status = takt_rt_analyse(&model, &setup, &table, &report);
    if (status != 0)
        fail_msg("analyse: %s", report.message);
    assert_int_equal(report.npattern, s->nnz);
    size_t bytes = takt_rt_memory(table, takt_rt_words(table));
    void *memory = malloc(bytes);
    TaktRt run;
    assert_int_equal(
        takt_rt_init(&run, table, takt_rt_words(table), &model, memory, bytes),
        0);
    for (int k = 0; k < STEPS; k++) {
        /* From the same state: quotients amplify rounding by 1e8. */
        memcpy(x, run.x, sizeof(double) * (size_t)s->n);
        assert_int_equal(takt_rt_step(&run), 0);
        reference(s, kind, order, k, h, x);
        double most = 1;
        for (int i = 0; i < s->n; i++)
            most = fmax(most, fabs(x[i]));
        for (int i = 0; i < s->n; i++)
            if (!(fabs(run.x[i] - x[i]) <= 1e-12 * most))
                fail_msg("n %d kind %d order %d step %d: x[%d] %.17g, "
                         "LAPACK %.17g",
                         s->n, kind, order, k, i, run.x[i], x[i]);
    }
    free(memory);
    takt_rt_free(table);
}

static void steps_agree_with_dense_lapack(void **state)
{
    (void)state;
    Random r = random_start("prop_lie");
    Sys *s = malloc(sizeof *s);
    int cases = random_cases(60, 3000);
    for (int k = 0; k < cases; k++) {
        make(s, &r);
        compare(s, k % 3, 1 + k / 3 % 4, 1e-2);
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_agree_with_dense_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
