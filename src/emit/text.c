/* text.c - text that grows, numbers. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/ctext.h"
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
    return c_number(x, e->o->is_float, e->local);
}
