/* prop_math.c - takt_rt_math.h and takt_rt_mathf.h against libm in long double.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "../runtime/takt_rt_mathf.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/test.h"

static uint64_t state = 88172645463325252u;

/* Between 0 and 1. */
static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

/* Either sign, sizes from `low` to `high` on a logarithmic scale. */
static double spread(double low, double high)
{
    double x = exp(log(low) + uniform() * (log(high) - log(low)));
    x = fmin(x, high);
    return uniform() < 0.5 ? x : -x;
}

static double ulps(double y, long double truth)
{
    int e;
    frexpl(truth, &e);
    if (e < DBL_MIN_EXP)
        e = DBL_MIN_EXP;
    return (double)(fabsl((long double)y - truth) /
                    ldexpl(1, e - DBL_MANT_DIG));
}

static double ulpsf(float y, long double truth)
{
    int e;
    frexpl(truth, &e);
    if (e < FLT_MIN_EXP)
        e = FLT_MIN_EXP;
    return (double)(fabsl((long double)y - truth) /
                    ldexpl(1, e - FLT_MANT_DIG));
}

typedef struct Case {
    const char *name;
    double (*own)(double);
    float (*ownf)(float);
    long double (*truth)(long double);
    double low, high; /* of |x| */
    double highf;     /* for float */
    bool positive;
} Case;

static const Case cases[] = {
    {"sin", takt_sin, takt_sinf, sinl, 1e-8, 1e5, 1e3, false},
    {"cos", takt_cos, takt_cosf, cosl, 1e-8, 1e5, 1e3, false},
    {"tan", takt_tan, takt_tanf, tanl, 1e-8, 1e5, 1e3, false},
    {"exp", takt_exp, takt_expf, expl, 1e-8, 705, 87, false},
    {"log", takt_log, takt_logf, logl, 1e-300, 1e300, 1e38, true},
    {"log near 1", takt_log, takt_logf, logl, 0.5, 2, 2, true},
    {"log10", takt_log10, takt_log10f, log10l, 1e-300, 1e300, 1e38, true},
    {"atan", takt_atan, takt_atanf, atanl, 1e-8, 1e8, 1e8, false},
    {"atan near 1", takt_atan, takt_atanf, atanl, 0.1, 10, 10, false},
    {"asin", takt_asin, takt_asinf, asinl, 1e-8, 1, 1, false},
    {"asin near 1", takt_asin, takt_asinf, asinl, 0.1, 1, 1, false},
    {"acos", takt_acos, takt_acosf, acosl, 1e-8, 1, 1, false},
    {"acos near 1", takt_acos, takt_acosf, acosl, 0.5, 1, 1, false},
    {"sinh", takt_sinh, takt_sinhf, sinhl, 1e-8, 705, 87, false},
    {"sinh near 1", takt_sinh, takt_sinhf, sinhl, 0.1, 10, 10, false},
    {"cosh", takt_cosh, takt_coshf, coshl, 1e-8, 705, 87, false},
    {"tanh", takt_tanh, takt_tanhf, tanhl, 1e-8, 40, 40, false},
    {"tanh near 1", takt_tanh, takt_tanhf, tanhl, 0.1, 2, 2, false},
    {"sqrt", takt_sqrt, takt_sqrtf, sqrtl, 1e-300, 1e300, 1e38, true},
};

static void functions_of_one_argument_err_by_two_units_at_most(void **unused)
{
    (void)unused;
    int bad = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const Case *c = &cases[k];
        double worst = 0, worstf = 0, at = 0;
        for (int i = 0; i < 200000; i++) {
            double x = spread(c->low, c->high);
            x = c->positive ? fabs(x) : x;
            double u = ulps(c->own(x), c->truth(x));
            if (!(u <= worst))
                worst = u, at = x;
            float f = (float)spread(fmax(c->low, 1e-30), c->highf);
            f = c->positive ? fabsf(f) : f;
            worstf = fmax(worstf, ulpsf(c->ownf(f), c->truth(f)));
        }
        printf("%-12s %.3f (at %.17g), float %.3f\n", c->name, worst, at,
               worstf);
        bad += !(worst <= 2) || !(worstf <= 2);
    }
    assert_int_equal(bad, 0);
}

static void pow_and_atan2_err_by_two_units_at_most(void **unused)
{
    (void)unused;
    double power = 0, angle = 0, powerf = 0, anglef = 0;
    for (int i = 0; i < 400000; i++) {
        double x = fabs(spread(1e-10, 1e10)), y = spread(1e-3, 28);
        power = fmax(power, ulps(takt_pow(x, y), powl(x, y)));
        double a = spread(1e-20, 1e20), b = spread(1e-20, 1e20);
        angle = fmax(angle, ulps(takt_atan2(a, b), atan2l(a, b)));
        float xf = (float)fabs(spread(1e-5, 1e5)), yf = (float)spread(1e-3, 7);
        powerf = fmax(powerf, ulpsf(takt_powf(xf, yf), powl(xf, yf)));
        float af = (float)spread(1e-18, 1e18), bf = (float)spread(1e-18, 1e18);
        anglef = fmax(anglef, ulpsf(takt_atan2f(af, bf), atan2l(af, bf)));
    }
    printf("pow %.3f, atan2 %.3f, float %.3f, %.3f\n", power, angle, powerf,
           anglef);
    assert_true(power <= 2 && angle <= 2 && powerf <= 2 && anglef <= 2);
}

static void special_arguments_are_those_of_libm(void **unused)
{
    (void)unused;
    assert_true(takt_exp(-1e5) == 0 && isinf(takt_exp(1e5)));
    assert_true(isinf(takt_log(0)) && isnan(takt_log(-1)));
    assert_true(isnan(takt_asin(1.5)) && isnan(takt_pow(-2, 0.5)));
    assert_true(takt_pow(-2, 3) == -8 && takt_pow(0, 2) == 0);
    assert_true(takt_pow(3, 0) == 1 && takt_pow(0, 0) == 1);
    assert_true(isinf(takt_pow(0, -1)));
    assert_true(takt_sin(0) == 0 && takt_cos(0) == 1 && takt_tanh(0) == 0);
    assert_true(takt_tanh(1e300) == 1 && takt_tanh(-1e300) == -1);
    assert_true(isnan(takt_sin(NAN)) && isnan(takt_exp(NAN)) &&
                isnan(takt_log(NAN)) && isnan(takt_tanh(NAN)));
    assert_true(takt_expf(-1e5f) == 0 && isinf(takt_expf(1e5f)));
    assert_true(isinf(takt_logf(0)) && isnan(takt_logf(-1)));
    assert_true(isnan(takt_asinf(1.5f)) && isnan(takt_powf(-2, 0.5f)));
    assert_true(takt_sinf(0) == 0 && takt_cosf(0) == 1 && takt_tanhf(0) == 0);
    assert_true(takt_tanhf(1e30f) == 1 && takt_tanhf(-1e30f) == -1);
    assert_true(isnan(takt_sinf(NAN)) && isnan(takt_expf(NAN)) &&
                isnan(takt_logf(NAN)) && isnan(takt_tanhf(NAN)));
    assert_true(takt_atan2f(0, -1) == atan2f(0, -1));
    assert_true(takt_atan2(0, -1) == atan2(0, -1));
    assert_true(takt_atan2(0, 0) == 0 && takt_atan2(1, 0) == atan2(1, 0));
    const double rounds[] = {0.5,  -0.5, 1.5,   -1.5,  3,      -3,     0,
                             -0.0, 1e15, 1e300, -1e16, 2.9999, -7.0001};
    for (size_t i = 0; i < sizeof rounds / sizeof rounds[0]; i++) {
        assert_true(takt_word(takt_floor(rounds[i])) ==
                    takt_word(floor(rounds[i])));
        assert_true(takt_word(takt_ceil(rounds[i])) ==
                    takt_word(ceil(rounds[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_one_argument_err_by_two_units_at_most),
        cmocka_unit_test(pow_and_atan2_err_by_two_units_at_most),
        cmocka_unit_test(special_arguments_are_those_of_libm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
