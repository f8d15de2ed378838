/* text.c - text that grows, numbers. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "emit/emit_internal.h"

void text_add(Emit *e, Text *out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *s = arena_vprintf(e->local, fmt, ap);
    va_end(ap);
    int n = (int)strlen(s);
    vec_reserve(e->local, out, out->n + n + 1);
    memcpy(out->at + out->n, s, (size_t)n + 1);
    out->n += n;
}

const char *text_end(Emit *e, Text *out)
{
    return arena_strndup(e->arena, out->at ? out->at : "", (size_t)out->n);
}

/* Shortest text that gives the number back; always with a point or exponent,
 * so that it is no integer in C. */
const char *emit_number(Emit *e, double x)
{
    if (e->o->is_float)
        x = (double)(float)x;
    if (isnan(x) || isinf(x)) {
        uint64_t w;
        float s = (float)x;
        uint32_t w32;
        memcpy(&w, &x, sizeof w);
        memcpy(&w32, &s, sizeof w32);
        return e->o->is_float
                   ? arena_printf(e->local, "takt_numberf(0x%08xu)", w32)
                   : arena_printf(e->local, "takt_number(UINT64_C(0x%016llx))",
                                  (unsigned long long)w);
    }
    char text[40];
    number_shortest(x, e->o->is_float, text);
    if (!strpbrk(text, ".e"))
        strcat(text, ".0");
    return arena_printf(e->local, "%s%s", text, e->o->is_float ? "f" : "");
}
