/* estimator.c - weights of error estimates.
 *
 * Two-step formulas of Radau IIA and Lobatto IIIC: all combinations of the
 * slopes of two steps that vanish for polynomials are divided differences;
 * of these the ones are taken whose result x - e stays A-stable. Their weights
 * hold for equal steps. See docs/methods/estimates.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/estimator.h"

#include <math.h>
#include <string.h>

#define SQRT6 2.4494897427831780981972840747

/* Of the L-stable SDIRK method of order 2, 1 - 1/sqrt(2). */
static const double GAMMA2 = 0.29289321881345247560;
/* Where weights of slopes have the sum 1, an error of a stiff component, which
 * is slow, is estimated as 1/gamma of it: 3.4 times with GAMMA2. With this one
 * it is 2.9, and errors of the past fall to 0.63 in a step, R(inf) = -0.63. */
static const double GAMMA_PAIR = 0.35;
/* Radau IIA(3) and its two-step formula of order 3 err in different ways, and
 * on stiff components that of Radau IIA(5) is below the error: with so much
 * more what is reported is seldom below half of it. */
static const double RADAU_MORE = 1.75;

static bool is_first(const Method *m, int i)
{
    for (int j = 0; j < m->nstage; j++)
        if (m->a[i * m->nstage + j] != 0)
            return false;
    return true;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

static Estimator *new_estimator(const Method *m, int order, Arena *arena)
{
    Estimator *e = NEW(arena, Estimator);
    e->order = order;
    e->slope = NEW_ARRAY(arena, double, m->nstage + 1);
    e->before = NEW_ARRAY(arena, double, m->nstage + 1);
    e->value = NEW_ARRAY(arena, double, m->nstage + 1);
    e->stage = NONE;
    e->share = 1;
    return e;
}

/* ---- slopes at grid points ---- */

static double binomial(int n, int k)
{
    double x = 1;
    for (int i = 1; i <= k; i++)
        x = x * (n - k + i) / i;
    return x;
}

/* weight * nabla^k f_{n+1} */
static void add_difference(Estimator *e, int k, double weight)
{
    for (int i = 0; i <= k; i++) {
        double w = weight * (i % 2 ? -1 : 1) * binomial(k, i);
        if (i == 0)
            e->end += w;
        else
            e->past[i - 1] += w;
    }
}

/* x_{n+1} - x_n - h sum_{i<=k} c_i nabla^i f_{n+1}: Adams-Moulton, c_0 = 1,
 * c_i = - sum_{j<i} c_j / (i + 1 - j) (Hairer, Norsett, Wanner I, III.1). */
static void add_quadrature(Estimator *e, int k)
{
    double c[ESTIMATOR_PAST + 1] = {1};
    e->change = 1;
    add_difference(e, 0, -1);
    for (int i = 1; i <= k; i++) {
        for (int j = 0; j < i; j++)
            c[i] -= c[j] / (i + 1 - j);
        add_difference(e, i, -c[i]);
    }
}

/* ---- Runge-Kutta ---- */

/* Result minus truth of a method of order 1 is C h^2 x''. */
static Estimator *of_euler(const Method *m, Arena *arena)
{
    Estimator *e = new_estimator(m, 1, arena);
    add_difference(e, 1, m->error_constant);
    e->gamma = m->is_explicit ? 0 : 1;
    return e;
}

/* Weights of f_n and of stages with c > 0 of the divided difference through
 * their nodes. */
static void add_divided(const Method *m, Estimator *e, double scale)
{
    for (int i = NONE; i < m->nstage; i++) {
        double at = i == NONE ? 0 : m->c[i], w = scale;
        if (i != NONE && at == 0)
            continue;
        for (int j = NONE; j < m->nstage; j++) {
            double other = j == NONE ? 0 : m->c[j];
            if (j == i || (j != NONE && other == 0))
                continue;
            w /= at - other;
        }
        if (i == NONE)
            e->past[0] += w;
        else
            e->slope[i] += w;
    }
}

/* Formulas that are known to be good, by nodes and first entry of A. */
typedef struct Known {
    int nstage;
    double a00, c[3];
    double scale; /* of the divided difference of one step */
    double gamma; /* of the filter */
    int order;    /* two steps: order, weights of */
    double before[3], old, slope[3];
} Known;

static const Known known[] = {
    /* Radau IIA, 2 stages. Its matrix has no real eigenvalue: on stiff
     * components GAMMA2 is 0.85 of the filter of its own */
    {2,
     5.0 / 12,
     {1.0 / 3, 1, 0},
     1.0 / 9,
     0.29289321881345247560,
     3,
     {-1.0 / 12, 0, 0},
     5.0 / 12,
     {-5.0 / 12, 1.0 / 12, 0}},
    /* Radau IIA, 3 stages; gamma is the real eigenvalue of A */
    {3,
     (88 - 7 * SQRT6) / 360,
     {(4 - SQRT6) / 10, (4 + SQRT6) / 10, 1},
     1.0 / 40,
     0.27488882959567736775,
     4,
     {(-95 + 70 * SQRT6) / 4488, (-95 - 70 * SQRT6) / 4488, 0},
     -260.0 / 4488,
     {(145 + 255 * SQRT6) / 4488, (145 - 255 * SQRT6) / 4488, 160.0 / 4488}},
    /* Lobatto IIIC, 3 stages */
    {3,
     1.0 / 6,
     {0, 0.5, 1},
     1.0 / 12,
     0.3808338772072650364,
     3,
     {0, -1.0 / 12, 0},
     4.0 / 12,
     {-1.0 / 12, -3.0 / 12, 1.0 / 12}},
};

static const Known *find_known(const Method *m)
{
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        bool same =
            known[k].nstage == m->nstage && is_near(known[k].a00, m->a[0]);
        for (int i = 0; same && i < m->nstage; i++)
            same = is_near(known[k].c[i], m->c[i]);
        if (same)
            return &known[k];
    }
    return NULL;
}

static Estimator *of_known(const Method *m, const Known *k, EstimatorUse use,
                           Arena *arena)
{
    Estimator *e = new_estimator(m, k->order, arena);
    e->gamma = k->gamma;
    if (use != EU_HISTORY) {
        add_divided(m, e, k->scale);
        e->order = m->c[0] == 0 ? m->nstage - 1 : m->nstage;
        return e;
    }
    double more = m->c[0] == 0 ? 1 : RADAU_MORE;
    e->need = 1;
    e->past[0] = more * k->old;
    for (int i = 0; i < m->nstage; i++) {
        e->before[i] = more * k->before[i];
        e->slope[i] = more * k->slope[i];
    }
    return e;
}

/* Weights of order 2 (1, if there is no second slope) from the first slopes. */
static Estimator *of_first_stages(const Method *m, Arena *arena)
{
    Estimator *e = new_estimator(m, 1, arena);
    for (int i = 0; i < m->nstage; i++)
        e->slope[i] = m->b[i];
    double second = 0;
    if (m->order > 2 && m->nstage > 1 && m->c[1] != 0) {
        second = 1 / (2 * m->c[1]);
        e->slope[1] -= second;
        e->order = 2;
    }
    e->slope[0] -= 1 - second;
    return e;
}

/* Any tableau: the integral of slopes at grid points, of the next order; from
 * order 3 on of one or two more, as the constants of good methods are small.
 */
static Estimator *of_any(const Method *m, EstimatorUse use, Arena *arena)
{
    int order = m->order + (m->order > 2) + (m->order > 3);
    if (order > ESTIMATOR_PAST)
        order = ESTIMATOR_PAST;
    if (use == EU_HISTORY) {
        Estimator *e = new_estimator(m, m->order, arena);
        add_quadrature(e, order);
        e->need = order - 1;
        e->gamma = m->is_explicit ? 0 : 0.5;
        return e;
    }
    if (m->is_explicit && is_first(m, 0))
        return of_first_stages(m, arena);
    Estimator *e = new_estimator(m, 1, arena);
    add_difference(e, 1, 0.5);
    e->gamma = 0.5;
    return e;
}

/* The implicit midpoint rule. Its stiff components ring, R(inf) = -1: a part A
 * of the deviation d from what they follow changes its sign in every step, a
 * part S is slow, and the error of a step is d_{n+1} = A + S. Of slopes J d the
 * filter with gamma leaves -d/(gamma h); the integral of the parabola gives A
 * -1/3 and S 1 of it, the third difference gives A 8: with a sixth of it both
 * have 1, and the estimate is 1/gamma = 2 times the error. On smooth components
 * that is a sixth of h^4 times the fourth derivative, beyond the order. */
static Estimator *of_midpoint(const Method *m, Arena *arena)
{
    Estimator *e = new_estimator(m, 2, arena);
    add_quadrature(e, 2);
    add_difference(e, 3, -1.0 / 6);
    e->need = 2;
    e->gamma = 0.5;
    return e;
}

static Estimator *of_embedded(const Method *m, Arena *arena)
{
    Estimator *e = new_estimator(m, m->order_hat, arena);
    for (int i = 0; i < m->nstage; i++)
        e->slope[i] = m->b[i] - m->b_hat[i];
    e->gamma = m->is_explicit ? 0 : GAMMA2;
    return e;
}

/* T_kk - T_k,k-1: the second has the weights of rows 2 .. k. Row j ends with a
 * stage of weight w_j = prod_{l != j} j / (j - l). */
static Estimator *of_extrapolation(const Method *m, Arena *arena)
{
    Estimator *e = new_estimator(m, m->order - 1, arena);
    int k = m->order;
    for (int j = 1, last = 0; j <= k; j++, last += j) {
        double w = j > 1;
        for (int l = 2; l <= k; l++)
            if (l != j)
                w *= (double)j / (j - l);
        e->value[last] = m->stage_weight[last] - w;
    }
    return e;
}

static Estimator *of_rk(const Method *m, EstimatorUse use, Arena *arena)
{
    const Known *k = find_known(m);
    if (m->stage_weight)
        return of_extrapolation(m, arena);
    if (m->b_hat)
        return of_embedded(m, arena);
    if (k)
        return of_known(m, k, use, arena);
    if (m->nstage == 1 && m->order == 2 && use == EU_HISTORY)
        return of_midpoint(m, arena);
    return m->order == 1 ? of_euler(m, arena) : of_any(m, use, arena);
}

/* ---- the others ---- */

/* Weights of increments: (b - b^) Gamma^-1, the last unknown first. Without an
 * embedded method it is x_n + k_1, of order 1. */
static Estimator *of_rosenbrock(const Method *m, Arena *arena)
{
    int n = m->nstage;
    Estimator *e = new_estimator(m, m->b_hat ? m->order_hat : 1, arena);
    for (int i = n - 1; i >= 0; i--) {
        double hat = m->b_hat ? m->b_hat[i] : i == 0;
        e->value[i] = m->b[i] - hat;
        for (int j = i + 1; j < n; j++)
            e->value[i] -= e->value[j] * m->gamma_ij[j * n + i];
        e->value[i] /= m->gamma;
    }
    return e;
}

static Estimator *of_multistep(const Method *m, EstimatorUse use, Arena *arena)
{
    Estimator *e = new_estimator(m, m->order, arena);
    double sum = 0;
    int order = m->order < ESTIMATOR_PAST ? m->order : ESTIMATOR_PAST;
    for (int k = 0; k <= m->nback; k++)
        sum += m->beta[k];
    e->share = m->alpha[0] / sum;
    e->need = order - 1;
    if (use != EU_HISTORY && order > 1) {
        e->need = m->nback - 1; /* with which the method begins */
        order = e->need + 1 < order ? e->need + 1 : order;
    }
    e->order = order;
    add_difference(e, order, m->error_constant * sum / m->alpha[0]);
    double beta = m->beta[0] / m->alpha[0];
    e->gamma = m->order > 2 && beta != 0 ? GAMMA2 : beta;
    return e;
}

/* f_n of the old inputs is no slope of this step: stage j instead. */
static void avoid_old_slope(const Method *m, Estimator *e)
{
    if (m->kind != MK_RK || e->past[0] == 0 || e->gamma == 0 || is_first(m, 0))
        return;
    int first = m->c[0] > 0 ? 0 : 1;
    if (first == m->nstage)
        return;
    e->stage = first;
    e->lost = e->past[0];
    e->past[0] = 0;
    e->slope[first] += e->lost;
}

/* A pair of orders 1 and 2: with steps before this one its own error can be
 * told, which is much smaller. */
static bool is_low_pair(const Method *m)
{
    return m->order == 2 && (m->kind == MK_ROSENBROCK || m->stage_weight);
}

Estimator *estimator_make(const Method *m, EstimatorUse use, Arena *arena)
{
    if (use == EU_HISTORY && is_low_pair(m)) {
        Estimator *own = of_any(m, use, arena);
        own->gamma = GAMMA_PAIR;
        return own;
    }
    Estimator *e = m->kind == MK_RK           ? of_rk(m, use, arena)
                   : m->kind == MK_ROSENBROCK ? of_rosenbrock(m, arena)
                                              : of_multistep(m, use, arena);
    if (use == EU_INPUTS)
        avoid_old_slope(m, e);
    return e;
}

/* ---- errors of the past ---- */

enum { MOST_STAGES = 24 }; /* as method_json.c */

/* r_k = b A^(k-1) 1 */
static int own_polynomial(const Method *m, double *r)
{
    int s = m->nstage, n = s < ESTIMATOR_PAST ? s : ESTIMATOR_PAST;
    double v[MOST_STAGES], w[MOST_STAGES];
    for (int i = 0; i < s; i++)
        v[i] = 1;
    for (int k = 0; k < n; k++) {
        r[k] = 0;
        for (int i = 0; i < s; i++) {
            r[k] += m->b[i] * v[i];
            w[i] = 0;
            for (int j = 0; j < s; j++)
                w[i] += m->a[i * s + j] * v[j];
        }
        memcpy(v, w, sizeof v);
    }
    while (n > 1 && r[n - 1] == 0)
        n--;
    return n;
}

int estimator_growth(const Method *m, double *gamma, double r[ESTIMATOR_PAST])
{
    *gamma = 0;
    if (m->kind == MK_RK && m->is_explicit && m->nstage <= MOST_STAGES)
        return own_polynomial(m, r);
    Arena *work = arena_new();
    double g = estimator_make(m, EU_FRESH, work)->gamma;
    arena_free(work);
    *gamma = g > 0 ? g : is_low_pair(m) ? GAMMA_PAIR : GAMMA2;
    return 0;
}

/* ---- steps of any length ---- */

/* (2w + 1)(2w + 3) ... : the divided difference of F1 before, f_n, F1, F2. */
static int radau3_weights(double w, double *weight)
{
    const double f = 5.0 / 54;
    weight[2] = -f * 27 / (2 * w * (2 * w + 1) * (2 * w + 3));
    weight[4] = f * 9 / (2 * w);
    weight[0] = -f * 27 / (2 * (1 + 2 * w));
    weight[1] = f * 9 / (2 * (3 + 2 * w));
    return 3;
}

/* Weights of the divided difference through n nodes. */
static void divided_weights(const double *node, int n, double *d)
{
    for (int i = 0; i < n; i++) {
        d[i] = 1;
        for (int j = 0; j < n; j++)
            if (j != i)
                d[i] /= node[i] - node[j];
    }
}

/* Of the differences without the first slope of the step before and without the
 * second the combination that vanishes on what is infinitely stiff: slopes of
 * the step before are there in the ratio A^-1 (1, 1, 1). */
static int radau5_weights(const Method *m, double w, double *weight)
{
    const double stiff[2] = {6 * (1 + SQRT6) / 5, 6 * (1 - SQRT6) / 5};
    double d[2][5], sum[2];
    for (int k = 0; k < 2; k++) { /* the slope that takes part */
        const double node[5] = {-w * (1 - m->c[k]), 0, m->c[0], m->c[1], 1};
        divided_weights(node, 5, d[k]);
        sum[k] = d[k][0] * stiff[k] + d[k][1] * 3;
    }
    double share[2] = {sum[1] / (sum[1] - sum[0]), 0};
    share[1] = 1 - share[0];
    for (int k = 0; k < 2; k++) {
        double f = share[k] / 40;
        weight[3 + k] = f * d[k][0];
        weight[6] += f * d[k][1];
        for (int j = 0; j < 3; j++)
            weight[j] += f * d[k][2 + j];
    }
    return 4;
}

static int lobatto_weights(double w, double *weight)
{
    double g = -2 * (w * w + w + 2) / ((w + 1) * (w + 2)), f = 1.0 / 16;
    weight[4] = -f * 8 / (w * (w + 1) * (w + 2));
    weight[6] = f * (4 / w - g);
    weight[0] = f * g;
    weight[1] = -f * 8 / (1 + w);
    weight[2] = f * 4 / (2 + w);
    return 3;
}

bool estimator_has_weights(const Method *m)
{
    return m->kind == MK_RK && !m->stage_weight && !m->b_hat && find_known(m);
}

bool estimator_controls(const Method *m)
{
    if (m->kind == MK_ROSENBROCK || m->stage_weight)
        return true;
    return m->kind == MK_RK && !m->is_explicit && m->newton == 0 &&
           (m->b_hat || m->order == 1 || estimator_has_weights(m));
}

int estimator_weights(const Method *m, double ratio, double *weight)
{
    int s = m->nstage;
    memset(weight, 0, sizeof *weight * (size_t)(2 * s + 1));
    if (ratio > 0)
        return s == 2         ? radau3_weights(ratio, weight)
               : m->c[0] == 0 ? lobatto_weights(ratio, weight)
                              : radau5_weights(m, ratio, weight);
    Arena *work = arena_new();
    const Estimator *e = estimator_make(m, EU_FRESH, work);
    memcpy(weight, e->slope, sizeof *weight * (size_t)s);
    weight[2 * s] = e->past[0];
    int order = e->order;
    arena_free(work);
    return order;
}

int estimator_embedding(const Method *m, EmbeddingKind kind, double *weight)
{
    Arena *work = arena_new();
    const Embedding *e = embedding_find(m, kind, work);
    int s = m->nstage;
    if (e) {
        const Exact *d = embedding_difference(m, e, work);
        const Exact *last = d + (e->nstep - 1) * s;
        memset(weight, 0, sizeof *weight * (size_t)(3 * s + 1));
        for (int i = 0; i < s; i++) {
            weight[i] = exact_double(last[i]);
            weight[s + i] = exact_double(last[i - s]);
            if (e->nstep > 2)
                weight[2 * s + 1 + i] = exact_double(last[i - 2 * s]);
        }
    }
    int order = e ? e->order : 0;
    arena_free(work);
    return order;
}
