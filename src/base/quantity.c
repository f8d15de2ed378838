/* quantity.c - reads numbers, with units of time. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/quantity.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* Parts of a second divide, so that 3ns is the double nearest to 3e-9. */
static const struct {
    const char *name;
    double times, per;
} units[] = {
    {"", 1, 1},     {"s", 1, 1},    {"ms", 1, 1e3}, {"us", 1, 1e6},
    {"µs", 1, 1e6}, {"ns", 1, 1e9}, {"min", 60, 1}, {"h", 3600, 1},
};

/* Reads a number and returns what is left of the text, or NULL. */
static const char *scan(const char *text, double *out)
{
    char *end;
    errno = 0;
    double x = number_read(text, &end);
    if (end == text || errno == ERANGE || !isfinite(x))
        return NULL;
    *out = x;
    return end;
}

bool quantity_count(const char *text, int *out)
{
    char *end;
    errno = 0;
    long x = strtol(text, &end, 10);
    if (end == text || *end || errno || x < INT_MIN || x > INT_MAX)
        return false;
    *out = (int)x;
    return true;
}

bool quantity_number(const char *text, double *out)
{
    double x;
    const char *rest = scan(text, &x);
    if (!rest || *rest)
        return false;
    *out = x;
    return true;
}

bool quantity_time(const char *text, double *seconds)
{
    double x;
    const char *rest = scan(text, &x);
    while (rest && *rest == ' ')
        rest++;
    for (size_t i = 0; rest && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(rest, units[i].name) == 0) {
            *seconds = x * units[i].times / units[i].per;
            return true;
        }
    return false;
}
