/* text.c - numbers as texts of Modelica (3.7.1.1). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "value/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *string_of_real(const Context *in, double x, int digits)
{
    char text[64];
    if (digits < 1)
        digits = 1;
    if (digits > 40)
        digits = 40;
    snprintf(text, sizeof text, "%.*g", digits, x);
    return arena_strdup(in->arena, text);
}

const char *string_pad(const Context *in, const char *s, int width, bool left)
{
    if (width > 10000)
        width = 10000;
    return arena_printf(in->arena, left ? "%-*s" : "%*s", width, s);
}

const char *string_formatted(const Context *in, const char *f, double x,
                             bool real)
{
    char spec[40];
    size_t n = strlen(f);
    if (n == 0 || n > 20)
        return NULL;
    size_t i = 0;
    while (i < n && strchr("-+ #0", f[i]))
        i++;
    int width = 0, digits = 0;
    for (; i < n && f[i] >= '0' && f[i] <= '9'; i++)
        width = width * 10 + (f[i] - '0');
    if (i < n && f[i] == '.')
        for (i++; i < n && f[i] >= '0' && f[i] <= '9'; i++)
            digits = digits * 10 + (f[i] - '0');
    if (i + 1 != n || width > 1000 || digits > 300)
        return NULL;
    if (strchr("feEgG", f[i])) {
        snprintf(spec, sizeof spec, "%%%s", f);
        int size = snprintf(NULL, 0, spec, x);
        char *s = arena_alloc(in->arena, (size_t)size + 1);
        snprintf(s, (size_t)size + 1, spec, x);
        return s;
    }
    if (!strchr("dioxXuc", f[i]) || (real && x != floor(x)))
        return NULL;
    snprintf(spec, sizeof spec, "%%%.*sl%c", (int)(n - 1), f,
             f[i] == 'c' ? 'd' : f[i]);
    int size = snprintf(NULL, 0, spec, (long)x);
    char *s = arena_alloc(in->arena, (size_t)size + 1);
    snprintf(s, (size_t)size + 1, spec, (long)x);
    return s;
}
