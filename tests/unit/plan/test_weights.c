/* Error estimates in steps of any length: divided differences, their orders on
 * nonlinear and time-dependent problems, and what they are at equal steps. */
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

#include "plan/estimator.h"

static const char *const name[] = {"radau3", "radau5", "lobatto4"};
static const double ratio[] = {0.5, 1, 1.7, 2};
enum { S = 3 };

/* sum of weights times t^k: 0 up to degree order - 1, and not for the next. */
static void weights_are_divided_differences(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int i = 0; i < 3; i++)
        for (int j = -1; j < 4; j++) {
            const Method *m = method_find(name[i], a);
            double w = j < 0 ? 0 : ratio[j], weight[2 * S + 1];
            int order = estimator_weights(m, w, weight), s = m->nstage;
            assert_int_equal(order, (j < 0 ? 2 : 3) + (i == 1));
            for (int k = 0; k <= order; k++) {
                double sum = k == 0 ? weight[2 * s] : 0;
                for (int l = 0; l < s; l++)
                    sum += weight[l] * pow(m->c[l], k) +
                           weight[s + l] * pow(-w * (1 - m->c[l]), k);
                if (k < order)
                    assert_true(fabs(sum) < 1e-14);
                else
                    assert_true(fabs(sum) > 1e-3);
            }
        }
    arena_free(a);
}

static void at_equal_steps_they_are_those_of_fixed_steps(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int i = 0; i < 3; i++) {
        const Method *m = method_find(name[i], a);
        const Estimator *e = estimator_make(m, EU_HISTORY, a);
        double weight[2 * S + 1];
        assert_int_equal(estimator_weights(m, 1, weight), e->order);
        double more = m->c[0] == 0 ? 1 : 1.75; /* what is reported */
        assert_true(fabs(more * weight[2 * m->nstage] - e->past[0]) < 1e-14);
        for (int j = 0; j < m->nstage; j++) {
            assert_true(fabs(more * weight[j] - e->slope[j]) < 1e-14);
            assert_true(fabs(more * weight[m->nstage + j] - e->before[j]) <
                        1e-14);
        }
    }
    arena_free(a);
}

/* ---- problems with solutions ---- */

typedef struct Problem {
    const char *name;
    long double (*f)(long double t, long double x);
    long double (*solution)(long double t);
} Problem;

static long double f_decay(long double t, long double x)
{
    (void)t;
    return -x;
}
static long double x_decay(long double t)
{
    return expl(-t);
}
static long double f_cos(long double t, long double x)
{
    (void)x;
    return cosl(t);
}
static long double x_cos(long double t)
{
    return sinl(t);
}
static long double f_square(long double t, long double x)
{
    (void)t;
    return -x * x;
}
static long double x_square(long double t)
{
    return 1 / (1 + t);
}
static long double f_bell(long double t, long double x)
{
    return -2 * t * x;
}
static long double x_bell(long double t)
{
    return expl(-t * t);
}
static long double f_tan(long double t, long double x)
{
    (void)t;
    return 1 + x * x;
}
static long double x_tan(long double t)
{
    return tanl(t);
}
static long double f_ratio(long double t, long double x)
{
    return x / (1 + t) + (1 + t) * cosl(t);
}
static long double x_ratio(long double t)
{
    return (1 + t) * (1 + sinl(t));
}

static const Problem problem[] = {
    {"x' = -x", f_decay, x_decay},     {"x' = cos t", f_cos, x_cos},
    {"x' = -x^2", f_square, x_square}, {"x' = -2tx", f_bell, x_bell},
    {"x' = 1 + x^2", f_tan, x_tan},    {"linear in x, t", f_ratio, x_ratio},
};

/* A step from (t, x): slopes of the stages by fixed-point iteration, which
 * converges for such steps. */
static long double make_step(const Method *m, const Problem *p, long double t,
                             long double x, long double h, long double *slope)
{
    int s = m->nstage;
    for (int j = 0; j < s; j++)
        slope[j] = p->f(t, x);
    for (int k = 0; k < 400; k++)
        for (int i = 0; i < s; i++) {
            long double stage = x;
            for (int j = 0; j < s; j++)
                stage += h * m->exact[i * s + j].x * slope[j];
            long double c = 0;
            for (int j = 0; j < s; j++)
                c += m->exact[i * s + j].x;
            slope[i] = p->f(t + c * h, stage);
        }
    for (int j = 0; j < s; j++)
        x += h * m->exact[s * s + j].x * slope[j];
    return x;
}

/* The estimate of the second of two steps, of lengths w h and h, that begin on
 * the solution, and the error of the formula that it is taken from. */
static double estimate(const Method *m, const Problem *p, double h, double w,
                       double *order, double *error)
{
    long double t = 0.4L, before[S], slope[S];
    double weight[2 * S + 1];
    int s = m->nstage;
    *order = estimator_weights(m, w, weight);
    make_step(m, p, t - w * h, p->solution(t - w * h), w * h, before);
    long double x = make_step(m, p, t, p->solution(t), h, slope);
    long double e = weight[2 * s] * p->f(t, p->solution(t));
    for (int j = 0; j < s; j++)
        e += weight[j] * slope[j] + weight[s + j] * before[j];
    e *= h;
    *error = (double)(p->solution(t + h) - (x + e));
    return (double)e;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void estimates_have_their_order_on_every_problem(void **state)
{
    (void)state;
    Arena *a = arena_new();
    for (int i = 0; i < 3; i++)
        for (int j = -1; j < 4; j++) {
            const Method *m = method_find(name[i], a);
            double ratios[6], w = j < 0 ? 0 : ratio[j];
            for (int k = 0; k < 6; k++) {
                double order, e[2], error;
                e[0] = estimate(m, &problem[k], 0.02, w, &order, &error);
                e[1] = estimate(m, &problem[k], 0.01, w, &order, &error);
                double slope = log2(fabs(e[0] / e[1]));
                if (fabs(slope - order - 1) > 0.25)
                    fail_msg("%s, w = %g, %s: slope %g of order %g", name[i], w,
                             problem[k].name, slope, order);
                ratios[k] = fabs(e[1] / error);
            }
            qsort(ratios, 6, sizeof *ratios, by_size);
            double median = 0.5 * (ratios[2] + ratios[3]);
            assert_true(median > 0.3 && median < 3);
        }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_divided_differences),
        cmocka_unit_test(at_equal_steps_they_are_those_of_fixed_steps),
        cmocka_unit_test(estimates_have_their_order_on_every_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
