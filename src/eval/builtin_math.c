/* builtin_math.c - numeric functions (3.7.1 to 3.7.3) and reductions (10.3.4).
 *
 * Functions of scalars are applied to arrays element by element (12.4.6).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <string.h>

#include "expr/ops.h"
#include "eval/builtin.h"

static Expr apply(const Context *in, ExprOp op, Expr a, Expr b, bool integer,
                  Span span)
{
    Expr r = op_scalar(in, op, a, b, integer, span);
    double x;
    if (!op_has(op, OP_EVENT) || expr_is_const(in->dag, r, &x))
        return r;
    return event_node(in, op, a, b);
}

static Value *function1(const Context *in, BuiltinCall *c, ExprOp op)
{
    Value *v = builtin_arg(in, c, 0);
    if (!is_numeric(v))
        return builtin_wrong(in, c, 0, v, "a Real number");
    const Type *real = type_builtin(TYPE_REAL);
    v = value_convert(in, v, real);
    Value *r = value_make(in, real, v->ndim, v->dim);
    for (int i = 0; i < v->nscalar; i++)
        r->scalar[i] = apply(in, op, v->scalar[i], EXPR_NONE, false, c->span);
    r->variability = op_has(op, OP_EVENT)
                         ? event_variability(in, v->variability)
                         : v->variability;
    return r;
}

/* A function of two scalars over arrays of equal shape, scalars repeated. */
static Value *pairs(const Context *in, BuiltinCall *c, ExprOp op, Value *a,
                    Value *b, const Type *type)
{
    if (!is_scalar(a) && !is_scalar(b) && !same_dims(a, b)) {
        context_report(in, c->span, DIAG_E0501,
                       "%s() runs over arrays of different sizes: %s and %s",
                       c->name, value_text(in, a), value_text(in, b));
        return value_error(in);
    }
    const Value *shape = is_scalar(a) ? b : a;
    Value *r = value_make(in, type, shape->ndim, shape->dim);
    int da = is_scalar(a) ? 0 : 1, db = is_scalar(b) ? 0 : 1;
    for (int i = 0; i < r->nscalar; i++)
        r->scalar[i] = apply(in, op, a->scalar[i * da], b->scalar[i * db],
                             type->kind == TYPE_INTEGER, c->span);
    FlatVariability v = var_max(a->variability, b->variability);
    r->variability = op == EX_IDIV ? event_variability(in, v) : v;
    return r;
}

static Value *function2(const Context *in, BuiltinCall *c, ExprOp op)
{
    Value *a = builtin_arg(in, c, 0), *b = builtin_arg(in, c, 1);
    if (!is_numeric(a))
        return builtin_wrong(in, c, 0, a, "a number");
    if (!is_numeric(b))
        return builtin_wrong(in, c, 1, b, "a number");
    bool integer = op_has(op, OP_WHOLE) && is_kind(a, TYPE_INTEGER) &&
                   is_kind(b, TYPE_INTEGER);
    const Type *t = type_builtin(integer ? TYPE_INTEGER : TYPE_REAL);
    return pairs(in, c, op, value_convert(in, a, t), value_convert(in, b, t),
                 t);
}

/* A function of scalars, as expr/ops.def has it. */
BUILTIN(builtin_function)
{
    const OpFunction *f = expr_function_find(c->name);
    return f->narg == 1 ? function1(in, c, f->op) : function2(in, c, f->op);
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
    Value *r = value_make(in, type_builtin(TYPE_INTEGER), v->ndim, v->dim);
    for (int i = 0; i < v->nscalar; i++)
        r->scalar[i] =
            apply(in, EX_INTEGER, v->scalar[i], EXPR_NONE, true, c->span);
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
    ExprOp op = least ? EX_MIN : EX_MAX;
    Value *a = builtin_arg(in, c, 0);
    bool simple = a->type->kind <= TYPE_ENUM && !is_kind(a, TYPE_STRING);
    if (!builtin_has(c, 1)) {
        if (!simple || is_scalar(a))
            return builtin_wrong(in, c, 0, a,
                                 "an array of numbers, Booleans or "
                                 "enumeration values");
        return fold_array(in, a, op, extreme(in, a->type, !least), c->span);
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
    return pairs(in, c, op, value_convert(in, a, t), value_convert(in, b, t),
                 t);
}

static Value *sum_or_product(const Context *in, BuiltinCall *c, ExprOp op,
                             double empty)
{
    if (loop_of(c))
        return eval_reduction(in, c->scope, c->name, loop_of(c), c->span);
    Value *v = builtin_arg(in, c, 0);
    if (is_kind(v, TYPE_RECORD) && !is_scalar(v) && op == EX_ADD) {
        Value *sum = operator_sum(in, v, c->span);
        if (sum)
            return sum;
    }
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
