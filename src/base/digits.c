/* digits.c - the fewest decimal digits of a double, by integers alone. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/digits.h"

#include <math.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 Wide;

enum {
    FIRST = -26, /* of the powers of ten */
    LAST = 57,
    MANTISSA = 53,
    SLACK = 64 /* more than cutting off can lose, in units of the last bit */
};

static const struct {
    uint64_t high, low;
} tens[] = {
#define TEN(q, high, low) {high, low},
#include "base/tens.def"
};

static const uint64_t whole_tens[] = {1,
                                      10,
                                      100,
                                      1000,
                                      10000,
                                      100000,
                                      1000000,
                                      10000000,
                                      100000000,
                                      1000000000,
                                      10000000000,
                                      100000000000,
                                      1000000000000,
                                      10000000000000,
                                      100000000000000,
                                      1000000000000000,
                                      10000000000000000,
                                      100000000000000000};

/* x with 17 digits before the point: value*2^-shift. `below` and `above` are
 * how far decimals that give x back may be off. */
typedef struct Scaled {
    Wide value, below, above;
    int shift, exponent; /* of ten */
} Scaled;

static int floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* With k as the exponent of the first digit. False if there is no such power.
 */
static bool scale(double x, int k, Scaled *s)
{
    int e, q = DIGITS - 1 - k;
    if (q < FIRST || q > LAST)
        return false;
    uint64_t m = (uint64_t)ldexp(frexp(x, &e), MANTISSA);
    Wide high = tens[q - FIRST].high, low = tens[q - FIRST].low;
    uint64_t left = m << (64 - MANTISSA);
    s->value = left * high + (left * low >> 64);
    s->above = (high << 64 | low) >> (MANTISSA + 1);
    s->below = m == (uint64_t)1 << (MANTISSA - 1) ? s->above >> 1 : s->above;
    /* 10^q is (high, low)*2^(floor(q log2(10)) - 127), and x is left*2^(e - 64)
     */
    s->shift = 127 - (e + floor_div(q * 217706, 65536));
    s->exponent = k;
    return s->shift > 64 && s->shift < 80;
}

static uint64_t whole_part(const Scaled *s)
{
    return (uint64_t)(s->value >> s->shift);
}

/* The nearest number with n digits. False if it is too near to a half. */
static bool round_to(const Scaled *s, int n, uint64_t *rounded)
{
    uint64_t ten = whole_tens[DIGITS - n];
    uint64_t down = whole_part(s) / ten * ten;
    Wide rest = s->value - ((Wide)down << s->shift);
    Wide half = (Wide)ten << (s->shift - 1);
    Wide off = rest > half ? rest - half : half - rest;
    *rounded = rest > half ? down + ten : down;
    return off > SLACK;
}

/* 1: it gives x back, 0: it does not, -1: who knows. */
static int gives_back(const Scaled *s, uint64_t rounded)
{
    Wide at = (Wide)rounded << s->shift;
    Wide off = at > s->value ? at - s->value : s->value - at;
    Wide limit = at > s->value ? s->above : s->below;
    if (off + SLACK < limit)
        return 1;
    return off > limit + SLACK ? 0 : -1;
}

static void write_decimal(uint64_t rounded, const Scaled *s, int n, Decimal *d)
{
    d->exponent = s->exponent;
    if (rounded >= whole_tens[DIGITS]) {
        rounded /= 10;
        d->exponent++;
    }
    for (int i = DIGITS - 1; i >= 0; i--, rounded /= 10)
        d->digit[i] = (char)('0' + rounded % 10);
    d->digit[n] = '\0';
}

int digits_of(double x, int least, Decimal *d)
{
    Scaled s;
    d->is_negative = signbit(x);
    x = fabs(x);
    if (!(x > 1e-40 && x < 1e40))
        return 0;
    int e;
    frexp(x, &e);
    int k = floor_div((e - 1) * 19728, 65536); /* log10(2); may be one less */
    if (!scale(x, k, &s))
        return 0;
    if (whole_part(&s) >= whole_tens[DIGITS] && !scale(x, k + 1, &s))
        return 0;
    for (int n = least; n <= DIGITS; n++) {
        uint64_t rounded;
        if (!round_to(&s, n, &rounded))
            return 0;
        int gives = n == DIGITS ? 1 : gives_back(&s, rounded);
        if (gives < 0)
            return 0;
        if (gives) {
            write_decimal(rounded, &s, n, d);
            return n;
        }
    }
    return 0;
}
