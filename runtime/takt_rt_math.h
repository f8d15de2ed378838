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
 * takt_rt_mathf.h has the functions for float.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RT_MATH_H
#define TAKT_RT_MATH_H

#include "takt_rt.h"

/* a if the integer c is 1, b if it is 0 */
static inline double takt_pick(uint64_t c, double a, double b)
{
    const uint64_t mask = (uint64_t)0 - (uint64_t)takt_flag((int)c);
    return takt_number((takt_word(a) & mask) | (takt_word(b) & ~mask));
}

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

/* What is not a number stays so. */
static inline double takt_clamp(double x, double low, double high)
{
    return takt_smaller(high, takt_larger(low, x));
}

/* Gives x the sign of s, where x >= 0. */
static inline double takt_signed(double x, double s)
{
    return takt_number(takt_word(x) | (takt_word(s) & UINT64_C(0x8000000000000000)));
}

static inline double takt_quiet_nan(void)
{
    return takt_number(UINT64_C(0x7ff8000000000000));
}

static inline double takt_infinity(void)
{
    return takt_number(UINT64_C(0x7ff0000000000000));
}

/* One instruction: compilers add a branch for errno to sqrt(). */
static inline double takt_sqrt(double x)
{
#if defined(__GNUC__) && defined(__SSE2__)
    double r;
    __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
    return r;
#else
    return takt_pick((uint64_t)(x < 0), takt_quiet_nan(), sqrt(fabs(x)));
#endif
}

/* s + *e is a + b without error */
static inline double takt_two_sum(double a, double b, double *e)
{
    const double s = a + b, t = s - a;
    *e = (a - (s - t)) + (b - t);
    return s;
}

/* p + *e is a * b without error (Dekker 1971; no fused operation needed) */
static inline double takt_two_mul(double a, double b, double *e)
{
    const double split = 134217729.0;
    const double ca = a * split, cb = b * split;
    const double ah = ca - (ca - a), al = a - ah;
    const double bh = cb - (cb - b), bl = b - bh;
    const double p = a * b;
    *e = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
    return p;
}

/* (n + nl) / (d + dl), the quotient corrected once */
static inline double takt_divide(double n, double nl, double d, double dl)
{
    const double y = n / d;
    double e;
    const double p = takt_two_mul(y, d, &e);
    return y + ((((n - p) - e) + nl) - y * dl) / d;
}

/* --- sine and cosine ------------------------------------------------------ */

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

static inline double takt_sin(double x)
{
    double r, d, sl, cl;
    const uint64_t q = takt_reduce(x, &r, &d);
    const double s = takt_sin_part(r, d, &sl), c = takt_cos_part(r, d, &cl);
    return takt_number(takt_word(takt_pick(q & 1, c, s)) ^ ((q & 2) << 62));
}

static inline double takt_cos(double x)
{
    double r, d, sl, cl;
    const uint64_t q = takt_reduce(x, &r, &d);
    const double s = takt_sin_part(r, d, &sl), c = takt_cos_part(r, d, &cl);
    return takt_number(takt_word(takt_pick(q & 1, s, c)) ^
                       (((q + 1) & 2) << 62));
}

static inline double takt_tan(double x)
{
    double r, d, sl, cl;
    const uint64_t q = takt_reduce(x, &r, &d) & 1;
    const double s = takt_sin_part(r, d, &sl), c = takt_cos_part(r, d, &cl);
    const double y = takt_divide(takt_pick(q, c, s), takt_pick(q, cl, sl),
                                 takt_pick(q, s, c), takt_pick(q, sl, cl));
    return takt_number(takt_word(y) ^ (q << 63));
}

/* --- exponential ---------------------------------------------------------- */

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

/* exp(r + d) - 1 for |r| <= ln2/2 */
static inline double takt_expm1_part(double r, double d, double *low)
{
    const double c = r * r * takt_exp_polynomial(r);
    return takt_two_sum(r, c + d * (1 + (r + c)), low);
}

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

static inline double takt_exp(double x) { return takt_exp2part(x, 0); }

/* --- logarithm ------------------------------------------------------------ */

/* log(x) = *hi + *lo for a normal x > 0: x = 2^k f, f near 1, s = (f-1)/(f+1),
 * log f = 2 s + 2 s^3/3 + ...; s in two parts. */
static inline void takt_log_parts(double x, double *hi, double *lo)
{
    const uint64_t w = takt_word(x);
    const uint64_t shifted = w - UINT64_C(0x3fe6a09e667f3bcd);
    const double big = 6755399441055744.0;
    const uint64_t k12 = shifted >> 52; /* 12 bits, two's complement */
    const double k = takt_number(takt_word(big) + k12) - big -
                     takt_pick(k12 >> 11, 4096, 0);
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
    const double third = 3.3333333333333331e-01, third_l = 1.8503717077085943e-17;
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
    const double rest = e1 + e2 + e3 + 2 * (sl + cl + s * q) -
                        k * 1.11926603968974e-27;
    *hi = takt_two_sum(y, rest, lo);
}

static inline double takt_log_special(double x, double y)
{
    y = takt_pick((uint64_t)(x == 0), -takt_infinity(), y);
    y = takt_pick((uint64_t)(x > 1.7976931348623157e308), x, y);
    return takt_pick((uint64_t)(x < 0) | (uint64_t)(x != x), takt_quiet_nan(),
                     y);
}

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

/* --- power ---------------------------------------------------------------- */

/* x^y = exp(y log|x|), the exponent in two parts. */
static inline double takt_pow(double x, double y)
{
    const double a = takt_abs(x);
    double hi, lo, e;
    takt_log_parts(takt_clamp(a, 2.2250738585072014e-308, 1.7976931348623157e308),
                   &hi, &lo);
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

/* --- inverse functions ---------------------------------------------------- */

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
    const double base =
        takt_pick(far, 7.85398163397448279e-01,
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

static inline double takt_atan(double x)
{
    const double a = takt_clamp(takt_abs(x), 0, 1e300);
    const double y = takt_signed(takt_atan_ratio(a, 1), x);
    return takt_pick((uint64_t)(x != x), x, y);
}

static inline double takt_atan2(double y, double x)
{
    /* scaled, so that nothing overflows or is lost */
    double n = takt_abs(y), d = takt_abs(x);
    const double most = takt_pick((uint64_t)(n > d), n, d);
    const double up = takt_pick((uint64_t)(most < 1e-150), 1e200, 1);
    const double scale = takt_pick((uint64_t)(most > 1e150), 1e-200, up);
    n = takt_clamp(n, 0, 1.7976931348623157e308) * scale;
    d = takt_clamp(d, 0, 1.7976931348623157e308) * scale;
    const uint64_t none = (uint64_t)(most == 0);
    const double r = takt_atan_ratio(n, takt_pick(none, 1, d));
    const double back =
        3.14159265358979312e+00 - (r - 1.22464679914735321e-16);
    const uint64_t left = takt_word(x) >> 63;
    const double z = takt_signed(takt_pick(left, back, r), y);
    return takt_pick((uint64_t)(x != x) | (uint64_t)(y != y), takt_quiet_nan(),
                     z);
}

/* asin x = atan(x / sqrt(1 - x^2)), the root of (1-x)(1+x) with its rounding */
static inline double takt_asin(double x)
{
    const double a = takt_abs(x);
    const double r = takt_sqrt(fabs((1 - a) * (1 + a)));
    const double y = takt_signed(takt_atan_ratio(a, r), x);
    return takt_pick((uint64_t)(a <= 1), y, takt_quiet_nan());
}

static inline double takt_acos(double x)
{
    const double a = takt_abs(x);
    const double r = takt_sqrt(fabs((1 - a) * (1 + a)));
    const double y = takt_atan_ratio(r, a);
    const double back = 3.14159265358979312e+00 - (y - 1.22464679914735321e-16);
    const double z = takt_pick((uint64_t)(x < 0), back, y);
    return takt_pick((uint64_t)(a <= 1), z, takt_quiet_nan());
}

/* --- hyperbolic functions ------------------------------------------------- */

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

static inline double takt_sinh(double x)
{
    const double a = takt_abs(x);
    double low;
    const double m = takt_expm1(takt_clamp(a, 0, 20), &low);
    const double q = m / (m + 1);
    const double small =
        0.5 * (m + (q + low * (1 + 1 / ((m + 1) * (m + 1)))));
    const double half = takt_exp2part(a * 0.5, 0);
    const double y =
        takt_pick((uint64_t)(a > 20),
                  takt_pick((uint64_t)(a > 709), (0.5 * half) * half,
                            0.5 * takt_exp2part(a, 0)),
                  small);
    return takt_pick((uint64_t)(x != x), x, takt_signed(y, x));
}

static inline double takt_cosh(double x)
{
    const double a = takt_abs(x);
    const double p = takt_exp2part(takt_clamp(a, 0, 709), 0);
    const double half = takt_exp2part(a * 0.5, 0);
    const double y = takt_pick((uint64_t)(a > 709), (0.5 * half) * half,
                               0.5 * p + 0.5 / p);
    return takt_pick((uint64_t)(x != x), x, y);
}

static inline double takt_tanh(double x)
{
    const double a = takt_abs(x);
    double low, e;
    const double m = takt_expm1(2 * takt_clamp(a, 0, 22), &low);
    const double n = takt_two_sum(m, 2, &e);
    const double y = takt_signed(takt_divide(m, low, n, e + low), x);
    return takt_pick((uint64_t)(x != x), x, y);
}

#endif
