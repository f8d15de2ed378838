/* march.c - steps on the derivative array, and their control. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "array/march_internal.h"
#include "array/partition.h"
#include "array/reduced.h"

enum { MOST_FAILURES = 60, PATIENCE = 3, JUDGED = 10 };
enum {
    CAUTIOUS = 20,
    TROUBLE = 8
};                                  /* steps after an iteration failed;
                                       failures of one trouble */
enum { LAST = 32 };                 /* of the least step */
static const double SLOWLY = 1.5;   /* grows the step after failures */
static const double TOO_FEW = 1e-7; /* drift: rows left out say something */

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

/* z moved by its own derivatives: where an iteration starts. */
void march_predict(const March *m, double h, double *to)
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
bool march_solve(March *m, double t, double *z)
{
    if (complete_solve(m->solver, t, z, !m->options.no_reuse))
        return true;
    complete_forget(m->solver);
    return false;
}

/* What is left over of F_k, or of those rows of it that are solved, with the x'
 * and w that leave least. */
static double left_over(March *m, const ArrayRows *rows)
{
    int worst;
    Complete *judge = rows ? m->row_judge : m->judge;
    march_copy(m->judged, m->z, m->ncol);
    if (!complete_solve(judge, m->t, m->judged, false))
        return INFINITY;
    return rows ? array_defect_rows(m->a, rows, m->t, m->judged, &worst)
                : array_defect(m->a, m->k, m->t, m->judged, &worst);
}

/* What is left over beside the terms of the rows, with x' and w as they are or
 * those that leave least: the constraints on x, hidden ones too, all of which
 * are in the rows that are solved. Returns what all rows of F_k leave: where
 * that is more, the others say something. */
static double measure_drift(March *m)
{
    int worst;
    double x = m->rows ? array_defect_rows(m->a, m->rows, m->t, m->z, &worst)
                       : array_defect(m->a, m->k, m->t, m->z, &worst);
    m->stats.defect = fmax(m->stats.defect, x);
    x = fmin(x, left_over(m, m->rows));
    if (x > m->stats.drift) {
        m->stats.drift = x;
        m->stats.drift_time = m->t;
    }
    return m->rows ? left_over(m, NULL) : x;
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

/* ---- changes of the completion ---- */

/* With factors of another point x' is another function of (x, t) beside the
 * manifold (Campbell, Zhong 1994, 4.2, 4.3). Did that happen in this step? Then
 * the two are compared where the step began. */
static void notice_change(March *m)
{
    long now = complete_stats(m->solver)->jacobians;
    if (now == m->factors || m->options.no_reuse)
        return;
    march_copy(m->judged, m->z, m->ncol);
    if (!complete_solve(m->solver, m->t, m->judged, true))
        return;
    for (int j = 0; j < m->n; j++)
        m->jump[j] = fabs(m->judged[m->n + j] - m->z[m->n + j]);
    m->mixed = m->is_multistep ? m->order : 1;
    m->stats.changes++;
}

/* What slopes of two completions make of a step of length h. */
static void add_jump(March *m, double h, double *error)
{
    if (m->options.kind != MARCH_COMPLETION || m->options.mixes)
        return;
    notice_change(m);
    for (int j = 0; j < m->n && m->mixed > 0; j++) {
        double by = h * m->jump[j];
        double size = fmax(fabs(m->z[j]), fabs(m->trial[j]));
        double most = m->scale[j] + m->options.rtol * size;
        m->stats.jump = fmax(m->stats.jump, by / most);
        error[j] = fabs(error[j]) + by;
    }
}

/* ---- steps ---- */

/* What was before tells nothing of what comes: order 1 once more. */
static void restart(March *m)
{
    m->npast = 0;
    m->order = 1;
    march_remember(m);
    m->order = 1;
    m->stats.restarts++;
}

/* Steps fail: the partition may be a bad one, and the past of no use. */
static bool begin_again(March *m)
{
    double estimate = complete_estimate(m->solver);
    complete_forget(m->solver);
    if (m->options.kind == MARCH_PARTITION &&
        !march_seek_partition(m, estimate))
        return false;
    if (m->is_multistep && m->order > 1)
        restart(m);
    return true;
}

static bool accept(March *m, double t)
{
    m->last_t = m->t;
    m->last_order = m->order;
    march_copy(m->last_z, m->z, m->ncol);
    march_copy(m->z, m->trial, m->ncol);
    m->t = t;
    m->stats.steps++;
    for (int j = 0; j < m->n && m->rows; j++)
        if (!m->moves[j] && !complete_finds(m->solver, m->n + j))
            m->z[m->n + j] = (m->z[j] - m->last_z[j]) / (m->t - m->last_t);
    bool is_judged = m->stats.steps <= JUDGED || m->stats.steps % JUDGED == 0;
    double drift = is_judged ? measure_drift(m) : 0;
    bool is_off = m->rows && isfinite(drift) && drift > TOO_FEW;
    bool fine = m->options.kind == MARCH_COMPLETION ||
                (is_off ? (march_take_all_rows(m), march_repartition(m))
                        : march_watch_partition(m));
    if (m->is_multistep)
        march_remember(m);
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
           march_look_ahead(m, m->trouble_h);
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
        m->factors = complete_stats(m->solver)->jacobians;
        bool fine = h > least && march_try_step(m, h, error);
        if (fine)
            add_jump(m, h, error);
        if (h > least && !fine && !notice_failure(m, h))
            return false;
        /* time itself has no smaller step: a kink is passed if what it costs
           is next to nothing beside what is usual */
        bool is_last = h < LAST * least;
        double e = fine ? error_norm(m, error, m->trial, is_last) : INFINITY;
        if (e <= 1) {
            bool was_cut = h < m->h;
            m->mixed -= m->mixed > 0;
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
    march_copy(z, m->z, m->ncol);
    if (!(t < now) || !(t > m->last_t)) {
        if (!(t > m->last_t))
            march_copy(z, m->last_z, m->ncol);
        return;
    }
    m->t = m->last_t;
    m->z = m->last_z;
    m->order = m->last_order;
    m->shift = m->is_multistep;
    m->repeated = JUMPS;
    if (march_try_step(m, t - m->last_t, m->error))
        march_copy(z, m->trial, m->ncol);
    m->t = now;
    m->z = end;
    m->order = order;
    m->shift = 0;
}

bool march_restart(March *m, double t, const double *z)
{
    m->t = m->last_t = t;
    march_copy(m->z, z, m->ncol);
    complete_forget(m->solver);
    complete_forget(m->judge);
    bool fine = m->options.kind == MARCH_PARTITION ? march_repartition(m)
                                                   : march_solve(m, m->t, m->z);
    march_copy(m->last_z, m->z, m->ncol);
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
    m->jump = NEW_ARRAY(arena, double, m->n);
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
        m->solver =
            complete_new_rows(m->a, m->rows, m->free, NONE, false, m->arena);
        m->row_judge = complete_new_rows(m->a, m->rows, m->free,
                                         m->rows->nrow - (m->n - m->x->states),
                                         true, m->arena);
        complete_set_tolerance(m->row_judge, 1e-12);
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
    march_copy(m->z, x->z, (m->k < x->k ? m->ncol : (x->k + 2) * a->n));
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
    if (options->kind == MARCH_COMPLETION)
        complete_set_units(m->solver, m->t, m->z);
    bool fine = array_known(a, x, m->rows, m->known) &&
                (options->kind == MARCH_PARTITION ? march_repartition(m)
                                                  : march_solve(m, m->t, m->z));
    if (fine && m->is_multistep)
        march_remember(m);
    return fine ? m : NULL;
}
