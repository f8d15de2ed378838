/* takt_rt_math.h - elementary functions whose work does not depend on data.
 *
 * No branch, no table, no call: every argument takes the same instructions.
 * Arguments are reduced (Cody and Waite, Software Manual for the Elementary
 * Functions, 1980), then a polynomial is evaluated; where a rounding of the
 * reduced argument would show in the result, it is carried along. Errors in
 * units in the last place, and the range they hold for, as tested by
 * tests/prop/emit/prop_math.c:
 *
 *     sin cos tan   |x| <= 1e5 (double), 1e3 (float)
 *     exp           all; the result becomes 0 and infinity as it should
 *     log log10     normal numbers
 *     pow           x > 0, and whole y for x < 0; 0^y
 *     the others    all
 *
 * takt_rt_mathf.h has the functions for float: polynomials and constants of its
 * own, and otherwise the text of this file.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_MATH_H
#define TAKT_RT_MATH_H

#include "takt_rt_base.h"

/* What double and float have in common is written once, as macros over the type
 * REAL, the word WORD of its size and the suffix F of names. */

#define TAKT_RT_PICK(REAL, WORD, F)                                            \
    /* a if the integer c is 1, b if it is 0 */                                \
    static inline REAL takt_pick##F(WORD c, REAL a, REAL b)                    \
    {                                                                          \
        const WORD mask = (WORD)0 - (WORD)takt_flag((int)c);                   \
        return takt_number##F((takt_word##F(a) & mask) |                       \
                              (takt_word##F(b) & ~mask));                      \
    }

/* One instruction where there is one: the root of a negative number is none. */
#if defined(__GNUC__) && defined(__SSE2__)
#define TAKT_RT_SQRT(WORD, F, x) takt_root##F(x)
#else
#define TAKT_RT_SQRT(WORD, F, x)                                               \
    takt_pick##F((WORD)((x) < 0), takt_quiet_nan##F(),                         \
                 takt_root##F(takt_abs##F(x)))
#endif

#define TAKT_RT_GROUND(REAL, WORD, F, SPLIT)                                   \
    /* What is not a number stays so. */                                       \
    static inline REAL takt_clamp##F(REAL x, REAL low, REAL high)              \
    {                                                                          \
        return takt_smaller##F(high, takt_larger##F(low, x));                  \
    }                                                                          \
    /* Gives x the sign of s, where x >= 0. */                                 \
    static inline REAL takt_signed##F(REAL x, REAL s)                          \
    {                                                                          \
        const WORD sign = ~(~(WORD)0 >> 1);                                    \
        return takt_number##F(takt_word##F(x) | (takt_word##F(s) & sign));     \
    }                                                                          \
    static inline REAL takt_quiet_nan##F(void)                                 \
    {                                                                          \
        return (REAL)NAN;                                                      \
    }                                                                          \
    static inline REAL takt_infinity##F(void)                                  \
    {                                                                          \
        return (REAL)INFINITY;                                                 \
    }                                                                          \
    static inline REAL takt_sqrt##F(REAL x)                                    \
    {                                                                          \
        return TAKT_RT_SQRT(WORD, F, x);                                       \
    }                                                                          \
    /* s + *e is a + b without error */                                        \
    static inline REAL takt_two_sum##F(REAL a, REAL b, REAL *e)                \
    {                                                                          \
        const REAL s = a + b, t = s - a;                                       \
        *e = (a - (s - t)) + (b - t);                                          \
        return s;                                                              \
    }                                                                          \
    /* p + *e is a * b without error (Dekker 1971; no fused operation needed)  \
     */                                                                        \
    static inline REAL takt_two_mul##F(REAL a, REAL b, REAL *e)                \
    {                                                                          \
        const REAL split = SPLIT;                                              \
        const REAL ca = a * split, cb = b * split;                             \
        const REAL ah = ca - (ca - a), al = a - ah;                            \
        const REAL bh = cb - (cb - b), bl = b - bh;                            \
        const REAL p = a * b;                                                  \
        *e = ((ah * bh - p) + ah * bl + al * bh) + al * bl;                    \
        return p;                                                              \
    }                                                                          \
    /* (n + nl) / (d + dl), the quotient corrected once */                     \
    static inline REAL takt_divide##F(REAL n, REAL nl, REAL d, REAL dl)        \
    {                                                                          \
        const REAL y = n / d;                                                  \
        REAL e;                                                                \
        const REAL p = takt_two_mul##F(y, d, &e);                              \
        return y + ((((n - p) - e) + nl) - y * dl) / d;                        \
    }

#define TAKT_RT_CIRCLE(REAL, WORD, F)                                          \
    static inline REAL takt_sin##F(REAL x)                                     \
    {                                                                          \
        REAL r, d, sl, cl;                                                     \
        const WORD q = takt_reduce##F(x, &r, &d);                              \
        const REAL s = takt_sin_part##F(r, d, &sl);                            \
        const REAL c = takt_cos_part##F(r, d, &cl);                            \
        const WORD minus = (q & 2) << (8 * sizeof x - 2);                      \
        return takt_number##F(takt_word##F(takt_pick##F(q & 1, c, s)) ^        \
                              minus);                                          \
    }                                                                          \
    static inline REAL takt_cos##F(REAL x)                                     \
    {                                                                          \
        REAL r, d, sl, cl;                                                     \
        const WORD q = takt_reduce##F(x, &r, &d);                              \
        const REAL s = takt_sin_part##F(r, d, &sl);                            \
        const REAL c = takt_cos_part##F(r, d, &cl);                            \
        const WORD minus = ((q + 1) & 2) << (8 * sizeof x - 2);                \
        return takt_number##F(takt_word##F(takt_pick##F(q & 1, s, c)) ^        \
                              minus);                                          \
    }                                                                          \
    static inline REAL takt_tan##F(REAL x)                                     \
    {                                                                          \
        REAL r, d, sl, cl;                                                     \
        const WORD q = takt_reduce##F(x, &r, &d) & 1;                          \
        const REAL s = takt_sin_part##F(r, d, &sl);                            \
        const REAL c = takt_cos_part##F(r, d, &cl);                            \
        const REAL y =                                                         \
            takt_divide##F(takt_pick##F(q, c, s), takt_pick##F(q, cl, sl),     \
                           takt_pick##F(q, s, c), takt_pick##F(q, sl, cl));    \
        return takt_number##F(takt_word##F(y) ^ (q << (8 * sizeof x - 1)));    \
    }

#define TAKT_RT_EXPM1(REAL, F)                                                 \
    /* exp(r + d) - 1 for |r| <= ln2/2 */                                      \
    static inline REAL takt_expm1_part##F(REAL r, REAL d, REAL *low)           \
    {                                                                          \
        const REAL c = r * r * takt_exp_polynomial##F(r);                      \
        return takt_two_sum##F(r, c + d * (1 + (r + c)), low);                 \
    }

#define TAKT_RT_LOG_SPECIAL(REAL, WORD, F, MOST)                               \
    static inline REAL takt_log_special##F(REAL x, REAL y)                     \
    {                                                                          \
        y = takt_pick##F((WORD)(x == 0), -takt_infinity##F(), y);              \
        y = takt_pick##F((WORD)(x > MOST), x, y);                              \
        return takt_pick##F((WORD)(x < 0) | (WORD)(x != x),                    \
                            takt_quiet_nan##F(), y);                           \
    }

/* FAR: beyond it the result is pi/2. Numbers below TINY are multiplied by UP,
 * those above LARGE by DOWN. pi = PI + PI_REST. */
#define TAKT_RT_INVERSE(REAL, WORD, F, FAR, TINY, UP, LARGE, DOWN, MOST, PI,   \
                        PI_REST)                                               \
    static inline REAL takt_atan##F(REAL x)                                    \
    {                                                                          \
        const REAL a = takt_clamp##F(takt_abs##F(x), 0, FAR);                  \
        const REAL y = takt_signed##F(takt_atan_ratio##F(a, 1), x);            \
        return takt_pick##F((WORD)(x != x), x, y);                             \
    }                                                                          \
    /* scaled, so that nothing overflows or is lost */                         \
    static inline REAL takt_atan2##F(REAL y, REAL x)                           \
    {                                                                          \
        REAL n = takt_abs##F(y), d = takt_abs##F(x);                           \
        const REAL most = takt_pick##F((WORD)(n > d), n, d);                   \
        const REAL up = takt_pick##F((WORD)(most < TINY), UP, 1);              \
        const REAL scale = takt_pick##F((WORD)(most > LARGE), DOWN, up);       \
        n = takt_clamp##F(n, 0, MOST) * scale;                                 \
        d = takt_clamp##F(d, 0, MOST) * scale;                                 \
        const WORD none = (WORD)(most == 0);                                   \
        const REAL r = takt_atan_ratio##F(n, takt_pick##F(none, 1, d));        \
        const REAL back = PI - (r - PI_REST);                                  \
        const WORD left = takt_word##F(x) >> (8 * sizeof x - 1);               \
        const REAL z = takt_signed##F(takt_pick##F(left, back, r), y);         \
        return takt_pick##F((WORD)(x != x) | (WORD)(y != y),                   \
                            takt_quiet_nan##F(), z);                           \
    }                                                                          \
    /* asin x = atan(x / sqrt(1 - x^2)), the root of (1-x)(1+x) with its       \
     * rounding */                                                             \
    static inline REAL takt_asin##F(REAL x)                                    \
    {                                                                          \
        const REAL a = takt_abs##F(x);                                         \
        const REAL r = takt_sqrt##F(takt_abs##F((1 - a) * (1 + a)));           \
        const REAL y = takt_signed##F(takt_atan_ratio##F(a, r), x);            \
        return takt_pick##F((WORD)(a <= 1), y, takt_quiet_nan##F());           \
    }                                                                          \
    static inline REAL takt_acos##F(REAL x)                                    \
    {                                                                          \
        const REAL a = takt_abs##F(x);                                         \
        const REAL r = takt_sqrt##F(takt_abs##F((1 - a) * (1 + a)));           \
        const REAL y = takt_atan_ratio##F(r, a);                               \
        const REAL back = PI - (y - PI_REST);                                  \
        const REAL z = takt_pick##F((WORD)(x < 0), back, y);                   \
        return takt_pick##F((WORD)(a <= 1), z, takt_quiet_nan##F());           \
    }

/* NEAR: below it sinh needs exp(x) - 1. Beyond TOP exp(x) is infinite where the
 * result is not. From ONE_FROM on tanh is 1. */
#define TAKT_RT_HYPERBOLIC(REAL, WORD, F, NEAR, TOP, ONE_FROM)                 \
    static inline REAL takt_sinh##F(REAL x)                                    \
    {                                                                          \
        const REAL a = takt_abs##F(x), half_of = (REAL)0.5;                    \
        REAL low;                                                              \
        const REAL m = takt_expm1##F(takt_clamp##F(a, 0, NEAR), &low);         \
        const REAL q = m / (m + 1);                                            \
        const REAL small =                                                     \
            half_of * (m + (q + low * (1 + 1 / ((m + 1) * (m + 1)))));         \
        const REAL half = takt_exp##F(a * half_of);                            \
        const REAL large =                                                     \
            takt_pick##F((WORD)(a > TOP), (half_of * half) * half,             \
                         half_of * takt_exp##F(a));                            \
        const REAL y = takt_pick##F((WORD)(a > NEAR), large, small);           \
        return takt_pick##F((WORD)(x != x), x, takt_signed##F(y, x));          \
    }                                                                          \
    static inline REAL takt_cosh##F(REAL x)                                    \
    {                                                                          \
        const REAL a = takt_abs##F(x), half_of = (REAL)0.5;                    \
        const REAL p = takt_exp##F(takt_clamp##F(a, 0, TOP));                  \
        const REAL half = takt_exp##F(a * half_of);                            \
        const REAL y = takt_pick##F((WORD)(a > TOP), (half_of * half) * half,  \
                                    half_of * p + half_of / p);                \
        return takt_pick##F((WORD)(x != x), x, y);                             \
    }                                                                          \
    static inline REAL takt_tanh##F(REAL x)                                    \
    {                                                                          \
        const REAL a = takt_abs##F(x);                                         \
        REAL low, e;                                                           \
        const REAL m = takt_expm1##F(2 * takt_clamp##F(a, 0, ONE_FROM), &low); \
        const REAL n = takt_two_sum##F(m, 2, &e);                              \
        const REAL y = takt_signed##F(takt_divide##F(m, low, n, e + low), x);  \
        return takt_pick##F((WORD)(x != x), x, y);                             \
    }

TAKT_RT_PICK(double, uint64_t, )

/* The larger and the smaller of two; b if one of them is not a number. */
static inline double takt_larger(double a, double b)
{
#if defined(__GNUC__) && defined(__AVX__)
    double r;
    __asm__("vmaxsd %2, %1, %0" : "=x"(r) : "x"(a), "x"(b));
    return r;
#elif defined(__GNUC__) && defined(__SSE2__)
    __asm__("maxsd %1, %0" : "+x"(a) : "x"(b));
    return a;
#else
    return takt_pick((uint64_t)(a > b), a, b);
#endif
}

static inline double takt_smaller(double a, double b)
{
#if defined(__GNUC__) && defined(__AVX__)
    double r;
    __asm__("vminsd %2, %1, %0" : "=x"(r) : "x"(a), "x"(b));
    return r;
#elif defined(__GNUC__) && defined(__SSE2__)
    __asm__("minsd %1, %0" : "+x"(a) : "x"(b));
    return a;
#else
    return takt_pick((uint64_t)(a < b), a, b);
#endif
}

TAKT_RT_GROUND(double, uint64_t, , 134217729.0)

/* ---- sine and cosine ---- */

/* sin and cos of r + d, |r| <= pi/4, d an error of r: polynomials of Chebyshev
 * in r^2, whose remainder is below 2e-17. */
static inline double takt_sin_part(double r, double d, double *low)
{
    const double z = r * r;
    double p = 1.59158547333332297e-10;
    p = p * z - 2.50511000181605941e-08;
    p = p * z + 2.75573159486027904e-06;
    p = p * z - 1.98412698364593636e-04;
    p = p * z + 8.33333333333074848e-03;
    p = p * z - 1.66666666666666657e-01;
    const double c = d + r * z * p;
    const double s = r + c;
    *low = c - (s - r);
    return s;
}

static inline double takt_cos_part(double r, double d, double *low)
{
    const double z = r * r;
    double p = -1.13812094687963181e-11;
    p = p * z + 2.08761263577961095e-09;
    p = p * z - 2.75573171754210246e-07;
    p = p * z + 2.48015872985785084e-05;
    p = p * z - 1.38888888888872718e-03;
    p = p * z + 4.16666666666666644e-02;
    const double h = 0.5 * z, w = 1 - h;
    const double c = ((1 - w) - h) + (z * z * p - r * d);
    const double s = w + c;
    *low = c - (s - w);
    return s;
}

/* x = r + d + q pi/2; returns q modulo 4. pi/2 in three parts of 33 bits and a
 * rest: products with q are exact below 2^20 q. */
static inline uint64_t takt_reduce(double x, double *r, double *d)
{
    const double big = 6755399441055744.0;
    const double t = x * 6.36619772367581382433e-01 + big;
    const uint64_t q = takt_word(t) & 3;
    const double n = t - big;
    const double a = x - n * 1.57079632673412561417e+00;
    const double b = n * 6.07710050630396597660e-11;
    const double c = n * 2.02226624879595063154e-21;
    const double s = a - b;
    *r = s - c;
    *d = ((a - s) - b) + ((s - *r) - c);
    return q;
}

TAKT_RT_CIRCLE(double, uint64_t, )

/* ---- exponential ---- */

/* 2^k for a whole k within [-1022, 1023] */
static inline double takt_power_of_two(double k)
{
    const double big = 6755399441055744.0;
    const uint64_t n = takt_word(k + big) - takt_word(big);
    return takt_number((n + 1023) << 52);
}

/* (exp(r) - 1 - r) / r^2 for |r| <= ln2/2, to 1e-16 */
static inline double takt_exp_polynomial(double r)
{
    double p = 2.51005153333827069e-08;
    p = p * r + 2.76202572829857248e-07;
    p = p * r + 2.75572681866644787e-06;
    p = p * r + 2.48015209405213638e-05;
    p = p * r + 1.98412698632297627e-04;
    p = p * r + 1.38888889174427718e-03;
    p = p * r + 8.33333333333002683e-03;
    p = p * r + 4.16666666666236710e-02;
    p = p * r + 1.66666666666666685e-01;
    return p * r + 5.00000000000000111e-01;
}

TAKT_RT_EXPM1(double, )

/* exp(x + d) with a small d. The result is scaled by 2^k in two halves: so it
 * becomes 0 and infinity by itself. */
static inline double takt_exp2part(double x0, double d)
{
    const double big = 6755399441055744.0;
    const double x = takt_clamp(x0, -746.0, 710.0);
    const double t = x * 1.44269504088896338700e+00 + big;
    const double k = t - big;
    const double r = ((x - k * 6.93147180369123816490e-01) + d) -
                     k * 1.90821492927058770002e-10;
    const double m = 1 + (r + r * r * takt_exp_polynomial(r));
    const uint32_t n = (uint32_t)takt_word(t) + 2048U, half = n >> 1;
    return m * takt_number((uint64_t)(half - 1) << 52) *
           takt_number((uint64_t)(n - half - 1) << 52);
}

static inline double takt_exp(double x)
{
    return takt_exp2part(x, 0);
}

/* ---- logarithm ---- */

/* log(x) = *hi + *lo for a normal x > 0: x = 2^k f, f near 1, s = (f-1)/(f+1),
 * log f = 2 s + 2 s^3/3 + ...; s in two parts. */
static inline void takt_log_parts(double x, double *hi, double *lo)
{
    const uint64_t w = takt_word(x);
    const uint64_t shifted = w - UINT64_C(0x3fe6a09e667f3bcd);
    const double big = 6755399441055744.0;
    const uint64_t k12 = shifted >> 52; /* 12 bits, two's complement */
    const double k =
        takt_number(takt_word(big) + k12) - big - takt_pick(k12 >> 11, 4096, 0);
    const double f = takt_number(w - (k12 << 52));
    const double a = f - 1, b = f + 1, eb = (f - (b - 1));
    const double s = a / b;
    double e;
    const double p = takt_two_mul(s, b, &e);
    const double sl = (((a - p) - e) - s * eb) / b;
    const double z = s * s;
    double q = 1.0 / 23;
    q = q * z + 1.0 / 21;
    q = q * z + 1.0 / 19;
    q = q * z + 1.0 / 17;
    q = q * z + 1.0 / 15;
    q = q * z + 1.0 / 13;
    q = q * z + 1.0 / 11;
    q = q * z + 1.0 / 9;
    q = q * z + 1.0 / 7;
    q = q * z + 0.2;
    q = q * z * z;
    /* s^3/3 with its rounding: it is up to a hundredth of the result */
    double ez, ec;
    const double zz = takt_two_mul(s, s, &ez);
    const double third = 3.3333333333333331e-01,
                 third_l = 1.8503717077085943e-17;
    double et;
    const double t = takt_two_mul(zz, third, &et);
    const double c = takt_two_mul(s, t, &ec);
    const double cl = ec + s * (et + ez * third + zz * third_l) + zz * sl;
    double e1, e2, e3;
    const double kh = k * 6.93147180369123816490e-01;
    const double kl = k * 1.90821492927058770002e-10;
    const double u = takt_two_sum(kh, 2 * s, &e1);
    const double v = takt_two_sum(u, 2 * c, &e2);
    const double y = takt_two_sum(v, kl, &e3);
    const double rest =
        e1 + e2 + e3 + 2 * (sl + cl + s * q) - k * 1.11926603968974e-27;
    *hi = takt_two_sum(y, rest, lo);
}

TAKT_RT_LOG_SPECIAL(double, uint64_t, , 1.7976931348623157e308)

static inline double takt_log(double x)
{
    double hi, lo;
    takt_log_parts(x, &hi, &lo);
    return takt_log_special(x, hi + lo);
}

static inline double takt_log10(double x)
{
    const double m = 4.3429448190325182e-01, ml = 1.0983196502167652e-17;
    double hi, lo, e;
    takt_log_parts(x, &hi, &lo);
    const double y = takt_two_mul(hi, m, &e);
    return takt_log_special(x, y + (e + lo * m + hi * ml));
}

/* ---- power ---- */

/* x^y = exp(y log|x|), the exponent in two parts. */
static inline double takt_pow(double x, double y)
{
    const double a = takt_abs(x);
    double hi, lo, e;
    takt_log_parts(
        takt_clamp(a, 2.2250738585072014e-308, 1.7976931348623157e308), &hi,
        &lo);
    const double yc = takt_clamp(y, -1e15, 1e15);
    const double p = takt_two_mul(yc, hi, &e);
    double r = takt_exp2part(p, e + yc * lo);
    const double half = 0.5 * y;
    const uint64_t whole = (uint64_t)(takt_floor(y) == y);
    const uint64_t odd = whole & (uint64_t)(takt_floor(half) != half);
    const uint64_t zero = (uint64_t)(a == 0);
    r = takt_pick(zero & (uint64_t)(y > 0), 0, r);
    r = takt_pick(zero & (uint64_t)(y < 0), takt_infinity(), r);
    const uint64_t minus = takt_word(x) >> 63;
    r = takt_number(takt_word(r) ^ ((minus & odd) << 63));
    r = takt_pick((uint64_t)(x < 0) & (whole ^ 1), takt_quiet_nan(), r);
    r = takt_pick((uint64_t)(x != x) | (uint64_t)(y != y), takt_quiet_nan(), r);
    r = takt_pick((uint64_t)(y == 0) | (uint64_t)(x == 1), 1, r);
    return r;
}

/* ---- inverse functions ---- */

/* atan(n / d) for n, d >= 0, not both 0: the smaller over the larger, then
 * shifted by atan(1/2) or not at all, so that |t| <= 0.27. */
static inline double takt_atan_ratio(double n, double d)
{
    const uint64_t swap = (uint64_t)(n > d);
    const double a = takt_pick(swap, d, n), b = takt_pick(swap, n, d);
    const uint64_t shift = (uint64_t)(a > 0.25 * b);
    /* (a/b - c) / (1 + c a/b), c = 1/2 or 0; beyond 0.7 with c = 1 */
    const uint64_t far = (uint64_t)(a > 0.7 * b);
    const double c = takt_pick(far, 1.0, takt_pick(shift, 0.5, 0));
    const double top = a - c * b, bottom = b + c * a;
    const double eb = (c * a - (bottom - b));
    const double et = ((a - top) - c * b);
    const double t = top / bottom;
    double e;
    const double p = takt_two_mul(t, bottom, &e);
    const double tl = (((top - p) - e) + et - t * eb) / bottom;
    const double z = t * t;
    double q = 1.0 / 27;
    q = q * z - 1.0 / 25;
    q = q * z + 1.0 / 23;
    q = q * z - 1.0 / 21;
    q = q * z + 1.0 / 19;
    q = q * z - 1.0 / 17;
    q = q * z + 1.0 / 15;
    q = q * z - 1.0 / 13;
    q = q * z + 1.0 / 11;
    q = q * z - 1.0 / 9;
    q = q * z + 1.0 / 7;
    q = q * z - 0.2;
    q = q * z + 1.0 / 3;
    const double base = takt_pick(far, 7.85398163397448279e-01,
                                  takt_pick(shift, 4.63647609000806094e-01, 0));
    const double base_l =
        takt_pick(far, 3.06161699786838302e-17,
                  takt_pick(shift, 2.26987774529616871e-17, 0));
    double e1, e2;
    const double r = takt_two_sum(base, t, &e1);
    const double rl = e1 + base_l + tl - t * z * q;
    const double s = takt_two_sum(1.57079632679489656e+00, -r, &e2);
    const double flipped = s + (e2 + 6.12323399573676604e-17 - rl);
    return takt_pick(swap, flipped, r + rl);
}

TAKT_RT_INVERSE(double, uint64_t, , 1e300, 1e-150, 1e200, 1e150, 1e-200,
                1.7976931348623157e308, 3.14159265358979312e+00,
                1.22464679914735321e-16)

/* ---- hyperbolic functions ---- */

/* exp(x) - 1 = 2^k (m - 1) + (2^k - 1), for |x| <= 700 */
static inline double takt_expm1(double x, double *low)
{
    const double big = 6755399441055744.0;
    const double k = (x * 1.44269504088896338700e+00 + big) - big;
    const double hi = x - k * 6.93147180369123816490e-01;
    double d, e, l, pl;
    const double r = takt_two_sum(hi, -(k * 1.90821492927058770002e-10), &d);
    const double s = takt_power_of_two(k);
    const double t = takt_two_sum(s, -1, &e);
    const double p = takt_expm1_part(r, d, &pl);
    const double y = takt_two_sum(t, s * p, &l);
    *low = l + e + s * pl;
    return y;
}

TAKT_RT_HYPERBOLIC(double, uint64_t, , 20, 709, 22)

#endif
