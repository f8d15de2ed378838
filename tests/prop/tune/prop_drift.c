/* prop_drift.c - the estimated drift of linear models against their runs.
 *
 * L z' = A z + b, with algebraic rows or without, is run by the full step and
 * by one that leaves entries out. Along the full run, step by step, the
 * estimate is exact: the distance of the two runs. And the share of each entry
 * is what its force alone makes of the worst output.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "num/dense.h"
#include "support/random.h"
#include "tune/drift.h"

enum { MOST = 8, STEPS = 40, WATCH = 2 };

typedef struct Linear {
    int n, nx;
    double tau;
    double a[MOST * MOST], l[MOST * MOST], b[MOST], start[MOST];
    double gradient[WATCH * MOST], range[WATCH];
    bool keep[MOST * MOST]; /* by place of the pencils */
    PencilSet *p;
} Linear;

static void make_model(Random *r, Linear *m, Arena *arena)
{
    *m = (Linear){.n = 2 + random_below(r, MOST - 1),
                  .tau = random_between(r, 0.01, 0.3)};
    m->nx = 1 + random_below(r, m->n);
    for (int j = 0; j < m->n; j++) {
        for (int i = 0; i < m->n; i++)
            if (i != j && random_below(r, 2))
                m->a[i + j * m->n] = random_between(r, -1, 1);
        m->a[j + j * m->n] = -random_between(r, 1, 4);
        m->l[j + j * m->n] = j < m->nx;
        m->b[j] = random_between(r, -1, 1);
        m->start[j] = random_between(r, -1, 1);
    }
    for (int w = 0; w < WATCH; w++) {
        m->range[w] = random_between(r, 0.5, 2);
        for (int j = 0; j < m->nx; j++)
            m->gradient[w * m->nx + j] = random_between(r, -1, 1);
    }
    m->p = pencil_from_dense(m->n, m->nx, 1, m->l, m->a, arena);
    for (int e = 0; e < m->p->nnz; e++)
        m->keep[e] = random_below(r, 3) > 0;
}

/* The factors of L - tau J with the entries kept, or with all. */
static bool factor(const Linear *m, bool all, double *lu, int *pivot)
{
    pencil_iteration_matrix(m->p, 0, m->tau, all ? NULL : m->keep, NULL, lu);
    double norm = dense_norm(m->n, m->n, lu);
    return dense_lu_factor(m->n, lu, pivot) &&
           dense_lu_rcond(m->n, lu, pivot, norm) > 1e-4;
}

/* STEPS + 1 points of linearly implicit Euler. */
static bool run(const Linear *m, bool all, double *z)
{
    double lu[MOST * MOST];
    int pivot[MOST], n = m->n;
    if (!factor(m, all, lu, pivot))
        return false;
    memcpy(z, m->start, (size_t)n * sizeof *z);
    for (int k = 0; k < STEPS; k++) {
        const double *old = z + k * n;
        double *dz = z + (k + 1) * n;
        for (int i = 0; i < n; i++) {
            dz[i] = m->tau * m->b[i];
            for (int j = 0; j < n; j++)
                dz[i] += m->tau * m->a[i + j * n] * old[j];
        }
        dense_lu_solve(n, lu, pivot, dz, 1);
        for (int i = 0; i < n; i++)
            if (!(fabs(dz[i] += old[i]) < 1e6))
                return false;
    }
    return true;
}

static double output(const Linear *m, int w, const double *z)
{
    double sum = 0;
    for (int j = 0; j < m->nx; j++)
        sum += m->gradient[w * m->nx + j] * z[j];
    return 100 * sum / m->range[w];
}

/* The largest distance of the two runs. */
static double distance(const Linear *m, const double *full,
                       const double *sparsed)
{
    double worst = 0;
    for (int k = 0; k <= STEPS; k++)
        for (int w = 0; w < WATCH; w++)
            worst = fmax(worst, fabs(output(m, w, full + k * m->n) -
                                     output(m, w, sparsed + k * m->n)));
    return worst;
}

/* What the force of entry e alone makes of output w after `steps`. */
static double alone(const Linear *m, const double *full, int e, int col, int w,
                    int steps)
{
    double lu[MOST * MOST], error[MOST] = {0}, next[MOST];
    int pivot[MOST], n = m->n;
    assert_true(factor(m, false, lu, pivot));
    for (int k = 0; k < steps; k++) {
        for (int i = 0; i < n; i++) {
            next[i] = 0;
            for (int j = 0; j < n; j++) {
                int place = pencil_place(m->p, i, j);
                double mass = m->l[i + j * n];
                if (place != NONE && !m->keep[place])
                    mass += m->tau * m->a[i + j * n];
                next[i] += mass * error[j];
            }
        }
        next[m->p->row[e]] -= m->tau * m->a[m->p->row[e] + col * n] *
                              (full[(k + 1) * n + col] - full[k * n + col]);
        dense_lu_solve(n, lu, pivot, next, 1);
        memcpy(error, next, sizeof error);
    }
    return output(m, w, error);
}

static void the_drift_of_a_linear_model_is_exact(void **state)
{
    (void)state;
    Random r = random_start("prop_drift");
    int cases = random_cases(300, 5000), tried = 0, strayed = 0;
    for (int c = 0; c < cases; c++) {
        Arena *a = arena_new();
        Linear m;
        double full[(STEPS + 1) * MOST], sparsed[(STEPS + 1) * MOST];
        double time[STEPS + 1], share[MOST * MOST];
        make_model(&r, &m, a);
        if (run(&m, true, full) && run(&m, false, sparsed)) {
            for (int k = 0; k <= STEPS; k++)
                time[k] = k * m.tau;
            DriftRun way = {0, STEPS + 1, time, full, m.range};
            DriftPath path = {.nrun = 1,
                              .run = &way,
                              .nwatch = WATCH,
                              .gradient = m.gradient};
            Drift d = drift_estimate(&path, m.p, m.tau, m.keep, NULL, share);
            double truth = distance(&m, full, sparsed), sum = 0;
            assert_true(fabs(d.percent - truth) <= 1e-6 * truth + 1e-9);
            double sign = 0;
            for (int j = 0; j < m.n; j++)
                for (int e = m.p->start[j]; e < m.p->start[j + 1]; e++) {
                    sum += share[e];
                    sign +=
                        m.keep[e] ? 0 : alone(&m, full, e, j, d.watch, d.point);
                }
            assert_true(fabs(sum - truth) <= 1e-6 * truth + 1e-9);
            sign = sign < 0 ? -1 : 1;
            for (int j = 0; j < m.n; j++)
                for (int e = m.p->start[j]; e < m.p->start[j + 1]; e++) {
                    double own = m.keep[e] ? 0
                                           : sign * alone(&m, full, e, j,
                                                          d.watch, d.point);
                    assert_true(fabs(share[e] - own) <= 1e-6 * truth + 1e-9);
                }
            tried++;
            strayed += truth > 1;
        }
        arena_free(a);
    }
    printf("%d of %d models, %d stray by more than 1 %%\n", tried, cases,
           strayed);
    assert_true(tried > cases / 4 && strayed > cases / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_drift_of_a_linear_model_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
