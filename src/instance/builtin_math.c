/* builtin_math.c - numeric functions (3.7.1 to 3.7.3) and reductions (10.3.4).
 *
 * Functions of scalars are applied to arrays element by element (12.4.6).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <string.h>

#include "base/die.h"
#include "instance/values_internal.h"

typedef struct MathOp {
    const char *name;
    ExprOp op;
    bool event; /* generates events */
} MathOp;

static const MathOp math[] = {
    {"sin", EX_SIN, false},   {"cos", EX_COS, false},
    {"tan", EX_TAN, false},   {"asin", EX_ASIN, false},
    {"acos", EX_ACOS, false}, {"atan", EX_ATAN, false},
    {"sinh", EX_SINH, false}, {"cosh", EX_COSH, false},
    {"tanh", EX_TANH, false}, {"exp", EX_EXP, false},
    {"log", EX_LOG, false},   {"log10", EX_LOG10, false},
    {"sqrt", EX_SQRT, false}, {"floor", EX_FLOOR, true},
    {"ceil", EX_CEIL, true},  {"atan2", EX_ATAN2, false},
    {"div", EX_IDIV, true},   {"mod", EX_MOD, true},
    {"rem", EX_REM, true},
};

static const MathOp *find_op(const char *name)
{
    for (size_t i = 0; i < sizeof math / sizeof math[0]; i++)
        if (strcmp(math[i].name, name) == 0)
            return &math[i];
    unreachable();
}

static Expr apply(const Context *in, const MathOp *m, Expr a, Expr b,
                  bool integer, Span span)
{
    Expr r = op_scalar(in, m->op, a, b, integer, span);
    double x;
    if (!m->event || expr_is_const(in->dag, r, &x))
        return r;
    return event_node(in, m->op, a, b);
}

BUILTIN(builtin_math1)
{
    Value *v = builtin_arg(in, c, 0);
    if (!is_numeric(v))
        return builtin_wrong(in, c, 0, v, "a Real number");
    const MathOp *m = find_op(c->name);
    const Type *real = type_builtin(TYPE_REAL);
    v = value_convert(in, v, real);
    Value *r = value_make(in, real, v->ndim, v->dim);
    for (int i = 0; i < v->nscalar; i++)
        r->scalar[i] = apply(in, m, v->scalar[i], EXPR_NONE, false, c->span);
    r->variability =
        m->event ? event_variability(in, v->variability) : v->variability;
    return r;
}

/* A function of two scalars over arrays of equal shape, scalars repeated. */
static Value *pairs(const Context *in, BuiltinCall *c, const MathOp *m,
                    Value *a, Value *b, const Type *type)
{
    if (!is_scalar(a) && !is_scalar(b) && !same_dims(a, b)) {
        values_report(in, c->span, DIAG_E0501,
                      "%s() runs over arrays of different sizes: %s and %s",
                      c->name, value_text(in, a), value_text(in, b));
        return value_error(in);
    }
    const Value *shape = is_scalar(a) ? b : a;
    Value *r = value_make(in, type, shape->ndim, shape->dim);
    int da = is_scalar(a) ? 0 : 1, db = is_scalar(b) ? 0 : 1;
    for (int i = 0; i < r->nscalar; i++)
        r->scalar[i] = apply(in, m, a->scalar[i * da], b->scalar[i * db],
                             type->kind == TYPE_INTEGER, c->span);
    FlatVariability v = var_max(a->variability, b->variability);
    r->variability = m->op == EX_IDIV ? event_variability(in, v) : v;
    return r;
}

BUILTIN(builtin_math2)
{
    Value *a = builtin_arg(in, c, 0), *b = builtin_arg(in, c, 1);
    if (!is_numeric(a))
        return builtin_wrong(in, c, 0, a, "a number");
    if (!is_numeric(b))
        return builtin_wrong(in, c, 1, b, "a number");
    const MathOp *m = find_op(c->name);
    bool integer = m->op != EX_ATAN2 && is_kind(a, TYPE_INTEGER) &&
                   is_kind(b, TYPE_INTEGER);
    const Type *t = type_builtin(integer ? TYPE_INTEGER : TYPE_REAL);
    return pairs(in, c, m, value_convert(in, a, t), value_convert(in, b, t), t);
}

static Value *number_map(const Context *in, BuiltinCall *c, ExprOp op,
                         bool to_integer)
{
    Value *v = builtin_arg(in, c, 0);
    if (!is_numeric(v))
        return builtin_wrong(in, c, 0, v, "a number");
    const Type *t = to_integer ? type_builtin(TYPE_INTEGER) : v->type;
    Value *r = value_make(in, t, v->ndim, v->dim);
    r->variability = v->variability;
    for (int i = 0; i < v->nscalar; i++)
        r->scalar[i] = op_scalar(in, op, v->scalar[i], EXPR_NONE,
                                 t->kind == TYPE_INTEGER, c->span);
    return r;
}

BUILTIN(builtin_abs)
{
    return number_map(in, c, EX_ABS, false);
}

/* sign() is an Integer: -1, 0 or 1 */
BUILTIN(builtin_sign)
{
    Value *r = number_map(in, c, EX_SIGN, true);
    for (int i = 0; i < r->nscalar; i++) {
        double x;
        if (!is_error(r) && expr_is_const(in->dag, r->scalar[i], &x))
            r->scalar[i] = expr_int(in->dag, x);
    }
    return r;
}

/* integer(x): the largest Integer not above x. */
BUILTIN(builtin_integer)
{
    Value *v = builtin_arg(in, c, 0);
    if (!is_numeric(v))
        return builtin_wrong(in, c, 0, v, "a Real number");
    if (is_kind(v, TYPE_INTEGER))
        return v;
    MathOp m = {"integer", EX_INTEGER, true};
    Value *r = value_make(in, type_builtin(TYPE_INTEGER), v->ndim, v->dim);
    for (int i = 0; i < v->nscalar; i++)
        r->scalar[i] = apply(in, &m, v->scalar[i], EXPR_NONE, true, c->span);
    r->variability = event_variability(in, v->variability);
    return r;
}

/* Integer(e): the number of an enumeration value (3.7.1). */
BUILTIN(builtin_toint)
{
    Value *v = builtin_arg(in, c, 0);
    if (!is_kind(v, TYPE_ENUM))
        return builtin_wrong(in, c, 0, v, "an enumeration value");
    return value_new(in, type_builtin(TYPE_INTEGER), v->ndim, v->dim, v->scalar,
                     v->variability);
}

/* ---- reductions ---- */

static const AstExpr *loop_of(const BuiltinCall *c)
{
    return c->arg[0] && c->arg[0]->kind == AE_FOR ? c->arg[0] : NULL;
}

/* The least or greatest value of a type, for empty arrays. */
static Expr extreme(const Context *in, const Type *t, bool least)
{
    switch (t->kind) {
    case TYPE_REAL: return expr_real(in->dag, least ? -DBL_MAX : DBL_MAX);
    case TYPE_BOOLEAN: return expr_bool(in->dag, !least);
    case TYPE_ENUM:
        return expr_int(in->dag,
                        least ? 1
                              : in->flat->enumeration[t->enumeration].nliteral);
    default: return expr_int(in->dag, least ? -2147483648.0 : 2147483647.0);
    }
}

static Value *fold_array(const Context *in, const Value *v, ExprOp op,
                         Expr empty, Span span)
{
    Expr r = v->nscalar ? v->scalar[0] : empty;
    bool integer = is_kind(v, TYPE_INTEGER);
    for (int i = 1; i < v->nscalar; i++)
        r = op_scalar(in, op, r, v->scalar[i], integer, span);
    return value_scalar(in, v->type, r, v->variability);
}

BUILTIN(builtin_minmax)
{
    if (loop_of(c) && !builtin_has(c, 1))
        return eval_reduction(in, c->scope, c->name, loop_of(c), c->span);
    bool least = strcmp(c->name, "min") == 0;
    MathOp m = {c->name, least ? EX_MIN : EX_MAX, false};
    Value *a = builtin_arg(in, c, 0);
    bool simple = a->type->kind <= TYPE_ENUM && !is_kind(a, TYPE_STRING);
    if (!builtin_has(c, 1)) {
        if (!simple || is_scalar(a))
            return builtin_wrong(in, c, 0, a,
                                 "an array of numbers, Booleans or "
                                 "enumeration values");
        return fold_array(in, a, m.op, extreme(in, a->type, !least), c->span);
    }
    Value *b = builtin_arg(in, c, 1);
    if (is_error(a) || is_error(b))
        return value_error(in);
    if (!simple)
        return builtin_wrong(in, c, 0, a,
                             "a number, Boolean or enumeration value");
    const Type *t = type_common(a->type, b->type);
    if (!t)
        return builtin_wrong(in, c, 1, b, a->type->name);
    return pairs(in, c, &m, value_convert(in, a, t), value_convert(in, b, t),
                 t);
}

static Value *sum_or_product(const Context *in, BuiltinCall *c, ExprOp op,
                             double empty)
{
    if (loop_of(c))
        return eval_reduction(in, c->scope, c->name, loop_of(c), c->span);
    Value *v = builtin_arg(in, c, 0);
    if (!is_numeric(v))
        return builtin_wrong(in, c, 0, v, "an array of numbers");
    if (is_scalar(v))
        return builtin_wrong(in, c, 0, v, "an array of numbers");
    Expr e = is_kind(v, TYPE_REAL) ? expr_real(in->dag, empty)
                                   : expr_int(in->dag, empty);
    return fold_array(in, v, op, e, c->span);
}

BUILTIN(builtin_sum)
{
    return sum_or_product(in, c, EX_ADD, 0);
}

BUILTIN(builtin_product)
{
    return sum_or_product(in, c, EX_MUL, 1);
}
