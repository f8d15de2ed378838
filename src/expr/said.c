/* said.c - the text of a String expression, with the values of a run. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "expr/expr.h"

enum { DEEPEST = 500 };

typedef struct Said {
    const Dag *d;
    ExprLeafValue *leaf;
    void *context;
    Arena *arena;
} Said;

/* As String(x) writes it; NULL: it has no value. */
static const char *number_said(const Said *s, Expr e)
{
    double x = expr_eval(s->d, e, s->leaf, s->context);
    if (isnan(x))
        return NULL;
    switch (expr_type(s->d, e)) {
    case ET_BOOLEAN: return x != 0 ? "true" : "false";
    case ET_INTEGER: return arena_printf(s->arena, "%.0f", x);
    default: return arena_printf(s->arena, "%.6g", x);
    }
}

static const char *said(const Said *s, Expr e, int depth)
{
    if (depth > DEEPEST)
        return NULL;
    switch (expr_op(s->d, e)) {
    case EX_STR: return expr_node(s->d, e)->text;
    case EX_TOSTR: return number_said(s, expr_arg(s->d, e, 0));
    case EX_NOEVENT: return said(s, expr_arg(s->d, e, 0), depth + 1);
    case EX_IF: {
        double c = expr_eval(s->d, expr_arg(s->d, e, 0), s->leaf, s->context);
        return isnan(c) ? NULL
                        : said(s, expr_arg(s->d, e, c != 0 ? 1 : 2), depth + 1);
    }
    case EX_CONCAT: {
        const char *a = said(s, expr_arg(s->d, e, 0), depth + 1);
        const char *b = a ? said(s, expr_arg(s->d, e, 1), depth + 1) : NULL;
        return b ? arena_printf(s->arena, "%s%s", a, b) : NULL;
    }
    default: return NULL;
    }
}

const char *expr_said(const Dag *d, Expr e, ExprLeafValue *leaf, void *context,
                      Arena *arena)
{
    const Said s = {d, leaf, context, arena};
    return said(&s, e, 0);
}
