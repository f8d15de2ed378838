/* takt_rt_mathf.h - the functions of takt_rt_math.h for float, in float.
 *
 * For machines that have no double: every operation is one of float, but for
 * pow, which needs more digits than float has and computes in double. The
 * methods are those of takt_rt_math.h with shorter polynomials (Chebyshev) and
 * pi/2 and ln 2 in parts whose products with the quotient are exact. Errors in
 * units in the last place are at most 2 (tests/prop/emit/prop_math.c):
 *
 *     sinf cosf tanf   |x| <= 1e3
 *     expf             all
 *     logf log10f      normal numbers
 *     the others       all
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_MATHF_H
#define TAKT_RT_MATHF_H

#include "takt_rt_math.h"

TAKT_RT_PICK(float, uint32_t, f)

/* The larger and the smaller of two; b if one of them is not a number. */
static inline float takt_largerf(float a, float b)
{
#if defined(__GNUC__) && defined(__AVX__)
    float r;
    __asm__("vmaxss %2, %1, %0" : "=x"(r) : "x"(a), "x"(b));
    return r;
#elif defined(__GNUC__) && defined(__SSE2__)
    __asm__("maxss %1, %0" : "+x"(a) : "x"(b));
    return a;
#else
    return takt_pickf((uint32_t)(a > b), a, b);
#endif
}

static inline float takt_smallerf(float a, float b)
{
#if defined(__GNUC__) && defined(__AVX__)
    float r;
    __asm__("vminss %2, %1, %0" : "=x"(r) : "x"(a), "x"(b));
    return r;
#elif defined(__GNUC__) && defined(__SSE2__)
    __asm__("minss %1, %0" : "+x"(a) : "x"(b));
    return a;
#else
    return takt_pickf((uint32_t)(a < b), a, b);
#endif
}

TAKT_RT_GROUND(float, uint32_t, f, 4097.0f)

/* ---- sine and cosine ---- */

static inline float takt_sin_partf(float r, float d, float *low)
{
    const float z = r * r;
    float p = 2.72449700e-06f;
    p = p * z - 1.98400482e-04f;
    p = p * z + 8.33333180e-03f;
    p = p * z - 1.66666667e-01f;
    const float c = d + r * z * p, s = r + c;
    *low = c - (s - r);
    return s;
}

static inline float takt_cos_partf(float r, float d, float *low)
{
    const float z = r * r;
    float p = 2.45438521e-05f;
    p = p * z - 1.38882840e-03f;
    p = p * z + 4.16666646e-02f;
    const float h = 0.5f * z, w = 1 - h;
    const float c = ((1 - w) - h) + (z * z * p - r * d), s = w + c;
    *low = c - (s - w);
    return s;
}

/* x = r + d + q pi/2; pi/2 in parts of 8, 11 and 11 bits and a rest. */
static inline uint32_t takt_reducef(float x, float *r, float *d)
{
    const float big = 12582912.0f;
    const float t = x * 6.36619747e-01f + big;
    const uint32_t q = takt_wordf(t) & 3U;
    const float n = t - big;
    const float a = x - n * 1.5703125f;
    const float b = n * 4.837512969971e-04f;
    const float c = n * 7.549533620477e-08f;
    const float s = a - b;
    *r = s - c;
    *d = (((a - s) - b) + ((s - *r) - c)) - n * 2.563344152e-12f;
    return q;
}

TAKT_RT_CIRCLE(float, uint32_t, f)

/* ---- exponential ---- */

/* (exp(r) - 1 - r) / r^2 for |r| <= ln2/2 */
static inline float takt_exp_polynomialf(float r)
{
    float p = 1.39262839e-03f;
    p = p * r + 8.36325938e-03f;
    p = p * r + 4.16665540e-02f;
    p = p * r + 1.66665765e-01f;
    return p * r + 0.5f;
}

TAKT_RT_EXPM1(float, f)

static inline float takt_expf(float x0)
{
    const float big = 12582912.0f;
    const float x = takt_clampf(x0, -104.0f, 89.0f);
    const float t = x * 1.44269504f + big;
    const float k = t - big;
    const float r = (x - k * 0.693359375f) + k * 2.12194440e-4f;
    const float m = 1 + (r + r * r * takt_exp_polynomialf(r));
    const uint32_t n = takt_wordf(t) - 0x4b3fff00U, half = n >> 1;
    return m * takt_numberf((half - 1U) << 23) *
           takt_numberf((n - half - 1U) << 23);
}

/* ---- logarithm ---- */

/* log(x) = k ln2 + *head + *tail for a normal x > 0; returns k. x = 2^k (1 +
 * f), log(1 + f) = f - f^2/2 + f^3 p(f). */
static inline float takt_log_partsf(float x, float *head, float *tail)
{
    const uint32_t w = takt_wordf(x);
    const uint32_t k9 = (w - 0x3f3504f3U) >> 23; /* two's complement */
    const float big = 12582912.0f;
    const float k = takt_numberf(takt_wordf(big) + k9) - big -
                    takt_pickf(k9 >> 8, 512.0f, 0);
    const float f = takt_numberf(w - (k9 << 23)) - 1;
    float p = 6.971620541e-02f;
    p = p * f - 1.147974863e-01f;
    p = p * f + 1.168542357e-01f;
    p = p * f - 1.242568569e-01f;
    p = p * f + 1.424905714e-01f;
    p = p * f - 1.666780237e-01f;
    p = p * f + 2.000071576e-01f;
    p = p * f - 2.499999696e-01f;
    p = p * f + 3.333333118e-01f;
    const float h = 0.5f * f * f;
    float e;
    *head = takt_two_sumf(f, -h, &e);
    *tail = e + f * f * f * p;
    return k;
}

TAKT_RT_LOG_SPECIAL(float, uint32_t, f, 3.40282347e38f)

static inline float takt_logf(float x)
{
    float h, l;
    const float k = takt_log_partsf(x, &h, &l);
    l -= k * 2.12194440e-4f;
    return takt_log_specialf(x, k * 0.693359375f + (h + l));
}

/* log10(2) and log10(e) in two parts, the first of few bits */
static inline float takt_log10f(float x)
{
    float h, l, e, e2;
    const float k = takt_log_partsf(x, &h, &l);
    const float p = takt_two_mulf(h, 4.34294492e-01f, &e);
    const float u = takt_two_sumf(k * 3.0078125e-01f, p, &e2);
    l = l * 4.34294492e-01f + h * -1.01087010e-08f;
    l += k * 2.48745663e-04f + (e + e2);
    return takt_log_specialf(x, u + l);
}

/* ---- inverse functions ---- */

/* atan(n / d) for n, d >= 0, not both 0 */
static inline float takt_atan_ratiof(float n, float d)
{
    const uint32_t swap = (uint32_t)(n > d);
    const float a = takt_pickf(swap, d, n), b = takt_pickf(swap, n, d);
    const uint32_t shift = (uint32_t)(a > 0.25f * b);
    const uint32_t far = (uint32_t)(a > 0.7f * b);
    const float c = takt_pickf(far, 1.0f, takt_pickf(shift, 0.5f, 0));
    const float top = a - c * b, bottom = b + c * a;
    const float eb = c * a - (bottom - b), et = (a - top) - c * b;
    const float t = top / bottom;
    float e;
    const float p = takt_two_mulf(t, bottom, &e);
    const float tl = (((top - p) - e) + et - t * eb) / bottom;
    const float z = t * t;
    float q = 9.805974908e-02f;
    q = q * z - 1.422352051e-01f;
    q = q * z + 1.999903557e-01f;
    q = q * z - 3.333333098e-01f;
    const float base =
        takt_pickf(far, 7.85398185e-01f, takt_pickf(shift, 4.63647604e-01f, 0));
    const float base_l = takt_pickf(far, -2.18556941e-08f,
                                    takt_pickf(shift, 5.01215868e-09f, 0));
    float e1, e2;
    const float r = takt_two_sumf(base, t, &e1);
    const float rl = e1 + base_l + tl + t * z * q;
    const float s = takt_two_sumf(1.57079637e+00f, -r, &e2);
    const float flipped = s + (e2 - 4.37113883e-08f - rl);
    return takt_pickf(swap, flipped, r + rl);
}

TAKT_RT_INVERSE(float, uint32_t, f, 1e37f, 1e-18f, 1e20f, 1e18f, 1e-20f,
                3.40282347e38f, 3.14159274e+00f, -8.74227766e-08f)

/* ---- hyperbolic functions ---- */

/* exp(x) - 1 for |x| <= 80 */
static inline float takt_expm1f(float x, float *low)
{
    const float big = 12582912.0f;
    const float t0 = x * 1.44269504f + big;
    const float k = t0 - big;
    float d, e, l, pl;
    const float r = takt_two_sumf(x - k * 0.693359375f, k * 2.12194440e-4f, &d);
    const float s = takt_numberf((takt_wordf(t0) - 0x4b400000U + 127U) << 23);
    const float t = takt_two_sumf(s, -1, &e);
    const float p = takt_expm1_partf(r, d, &pl);
    const float y = takt_two_sumf(t, s * p, &l);
    *low = l + e + s * pl;
    return y;
}

TAKT_RT_HYPERBOLIC(float, uint32_t, f, 10, 88, 10)

/* ---- power ---- */

static inline float takt_powf(float x, float y)
{
    return (float)takt_pow(x, y);
}

#endif
