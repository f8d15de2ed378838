/* march_formulas.c - one step: completion by Runge-Kutta, or Adams. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "array/march_internal.h"

enum { FRESH = 3 };                /* steps without reuse */
static const double FAR_OFF = 0.5; /* of the size of an algebraic variable */

/* ---- completion: Dormand, Prince 5(4) ---- */

static bool stage_at(March *m, double t, const double *x, double h, double *v)
{
    march_predict(m, h, m->trial);
    march_copy(m->trial, x, m->n);
    if (!march_solve(m, t, m->trial))
        return false;
    march_copy(v, m->trial + m->n, m->n);
    return true;
}

static bool make_stages(March *m, double h)
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
    return true; /* trial is the point at the end */
}

/* Stages lie beside the manifold by some power of h, where every completion is
 * another function: formulas have their order if all slopes of a step are of
 * one. Where old factors do not serve for a whole step, it is made again
 * without any reuse: the limit is that of (6) then, which depends on no other
 * point. After that some steps are made so at once. */
static bool make_slopes(March *m, double h)
{
    march_copy(m->stage[0], m->z + m->n, m->n);
    long before = complete_stats(m->solver)->jacobians;
    if (m->options.no_reuse)
        return make_stages(m, h);
    if (m->fresh == 0) {
        if (!make_stages(m, h))
            return false;
        if (complete_stats(m->solver)->jacobians == before)
            return true;
        m->fresh = FRESH;
    }
    m->fresh--;
    m->options.no_reuse = true;
    bool fine = stage_at(m, m->t, m->z, 0, m->stage[0]) && make_stages(m, h);
    m->options.no_reuse = false;
    return fine;
}

static bool try_runge_kutta(March *m, double h, double *error)
{
    static const double e[] = {
        71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    if (!make_slopes(m, h))
        return false;
    for (int j = 0; j < m->n; j++) {
        error[j] = 0;
        for (int s = 0; s < 7; s++)
            error[j] += h * e[s] * m->stage[s][j];
    }
    return true;
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
    march_copy(x, m->z, m->n);
    for (int i = 0; i < n; i++) {
        double w = adams_weight(s, n, i, h);
        for (int j = 0; j < m->n; j++)
            x[j] += w * v[i][j];
    }
}

/* x2 from `x`, everything else from the array. */
static bool put_on_manifold(March *m, double t, double h, const double *x)
{
    march_predict(m, h, m->trial);
    for (int j = 0; j < m->n; j++)
        if (!m->is_first[j])
            m->trial[j] = x[j];
    return march_solve(m, t, m->trial);
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
    march_copy(v, m->trial + m->n, m->n);
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

void march_remember(March *m)
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
    march_copy(last_x, m->z, m->n);
    march_copy(last, m->z + m->n, m->n);
    if (m->npast <= MOST_ORDER)
        m->npast++;
    int most = m->options.order > 0 ? m->options.order : MOST_ORDER;
    if (m->order < most && m->npast > m->order)
        m->order++;
}

bool march_try_step(March *m, double h, double *error)
{
    return m->is_multistep ? try_adams(m, h, error)
                           : try_runge_kutta(m, h, error);
}
