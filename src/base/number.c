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

/* The fewest digits, at least `least`, that give x back. */
static const char *shorten(double x, int least, bool single, char *out)
{
    Plain plain = plain_begin();
    for (int digits = least; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, x);
        double back = strtod(out, NULL);
        if (back == x || (single && (float)back == (float)x))
            break;
    }
    plain_end(plain);
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
