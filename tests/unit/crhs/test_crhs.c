/* test_opaque.c - what analyse finds and what a step says: grouping, sparsed
 * patterns, DAEs, damping, estimates, wrong input, tables that are damaged. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/test.h"
#include "takt/takt_rt.h"

enum { N = 60 };

/* ---- models ---- */

typedef struct Chain {
    double coupling; /* of every unknown to the last row, small */
    int evaluations;
    double fail_after; /* from this time on the function says no */
    double nan_after;
} Chain;

static Chain chain_new(void)
{
    return (Chain){.fail_after = 1e9, .nan_after = 1e9};
}

/* Heat in a rod; the last row also sees everything, weakly. */
static int chain_rhs(void *user, double t, const double *x, double *f)
{
    Chain *c = user;
    c->evaluations++;
    for (int i = 0; i < N; i++)
        f[i] = 1e3 *
               ((i > 0 ? x[i - 1] : 1) - 2 * x[i] + (i < N - 1 ? x[i + 1] : 0));
    for (int i = 0; c->coupling != 0 && i < N; i++)
        f[N - 1] += c->coupling * sin(x[i]);
    if (t > c->nan_after)
        f[7] = NAN;
    return t > c->fail_after;
}

typedef struct Run {
    uint32_t *table;
    TaktRtReport report;
    TaktRt rt;
    void *memory;
    TaktRtStatus status;
} Run;

static Run start(const TaktRtModel *model, const TaktRtSetup *setup)
{
    Run r = {0};
    r.status = takt_rt_analyse(model, setup, &r.table, &r.report);
    if (r.status < 0)
        return r;
    size_t bytes = takt_rt_memory(r.table, takt_rt_words(r.table));
    r.memory = malloc(bytes);
    assert_int_equal(bytes, r.report.memory);
    TaktRtStatus status = takt_rt_init(&r.rt, r.table, takt_rt_words(r.table),
                                       model, r.memory, bytes);
    assert_int_equal(status, 0);
    for (int i = 0; i < model->n; i++)
        r.rt.x[i] = setup->x0[i];
    return r;
}

static void end(Run *r)
{
    free(r->memory);
    takt_rt_free(r->table);
}

static const double zeros[N];

/* ---- grouping ---- */

static void a_tridiagonal_jacobian_needs_three_evaluations(void **state)
{
    (void)state;
    Chain c = chain_new();
    TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    Run r = start(&model, &setup);
    assert_int_equal(r.status, TAKT_RT_FINE);
    assert_int_equal(r.report.npattern, 3 * N - 2);
    assert_int_equal(r.report.ngroup, 3);
    assert_int_equal(r.report.nfill, 0);
    c.evaluations = 0;
    assert_int_equal(takt_rt_step(&r.rt), 0);
    assert_int_equal(c.evaluations, 4);
    assert_int_equal(r.report.nevaluation, 4);
    end(&r);
}

/* Keeps the band; the dense row is cut except in the band. */
static int band(int *row, int *col)
{
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < N) {
                row[n] = i;
                col[n++] = j;
            }
    return n;
}

static void cut_entries_that_are_small_cost_no_evaluation(void **state)
{
    (void)state;
    int row[3 * N], col[3 * N];
    Chain c = chain_new();
    c.coupling = 1e-2; /* of 1e3 */
    TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    Run r = start(&model, &setup);
    assert_int_equal(r.report.ngroup, N); /* the dense row */
    end(&r);
    setup.nkeep = band(row, col);
    setup.krow = row;
    setup.kcol = col;
    r = start(&model, &setup);
    assert_int_equal(r.report.ngroup_pattern, N);
    assert_int_equal(r.report.ngroup, 3);
    assert_int_equal(r.report.nkept, 3 * N - 2);
    for (int k = 0; k < 100; k++)
        assert_int_equal(takt_rt_step(&r.rt), 0);
    assert_true(r.rt.x[0] > 0.9 && r.rt.x[0] < 1);
    end(&r);
    /* Not small: the columns of the dense row stay apart from its kept ones,
     * which two more groups do. */
    c.coupling = 50;
    r = start(&model, &setup);
    assert_int_equal(r.report.ngroup, 5);
    end(&r);
}

static void noise_is_no_dependency(void **state)
{
    (void)state;
    Chain c = chain_new();
    c.coupling = 1e-7; /* of 1e3 */
    TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    Run r = start(&model, &setup);
    assert_int_equal(r.report.ngroup, N);
    end(&r);
    setup.noise = 1e-6;
    r = start(&model, &setup);
    assert_int_equal(r.report.ngroup, 3);
    assert_int_equal(r.report.npattern, 3 * N - 2);
    assert_int_equal(takt_rt_step(&r.rt), 0);
    end(&r);
}

static void a_cut_jacobian_keeps_the_limit(void **state)
{
    (void)state;
    /* W-method: the steady state does not depend on what is kept. */
    int row[3 * N], col[3 * N];
    double x[2][N];
    for (int cut = 0; cut < 2; cut++) {
        Chain c = chain_new();
        c.coupling = 20;
        TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
        TaktRtSetup setup = takt_rt_setup(0.1, zeros);
        setup.nkeep = cut ? band(row, col) : 0;
        setup.krow = row;
        setup.kcol = col;
        Run r = start(&model, &setup);
        for (int k = 0; k < 500; k++)
            assert_true(takt_rt_step(&r.rt) >= 0);
        memcpy(x[cut], r.rt.x, sizeof x[cut]);
        end(&r);
    }
    for (int i = 0; i < N; i++)
        assert_true(fabs(x[0][i] - x[1][i]) < 1e-9);
}

/* ---- DAE ---- */

/* x' = -x + y, 0 = y^3 + y - x - sin t */
static int dae_rhs(void *user, double t, const double *x, double *f)
{
    (void)user;
    f[0] = -x[0] + x[1];
    f[1] = x[1] * x[1] * x[1] + x[1] - x[0] - sin(t);
    return 0;
}

static void a_singular_l_is_a_dae(void **state)
{
    (void)state;
    int place = 0;
    double one = 1, x0[2] = {0, 0}, last[2] = {0, 0};
    TaktRtModel model = {.n = 2, .rhs = dae_rhs};
    double difference[3];
    for (int k = 0; k < 4; k++) {
        int steps = 500 << k;
        TaktRtSetup setup = takt_rt_setup(1.0 / steps, x0);
        setup.nl = 1;
        setup.lrow = setup.lcol = &place;
        setup.lvalue = &one;
        Run r = start(&model, &setup);
        for (int i = 0; i < steps; i++)
            assert_int_equal(takt_rt_step(&r.rt), 0);
        double f[2];
        dae_rhs(NULL, 1, r.rt.x, f);
        assert_true(fabs(f[1]) < 1e-4 / (1 << k));
        if (k > 0)
            difference[k - 1] = fabs(r.rt.x[0] - last[0]);
        last[0] = r.rt.x[0];
        end(&r);
    }
    /* order 1 */
    assert_true(fabs(difference[0] / difference[1] - 2) < 0.1);
    assert_true(fabs(difference[1] / difference[2] - 2) < 0.1);
}

static int stiff_rhs(void *user, double t, const double *x, double *f)
{
    (void)user;
    f[0] = -5 * (x[0] - cos(t)) + x[1];
    f[1] = -x[1] + x[0] * x[0];
    return 0;
}

static void extrapolation_has_its_order(void **state)
{
    (void)state;
    double x0[2] = {1, 0};
    TaktRtModel model = {.n = 2, .rhs = stiff_rhs};
    TaktRtSetup setup = takt_rt_setup(1.0 / 2000, x0);
    setup.order = 5;
    Run r = start(&model, &setup);
    for (int i = 0; i < 2000; i++)
        takt_rt_step(&r.rt);
    double exact = r.rt.x[1];
    end(&r);
    for (int order = 1; order <= 4; order++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            int steps = 40 << k;
            setup = takt_rt_setup(1.0 / steps, x0);
            setup.order = order;
            r = start(&model, &setup);
            assert_int_equal(r.report.nevaluation,
                             order == 1 ? 3 : 3 + order * (order + 1) / 2);
            for (int i = 0; i < steps; i++)
                takt_rt_step(&r.rt);
            error[k] = fabs(r.rt.x[1] - exact);
            end(&r);
        }
        double seen = log2(error[0] / error[1]);
        if (fabs(seen - order) > 0.35)
            fail_msg("order %d: seen %g", order, seen);
    }
}

/* Flow through an orifice: q = sqrt(p), nearly; both algebraic. */
static int orifice_rhs(void *user, double t, const double *x, double *f)
{
    (void)user;
    f[0] = -x[0] + 1 + 0.5 * sin(3 * t);
    f[1] = atan(4 * (x[1] - x[0])); /* Newton overshoots far from the root */
    return 0;
}

static void damping_tames_an_algebraic_equation(void **state)
{
    (void)state;
    int place = 0;
    double one = 1, x0[2] = {1, 1.6}, off[2];
    TaktRtModel model = {.n = 2, .rhs = orifice_rhs};
    for (int damped = 0; damped < 2; damped++) {
        TaktRtSetup setup = takt_rt_setup(1e-2, x0);
        setup.nl = 1;
        setup.lrow = setup.lcol = &place;
        setup.lvalue = &one;
        setup.damping = damped ? 1.0 / 64 : 0;
        Run r = start(&model, &setup);
        assert_int_equal(r.report.nevaluation, 3 + (damped ? 3 : 0));
        off[damped] = 0;
        for (int i = 0; i < 60; i++)
            if (takt_rt_step(&r.rt) < 0)
                off[damped] = INFINITY;
        off[damped] = fmax(off[damped], fabs(r.rt.x[1] - r.rt.x[0]));
        if (damped)
            assert_true(r.rt.factor > 0.9); /* not needed any more */
        end(&r);
    }
    assert_true(off[0] > 10); /* Newton without damping runs away */
    assert_true(off[1] < 0.1);
}

/* ---- what a step says ---- */

static void the_estimate_names_the_worst_unknown(void **state)
{
    (void)state;
    Chain c = chain_new();
    TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    setup.rtol = 1e-3;
    setup.atol = 1e-3;
    Run r = start(&model, &setup);
    assert_int_equal(takt_rt_step(&r.rt), TAKT_RT_NOTE_ERROR);
    assert_int_equal(r.rt.where, 0); /* beside the hot end */
    assert_true(r.rt.error > 100);
    int status = 0;
    for (int k = 0; k < 5000; k++)
        status = takt_rt_step(&r.rt);
    assert_int_equal(status, 0);
    end(&r);
}

static void a_failed_step_keeps_state_and_time(void **state)
{
    (void)state;
    Chain c = chain_new();
    TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    Run r = start(&model, &setup);
    double before[N];
    for (int k = 0; k < 5; k++)
        assert_int_equal(takt_rt_step(&r.rt), 0);
    memcpy(before, r.rt.x, sizeof before);
    c.nan_after = 0;
    assert_int_equal(takt_rt_step(&r.rt), TAKT_RT_FAILED);
    assert_true(r.rt.where >= 0);
    c.nan_after = 1e9;
    c.fail_after = 0;
    assert_int_equal(takt_rt_step(&r.rt), TAKT_RT_RHS);
    assert_memory_equal(before, r.rt.x, sizeof before);
    assert_int_equal(r.rt.count, 5);
    c.fail_after = 1e9;
    assert_int_equal(takt_rt_step(&r.rt), 0);
    assert_int_equal(r.rt.count, 6);
    end(&r);
}

/* 0 = a(t) x1 + b x2 - 1, 0 = c x1 + d x2 - 1: singular at t = 1 */
static int singular_rhs(void *user, double t, const double *x, double *f)
{
    (void)user;
    f[0] = (2 - t) * x[0] + x[1] - 1;
    f[1] = x[0] + x[1] - 1;
    f[2] = -x[2] + x[0];
    return 0;
}

static void a_matrix_that_becomes_singular_is_noticed(void **state)
{
    (void)state;
    int place = 2;
    double one = 1, x0[3] = {0, 1, 0};
    TaktRtModel model = {.n = 3, .rhs = singular_rhs};
    TaktRtSetup setup = takt_rt_setup(0.01, x0);
    setup.nl = 1;
    setup.lrow = setup.lcol = &place;
    setup.lvalue = &one;
    setup.t1 = 0.5;
    Run r = start(&model, &setup);
    assert_int_equal(r.status, 0);
    for (int k = 1; k <= 110; k++) {
        int status = takt_rt_step(&r.rt);
        if (k < 99)
            assert_int_equal(status, 0);
        if (status != 0) {
            assert_true(k == 99 || k == 100 || k == 101);
            end(&r);
            return;
        }
    }
    fail_msg("singular at step 100, and nothing was said");
}

/* ---- wrong input ---- */

static int one_dependency_more(void *user, double t, const double *x, double *f)
{
    int bad = chain_rhs(user, t, x, f);
    f[3] += 1e-3 * x[40];
    return bad;
}

static void more_dependencies_than_the_pattern_says_are_an_error(void **state)
{
    (void)state;
    int row[3 * N], col[3 * N];
    Chain c = chain_new();
    TaktRtModel model = {.n = N, .rhs = one_dependency_more, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    setup.npattern = band(row, col);
    setup.prow = row;
    setup.pcol = col;
    Run r = start(&model, &setup);
    assert_int_equal(r.status, TAKT_RT_BAD_PATTERN);
    assert_int_equal(r.report.row, 3);
    assert_int_equal(r.report.col, 40);
    assert_non_null(strstr(r.report.message, "row 3"));
    model.rhs = chain_rhs;
    r = start(&model, &setup);
    assert_int_equal(r.status, 0);
    end(&r);
    row[1] = row[0];
    col[1] = col[0];
    r = start(&model, &setup);
    assert_int_equal(r.status, TAKT_RT_BAD_SETUP);
    col[1] = N;
    r = start(&model, &setup);
    assert_int_equal(r.status, TAKT_RT_BAD_SETUP);
}

static int wrong_derivative(void *user, double t, const double *x,
                            const double *v, double *jv)
{
    (void)user;
    (void)t;
    jv[0] = -5 * v[0] + v[1];
    jv[1] = -v[1] + 3 * x[0] * v[0]; /* 2 would be right */
    return 0;
}

static void wrong_derivatives_are_noticed(void **state)
{
    (void)state;
    double x0[2] = {1, 0};
    TaktRtModel model = {
        .n = 2, .rhs = stiff_rhs, .derivative = wrong_derivative};
    TaktRtSetup setup = takt_rt_setup(1e-3, x0);
    Run r = start(&model, &setup);
    assert_int_equal(r.status, TAKT_RT_NOTE_JACOBIAN);
    assert_int_equal(r.report.row, 1);
    assert_int_equal(r.report.col, 0);
    end(&r);
}

static int nan_rhs(void *user, double t, const double *x, double *f)
{
    (void)user;
    (void)t;
    f[0] = -x[0];
    f[1] = sqrt(-1 - x[1] * x[1]);
    return 0;
}

static int refuse(void *user, double t, const double *x, double *f)
{
    (void)user, (void)t, (void)x;
    f[0] = f[1] = 0;
    return 1;
}

static int index2_rhs(void *user, double t, const double *x, double *f)
{
    (void)user;
    f[0] = x[1];
    f[1] = 0 * x[1] + cos(t); /* the second row has no unknown at all */
    return 0;
}

static TaktRtStatus status_of(int (*rhs)(void *, double, const double *,
                                         double *),
                              double step, const double *x0, int order)
{
    TaktRtModel model = {.n = 2, .rhs = rhs};
    TaktRtSetup setup = takt_rt_setup(step, x0);
    setup.order = order;
    int place = 0;
    double one = 1;
    setup.nl = 1;
    setup.lrow = setup.lcol = &place;
    setup.lvalue = &one;
    Run r = start(&model, &setup);
    end(&r);
    return r.status;
}

static void what_cannot_be_analysed_says_why(void **state)
{
    (void)state;
    double x0[2] = {0, 0}, bad[2] = {0, NAN};
    assert_int_equal(status_of(dae_rhs, 1e-3, x0, 1), TAKT_RT_FINE);
    assert_int_equal(status_of(nan_rhs, 1e-3, x0, 1), TAKT_RT_NOT_FINITE);
    assert_int_equal(status_of(refuse, 1e-3, x0, 1), TAKT_RT_RHS);
    assert_int_equal(status_of(index2_rhs, 1e-3, x0, 1), TAKT_RT_SINGULAR);
    assert_int_equal(status_of(dae_rhs, 0, x0, 1), TAKT_RT_BAD_SETUP);
    assert_int_equal(status_of(dae_rhs, NAN, x0, 1), TAKT_RT_BAD_SETUP);
    assert_int_equal(status_of(dae_rhs, 1e-3, bad, 1), TAKT_RT_BAD_SETUP);
    assert_int_equal(status_of(dae_rhs, 1e-3, NULL, 1), TAKT_RT_BAD_SETUP);
    assert_int_equal(status_of(dae_rhs, 1e-3, x0, 9), TAKT_RT_BAD_SETUP);
    assert_int_equal(status_of(NULL, 1e-3, x0, 1), TAKT_RT_BAD_SETUP);
}

/* ---- tables ---- */

static void a_model_must_fit_its_table(void **state)
{
    (void)state;
    Chain c = chain_new();
    TaktRtModel model = {.n = N, .rhs = chain_rhs, .user = &c};
    TaktRtSetup setup = takt_rt_setup(1e-3, zeros);
    Run r = start(&model, &setup);
    size_t n = takt_rt_words(r.table);
    TaktRtModel other = model;
    other.n = N - 1;
    size_t bytes = r.report.memory;
    TaktRt s;
    assert_int_equal(takt_rt_init(&s, r.table, n, &other, r.memory, bytes),
                     TAKT_RT_BAD_MODEL);
    other = model;
    other.derivative = wrong_derivative;
    assert_int_equal(takt_rt_init(&s, r.table, n, &other, r.memory, bytes),
                     TAKT_RT_BAD_MODEL);
    assert_int_equal(takt_rt_init(&s, r.table, n, &model, r.memory, bytes - 1),
                     TAKT_RT_NO_MEMORY);
    assert_int_equal(takt_rt_init(&s, r.table, n, &model, NULL, bytes),
                     TAKT_RT_NO_MEMORY);
    assert_int_equal(takt_rt_init(&s, r.table, n - 1, &model, r.memory, bytes),
                     TAKT_RT_BAD_TABLE);
    assert_int_equal(takt_rt_init(&s, NULL, 0, &model, r.memory, bytes),
                     TAKT_RT_BAD_TABLE);
    end(&r);
}

static void any_flipped_bit_is_found(void **state)
{
    (void)state;
    double x0[2] = {0, 0};
    TaktRtModel model = {.n = 2, .rhs = stiff_rhs};
    TaktRtSetup setup = takt_rt_setup(1e-3, x0);
    Run r = start(&model, &setup);
    size_t n = takt_rt_words(r.table);
    assert_int_equal(takt_rt_check(r.table, n), 0);
    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < 32; b++) {
            r.table[i] ^= (uint32_t)1 << b;
            assert_int_equal(takt_rt_check(r.table, n), TAKT_RT_BAD_TABLE);
            r.table[i] ^= (uint32_t)1 << b;
        }
    end(&r);
}

static void a_table_goes_to_a_file_and_back(void **state)
{
    (void)state;
    char path[] = "/tmp/takt-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    double x0[2] = {0, 0};
    TaktRtModel model = {.n = 2, .rhs = stiff_rhs};
    TaktRtSetup setup = takt_rt_setup(1e-3, x0);
    Run r = start(&model, &setup);
    assert_int_equal(takt_rt_save(r.table, path, NULL), 0);
    uint32_t *back;
    assert_int_equal(takt_rt_load(path, &back), 0);
    assert_memory_equal(back, r.table, 4 * takt_rt_words(r.table));
    takt_rt_free(back);
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(takt_rt_load(path, &back), TAKT_RT_BAD_TABLE);
    assert_null(back);
    assert_int_equal(truncate(path, 3), 0);
    assert_int_equal(takt_rt_load(path, &back), TAKT_RT_BAD_TABLE);
    unlink(path);
    assert_int_equal(takt_rt_load(path, &back), TAKT_RT_FILE);
    assert_int_equal(takt_rt_save(r.table, "/no/such/place", NULL),
                     TAKT_RT_FILE);
    assert_int_equal(takt_rt_save(r.table, "/no/such/place.c", "no-name"),
                     TAKT_RT_BAD_SETUP);
    end(&r);
}

static void a_table_as_c_has_its_words(void **state)
{
    (void)state;
    char path[] = "/tmp/takt-test-XXXXXX.c", line[200];
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0);
    close(fd);
    double x0[2] = {0, 0};
    TaktRtModel model = {.n = 2, .rhs = stiff_rhs};
    TaktRtSetup setup = takt_rt_setup(1e-3, x0);
    Run r = start(&model, &setup);
    assert_int_equal(takt_rt_save(r.table, path, "stiff"), 0);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) &&
           strncmp(line, "const uint32_t stiff[", 21) != 0)
        ;
    size_t n = 0;
    for (unsigned word; fscanf(f, " %uu%*[,]", &word) == 1; n++)
        assert_true(n < takt_rt_words(r.table) && word == r.table[n]);
    assert_int_equal(n, takt_rt_words(r.table));
    fclose(f);
    unlink(path);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tridiagonal_jacobian_needs_three_evaluations),
        cmocka_unit_test(cut_entries_that_are_small_cost_no_evaluation),
        cmocka_unit_test(a_table_as_c_has_its_words),
        cmocka_unit_test(noise_is_no_dependency),
        cmocka_unit_test(a_cut_jacobian_keeps_the_limit),
        cmocka_unit_test(a_singular_l_is_a_dae),
        cmocka_unit_test(extrapolation_has_its_order),
        cmocka_unit_test(damping_tames_an_algebraic_equation),
        cmocka_unit_test(the_estimate_names_the_worst_unknown),
        cmocka_unit_test(a_failed_step_keeps_state_and_time),
        cmocka_unit_test(a_matrix_that_becomes_singular_is_noticed),
        cmocka_unit_test(more_dependencies_than_the_pattern_says_are_an_error),
        cmocka_unit_test(wrong_derivatives_are_noticed),
        cmocka_unit_test(what_cannot_be_analysed_says_why),
        cmocka_unit_test(a_model_must_fit_its_table),
        cmocka_unit_test(any_flipped_bit_is_found),
        cmocka_unit_test(a_table_goes_to_a_file_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
