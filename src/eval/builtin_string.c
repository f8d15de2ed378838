/* builtin_string.c - String() of values (3.7.1.1).
 *
 * Constants become text here. A number that is known at run time only is kept
 * as a TOSTR node for messages; an enumeration value selects its name.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "value/text.h"
#include "eval/builtin.h"

typedef struct StringOptions {
    int digits, width;
    bool left;
    const char *format;
} StringOptions;

/* An option that must be known; false after a report. */
static bool read_options(const Context *in, BuiltinCall *c, StringOptions *o)
{
    *o = (StringOptions){6, 0, true, NULL};
    for (int i = 1; i < 5; i++) {
        if (!builtin_has(c, i))
            continue;
        Value *v = builtin_arg(in, c, i);
        TypeKind want = i < 3    ? TYPE_INTEGER
                        : i == 3 ? TYPE_BOOLEAN
                                 : TYPE_STRING;
        if (!is_scalar(v) || !is_kind(v, want)) {
            builtin_wrong(in, c, i, v, type_builtin(want)->name);
            return false;
        }
        Value *k = eval_fold(in, v);
        bool ok = k != NULL;
        if (ok && i == 1)
            ok = value_const_int(in, k, &o->digits);
        if (ok && i == 2)
            ok = value_const_int(in, k, &o->width);
        if (ok && i == 3)
            ok = value_const_bool(in, k, &o->left);
        if (ok && i == 4)
            ok = (o->format = value_const_string(in, k)) != NULL;
        if (!ok) {
            context_report(in, c->span, DIAG_E0413,
                           "the options of String() must be known at compile "
                           "time");
            return false;
        }
    }
    return true;
}

static const char *constant_text(const Context *in, BuiltinCall *c,
                                 const Type *t, double x,
                                 const StringOptions *o)
{
    if (o->format && (t->kind == TYPE_REAL || t->kind == TYPE_INTEGER)) {
        const char *s =
            string_formatted(in, o->format, x, t->kind == TYPE_REAL);
        if (!s)
            context_report(in, c->span, DIAG_E0403,
                           "'%s' is no format for a number: it is that of C "
                           "without %%, such as \"8.3f\" or \"6d\"",
                           o->format);
        return s;
    }
    const char *s;
    switch (t->kind) {
    case TYPE_BOOLEAN: s = x != 0 ? "true" : "false"; break;
    case TYPE_INTEGER: s = arena_printf(in->arena, "%.0f", x); break;
    case TYPE_ENUM: {
        const FlatEnumeration *e = &in->flat->enumeration[t->enumeration];
        int k = (int)x;
        s = k >= 1 && k <= e->nliteral ? e->literal[k - 1] : "?";
        break;
    }
    default: s = string_of_real(in, x, o->digits);
    }
    return string_pad(in, s, o->width, o->left);
}

/* if e == 1 then "first" else if ... */
static Expr enum_text(const Context *in, Expr e, const Type *t)
{
    const FlatEnumeration *f = &in->flat->enumeration[t->enumeration];
    Expr r = expr_string(in->dag, f->literal[f->nliteral - 1]);
    for (int k = f->nliteral - 1; k >= 1; k--) {
        Expr hit = expr_binary(in->dag, EX_EQ, e, expr_int(in->dag, k));
        r = expr_if(in->dag, hit, expr_string(in->dag, f->literal[k - 1]), r);
    }
    return r;
}

BUILTIN(builtin_string)
{
    /* String(i, minimumLength, leftJustified): only Reals have digits */
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v))
        return v;
    Value *text = is_kind(v, TYPE_RECORD) && c->call
                      ? operator_string(in, c->scope, c->call, v)
                      : NULL;
    if (text)
        return text;
    if (v->type->kind > TYPE_ENUM || is_kind(v, TYPE_STRING))
        return builtin_wrong(in, c, 0, v,
                             "a number, Boolean or enumeration value");
    bool by_place = c->call && c->call->narg > 1;
    if (by_place && is_kind(v, TYPE_REAL) && builtin_has(c, 1) &&
        is_kind(builtin_arg(in, c, 1), TYPE_STRING)) {
        c->arg[4] = c->arg[1]; /* String(r, "8.3f") */
        c->val[4] = c->val[1];
        c->arg[1] = NULL;
        c->val[1] = NULL;
    } else if (by_place && !is_kind(v, TYPE_REAL)) {
        for (int i = c->call->narg < 3 ? c->call->narg : 3; i > 1; i--) {
            c->arg[i] = c->arg[i - 1];
            c->val[i] = NULL;
        }
        c->arg[1] = NULL;
        c->val[1] = NULL;
    }
    StringOptions o;
    if (!read_options(in, c, &o))
        return value_error(in);
    Value *r = value_make(in, type_builtin(TYPE_STRING), v->ndim, v->dim);
    r->variability = v->variability;
    for (int i = 0; i < v->nscalar; i++) {
        double x;
        if (expr_is_const(in->dag, v->scalar[i], &x)) {
            const char *s = constant_text(in, c, v->type, x, &o);
            if (!s)
                return value_error(in);
            r->scalar[i] = expr_string(in->dag, s);
        } else if (is_kind(v, TYPE_ENUM)) {
            r->scalar[i] = enum_text(in, v->scalar[i], v->type);
        } else {
            r->scalar[i] = expr_unary(in->dag, EX_TOSTR, v->scalar[i]);
        }
    }
    return r;
}
