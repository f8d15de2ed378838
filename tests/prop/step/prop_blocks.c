/* The matrices of the bench models along their trajectories, and around them:
 * every kind of static factorisation against LAPACK. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lapacke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"
#include "lower/factor.h"
#include "num/table.h"

typedef struct Model {
    const char *file, *algebraic;
    double step, stop;
} Model;

enum { KINDS = 5 };
static const char *const kind_name[KINDS] = {
    "unrolled LU", "table LU", "table LU, refined", "QR", "dense"};

typedef struct Worst {
    double residual, error; /* error over the condition number */
    int solved, alarms, bad;
} Worst;

/* Straight-line code: the factorisation on the handles of a DAG, evaluated in
 * the order in which they were made. */
typedef struct Straight {
    Dag *dag;
    SchedBlock b;
    BlockFactor f;
    int nnz, n, nnode;
    double *value; /* of each node */
} Straight;

static Straight *straight_new(const PivotMatrices *m, const StaticLu *lu,
                              Arena *arena)
{
    Straight *s = NEW(arena, Straight);
    s->dag = dag_new(arena);
    s->n = m->n;
    s->nnz = m->nnz;
    Expr *entry = NEW_ARRAY(arena, Expr, m->nnz + 1);
    int *start = NEW_ARRAY(arena, int, m->n + 2);
    for (int k = 0; k < m->nnz; k++) {
        entry[k] = expr_var(s->dag, k, 0, ET_REAL);
        start[m->col[k] + 1] = k + 1; /* entries stand by columns */
    }
    s->b.ntorn = m->n;
    s->b.jac = (SchedJacobian){.n = m->n,
                               .nnz = m->nnz,
                               .start = start,
                               .row = m->row,
                               .value = entry};
    s->b.residual = NEW_ARRAY(arena, Expr, m->n + 1);
    for (int i = 0; i < m->n; i++)
        s->b.residual[i] = expr_var(s->dag, m->nnz + i, 0, ET_REAL);
    FactorOptions o = {.watch = true};
    s->f = lu ? factor_unroll(s->dag, &s->b, lu, &o, arena)
              : factor_dense(s->dag, &s->b, &o, arena);
    s->nnode = dag_count(s->dag);
    s->value = NEW_ARRAY(arena, double, s->nnode + 1);
    return s;
}

static double straight_solve(Straight *s, const double *entry,
                             const double *rhs, double *x)
{
    double *v = s->value;
    for (Expr e = 0; e < s->nnode; e++) {
        const ExprNode *node = expr_node(s->dag, e);
        double arg[3] = {0};
        if (node->op == EX_CONST) {
            v[e] = node->value;
        } else if (node->op == EX_VAR) {
            v[e] =
                node->var < s->nnz ? entry[node->var] : rhs[node->var - s->nnz];
        } else {
            for (int i = 0; i < node->narg; i++)
                arg[i] = v[expr_arg(s->dag, e, i)];
            v[e] = expr_apply((ExprOp)node->op, arg[0], arg[1], arg[2]);
        }
    }
    for (int i = 0; i < s->n; i++)
        x[i] = v[s->f.delta[i]];
    return s->f.is_watched ? v[s->f.alarm] : 0;
}

static double table_run(const FactorTable *t, const double *entry,
                        const double *rhs, double *x, double *w, double *v)
{
    for (int k = 0; k < t->nnz; k++)
        w[t->place[k]] = entry[k];
    memcpy(v, rhs, (size_t)t->n * sizeof(double));
    table_factor(t, w);
    table_solve(t, w, v);
    memcpy(x, v + t->n, (size_t)t->n * sizeof(double));
    return t->excess == NONE ? 0 : w[t->excess];
}

/* max |b - A x| over |A| |x| + |b|, in the largest norm */
static double scaled_residual(const PivotMatrices *m, const double *entry,
                              const double *rhs, const double *x, double *r,
                              double *sum)
{
    double most = 0, norm = 0, xs = 0, bs = 0;
    memcpy(r, rhs, (size_t)m->n * sizeof(double));
    memset(sum, 0, (size_t)m->n * sizeof(double));
    for (int k = 0; k < m->nnz; k++) {
        r[m->row[k]] -= entry[k] * x[m->col[k]];
        sum[m->row[k]] += fabs(entry[k]);
    }
    for (int i = 0; i < m->n; i++) {
        if (!isfinite(r[i]))
            return INFINITY;
        most = fmax(most, fabs(r[i]));
        norm = fmax(norm, sum[i]);
        xs = fmax(xs, fabs(x[i]));
        bs = fmax(bs, fabs(rhs[i]));
    }
    return most / (norm * xs + bs);
}

/* The solution by LAPACK; returns the reciprocal condition number. */
static double reference(const PivotMatrices *m, const double *entry,
                        const double *rhs, double *y, double *a, int *pivot)
{
    int n = m->n;
    memset(a, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int k = 0; k < m->nnz; k++)
        a[(size_t)m->col[k] * (size_t)n + (size_t)m->row[k]] = entry[k];
    memcpy(y, rhs, (size_t)n * sizeof(double));
    double norm = LAPACKE_dlange(LAPACK_COL_MAJOR, 'I', n, n, a, n), rcond = 0;
    LAPACKE_dgetrf(LAPACK_COL_MAJOR, n, n, a, n, pivot);
    LAPACKE_dgecon(LAPACK_COL_MAJOR, 'I', n, a, n, norm, &rcond);
    LAPACKE_dgetrs(LAPACK_COL_MAJOR, 'N', n, 1, a, n, pivot, y, n);
    return rcond;
}

static double relative_error(const double *x, const double *y, int n)
{
    double most = 0, size = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i] - y[i]));
        size = fmax(size, fabs(y[i]));
    }
    return size > 0 ? most / size : most;
}

static void check_block(const PivotMatrices *m, Worst *worst)
{
    Arena *arena = arena_new();
    int n = m->n, few = m->nsample < 48 ? m->nsample : 48;
    /* pivots from a part of the points, as takt build chooses them */
    double *some = NEW_ARRAY(arena, double, (size_t)few *(size_t)m->nnz + 1);
    for (int s = 0; s < few; s++)
        memcpy(some + (size_t)s * (size_t)m->nnz,
               m->entry + (size_t)((long)s * m->nsample / few) * (size_t)m->nnz,
               (size_t)m->nnz * sizeof(double));
    const StaticLu *lu =
        static_lu_new(n, m->nnz, m->row, m->col, some, few, 0.1, arena);
    assert_non_null(lu);
    TableOptions plain = {.watch = true}, refined = {true, true, false};
    const FactorTable *table[KINDS] = {
        NULL, table_lu(lu, m->row, m->col, &plain, arena),
        table_lu(lu, m->row, m->col, &refined, arena),
        table_qr(n, n, m->nnz, m->row, m->col, &plain, arena), NULL};
    Straight *unrolled = straight_new(m, lu, arena);
    Straight *dense =
        n <= FACTOR_DENSE_MOST ? straight_new(m, NULL, arena) : NULL;
    int nw = 1, nv = 1;
    for (int k = 0; k < KINDS; k++)
        if (table[k]) {
            nw = table[k]->nfactor > nw ? table[k]->nfactor : nw;
            nv = table[k]->nvector > nv ? table[k]->nvector : nv;
        }
    double *w = NEW_ARRAY(arena, double, nw), *v = NEW_ARRAY(arena, double, nv);
    double *rhs = NEW_ARRAY(arena, double, n), *x = NEW_ARRAY(arena, double, n);
    double *y = NEW_ARRAY(arena, double, n), *r = NEW_ARRAY(arena, double, n);
    double *sum = NEW_ARRAY(arena, double, n);
    double *a = NEW_ARRAY(arena, double, (size_t)n *(size_t)n);
    int *pivot = NEW_ARRAY(arena, int, n);
    /* LAPACK needs n^3: not at every point of a large block */
    int every = getenv("TAKT_LONG") || n < 20 ? 1
                : n < 120                     ? 5
                : n < 400                     ? 20
                                              : 50;
    for (int s = 0; s < m->nsample; s++) {
        const double *entry = m->entry + (size_t)s * (size_t)m->nnz;
        for (int i = 0; i < n; i++)
            rhs[i] = (1.5 + sin(i * 1.7 + s)) * (1 + i % 3);
        double rcond = 0;
        if (s % every == 0)
            rcond = reference(m, entry, rhs, y, a, pivot);
        for (int k = 0; k < KINDS; k++) {
            Straight *line = k == 0 ? unrolled : k == 4 ? dense : NULL;
            if (!table[k] && !line)
                continue;
            double alarm = line ? straight_solve(line, entry, rhs, x)
                                : table_run(table[k], entry, rhs, x, w, v);
            double res = scaled_residual(m, entry, rhs, x, r, sum);
            worst[k].solved++;
            worst[k].alarms += alarm > 0;
            worst[k].bad += !isfinite(res);
            worst[k].residual = fmax(worst[k].residual, res);
            if (s % every == 0)
                worst[k].error =
                    fmax(worst[k].error, relative_error(x, y, n) * rcond);
        }
    }
    arena_free(arena);
}

static void check_model(const Model *model)
{
    const char *root = getenv("TAKT_SOURCE");
    Compilation *c = driver_new();
    DriverOptions o = driver_defaults(
        arena_printf(c->arena, "%s/%s", root ? root : ".", model->file));
    plan_add_edit(&o.edits, PLAN_METHOD, "lie", c->arena);
    plan_add_number(&o.edits, PLAN_STEP, model->step, c->arena);
    o.stop = model->stop;
    if (model->algebraic)
        plan_add_edit(&o.edits, PLAN_ALGEBRAIC, model->algebraic, c->arena);
    o.goal = STEP_HOST;
    assert_true(driver_compile(c, &o, PHASE_STEP));
    SimOptions sim_options = step_sim_options(c->step);
    Sim *sim = sim_new(c->step->lowered, &sim_options, c->arena, c->diag);
    assert_non_null(sim);
    PivotOptions pivots = {.points = 1000, .steps = 1000, .perturbed = 1};
    int nblock = 0, size = 0;
    PivotMatrices *m =
        pivots_collect(sim, c->step->schedule, &pivots, &nblock, c->arena);
    assert_non_null(m);
    assert_true(nblock > 0);
    Worst worst[KINDS] = {0};
    int samples = 0;
    for (int b = 0; b < nblock; b++) {
        check_block(&m[b], worst);
        size = m[b].n > size ? m[b].n : size;
        samples = m[b].nsample > samples ? m[b].nsample : samples;
    }
    printf("%s%s%s: %d blocks, the largest %d, %d points\n", model->file,
           model->algebraic ? " " : "",
           model->algebraic ? model->algebraic : "", nblock, size, samples);
    for (int k = 0; k < KINDS; k++)
        if (worst[k].solved > 0)
            printf("    %-18s residual %.1e, error over condition %.1e, "
                   "alarms %d\n",
                   kind_name[k], worst[k].residual, worst[k].error,
                   worst[k].alarms);
    fflush(stdout);
    assert_true(samples >= 2000);
    for (int k = 0; k < KINDS; k++) {
        assert_int_equal(worst[k].bad, 0);
        assert_int_equal(worst[k].alarms, 0);
        assert_true(worst[k].residual <= 1e-13);
        assert_true(worst[k].error <= 1e-14);
    }
    sim_free(sim);
    driver_end(c);
}

static void chains_and_plates(void **state)
{
    (void)state;
    static const Model model[] = {
        {"models/gallery/ExhaustPipe.mo", "solve", 1e-3, 1},
        {"bench/models/Heat50.mo", "solve", 1e-3, 1},
        {"bench/models/Heat500.mo", "solve", 1e-3, 1},
        {"bench/models/HeatPlate.mo", "solve", 1e-3, 1},
        {"bench/models/Ladder100.mo", "solve", 1e-4, 0.1},
        {"models/gallery/DiodeLadderLoop.mo", NULL, 1e-6, 1e-3},
        {"models/gallery/TransistorAmplifier.mo", NULL, 1e-4, 0.1},
    };
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++)
        check_model(&model[i]);
}

static void robots(void **state)
{
    (void)state;
    static const Model model[] = {
        {"models/gallery/SixAxisRobot.mo", "solve", 1e-3, 1.8},
        {"models/gallery/SixAxisRobot.mo", "keep-small", 1e-3, 1.8},
        {"models/gallery/SixAxisRobot.mo", "keep", 1e-3, 1.8},
    };
    for (size_t i = 0; i < sizeof model / sizeof model[0]; i++)
        check_model(&model[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_and_plates),
        cmocka_unit_test(robots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
