/* rosenbrock.c - tables of Rosenbrock methods: what follows from alpha_ij,
 * gamma_ij and b_i, and the conditions of their order.
 *
 * With beta = alpha + Gamma the conditions are those of Runge-Kutta methods in
 * which an edge of the tree is alpha below a node with several sons, and beta
 * below one with a single son (Hairer, Wanner II, IV.7, theorem 7.4). If any
 * matrix may stand in the place of the Jacobian, a single son gives two
 * conditions, one with alpha and the right-hand side as before, and one with
 * gamma and 0 (W-methods: Steihaug, Wolfbrandt 1979; IV.7, (7.28)).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "plan/method_internal.h"

enum { MOST_STAGES = 24 }; /* as method_json.c */

/* x_i := sum_j a_ij y_j */
static void apply(const double *a, const double *y, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        for (int j = 0; j < n; j++)
            x[i] += a[i * n + j] * y[j];
    }
}

static double weigh(const double *b, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += b[i] * x[i];
    return sum;
}

/* The inverse of a lower triangular matrix. */
static void invert(const double *a, int n, double *inv)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++)
                sum -= a[i * n + k] * inv[k * n + j];
            inv[i * n + j] = sum / a[i * n + i];
        }
}

/* Sums of products like 2/3 + 1/3 are to be integers where they should be. */
static double rounded(double x)
{
    return fabs(x - round(x)) < 1e-14 ? round(x) : x;
}

/* a = alpha Gamma^-1, c = I/gamma - Gamma^-1, m = b Gamma^-1 */
static void transform(Method *m, Arena *arena)
{
    int n = m->nstage;
    double *inv = NEW_ARRAY(arena, double, n *n);
    double *a = NEW_ARRAY(arena, double, n *n);
    double *c = NEW_ARRAY(arena, double, n *n);
    double *end = NEW_ARRAY(arena, double, n);
    invert(m->gamma_ij, n, inv);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = j; k < i; k++)
                sum += m->alpha_ij[i * n + k] * inv[k * n + j];
            a[i * n + j] = rounded(sum);
            c[i * n + j] = j < i ? rounded(-inv[i * n + j]) : 0;
            end[j] += m->b[i] * inv[i * n + j];
        }
    for (int j = 0; j < n; j++)
        end[j] = rounded(end[j]);
    m->value_weight = a;
    m->slope_weight = c;
    m->end_weight = end;
}

void rosenbrock_build(Method *m, const double *table, Arena *arena)
{
    int n = m->nstage;
    double *beta = NEW_ARRAY(arena, double, n *n);
    double *alpha = NEW_ARRAY(arena, double, n);
    double *gamma = NEW_ARRAY(arena, double, n);
    m->alpha_ij = table;
    m->gamma_ij = table + n * n;
    m->b = table + 2 * n * n;
    m->gamma = m->gamma_ij[0];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            alpha[i] += m->alpha_ij[i * n + j];
            gamma[i] += m->gamma_ij[i * n + j];
            beta[i * n + j] = m->alpha_ij[i * n + j] + m->gamma_ij[i * n + j];
        }
        alpha[i] = rounded(alpha[i]);
        gamma[i] = rounded(gamma[i]);
    }
    m->a = beta;
    m->c = alpha;
    m->time_weight = gamma;
    m->is_diagonal = true;
    transform(m, arena);
    m->order_any = 1;
    while (m->order_any < m->order && m->order_any < 3 &&
           rosenbrock_order_defect(m, m->order_any + 1, true) < 1e-9)
        m->order_any++;
}

static double worst(double a, double b)
{
    return fmax(a, fabs(b));
}

/* Single sons by `one` and, in the row of the tree's other nodes, `two`. */
static double any_matrix_defect(const Method *m, int upto)
{
    int n = m->nstage;
    const double *matrix[2] = {m->alpha_ij, m->gamma_ij};
    const double *sum[2] = {m->c, m->time_weight};
    double v[MOST_STAGES], defect = 0;
    for (int one = 0; one < 2 && upto >= 2; one++)
        defect = worst(defect, weigh(m->b, sum[one], n) - (one ? 0 : 0.5));
    for (int one = 0; one < 2 && upto >= 3; one++)
        for (int two = 0; two < 2; two++) {
            apply(matrix[one], sum[two], n, v);
            double want = one || two ? 0 : 1.0 / 6;
            defect = worst(defect, weigh(m->b, v, n) - want);
        }
    return defect;
}

double rosenbrock_order_defect(const Method *m, int upto, bool any_matrix)
{
    int n = m->nstage;
    double one[MOST_STAGES], two[MOST_STAGES], three[MOST_STAGES];
    double beta[MOST_STAGES], v[MOST_STAGES], w[MOST_STAGES];
    if (n > MOST_STAGES)
        return INFINITY;
    for (int i = 0; i < n; i++) {
        one[i] = 1;
        two[i] = m->c[i] * m->c[i];
        three[i] = two[i] * m->c[i];
    }
    double defect = worst(0, weigh(m->b, one, n) - 1);
    if (any_matrix)
        defect = worst(defect, any_matrix_defect(m, upto));
    apply(m->a, one, n, beta);
    if (upto >= 2)
        defect = worst(defect, weigh(m->b, beta, n) - 0.5);
    apply(m->a, beta, n, v);
    if (upto >= 3) {
        defect = worst(defect, weigh(m->b, two, n) - 1.0 / 3);
        defect = worst(defect, weigh(m->b, v, n) - 1.0 / 6);
    }
    if (upto < 4)
        return defect;
    defect = worst(defect, weigh(m->b, three, n) - 0.25);
    apply(m->a, v, n, w);
    defect = worst(defect, weigh(m->b, w, n) - 1.0 / 24);
    apply(m->a, two, n, w);
    defect = worst(defect, weigh(m->b, w, n) - 1.0 / 12);
    apply(m->alpha_ij, beta, n, w);
    for (int i = 0; i < n; i++)
        w[i] *= m->c[i];
    return worst(defect, weigh(m->b, w, n) - 1.0 / 8);
}
