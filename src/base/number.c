/* number.c - numbers as text, the same in every locale. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/digits.h"

/* newlocale() gives the built-in "C" without allocation: it is the same for all
 * threads and is never freed. */
Plain plain_begin(void)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        die("out of memory");
    return (Plain){(void *)uselocale(plain)};
}

void plain_end(Plain p)
{
    uselocale((locale_t)p.before);
}

/* ---- the fewest digits ---- */
/* To print and to read takes most of the time that a table of numbers takes to
 * be written: digits_of() does without. Where it cannot tell, printf is called
 * once for a number, and fewer digits are found by rounding its 17. */
static Decimal decimal_of(double x)
{
    char text[32];
    Decimal d = {.is_negative = signbit(x)};
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, fabs(x)); /* d.ddde+dd */
    d.digit[0] = text[0];
    memcpy(d.digit + 1, text + 2, DIGITS - 1);
    d.exponent = atoi(text + DIGITS + 2);
    return d;
}

/* Rounds to the first n digits what was rounded to all of them. False if a half
 * may have been made by that. */
static bool cut(Decimal *d, int n)
{
    static const char half[] = "50000000000000000";
    int tail = DIGITS - n, order = memcmp(d->digit + n, half, (size_t)tail);
    if (tail > 0 && order == 0)
        return false;
    d->digit[n] = '\0';
    if (tail == 0 || order < 0)
        return true;
    int i = n - 1;
    for (; i >= 0 && d->digit[i] == '9'; i--)
        d->digit[i] = '0';
    if (i >= 0) {
        d->digit[i]++;
        return true;
    }
    d->digit[0] = '1';
    d->exponent++;
    return true;
}

/* e+05, e-300 */
static void write_exponent(int e, char *out)
{
    int size = abs(e);
    *out++ = 'e';
    *out++ = e < 0 ? '-' : '+';
    if (size >= 100)
        *out++ = (char)('0' + size / 100);
    *out++ = (char)('0' + size / 10 % 10);
    *out++ = (char)('0' + size % 10);
    *out = '\0';
}

/* As %.ng writes the digits that cut() left. */
static void write_digits(const Decimal *d, int n, char *out)
{
    int e = d->exponent, m = n;
    while (m > 1 && d->digit[m - 1] == '0')
        m--;
    if (d->is_negative)
        *out++ = '-';
    if (e < -4 || e >= n) {
        *out++ = d->digit[0];
        if (m > 1)
            *out++ = '.';
        memcpy(out, d->digit + 1, (size_t)(m - 1));
        write_exponent(e, out + m - 1);
        return;
    }
    if (e < 0) {
        memcpy(out, "0.000", (size_t)(1 - e));
        memcpy(out + 1 - e, d->digit, (size_t)m);
        out[1 - e + m] = '\0';
        return;
    }
    int whole = m < e + 1 ? m : e + 1;
    memcpy(out, d->digit, (size_t)whole);
    memset(out + whole, '0', (size_t)(e + 1 - whole));
    out += e + 1;
    if (m > whole) {
        *out++ = '.';
        memcpy(out, d->digit + whole, (size_t)(m - whole));
        out += m - whole;
    }
    *out = '\0';
}

/* The same by printf and strtod. */
static void try_digits(double x, int least, bool single, char *out)
{
    Plain plain = plain_begin();
    const Decimal all = decimal_of(x);
    for (int n = least; n <= DIGITS; n++) {
        Decimal d = all;
        if (cut(&d, n))
            write_digits(&d, n, out);
        else
            snprintf(out, 32, "%.*g", n, x);
        double back = strtod(out, NULL);
        if (back == x || (single && (float)back == (float)x))
            break;
    }
    plain_end(plain);
}

/* The fewest digits, at least `least`, that give x back: as %.*g writes them.
 */
static const char *shorten(double x, int least, bool single, char *out)
{
    Decimal d;
    int n = single ? 0 : digits_of(x, least, &d);
    if (x == 0)
        strcpy(out, signbit(x) ? "-0" : "0");
    else if (n > 0)
        write_digits(&d, n, out);
    else
        try_digits(x, least, single, out);
    return out;
}

const char *number_text(double x, char *out)
{
    if (isnan(x))
        return strcpy(out, "nan");
    if (isinf(x))
        return strcpy(out, x > 0 ? "1e999" : "-1e999");
    return shorten(x, 15, false, out);
}

const char *number_shortest(double x, int single, char *out)
{
    return shorten(x, 1, single, out);
}

double number_round(double x, int digits)
{
    char text[32];
    Plain plain = plain_begin();
    snprintf(text, sizeof text, "%.*e", digits - 1, x);
    double rounded = strtod(text, NULL);
    plain_end(plain);
    return rounded;
}

const char *number_hex(double x, char *out)
{
    Plain plain = plain_begin();
    snprintf(out, 32, "%a", x);
    plain_end(plain);
    return out;
}

double number_read(const char *text, char **end)
{
    Plain plain = plain_begin();
    double x = strtod(text, end);
    plain_end(plain);
    return x;
}
