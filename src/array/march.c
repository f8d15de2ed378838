/* march.c - completion by Runge-Kutta, partition by Adams. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "array/march.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "array/partition.h"
#include "array/reduced.h"

enum { MOST_ORDER = 5, MOST_FAILURES = 60, PATIENCE = 3, JUDGED = 10 };
enum { JUMPS = 5 }; /* trials after which one is believed */
enum {
    CAUTIOUS = 20,
    TROUBLE = 8
}; /* steps after an iteration failed; failures of one trouble */
enum { LAST = 32 };                  /* of the least step */
static const double WORSE = 1.0 / 3; /* of the condition at its choice */
static const double BETTER = 10;     /* a partition than another one */
static const double SLOWLY = 1.5;    /* grows the step after failures */
static const double FAR_OFF = 0.5;   /* of the size of an algebraic variable */
static const double TOO_FEW = 1e-7;  /* drift: rows left out say something */

struct March {
    Array *a;
    const ArrayIndex *x;
    MarchOptions options;
    int k, n, ncol;
    double t, h;
    int caution;       /* steps that grow slowly */
    int trouble;       /* iterations that failed since */
    double trouble_h;  /* the step of the first one */
    bool is_multistep; /* Adams */
    double *z;         /* the point */
    double *trial;
    const ArrayRows *rows; /* of the solver; NULL: all of F_k */
    Complete *solver;
    Complete *judge; /* with x as it is */
    double *judged;
    bool *free;      /* columns that a solve finds */
    bool *known;     /* derivatives that it determines */
    bool *is_first;  /* j: x1 */
    bool *old_first; /* the same before */
    double chosen;   /* condition when the partition was chosen: (69) */
    double estimate; /* the same by the estimator */
    long looked;     /* factorisations when it was looked at last */
    bool *moves;     /* j: its derivative occurs in f */
    double *scale;   /* n: absolute tolerance of x */
    /* Adams: past points, the newest first */
    int npast, order;
    double excess; /* the last one, */
    int repeated;  /* so often in a row */
    int shift;     /* past points that are to be left out */
    /* where the last step began */
    double last_t, *last_z;
    int last_order;
    double past_t[MOST_ORDER + 1];
    double *past_v[MOST_ORDER + 1];
    double *past_x[MOST_ORDER + 1];
    double *stage[7];         /* Runge-Kutta */
    double *f, *error;        /* n */
    MarchStats stats, before; /* `before`: of a solver that is not used now */
    int worst_row;
    Arena *arena;
};

/* ---- points ---- */

double march_time(const March *m)
{
    return m->t;
}

const double *march_point(const March *m)
{
    return m->z;
}

const MarchStats *march_stats(const March *m)
{
    return &m->stats;
}

int march_worst_row(const March *m)
{
    return m->worst_row;
}

bool march_knows(const March *m, int j, int q)
{
    return q == 0 || (q <= m->k + 1 && m->known[q * m->n + j]);
}

bool march_is_coordinate(const March *m, int j)
{
    return !m->is_first[j];
}

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* z moved by its own derivatives: where an iteration starts. */
static void predict(const March *m, double h, double *to)
{
    for (int q = m->k + 1; q >= 0; q--) {
        for (int j = 0; j < m->n; j++) {
            double sum = 0; /* Horner: z_q + h/1 (z_q+1 + h/2 (...)) */
            for (int i = m->k + 1; i >= q; i--)
                sum = m->z[i * m->n + j] + sum * h / (i - q + 1);
            to[q * m->n + j] = sum;
        }
    }
}

/* The part of the array that is known to be determined: to.x is given in full
 * (completion) or in x2 (partition). */
static bool solve(March *m, double t, double *z)
{
    if (complete_solve(m->solver, t, z, !m->options.no_reuse))
        return true;
    complete_forget(m->solver);
    return false;
}

/* What is left over of F_k beside the terms of its rows, with x' and w as they
 * are or those that leave least: the constraints on x, hidden ones too. */
static double measure_drift(March *m)
{
    int worst;
    double x = m->rows ? array_defect_rows(m->a, m->rows, m->t, m->z, &worst)
                       : array_defect(m->a, m->k, m->t, m->z, &worst);
    m->stats.defect = fmax(m->stats.defect, x);
    copy(m->judged, m->z, m->ncol);
    if (complete_solve(m->judge, m->t, m->judged, false)) {
        double all = array_defect(m->a, m->k, m->t, m->judged, &worst);
        x = m->rows ? all : fmin(x, all);
    }
    if (x > m->stats.drift) {
        m->stats.drift = x;
        m->stats.drift_time = m->t;
    }
    return x;
}

/* ---- partition ---- */

/* A coordinate whose derivative is in none of the rows? */
static bool has_still_coordinate(const March *m)
{
    for (int j = 0; j < m->n; j++)
        if (!m->is_first[j] && !m->moves[j])
            return true;
    return false;
}

/* The solver of all rows from now on: what was left out says something here. */
static void take_all_rows(March *m)
{
    const CompleteStats *s = complete_stats(m->solver);
    m->before.residuals += s->residuals;
    m->before.factors += s->jacobians;
    m->rows = NULL;
    m->stats.rows = m->stats.all_rows;
    m->solver = complete_new(m->a, m->k, m->free, m->x->level[m->k].all.rank,
                             false, m->arena);
    complete_set_tolerance(m->solver, 1e-12);
}

/* The columns that is_first says, at the present point. */
static bool take_partition(March *m)
{
    for (int j = 0; j < m->n; j++)
        m->free[j] = m->is_first[j];
    complete_set_free(m->solver, m->free, m->stats.rows);
    copy(m->trial, m->z, m->ncol);
    if (!solve(m, m->t, m->trial))
        return false;
    copy(m->z, m->trial, m->ncol);
    m->chosen = complete_condition(m->solver);
    m->estimate = complete_estimate(m->solver);
    m->looked = complete_stats(m->solver)->jacobians;
    return true;
}

static bool choose_columns(March *m)
{
    return partition_choose(m->a, m->x, m->rows, m->t, m->z, m->is_first);
}

static bool repartition(March *m)
{
    bool fine = choose_columns(m);
    if (m->rows && (!fine || has_still_coordinate(m))) {
        take_all_rows(m);
        fine = choose_columns(m);
    }
    if (!fine || !take_partition(m))
        return false;
    m->stats.partitions++;
    return true;
}

/* The one in old_first at the point in `judged`. */
static bool restore_partition(March *m)
{
    memcpy(m->is_first, m->old_first, (size_t)m->n * sizeof *m->is_first);
    copy(m->z, m->judged, m->ncol);
    return take_partition(m);
}

/* Another partition if it is better than the one in use, whose condition is
 * this. Where equations are nearly singular by themselves none is. */
static bool seek_partition(March *m, double estimate)
{
    memcpy(m->old_first, m->is_first, (size_t)m->n * sizeof *m->is_first);
    bool fine = choose_columns(m) && !(m->rows && has_still_coordinate(m));
    if (fine && !memcmp(m->old_first, m->is_first,
                        (size_t)m->n * sizeof *m->is_first)) {
        m->chosen = complete_condition(m->solver);
        m->estimate = estimate;
        return true;
    }
    copy(m->judged, m->z, m->ncol);
    if (fine && take_partition(m) && BETTER * m->estimate < estimate) {
        m->stats.partitions++;
        return true;
    }
    return restore_partition(m);
}

/* Is the partition as good as it was? Asked where factors are new: (69) costs
 * nothing and misleads, so the estimate has the last word. */
static bool watch_partition(March *m)
{
    if (complete_stats(m->solver)->jacobians == m->looked)
        return true;
    m->looked = complete_stats(m->solver)->jacobians;
    double c = complete_condition(m->solver);
    double estimate = complete_estimate(m->solver);
    m->stats.condition = fmin(m->stats.condition, c);
    bool is_worse = estimate > 10 * m->estimate ||
                    (c < WORSE * m->chosen && estimate > 3 * m->estimate);
    return !is_worse || seek_partition(m, estimate);
}

/* ---- error ---- */

/* With `usual` beside the nominal values at least. */
static double error_norm(const March *m, const double *error, const double *x,
                         bool usual)
{
    double most = 0;
    for (int j = 0; j < m->n; j++) {
        double size = fmax(fabs(m->z[j]), fabs(x[j]));
        size = fmax(size, usual ? m->a->col[j].nominal : 0);
        double e = fabs(error[j]) / (m->scale[j] + m->options.rtol * size);
        most = e > most || isnan(e) ? e : most;
    }
    return most;
}

static double next_factor(double error, int order)
{
    double f = error > 0 ? 0.9 * pow(error, -1.0 / (order + 1)) : 4;
    return fmin(4, fmax(0.2, f));
}

/* ---- completion: Dormand, Prince 5(4) ---- */

static bool stage_at(March *m, double t, const double *x, double h, double *v)
{
    predict(m, h, m->trial);
    copy(m->trial, x, m->n);
    if (!solve(m, t, m->trial))
        return false;
    copy(v, m->trial + m->n, m->n);
    return true;
}

static bool try_runge_kutta(March *m, double h, double *error)
{
    static const double c[] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double a[7][6] = {
        {0},
        {1.0 / 5},
        {3.0 / 40, 9.0 / 40},
        {44.0 / 45, -56.0 / 15, 32.0 / 9},
        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176,
         -5103.0 / 18656},
        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double e[] = {
        71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    copy(m->stage[0], m->z + m->n, m->n);
    for (int s = 1; s < 7; s++) {
        for (int j = 0; j < m->n; j++) {
            double sum = 0;
            for (int i = 0; i < s; i++)
                sum += a[s][i] * m->stage[i][j];
            m->f[j] = m->z[j] + h * sum;
        }
        if (!stage_at(m, m->t + c[s] * h, m->f, c[s] * h, m->stage[s]))
            return false;
    }
    for (int j = 0; j < m->n; j++) {
        error[j] = 0;
        for (int s = 0; s < 7; s++)
            error[j] += h * e[s] * m->stage[s][j];
    }
    return true; /* trial is the point at the end */
}

/* ---- partition: Adams with variable steps ---- */

/* Integral from 0 to h of the Lagrange polynomial that is 1 at node i of the
 * nodes s[n]: by Gauss formulas that are exact for it. */
static double adams_weight(const double *s, int n, int i, double h)
{
    static const double x[] = {-0.7745966692414833770, 0,
                               0.7745966692414833770};
    static const double w[] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    double sum = 0;
    for (int g = 0; g < 3; g++) {
        double t = 0.5 * h * (1 + x[g]), p = 1;
        for (int j = 0; j < n; j++)
            if (j != i)
                p *= (t - s[j]) / (s[i] - s[j]);
        sum += 0.5 * h * w[g] * p;
    }
    return sum;
}

/* x + integral of the polynomial through v of n nodes: with `with_new` the new
 * point is the first node. */
static void adams(const March *m, double h, int n, const double *v_new,
                  double *x)
{
    double s[MOST_ORDER + 2];
    const double *v[MOST_ORDER + 2];
    int k = 0;
    if (v_new) {
        s[k] = h;
        v[k++] = v_new;
    }
    for (int i = 0; k < n; i++) {
        s[k] = m->past_t[i + m->shift] - m->t;
        v[k++] = m->past_v[i + m->shift];
    }
    copy(x, m->z, m->n);
    for (int i = 0; i < n; i++) {
        double w = adams_weight(s, n, i, h);
        for (int j = 0; j < m->n; j++)
            x[j] += w * v[i][j];
    }
}

/* x2 from `x`, everything else from the array. */
static bool put_on_manifold(March *m, double t, double h, const double *x)
{
    predict(m, h, m->trial);
    for (int j = 0; j < m->n; j++)
        if (!m->is_first[j])
            m->trial[j] = x[j];
    return solve(m, t, m->trial);
}

/* Where x_j leads to in h: by its slope, or where that is not determined by the
 * parabola through its last values. */
static double leads_to(const March *m, double h, int j)
{
    if (!m->rows)
        return m->z[j] + h * m->z[m->n + j];
    int n = m->npast < 3 ? m->npast : 3;
    double sum = n > 0 ? 0 : m->z[j];
    for (int i = 0; i < n; i++) {
        double w = 1;
        for (int k = 0; k < n; k++)
            if (k != i)
                w *= (m->t + h - m->past_t[k]) / (m->past_t[i] - m->past_t[k]);
        sum += w * m->past_x[i][j];
    }
    return sum;
}

/* A variable without derivative has no error of its own. But one that is far
 * from where its slope led has passed a pole, or something else that is not to
 * be passed in one step: the model turns singular there. How far grows without
 * bound as steps become smaller; that of a jump stays the same, and after some
 * trials it is believed. */
static double excess(March *m, double h, int j, double x)
{
    double by = fabs(x - leads_to(m, h, j));
    double size = fmax(fmax(fabs(m->z[j]), fabs(x)), m->a->col[j].nominal);
    if (!(by > FAR_OFF * size))
        return 0;
    bool same = fabs(by - m->excess) < 0.1 * by;
    m->repeated = same ? m->repeated + 1 : 0;
    m->excess = by;
    return m->repeated < JUMPS ? 100 * (m->scale[j] + m->options.rtol * size)
                               : 0;
}

static bool try_adams(March *m, double h, double *error)
{
    int r = m->order;
    adams(m, h, r, NULL, m->f);
    if (!put_on_manifold(m, m->t + h, h, m->f))
        return false;
    double *v = m->stage[0], *low = m->stage[1], *high = m->stage[2];
    copy(v, m->trial + m->n, m->n);
    adams(m, h, r, v, low);
    adams(m, h, r + 1, v, high);
    for (int j = 0; j < m->n; j++)
        error[j] = high[j] - low[j];
    if (!put_on_manifold(m, m->t + h, h, high))
        return false;
    /* x1 by the formulas and by the manifold: how errors of x2 grow in it */
    for (int j = 0; j < m->n; j++)
        if (m->is_first[j])
            error[j] = m->moves[j] ? high[j] - m->trial[j]
                                   : excess(m, h, j, m->trial[j]);
    return true;
}

static void remember(March *m)
{
    double *last = m->past_v[MOST_ORDER], *last_x = m->past_x[MOST_ORDER];
    for (int i = MOST_ORDER; i > 0; i--) {
        m->past_v[i] = m->past_v[i - 1];
        m->past_x[i] = m->past_x[i - 1];
        m->past_t[i] = m->past_t[i - 1];
    }
    m->past_v[0] = last;
    m->past_x[0] = last_x;
    m->past_t[0] = m->t;
    copy(last_x, m->z, m->n);
    copy(last, m->z + m->n, m->n);
    if (m->npast <= MOST_ORDER)
        m->npast++;
    int most = m->options.order > 0 ? m->options.order : MOST_ORDER;
    if (m->order < most && m->npast > m->order)
        m->order++;
}

/* What was before tells nothing of what comes: order 1 once more. */
static void restart(March *m)
{
    m->npast = 0;
    m->order = 1;
    remember(m);
    m->order = 1;
    m->stats.restarts++;
}

/* A partition for where the solution goes, if it serves here too: what is no
 * coordinate behind a kink leads to none before it. */
static bool look_ahead(March *m, double h)
{
    memcpy(m->old_first, m->is_first, (size_t)m->n * sizeof *m->is_first);
    copy(m->judged, m->z, m->ncol);
    predict(m, h, m->trial);
    bool fine = partition_choose(m->a, m->x, m->rows, m->t + h, m->trial,
                                 m->is_first) &&
                !(m->rows && has_still_coordinate(m)) && take_partition(m);
    m->stats.partitions += fine;
    return fine || restore_partition(m);
}

/* Steps fail: the partition may be a bad one, and the past of no use. */
static bool begin_again(March *m)
{
    double estimate = complete_estimate(m->solver);
    complete_forget(m->solver);
    if (m->options.kind == MARCH_PARTITION && !seek_partition(m, estimate))
        return false;
    if (m->is_multistep && m->order > 1)
        restart(m);
    return true;
}

/* ---- steps ---- */

static bool try_step(March *m, double h, double *error)
{
    return m->is_multistep ? try_adams(m, h, error)
                           : try_runge_kutta(m, h, error);
}

static bool accept(March *m, double t)
{
    m->last_t = m->t;
    m->last_order = m->order;
    copy(m->last_z, m->z, m->ncol);
    copy(m->z, m->trial, m->ncol);
    m->t = t;
    m->stats.steps++;
    for (int j = 0; j < m->n && m->rows; j++)
        if (!m->moves[j] && !complete_finds(m->solver, m->n + j))
            m->z[m->n + j] = (m->z[j] - m->last_z[j]) / (m->t - m->last_t);
    bool is_judged = m->stats.steps <= JUDGED || m->stats.steps % JUDGED == 0;
    double drift = is_judged ? measure_drift(m) : 0;
    bool is_off = m->rows && drift > TOO_FEW;
    bool fine =
        m->options.kind == MARCH_COMPLETION ||
        (is_off ? (take_all_rows(m), repartition(m)) : watch_partition(m));
    if (m->is_multistep)
        remember(m);
    return fine;
}

/* An iteration failed. The steps that follow grow slowly; where one fails after
 * the other all the same, it is time to look at what is behind. */
static bool notice_failure(March *m, double h)
{
    if (m->caution == 0) {
        m->trouble = 0;
        m->trouble_h = h;
    }
    m->caution = CAUTIOUS;
    return ++m->trouble % TROUBLE != 0 || m->options.kind != MARCH_PARTITION ||
           look_ahead(m, m->trouble_h);
}

static bool one_step(March *m, double end)
{
    double least = 16 * DBL_EPSILON * fmax(fabs(m->t), fabs(end - m->t));
    double *error = m->error;
    for (int failed = 0; failed < MOST_FAILURES; failed++) {
        double h = fmin(m->h, end - m->t);
        if (end - m->t < 1.1 * m->h)
            h = end - m->t;
        if (failed == PATIENCE && !begin_again(m))
            return false;
        int order = m->is_multistep ? m->order : 4;
        bool fine = h > least && try_step(m, h, error);
        if (h > least && !fine && !notice_failure(m, h))
            return false;
        /* time itself has no smaller step: a kink is passed if what it costs
           is next to nothing beside what is usual */
        bool is_last = h < LAST * least;
        double e = fine ? error_norm(m, error, m->trial, is_last) : INFINITY;
        if (e <= 1) {
            bool was_cut = h < m->h;
            double next = h * next_factor(e, order);
            if (m->caution > 0 && m->caution-- > 0)
                next = fmin(next, SLOWLY * h);
            m->h = was_cut ? fmax(next, fmin(m->h, 4 * h)) : next;
            return accept(m, h == end - m->t ? end : m->t + h);
        }
        m->stats.rejected++;
        if (!(h > least))
            return false;
        m->h = h * (isfinite(e) ? fmin(0.9, next_factor(e, order)) : 0.25);
    }
    return false;
}

static void count_work(March *m)
{
    const CompleteStats *s = complete_stats(m->solver);
    m->stats.residuals = m->before.residuals + s->residuals;
    m->stats.factors = m->before.factors + s->jacobians;
    m->stats.flops = complete_flops(m->solver);
}

bool march_step(March *m, double end)
{
    if (m->h <= 0)
        m->h = 1e-3 * fmin(end - m->t, m->a->span);
    bool fine = (m->options.most_steps == 0 ||
                 m->stats.steps < m->options.most_steps) &&
                one_step(m, end);
    count_work(m);
    if (!fine && m->rows)
        array_defect_rows(m->a, m->rows, m->t, m->trial, &m->worst_row);
    else if (!fine)
        array_defect(m->a, m->k, m->t, m->trial, &m->worst_row);
    return fine;
}

bool march_to(March *m, double t)
{
    while (m->t < t)
        if (!march_step(m, t))
            return false;
    return true;
}

void march_look_back(March *m, double t, double *z)
{
    double now = m->t, *end = m->z;
    int order = m->order;
    copy(z, m->z, m->ncol);
    if (!(t < now) || !(t > m->last_t)) {
        if (!(t > m->last_t))
            copy(z, m->last_z, m->ncol);
        return;
    }
    m->t = m->last_t;
    m->z = m->last_z;
    m->order = m->last_order;
    m->shift = m->is_multistep;
    m->repeated = JUMPS;
    if (try_step(m, t - m->last_t, m->error))
        copy(z, m->trial, m->ncol);
    m->t = now;
    m->z = end;
    m->order = order;
    m->shift = 0;
}

bool march_restart(March *m, double t, const double *z)
{
    m->t = m->last_t = t;
    copy(m->z, z, m->ncol);
    complete_forget(m->solver);
    complete_forget(m->judge);
    bool fine = m->options.kind == MARCH_PARTITION ? repartition(m)
                                                   : solve(m, m->t, m->z);
    copy(m->last_z, m->z, m->ncol);
    if (fine && m->is_multistep)
        restart(m);
    m->h = 0;
    return fine;
}

static void allocate(March *m)
{
    Arena *arena = m->arena;
    m->z = NEW_ARRAY(arena, double, m->ncol);
    m->trial = NEW_ARRAY(arena, double, m->ncol);
    m->judged = NEW_ARRAY(arena, double, m->ncol);
    m->last_z = NEW_ARRAY(arena, double, m->ncol);
    m->f = NEW_ARRAY(arena, double, m->n);
    m->error = NEW_ARRAY(arena, double, m->n);
    m->free = NEW_ARRAY(arena, bool, m->ncol);
    m->known = NEW_ARRAY(arena, bool, m->ncol);
    m->is_first = NEW_ARRAY(arena, bool, m->n);
    m->old_first = NEW_ARRAY(arena, bool, m->n);
    m->scale = NEW_ARRAY(arena, double, m->n);
    for (int i = 0; i < 7; i++)
        m->stage[i] = NEW_ARRAY(arena, double, m->n);
    for (int i = 0; i <= MOST_ORDER; i++)
        m->past_v[i] = NEW_ARRAY(arena, double, m->n);
    for (int i = 0; i <= MOST_ORDER; i++)
        m->past_x[i] = NEW_ARRAY(arena, double, m->n);
}

/* Rows that a partition can do without are left out; columns that none of the
 * others has are 0. */
static void open_solver(March *m)
{
    int rank = m->x->level[m->k].all.rank;
    m->stats.rows = m->stats.all_rows = (m->k + 1) * m->n;
    if (m->options.kind == MARCH_PARTITION && !m->options.whole)
        m->rows = array_reduce(m->a, m->x, m->arena);
    if (!m->rows) {
        m->solver = complete_new(m->a, m->k, m->free, rank, false, m->arena);
    } else {
        m->stats.rows = m->rows->nrow;
        m->solver = complete_new_rows(m->a, m->rows, m->free, NONE, m->arena);
        for (int j = m->n; j < m->ncol; j++)
            if (j >= (m->rows->k + 2) * m->n || !complete_finds(m->solver, j))
                m->z[j] = 0;
    }
    complete_set_tolerance(m->solver, 1e-12);
}

March *march_new(Array *a, const ArrayIndex *x, const MarchOptions *options,
                 Arena *arena)
{
    if (x->uniform_index == NONE || !x->start.found)
        return NULL;
    March *m = NEW(arena, March);
    m->a = a;
    m->x = x;
    m->options = *options;
    m->arena = arena;
    m->k = x->uniform_index;
    m->n = a->n;
    m->ncol = (m->k + 2) * a->n;
    m->t = x->time;
    m->order = 1;
    m->stats.condition = 1;
    m->is_multistep = options->kind == MARCH_PARTITION || options->adams;
    allocate(m);
    copy(m->z, x->z, (m->k < x->k ? m->ncol : (x->k + 2) * a->n));
    for (int j = 0; j < m->n; j++)
        m->scale[j] =
            a->col[j].nominal *
            (options->atol > 0 ? options->atol : 1e-3 * options->rtol);
    for (int j = m->n; j < m->ncol; j++)
        m->free[j] = true;
    open_solver(m);
    m->moves = partition_moving(a, arena);
    m->judge =
        complete_new(a, m->k, m->free, x->level[m->k].all.rank, true, arena);
    complete_set_tolerance(m->judge, 1e-12);
    bool fine = array_known(a, x, m->rows, m->known) &&
                (options->kind == MARCH_PARTITION ? repartition(m)
                                                  : solve(m, m->t, m->z));
    if (fine && m->is_multistep)
        remember(m);
    return fine ? m : NULL;
}
