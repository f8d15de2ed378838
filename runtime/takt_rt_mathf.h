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

/* a if the integer c is 1, b if it is 0 */
static inline float takt_pickf(uint32_t c, float a, float b)
{
    const uint32_t mask = (uint32_t)0 - takt_flag((int)c);
    return takt_numberf((takt_wordf(a) & mask) | (takt_wordf(b) & ~mask));
}

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

static inline float takt_clampf(float x, float low, float high)
{
    return takt_smallerf(high, takt_largerf(low, x));
}

static inline float takt_signedf(float x, float s)
{
    return takt_numberf(takt_wordf(x) | (takt_wordf(s) & 0x80000000U));
}

static inline float takt_quiet_nanf(void)
{
    return takt_numberf(0x7fc00000U);
}

static inline float takt_infinityf(void)
{
    return takt_numberf(0x7f800000U);
}

static inline float takt_sqrtf(float x)
{
#if defined(__GNUC__) && defined(__SSE2__)
    float r;
    __asm__("sqrtss %1, %0" : "=x"(r) : "x"(x));
    return r;
#else
    return takt_pickf((uint32_t)(x < 0), takt_quiet_nanf(), sqrtf(fabsf(x)));
#endif
}

static inline float takt_two_sumf(float a, float b, float *e)
{
    const float s = a + b, t = s - a;
    *e = (a - (s - t)) + (b - t);
    return s;
}

static inline float takt_two_mulf(float a, float b, float *e)
{
    const float split = 4097.0f;
    const float ca = a * split, cb = b * split;
    const float ah = ca - (ca - a), al = a - ah;
    const float bh = cb - (cb - b), bl = b - bh;
    const float p = a * b;
    *e = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    return p;
}

static inline float takt_dividef(float n, float nl, float d, float dl)
{
    const float y = n / d;
    float e;
    const float p = takt_two_mulf(y, d, &e);
    return y + ((((n - p) - e) + nl) - y * dl) / d;
}

/* --- sine and cosine ------------------------------------------------------ */

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

static inline float takt_sinf(float x)
{
    float r, d, sl, cl;
    const uint32_t q = takt_reducef(x, &r, &d);
    const float s = takt_sin_partf(r, d, &sl), c = takt_cos_partf(r, d, &cl);
    return takt_numberf(takt_wordf(takt_pickf(q & 1U, c, s)) ^
                        ((q & 2U) << 30));
}

static inline float takt_cosf(float x)
{
    float r, d, sl, cl;
    const uint32_t q = takt_reducef(x, &r, &d);
    const float s = takt_sin_partf(r, d, &sl), c = takt_cos_partf(r, d, &cl);
    return takt_numberf(takt_wordf(takt_pickf(q & 1U, s, c)) ^
                        (((q + 1U) & 2U) << 30));
}

static inline float takt_tanf(float x)
{
    float r, d, sl, cl;
    const uint32_t q = takt_reducef(x, &r, &d) & 1U;
    const float s = takt_sin_partf(r, d, &sl), c = takt_cos_partf(r, d, &cl);
    const float y = takt_dividef(takt_pickf(q, c, s), takt_pickf(q, cl, sl),
                                 takt_pickf(q, s, c), takt_pickf(q, sl, cl));
    return takt_numberf(takt_wordf(y) ^ (q << 31));
}

/* --- exponential ---------------------------------------------------------- */

/* (exp(r) - 1 - r) / r^2 for |r| <= ln2/2 */
static inline float takt_exp_polynomialf(float r)
{
    float p = 1.39262839e-03f;
    p = p * r + 8.36325938e-03f;
    p = p * r + 4.16665540e-02f;
    p = p * r + 1.66665765e-01f;
    return p * r + 0.5f;
}

static inline float takt_expm1_partf(float r, float d, float *low)
{
    const float c = r * r * takt_exp_polynomialf(r);
    return takt_two_sumf(r, c + d * (1 + (r + c)), low);
}

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

/* --- logarithm ------------------------------------------------------------ */

/* log(x) = k ln2 + *head + *tail for a normal x > 0; returns k. x = 2^k (1 + f),
 * log(1 + f) = f - f^2/2 + f^3 p(f). */
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

static inline float takt_log_specialf(float x, float y)
{
    y = takt_pickf((uint32_t)(x == 0), -takt_infinityf(), y);
    y = takt_pickf((uint32_t)(x > 3.40282347e38f), x, y);
    return takt_pickf((uint32_t)(x < 0) | (uint32_t)(x != x),
                      takt_quiet_nanf(), y);
}

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

/* --- inverse functions ---------------------------------------------------- */

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
    const float base = takt_pickf(far, 7.85398185e-01f,
                                  takt_pickf(shift, 4.63647604e-01f, 0));
    const float base_l = takt_pickf(far, -2.18556941e-08f,
                                    takt_pickf(shift, 5.01215868e-09f, 0));
    float e1, e2;
    const float r = takt_two_sumf(base, t, &e1);
    const float rl = e1 + base_l + tl + t * z * q;
    const float s = takt_two_sumf(1.57079637e+00f, -r, &e2);
    const float flipped = s + (e2 - 4.37113883e-08f - rl);
    return takt_pickf(swap, flipped, r + rl);
}

static inline float takt_atanf(float x)
{
    const float a = takt_clampf(takt_absf(x), 0, 1e37f);
    const float y = takt_signedf(takt_atan_ratiof(a, 1), x);
    return takt_pickf((uint32_t)(x != x), x, y);
}

static inline float takt_atan2f(float y, float x)
{
    float n = takt_absf(y), d = takt_absf(x);
    const float most = takt_pickf((uint32_t)(n > d), n, d);
    const float up = takt_pickf((uint32_t)(most < 1e-18f), 1e20f, 1);
    const float scale = takt_pickf((uint32_t)(most > 1e18f), 1e-20f, up);
    n = takt_clampf(n, 0, 3.40282347e38f) * scale;
    d = takt_clampf(d, 0, 3.40282347e38f) * scale;
    const uint32_t none = (uint32_t)(most == 0);
    const float r = takt_atan_ratiof(n, takt_pickf(none, 1, d));
    const float back = 3.14159274e+00f - (r + 8.74227766e-08f);
    const uint32_t left = takt_wordf(x) >> 31;
    const float z = takt_signedf(takt_pickf(left, back, r), y);
    return takt_pickf((uint32_t)(x != x) | (uint32_t)(y != y),
                      takt_quiet_nanf(), z);
}

static inline float takt_asinf(float x)
{
    const float a = takt_absf(x);
    const float r = takt_sqrtf(fabsf((1 - a) * (1 + a)));
    const float y = takt_signedf(takt_atan_ratiof(a, r), x);
    return takt_pickf((uint32_t)(a <= 1), y, takt_quiet_nanf());
}

static inline float takt_acosf(float x)
{
    const float a = takt_absf(x);
    const float r = takt_sqrtf(fabsf((1 - a) * (1 + a)));
    const float y = takt_atan_ratiof(r, a);
    const float back = 3.14159274e+00f - (y + 8.74227766e-08f);
    const float z = takt_pickf((uint32_t)(x < 0), back, y);
    return takt_pickf((uint32_t)(a <= 1), z, takt_quiet_nanf());
}

/* --- hyperbolic functions ------------------------------------------------- */

/* exp(x) - 1 for |x| <= 80 */
static inline float takt_expm1f(float x, float *low)
{
    const float big = 12582912.0f;
    const float t0 = x * 1.44269504f + big;
    const float k = t0 - big;
    float d, e, l, pl;
    const float r =
        takt_two_sumf(x - k * 0.693359375f, k * 2.12194440e-4f, &d);
    const float s = takt_numberf((takt_wordf(t0) - 0x4b400000U + 127U) << 23);
    const float t = takt_two_sumf(s, -1, &e);
    const float p = takt_expm1_partf(r, d, &pl);
    const float y = takt_two_sumf(t, s * p, &l);
    *low = l + e + s * pl;
    return y;
}

static inline float takt_sinhf(float x)
{
    const float a = takt_absf(x);
    float low;
    const float m = takt_expm1f(takt_clampf(a, 0, 10), &low);
    const float q = m / (m + 1);
    const float small = 0.5f * (m + (q + low * (1 + 1 / ((m + 1) * (m + 1)))));
    const float half = takt_expf(a * 0.5f);
    const float large = takt_pickf((uint32_t)(a > 88.0f), (0.5f * half) * half,
                                   0.5f * takt_expf(a));
    const float y = takt_pickf((uint32_t)(a > 10), large, small);
    return takt_pickf((uint32_t)(x != x), x, takt_signedf(y, x));
}

static inline float takt_coshf(float x)
{
    const float a = takt_absf(x);
    const float p = takt_expf(takt_clampf(a, 0, 88.0f));
    const float half = takt_expf(a * 0.5f);
    const float y = takt_pickf((uint32_t)(a > 88.0f), (0.5f * half) * half,
                               0.5f * p + 0.5f / p);
    return takt_pickf((uint32_t)(x != x), x, y);
}

static inline float takt_tanhf(float x)
{
    const float a = takt_absf(x);
    float low, e;
    const float m = takt_expm1f(2 * takt_clampf(a, 0, 10), &low);
    const float n = takt_two_sumf(m, 2, &e);
    const float y = takt_signedf(takt_dividef(m, low, n, e + low), x);
    return takt_pickf((uint32_t)(x != x), x, y);
}

/* --- power ---------------------------------------------------------------- */

static inline float takt_powf(float x, float y)
{
    return (float)takt_pow(x, y);
}

#endif
