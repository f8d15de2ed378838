/* takt_taylor.h - double as a Taylor series: C sources compiled over it give
 * exact derivatives of any order (takt index, sim --method partition).
 *
 * In front of a C source that a C++ compiler reads: the headers of the C
 * library, then a class takt_taylor in place of `double`. A number is
 *
 *     c_0 + c_1 s + ... + c_N s^N  +  eps (d_0 + d_1 s + ... + d_N s^N),
 *
 * s the time from the point on, eps^2 = 0: c is the series of a value, d that
 * of its derivative by one argument, the one that was given d_0 = 1. Sums,
 * products and quotients have the recurrences of Moore (1966); exp, log, sin
 * and the like those that follow from their differential equations, and d is
 * that of c times the series of the derivative.
 *
 * What would lose derivatives without a word does not compile: float, printf of
 * a double, double to int without a cast. Comparisons are those of values.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAYLOR_H
#define TAKT_TAYLOR_H

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <type_traits>

#include "ModelicaUtilities.h"

enum { TAKT_TAYLOR_MOST = 10 };

extern int takt_taylor_degree; /* of the call that runs */

/* ---- series ---- */

struct takt_series {
    double at[TAKT_TAYLOR_MOST + 1];
};

static inline takt_series takt_constant(double x)
{
    takt_series r = {{x}};
    return r;
}

static inline takt_series takt_sum(const takt_series &a, const takt_series &b,
                                   double sign)
{
    takt_series r = takt_constant(0);
    for (int m = 0; m <= takt_taylor_degree; m++)
        r.at[m] = a.at[m] + sign * b.at[m];
    return r;
}

static inline takt_series takt_product(const takt_series &a,
                                       const takt_series &b)
{
    takt_series r = takt_constant(0);
    for (int m = 0; m <= takt_taylor_degree; m++)
        for (int j = 0; j <= m; j++)
            r.at[m] += a.at[j] * b.at[m - j];
    return r;
}

static inline takt_series takt_quotient(const takt_series &a,
                                        const takt_series &b)
{
    takt_series r = takt_constant(0);
    for (int m = 0; m <= takt_taylor_degree; m++) {
        double sum = a.at[m];
        for (int j = 1; j <= m; j++)
            sum -= b.at[j] * r.at[m - j];
        r.at[m] = sum / b.at[0];
    }
    return r;
}

/* r_0 given, r' = slope a': the series of a function whose slope is known. */
static inline takt_series takt_integral(double first, const takt_series &slope,
                                        const takt_series &a)
{
    takt_series r = takt_constant(first);
    for (int m = 1; m <= takt_taylor_degree; m++) {
        double sum = 0;
        for (int j = 1; j <= m; j++)
            sum += j * a.at[j] * slope.at[m - j];
        r.at[m] = sum / m;
    }
    return r;
}

static inline takt_series takt_series_exp(const takt_series &a)
{
    takt_series r = takt_constant(exp(a.at[0]));
    for (int m = 1; m <= takt_taylor_degree; m++) {
        double sum = 0;
        for (int j = 1; j <= m; j++)
            sum += j * a.at[j] * r.at[m - j];
        r.at[m] = sum / m;
    }
    return r;
}

/* Both at once: s' = c a', c' = sign s a'. */
static inline void takt_series_pair(const takt_series &a, double sign,
                                    takt_series *s, takt_series *c)
{
    for (int m = 1; m <= takt_taylor_degree; m++) {
        double sum_s = 0, sum_c = 0;
        for (int j = 1; j <= m; j++) {
            sum_s += j * a.at[j] * c->at[m - j];
            sum_c += j * a.at[j] * s->at[m - j];
        }
        s->at[m] = sum_s / m;
        c->at[m] = sign * sum_c / m;
    }
}

static inline takt_series takt_series_sqrt(const takt_series &a)
{
    takt_series r = takt_constant(sqrt(a.at[0]));
    for (int m = 1; m <= takt_taylor_degree; m++) {
        double sum = a.at[m];
        for (int j = 1; j < m; j++)
            sum -= r.at[j] * r.at[m - j];
        r.at[m] = sum / (2 * r.at[0]);
    }
    return r;
}

/* a^p by a r' = p r a', for a_0 != 0. */
static inline takt_series takt_series_power(const takt_series &a, double p)
{
    takt_series r = takt_constant(pow(a.at[0], p));
    for (int m = 1; m <= takt_taylor_degree; m++) {
        double sum = 0;
        for (int j = 1; j <= m; j++)
            sum += (p * j - (m - j)) * a.at[j] * r.at[m - j];
        r.at[m] = sum / (m * a.at[0]);
    }
    return r;
}

/* a^n by products: also where a_0 is 0. */
static inline takt_series takt_series_whole(takt_series a, unsigned n)
{
    takt_series r = takt_constant(1);
    for (; n > 0; n >>= 1) {
        if (n & 1)
            r = takt_product(r, a);
        a = takt_product(a, a);
    }
    return r;
}

/* ---- numbers ---- */

class takt_taylor
{
  public:
    takt_series c, d;
    takt_taylor() : c(), d()
    {
    }
    template <class T, class = typename std::enable_if<
                           std::is_arithmetic<T>::value>::type>
    takt_taylor(T x) : c(takt_constant((double)x)), d()
    {
    }
    takt_taylor(const takt_series &value, const takt_series &slope)
        : c(value), d(slope)
    {
    }
    /* of its own, so that it cannot be passed to printf() */
    takt_taylor(const takt_taylor &x) : c(x.c), d(x.d)
    {
    }
    takt_taylor &operator=(const takt_taylor &x)
    {
        c = x.c;
        d = x.d;
        return *this;
    }
    double value() const
    {
        return c.at[0];
    }
    explicit operator bool() const
    {
        return value() != 0;
    }
    explicit operator int() const
    {
        return (int)value();
    }
    explicit operator unsigned() const
    {
        return (unsigned)value();
    }
    explicit operator long() const
    {
        return (long)value();
    }
    explicit operator unsigned long() const
    {
        return (unsigned long)value();
    }
    explicit operator long long() const
    {
        return (long long)value();
    }
    explicit operator float() const = delete;

    friend takt_taylor operator+(const takt_taylor &a, const takt_taylor &b)
    {
        return takt_taylor(takt_sum(a.c, b.c, 1), takt_sum(a.d, b.d, 1));
    }
    friend takt_taylor operator-(const takt_taylor &a, const takt_taylor &b)
    {
        return takt_taylor(takt_sum(a.c, b.c, -1), takt_sum(a.d, b.d, -1));
    }
    friend takt_taylor operator*(const takt_taylor &a, const takt_taylor &b)
    {
        return takt_taylor(
            takt_product(a.c, b.c),
            takt_sum(takt_product(a.d, b.c), takt_product(a.c, b.d), 1));
    }
    friend takt_taylor operator/(const takt_taylor &a, const takt_taylor &b)
    {
        takt_series q = takt_quotient(a.c, b.c);
        return takt_taylor(
            q, takt_quotient(takt_sum(a.d, takt_product(q, b.d), -1), b.c));
    }
    friend takt_taylor operator-(const takt_taylor &a)
    {
        return takt_taylor(takt_sum(takt_constant(0), a.c, -1),
                           takt_sum(takt_constant(0), a.d, -1));
    }
    friend takt_taylor operator+(const takt_taylor &a)
    {
        return a;
    }
    takt_taylor &operator+=(const takt_taylor &b)
    {
        return *this = *this + b;
    }
    takt_taylor &operator-=(const takt_taylor &b)
    {
        return *this = *this - b;
    }
    takt_taylor &operator*=(const takt_taylor &b)
    {
        return *this = *this * b;
    }
    takt_taylor &operator/=(const takt_taylor &b)
    {
        return *this = *this / b;
    }
    takt_taylor &operator++()
    {
        return *this = *this + 1;
    }
    takt_taylor &operator--()
    {
        return *this = *this - 1;
    }
    takt_taylor operator++(int)
    {
        takt_taylor old = *this;
        ++*this;
        return old;
    }
    takt_taylor operator--(int)
    {
        takt_taylor old = *this;
        --*this;
        return old;
    }
#define TAKT_COMPARE(op)                                                       \
    friend bool operator op(const takt_taylor &a, const takt_taylor &b)        \
    {                                                                          \
        return a.value() op b.value();                                         \
    }
    TAKT_COMPARE(<)
    TAKT_COMPARE(<=)
    TAKT_COMPARE(>)
    TAKT_COMPARE(>=)
    TAKT_COMPARE(==)
    TAKT_COMPARE(!=)
#undef TAKT_COMPARE
};

/* ---- functions of the C library ---- */

/* A function with the value series `f` whose slope is `slope`. */
static inline takt_taylor takt_chain(const takt_taylor &a, const takt_series &f,
                                     const takt_series &slope)
{
    return takt_taylor(f, takt_product(slope, a.d));
}

/* The same where only its first value and its slope are known. */
static inline takt_taylor takt_by_slope(const takt_taylor &a, double first,
                                        const takt_series &slope)
{
    return takt_chain(a, takt_integral(first, slope, a.c), slope);
}

static inline takt_taylor exp(const takt_taylor &a)
{
    takt_series e = takt_series_exp(a.c);
    return takt_chain(a, e, e);
}

static inline takt_taylor expm1(const takt_taylor &a)
{
    return takt_by_slope(a, expm1(a.value()), takt_series_exp(a.c));
}

static inline takt_taylor exp2(const takt_taylor &a)
{
    return exp(a * 0.69314718055994530942);
}

static inline takt_taylor log(const takt_taylor &a)
{
    return takt_by_slope(a, log(a.value()),
                         takt_quotient(takt_constant(1), a.c));
}

static inline takt_taylor log1p(const takt_taylor &a)
{
    takt_series one = takt_sum(takt_constant(1), a.c, 1);
    return takt_by_slope(a, log1p(a.value()),
                         takt_quotient(takt_constant(1), one));
}

static inline takt_taylor log10(const takt_taylor &a)
{
    return log(a) / 2.30258509299404568402;
}

static inline takt_taylor log2(const takt_taylor &a)
{
    return log(a) / 0.69314718055994530942;
}

static inline takt_taylor sqrt(const takt_taylor &a)
{
    takt_series r = takt_series_sqrt(a.c);
    return takt_chain(a, r, takt_quotient(takt_constant(0.5), r));
}

static inline takt_taylor cbrt(const takt_taylor &a)
{
    takt_series r = takt_constant(cbrt(a.value()));
    for (int m = 1; m <= takt_taylor_degree; m++) {
        double sum = 0; /* 3 a r' = r a' */
        for (int j = 1; j <= m; j++)
            sum += (j / 3.0 - (m - j)) * a.c.at[j] * r.at[m - j];
        r.at[m] = sum / (m * a.value());
    }
    return takt_chain(
        a, r, takt_quotient(takt_constant(1.0 / 3), takt_product(r, r)));
}

static inline takt_taylor takt_circular(const takt_taylor &a, bool is_cosine)
{
    takt_series s = takt_constant(sin(a.value()));
    takt_series c = takt_constant(cos(a.value()));
    takt_series_pair(a.c, -1, &s, &c);
    return is_cosine ? takt_chain(a, c, takt_sum(takt_constant(0), s, -1))
                     : takt_chain(a, s, c);
}

static inline takt_taylor sin(const takt_taylor &a)
{
    return takt_circular(a, false);
}

static inline takt_taylor cos(const takt_taylor &a)
{
    return takt_circular(a, true);
}

static inline takt_taylor tan(const takt_taylor &a)
{
    return sin(a) / cos(a);
}

static inline takt_taylor sinh(const takt_taylor &a)
{
    takt_series s = takt_constant(sinh(a.value()));
    takt_series c = takt_constant(cosh(a.value()));
    takt_series_pair(a.c, 1, &s, &c);
    return takt_chain(a, s, c);
}

static inline takt_taylor cosh(const takt_taylor &a)
{
    takt_series s = takt_constant(sinh(a.value()));
    takt_series c = takt_constant(cosh(a.value()));
    takt_series_pair(a.c, 1, &s, &c);
    return takt_chain(a, c, s);
}

/* r' = (1 - r^2) a': no exp() of large arguments. */
static inline takt_taylor tanh(const takt_taylor &a)
{
    takt_series r = takt_constant(tanh(a.value())), slope = takt_constant(0);
    for (int m = 0; m <= takt_taylor_degree; m++) {
        double sum = 0, square = 0;
        for (int j = 1; j <= m; j++)
            sum += j * a.c.at[j] * slope.at[m - j];
        r.at[m] = m ? sum / m : r.at[0];
        for (int j = 0; j <= m; j++)
            square += r.at[j] * r.at[m - j];
        slope.at[m] = (m == 0) - square;
    }
    return takt_chain(a, r, slope);
}

/* one + sign a^2 */
static inline takt_series takt_about(const takt_taylor &a, double one,
                                     double sign)
{
    return takt_sum(takt_constant(one), takt_product(a.c, a.c), sign);
}

static inline takt_series takt_root_slope(const takt_series &square)
{
    return takt_quotient(takt_constant(1), takt_series_sqrt(square));
}

static inline takt_taylor asin(const takt_taylor &a)
{
    return takt_by_slope(a, asin(a.value()),
                         takt_root_slope(takt_about(a, 1, -1)));
}

static inline takt_taylor acos(const takt_taylor &a)
{
    takt_series slope = takt_root_slope(takt_about(a, 1, -1));
    return takt_by_slope(a, acos(a.value()),
                         takt_sum(takt_constant(0), slope, -1));
}

static inline takt_taylor atan(const takt_taylor &a)
{
    return takt_by_slope(a, atan(a.value()),
                         takt_quotient(takt_constant(1), takt_about(a, 1, 1)));
}

static inline takt_taylor asinh(const takt_taylor &a)
{
    return takt_by_slope(a, asinh(a.value()),
                         takt_root_slope(takt_about(a, 1, 1)));
}

static inline takt_taylor acosh(const takt_taylor &a)
{
    return takt_by_slope(a, acosh(a.value()),
                         takt_root_slope(takt_about(a, -1, 1)));
}

static inline takt_taylor atanh(const takt_taylor &a)
{
    return takt_by_slope(a, atanh(a.value()),
                         takt_quotient(takt_constant(1), takt_about(a, 1, -1)));
}

static inline takt_taylor erf(const takt_taylor &a)
{
    takt_series e =
        takt_series_exp(takt_sum(takt_constant(0), takt_product(a.c, a.c), -1));
    return takt_by_slope(
        a, erf(a.value()),
        takt_product(takt_constant(1.12837916709551257390), e));
}

/* The angle moves by (x y' - y x') / (x^2 + y^2). */
static inline takt_taylor atan2(const takt_taylor &y, const takt_taylor &x)
{
    takt_series square =
        takt_sum(takt_product(x.c, x.c), takt_product(y.c, y.c), 1);
    takt_series by_y = takt_quotient(x.c, square);
    takt_series by_x =
        takt_quotient(takt_sum(takt_constant(0), y.c, -1), square);
    takt_series one = takt_integral(atan2(y.value(), x.value()), by_y, y.c);
    takt_series two = takt_integral(0, by_x, x.c);
    return takt_taylor(
        takt_sum(one, two, 1),
        takt_sum(takt_product(by_y, y.d), takt_product(by_x, x.d), 1));
}

static inline takt_taylor hypot(const takt_taylor &a, const takt_taylor &b)
{
    return sqrt(a * a + b * b);
}

static inline bool takt_is_constant(const takt_taylor &a)
{
    for (int m = 0; m <= takt_taylor_degree; m++)
        if (a.d.at[m] != 0 || (m > 0 && a.c.at[m] != 0))
            return false;
    return true;
}

/* A whole constant exponent by products, another one by its recurrence, and one
 * that moves by exp(b log a). */
static inline takt_taylor pow(const takt_taylor &a, const takt_taylor &b)
{
    double p = b.value();
    if (!takt_is_constant(b))
        return exp(b * log(a));
    if (p == 0)
        return takt_taylor(1);
    if (p == floor(p) && p >= 1 && p <= 1e6)
        return takt_chain(
            a, takt_series_whole(a.c, (unsigned)p),
            takt_product(takt_constant(p),
                         takt_series_whole(a.c, (unsigned)p - 1)));
    return takt_chain(
        a, takt_series_power(a.c, p),
        takt_product(takt_constant(p), takt_series_power(a.c, p - 1)));
}

static inline takt_taylor fabs(const takt_taylor &a)
{
    return a.value() < 0 ? -a : a;
}

static inline takt_taylor fmax(const takt_taylor &a, const takt_taylor &b)
{
    return a.value() < b.value() || a.value() != a.value() ? b : a;
}

static inline takt_taylor fmin(const takt_taylor &a, const takt_taylor &b)
{
    return b.value() < a.value() || a.value() != a.value() ? b : a;
}

static inline takt_taylor fdim(const takt_taylor &a, const takt_taylor &b)
{
    return a > b ? a - b : takt_taylor(0);
}

static inline takt_taylor fma(const takt_taylor &a, const takt_taylor &b,
                              const takt_taylor &c)
{
    return a * b + c;
}

static inline takt_taylor copysign(const takt_taylor &a, const takt_taylor &b)
{
    return signbit(a.value()) != signbit(b.value()) ? -a : a;
}

static inline takt_taylor fmod(const takt_taylor &a, const takt_taylor &b)
{
    return a - takt_taylor(trunc(a.value() / b.value())) * b;
}

static inline takt_taylor ldexp(const takt_taylor &a, int n)
{
    return a * ldexp(1.0, n);
}

#define TAKT_STEPWISE(f)                                                       \
    static inline takt_taylor f(const takt_taylor &a)                          \
    {                                                                          \
        return takt_taylor(f(a.value()));                                      \
    }
TAKT_STEPWISE(floor)
TAKT_STEPWISE(ceil)
TAKT_STEPWISE(trunc)
TAKT_STEPWISE(round)
TAKT_STEPWISE(rint)
TAKT_STEPWISE(nearbyint)
#undef TAKT_STEPWISE

static inline long lround(const takt_taylor &a)
{
    return lround(a.value());
}

static inline long lrint(const takt_taylor &a)
{
    return lrint(a.value());
}

#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#define isnan(x)    takt_is_nan(x)
#define isinf(x)    takt_is_inf(x)
#define isfinite(x) takt_is_finite(x)

static inline bool takt_is_nan(const takt_taylor &a)
{
    return a.value() != a.value();
}

static inline bool takt_is_finite(const takt_taylor &a)
{
    return a.value() - a.value() == 0;
}

static inline bool takt_is_inf(const takt_taylor &a)
{
    return !takt_is_nan(a) && !takt_is_finite(a);
}

/* ---- for a C++ compiler that reads C ---- */
#define restrict __restrict
#define _Bool bool
#undef __cplusplus /* headers of others: no extern "C" */
#define double takt_taylor

#endif
