/* context.c - contexts that differ a little, and reports from where we stand.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "value/context.h"

#include <stdarg.h>

Context context_lasting(const Context *in)
{
    Context c = *in;
    c.scratch = in->arena;
    return c;
}

Context context_owned(const Context *in, int component)
{
    Context c = *in;
    c.component = component;
    c.forbids_impure = false;
    return c;
}

Context context_narrow(const Context *in, Expr condition)
{
    Context c = *in;
    c.path = expr_binary(in->dag, EX_AND, in->path, condition);
    return c;
}

/* ---- conditions ---- */

Expr expr_and(const Context *in, Expr a, Expr b)
{
    return expr_binary(in->dag, EX_AND, a, b);
}

Expr expr_not(const Context *in, Expr a)
{
    return expr_unary(in->dag, EX_NOT, a);
}

bool expr_const_bool(const Context *in, Expr e, bool *x)
{
    double d;
    if (e < 0 || !expr_is_const(in->dag, e, &d))
        return false;
    *x = d != 0;
    return true;
}

/* ---- reports ---- */

/* Up to six calls that led here, innermost first. */
static void note_calls(const Context *in)
{
    int n = 0;
    for (const Call *c = in->call; c; c = c->up) {
        if (++n > 6) {
            diag_note(in->diag, c->span, "... and %d calls more", c->depth);
            return;
        }
        diag_note(in->diag, c->span, "in the call of '%s'", c->function);
    }
}

void context_report(const Context *in, Span span, DiagCode code,
                    const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const char *text = arena_vprintf(in->arena, fmt, ap);
    va_end(ap);
    diag_report(in->diag, span, code, "%s", text);
    note_calls(in);
}
