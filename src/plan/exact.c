/* exact.c - arithmetic in the field of the rationals and one square root.
 *
 * Every operation that overflows 128 bits gives a number that is not exact; its
 * value in long double goes on. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/exact.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/number.h"

enum { MOST_DIGITS = 10 };

/* ---- whole numbers ---- */

static ExactInt absolute(ExactInt a)
{
    return a < 0 ? -a : a;
}

static ExactInt divisor(ExactInt a, ExactInt b)
{
    a = absolute(a);
    b = absolute(b);
    while (b != 0) {
        ExactInt t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Operations that remember whether one did not fit. */
static ExactInt times(ExactInt a, ExactInt b, bool *lost)
{
    ExactInt c = 0;
    if (__builtin_mul_overflow(a, b, &c))
        *lost = true;
    return c;
}

static ExactInt plus(ExactInt a, ExactInt b, bool *lost)
{
    ExactInt c = 0;
    if (__builtin_add_overflow(a, b, &c))
        *lost = true;
    return c;
}

/* ---- making ---- */

/* The compiler's own way goes through 2^64, which takes more bits than a long
 * double has under valgrind. */
static long double real_of(ExactInt n)
{
    static const ExactInt small = (ExactInt)1 << 62;
    if (absolute(n) < small)
        return (long double)(long long)n;
    return (long double)(long long)(n / small) * 0x1p62L +
           (long double)(long long)(n % small);
}

static long double root(int d)
{
    return d > 0 ? sqrtl((long double)d) : 0;
}

static const ExactInt BOUND = (ExactInt)1 << 126; /* -p never overflows */

/* (p + q sqrt(d)) / r, or x where it was lost. */
static Exact make(ExactInt p, ExactInt q, ExactInt r, int d, bool lost,
                  long double x)
{
    if (lost || r == 0 || absolute(p) > BOUND || absolute(q) > BOUND ||
        absolute(r) > BOUND)
        return exact_near(x);
    ExactInt g = divisor(divisor(p, q), r);
    if (r < 0)
        g = -g;
    Exact e = {p / g, q / g, r / g, q == 0 ? 0 : d, true, 0};
    e.x = (real_of(e.p) + real_of(e.q) * root(e.d)) / real_of(e.r);
    return e;
}

Exact exact_of(long p, long r)
{
    return make(p, 0, r, 0, false, 0);
}

Exact exact_near(long double x)
{
    return (Exact){0, 0, 1, 0, false, x};
}

/* ---- arithmetic ---- */

/* The root of both; lost: they have two different ones. */
static int common(Exact a, Exact b, bool *lost)
{
    *lost = !a.is_exact || !b.is_exact || (a.d && b.d && a.d != b.d);
    return a.d ? a.d : b.d;
}

Exact exact_add(Exact a, Exact b)
{
    bool lost;
    int d = common(a, b, &lost);
    if (lost)
        return exact_near(a.x + b.x);
    ExactInt g = divisor(a.r, b.r), fa = b.r / g, fb = a.r / g;
    ExactInt p = plus(times(a.p, fa, &lost), times(b.p, fb, &lost), &lost);
    ExactInt q = plus(times(a.q, fa, &lost), times(b.q, fb, &lost), &lost);
    return make(p, q, times(a.r, fa, &lost), d, lost, a.x + b.x);
}

Exact exact_neg(Exact a)
{
    a.p = -a.p;
    a.q = -a.q;
    a.x = -a.x;
    return a;
}

Exact exact_sub(Exact a, Exact b)
{
    return exact_add(a, exact_neg(b));
}

Exact exact_mul(Exact a, Exact b)
{
    bool lost;
    int d = common(a, b, &lost);
    if (lost)
        return exact_near(a.x * b.x);
    ExactInt qq = times(times(a.q, b.q, &lost), d, &lost);
    ExactInt p = plus(times(a.p, b.p, &lost), qq, &lost);
    ExactInt q = plus(times(a.p, b.q, &lost), times(a.q, b.p, &lost), &lost);
    return make(p, q, times(a.r, b.r, &lost), d, lost, a.x * b.x);
}

Exact exact_div(Exact a, Exact b)
{
    bool lost;
    int d = common(a, b, &lost);
    if (lost)
        return exact_near(a.x / b.x);
    /* r / (p + q s) = r (p - q s) / (p^2 - d q^2) */
    ExactInt qq = times(times(b.q, b.q, &lost), d, &lost);
    ExactInt norm = plus(times(b.p, b.p, &lost), -qq, &lost);
    Exact inverse = make(times(b.r, b.p, &lost), times(-b.r, b.q, &lost), norm,
                         d, lost, 1 / b.x);
    return exact_mul(a, inverse);
}

int exact_sign(Exact a)
{
    if (a.is_exact && a.p == 0 && a.q == 0)
        return 0;
    if (!a.is_exact && fabsl(a.x) < 1e-12L)
        return 0;
    /* p + q sqrt(d) is zero for p = q = 0 only: x is far from it unless both
     * are huge, and then the norm decides */
    if (a.is_exact && a.q != 0 && (a.p < 0) != (a.q < 0) && a.p != 0) {
        bool lost = false;
        ExactInt pp = times(a.p, a.p, &lost);
        ExactInt qq = times(times(a.q, a.q, &lost), a.d, &lost);
        if (!lost)
            return (pp > qq) == (a.p > 0) ? 1 : -1;
    }
    return a.x > 0 ? 1 : a.x < 0 ? -1 : 0;
}

double exact_double(Exact a)
{
    static const ExactInt whole = (ExactInt)1 << 53;
    if (a.is_exact && a.q == 0 && absolute(a.p) < whole && a.r < whole)
        return (double)(long long)a.p /
               (double)(long long)a.r; /* correctly rounded */
    return (double)a.x;
}

/* ---- text ---- */

/* A decimal number without exponent is exact up to 10 digits. */
static bool read_decimal(const char **at, Exact *out)
{
    const char *s = *at, *p = s;
    ExactInt whole = 0, scale = 1;
    int digits = 0;
    bool point = false;
    for (; isdigit((unsigned char)*p) || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        if (digits > 0 || *p != '0')
            digits++;
        if (digits <= MOST_DIGITS) {
            whole = whole * 10 + (*p - '0');
            if (point)
                scale *= 10;
        }
    }
    if (p == s || (p == s + 1 && point))
        return false;
    bool has_exponent = *p == 'e' || *p == 'E';
    *out = make(whole, 0, scale, 0, false, 0);
    if (digits > MOST_DIGITS || scale > (ExactInt)1 << 100 || has_exponent) {
        char *end;
        double x = number_read(s, &end);
        if (end == s)
            return false;
        *out = exact_near(x);
        p = end;
    }
    *at = p;
    return true;
}

/* "sqrt6": 6 = f^2 d. */
static bool read_root(const char **at, Exact *out)
{
    const char *p = *at;
    if (strncmp(p, "sqrt", 4) != 0 || !isdigit((unsigned char)p[4]))
        return false;
    int d = 0, f = 1;
    for (p += 4; isdigit((unsigned char)*p); p++)
        if ((d = d * 10 + (*p - '0')) > 100000)
            return false;
    for (int k = 2; k * k <= d; k++)
        while (d % (k * k) == 0) {
            d /= k * k;
            f *= k;
        }
    *out = d <= 1 ? exact_of(f * d, 1) : make(0, f, 1, d, false, 0);
    *at = p;
    return true;
}

/* 7, sqrt6, 7*sqrt6 */
static bool read_term(const char **at, Exact *out)
{
    Exact factor;
    if (read_root(at, out))
        return true;
    if (!read_decimal(at, out))
        return false;
    if (**at != '*')
        return true;
    ++*at;
    if (!read_root(at, &factor))
        return false;
    *out = exact_mul(*out, factor);
    return true;
}

static bool read_signed(const char **at, Exact *out)
{
    bool minus = **at == '-';
    if (minus || **at == '+')
        ++*at;
    if (!read_term(at, out))
        return false;
    if (minus)
        *out = exact_neg(*out);
    return true;
}

/* ( term +- term ... ) */
static bool read_sum(const char **at, Exact *out)
{
    ++*at;
    *out = exact_of(0, 1);
    do {
        Exact next;
        if (!read_signed(at, &next))
            return false;
        *out = exact_add(*out, next);
    } while (**at == '+' || **at == '-');
    return *(*at)++ == ')';
}

bool exact_read(const char *text, const char **end, Exact *out)
{
    const char *p = text;
    bool minus = p[0] == '-' && p[1] == '(';
    if (minus)
        p++;
    if (!(*p == '(' ? read_sum(&p, out) : read_signed(&p, out)))
        return false;
    if (minus)
        *out = exact_neg(*out);
    if (*p == '/') {
        Exact by;
        p++;
        if (!read_decimal(&p, &by) || exact_sign(by) == 0)
            return false;
        *out = exact_div(*out, by);
    }
    *end = p;
    return isfinite((double)out->x);
}

static const char *whole_text(ExactInt n, Arena *arena)
{
    char text[48], *p = text + sizeof text - 1;
    bool minus = n < 0;
    *p = '\0';
    n = absolute(n);
    do {
        *--p = (char)('0' + (int)(n % 10));
        n /= 10;
    } while (n > 0);
    if (minus)
        *--p = '-';
    return arena_strdup(arena, p);
}

const char *exact_text(Exact a, Arena *arena)
{
    if (!a.is_exact)
        return arena_printf(arena, "%.13g", (double)a.x);
    const char *up = whole_text(a.p, arena);
    if (a.q != 0) {
        ExactInt q = absolute(a.q);
        const char *s = arena_printf(arena, "%s%ssqrt%d",
                                     q == 1 ? "" : whole_text(q, arena),
                                     q == 1 ? "" : " ", a.d);
        if (a.p == 0)
            up = arena_printf(arena, "%s%s", a.q < 0 ? "-" : "", s);
        else
            up = arena_printf(arena, a.r == 1 ? "%s %c %s" : "(%s %c %s)", up,
                              a.q < 0 ? '-' : '+', s);
    }
    return a.r == 1 ? up
                    : arena_printf(arena, "%s/%s", up, whole_text(a.r, arena));
}
