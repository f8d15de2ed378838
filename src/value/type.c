/* type.c - types: their names, which fit together, and fitting values to them.
 *
 * Two types fit if they are equal, if one is Integer and the other Real
 * (10.6.13), or if they are records with the same member names whose members
 * fit (6.4).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "value/value.h"

const Type *type_builtin(TypeKind kind)
{
    static const Type builtin[] = {
        {.kind = TYPE_REAL, .enumeration = NONE, .name = "Real"},
        {.kind = TYPE_INTEGER, .enumeration = NONE, .name = "Integer"},
        {.kind = TYPE_BOOLEAN, .enumeration = NONE, .name = "Boolean"},
        {.kind = TYPE_STRING, .enumeration = NONE, .name = "String"},
        {.kind = TYPE_CLOCK, .enumeration = NONE, .name = "Clock"},
        {.kind = TYPE_ENUM, .enumeration = NONE, .name = "enumeration"},
        {.kind = TYPE_RECORD, .enumeration = NONE, .name = "record"},
        {.kind = TYPE_FUNCTION, .enumeration = NONE, .name = "function"},
        {.kind = TYPE_OBJECT, .enumeration = NONE, .name = "ExternalObject"},
        {.kind = TYPE_ANY, .enumeration = NONE, .name = "(unknown)"},
        {.kind = TYPE_NORETURN, .enumeration = NONE, .name = "(no value)"},
    };
    return &builtin[kind];
}

const Type *type_enum(const Context *in, int enumeration)
{
    Run *run = in->run;
    if (enumeration >= run->nenum_type) {
        int n = enumeration + 1;
        run->enum_type =
            arena_grow(in->arena, run->enum_type,
                       (size_t)run->nenum_type * sizeof *run->enum_type,
                       (size_t)n * sizeof *run->enum_type);
        run->nenum_type = n;
    }
    if (!run->enum_type[enumeration]) {
        Type *t = NEW(in->arena, Type);
        t->kind = TYPE_ENUM;
        t->enumeration = enumeration;
        t->name = in->flat->enumeration[enumeration].name;
        run->enum_type[enumeration] = t;
    }
    return run->enum_type[enumeration];
}

const char *dims_text(const Context *in, int ndim, const int *dim)
{
    if (ndim == 0)
        return "";
    char *s = arena_strdup(in->arena, "[");
    for (int i = 0; i < ndim; i++)
        s = dim && dim[i] != NONE
                ? arena_printf(in->arena, "%s%s%d", s, i ? ", " : "", dim[i])
                : arena_printf(in->arena, "%s%s:", s, i ? ", " : "");
    return arena_printf(in->arena, "%s]", s);
}

const char *type_text(const Context *in, const Type *type, int ndim,
                      const int *dim)
{
    const char *name = type->name ? type->name : "record";
    return arena_printf(in->arena, "%s%s", name, dims_text(in, ndim, dim));
}

static const TypeMember *find_member(const Type *t, const char *name)
{
    for (int i = 0; i < t->nmember; i++)
        if (t->member[i].name == name)
            return &t->member[i];
    return NULL;
}

/* Sizes that are both known agree. */
static bool member_shapes_fit(const TypeMember *a, const TypeMember *b)
{
    if (a->ndim != b->ndim)
        return false;
    for (int i = 0; i < a->ndim; i++)
        if (a->dim && b->dim && a->dim[i] != NONE && b->dim[i] != NONE &&
            a->dim[i] != b->dim[i])
            return false;
    return true;
}

/* Do values of the record `b` fit where `a` is wanted? */
static bool record_fits(const Type *a, const Type *b)
{
    if (a->nmember != b->nmember)
        return false;
    for (int i = 0; i < a->nmember; i++) {
        const TypeMember *m = find_member(b, a->member[i].name);
        if (!m || !member_shapes_fit(&a->member[i], m) ||
            !type_common(a->member[i].type, m->type))
            return false;
    }
    return true;
}

bool type_equal(const Type *a, const Type *b)
{
    if (a == b)
        return true;
    if (a->kind != b->kind)
        return false;
    if (a->kind == TYPE_ENUM)
        return a->enumeration == b->enumeration;
    if (a->kind == TYPE_RECORD) {
        if (a->nmember != b->nmember)
            return false;
        for (int i = 0; i < a->nmember; i++)
            if (a->member[i].name != b->member[i].name ||
                a->member[i].ndim != b->member[i].ndim ||
                !type_equal(a->member[i].type, b->member[i].type))
                return false;
        return true;
    }
    if (a->kind == TYPE_OBJECT)
        return a->cls == b->cls;
    return true;
}

const Type *type_common(const Type *a, const Type *b)
{
    if (a->kind == TYPE_ANY || b->kind == TYPE_ANY)
        return type_builtin(TYPE_ANY);
    if (a->kind == TYPE_RECORD && b->kind == TYPE_RECORD)
        return record_fits(a, b) ? a : NULL;
    if (type_equal(a, b))
        return a;
    bool numbers = (a->kind == TYPE_REAL || a->kind == TYPE_INTEGER) &&
                   (b->kind == TYPE_REAL || b->kind == TYPE_INTEGER);
    return numbers ? type_builtin(TYPE_REAL) : NULL;
}

/* Integer constants become Real ones; a variable has its value either way. */
static Expr to_real(void *context, const Context *in, Expr e, const Type *type)
{
    (void)context, (void)type;
    double x;
    if (e >= 0 && expr_is_const(in->dag, e, &x))
        return expr_real(in->dag, x);
    return e;
}

Value *value_convert(const Context *in, const Value *v, const Type *type)
{
    if (type == v->type || (v->type->kind == type->kind && !v->member))
        return (Value *)v;
    if (type->kind == TYPE_REAL) {
        Value *r = value_map(in, v, to_real, NULL);
        r->type = type;
        return r;
    }
    if (type->kind != TYPE_RECORD)
        return (Value *)v;
    Value *r = value_make(in, type, v->ndim, v->dim);
    for (int i = 0; i < type->nmember; i++) {
        Value *m = value_member(v, type->member[i].name);
        r->member[i] = value_convert(in, m, type->member[i].type);
    }
    r->variability = v->variability;
    return r;
}

/* Says which member of a record is in the way. */
static void explain_record(const Context *in, const Type *want,
                           const Type *have)
{
    for (int i = 0; i < want->nmember; i++) {
        const TypeMember *a = &want->member[i];
        const TypeMember *b = find_member(have, a->name);
        if (!b)
            diag_note(in->diag, NO_SPAN, "'%s' has no member '%s'", have->name,
                      a->name);
        else if (!type_common(a->type, b->type) || !member_shapes_fit(a, b))
            diag_note(in->diag, NO_SPAN,
                      "the member '%s' is %s in '%s' and %s in '%s'", a->name,
                      type_text(in, a->type, a->ndim, a->dim), want->name,
                      type_text(in, b->type, b->ndim, b->dim), have->name);
    }
    for (int i = 0; i < have->nmember; i++)
        if (!find_member(want, have->member[i].name))
            diag_note(in->diag, NO_SPAN, "'%s' has no member '%s'", want->name,
                      have->member[i].name);
}

static bool dims_fit(const Value *v, int ndim, const int *dim)
{
    if (v->ndim != ndim)
        return false;
    for (int i = 0; i < ndim; i++)
        if (dim[i] != NONE && dim[i] != v->dim[i])
            return false;
    return true;
}

Value *value_fit(const Context *in, Value *v, const Type *type, int ndim,
                 const int *dim, const char *what, Span span)
{
    if (is_error(v) || type->kind == TYPE_ANY)
        return value_error(in);
    const Type *common = type_common(type, v->type);
    bool fits = common && (common->kind == type->kind);
    if (!fits) {
        const char *want = type_text(in, type, ndim, dim);
        const char *have = value_text(in, v);
        if (v->type->kind == TYPE_NORETURN)
            context_report(in, span, DIAG_E0412,
                           "%s gives no value, but %s is "
                           "expected",
                           what, want);
        else
            context_report(in, span, DIAG_E0402,
                           "%s has type %s, but %s is expected", what, have,
                           want);
        if (type->kind == TYPE_RECORD && v->type->kind == TYPE_RECORD)
            explain_record(in, type, v->type);
        if (type->kind == TYPE_INTEGER && v->type->kind == TYPE_REAL)
            diag_note(in->diag, NO_SPAN, "integer() rounds down to an Integer");
        return value_error(in);
    }
    if (!dims_fit(v, ndim, dim)) {
        context_report(in, span, DIAG_E0502,
                       "%s has type %s, but %s is expected", what,
                       value_text(in, v), type_text(in, type, ndim, dim));
        return value_error(in);
    }
    return value_convert(in, v, type);
}
