/* eval_op.c - operators on scalars and arrays (3.4 to 3.6, 10.6).
 *
 * + and - need equal shapes; * is the scalar, scalar-array, dot or matrix
 * product; the operators with a dot work element by element and repeat a
 * scalar. Relations compare scalars. All arithmetic on constants is checked:
 * an Integer that leaves 32 bits and an operation without a value are errors.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "eval/exec.h"

/* ---- one scalar ---- */

static bool path_is_certain(const Context *in)
{
    bool x;
    return expr_const_bool(in, in->path, &x) && x;
}

static const char *node_text(const Context *in, ExprOp op, Expr a, Expr b)
{
    Expr raw = expr_make_raw(in->dag, op, a, b, EXPR_NONE);
    return expr_text(in->dag, raw, flat_var_name, in->flat, 60, in->arena);
}

/* Arguments are constants but the result is none: the operation has no value
 * there. Reported if that place is certainly reached. */
static void check_defined(const Context *in, ExprOp op, Expr a, Expr b, Expr r,
                          Span span)
{
    double x, y, z;
    bool zero = op == EX_DIV && expr_is_zero(in->dag, b);
    if (!zero &&
        (expr_is_const(in->dag, r, &z) || !expr_is_const(in->dag, a, &x) ||
         (b != EXPR_NONE && !expr_is_const(in->dag, b, &y))))
        return;
    if (!path_is_certain(in))
        return;
    const char *text = node_text(in, op, a, b);
    if (zero || op == EX_IDIV || op == EX_MOD || op == EX_REM)
        context_report(in, span, DIAG_E0410, "division by zero: %s", text);
    else
        context_report(in, span, DIAG_E0410, "%s has no value", text);
}

/* The least of two Booleans is `and`, the greatest `or` (3.5): min() and max()
 * of numbers would make numbers of them. */
static ExprOp boolean_op(const Dag *d, ExprOp op, Expr a, Expr b)
{
    bool is_boolean = (op == EX_MIN || op == EX_MAX) && b != EXPR_NONE &&
                      expr_type(d, a) == ET_BOOLEAN &&
                      expr_type(d, b) == ET_BOOLEAN;
    if (!is_boolean)
        return op;
    return op == EX_MIN ? EX_AND : EX_OR;
}

Expr op_scalar(const Context *in, ExprOp op, Expr a, Expr b, bool integer,
               Span span)
{
    op = boolean_op(in->dag, op, a, b);
    Expr r = expr_make(in->dag, op, a, b, EXPR_NONE);
    double x;
    if (!expr_is_const(in->dag, r, &x)) {
        check_defined(in, op, a, b, r, span);
        return r;
    }
    if (integer && !(x >= -2147483648.0 && x <= 2147483647.0)) {
        if (path_is_certain(in))
            context_report(in, span, DIAG_E0409,
                           "%s is %.0f, which does not fit in an Integer of "
                           "32 bits",
                           node_text(in, op, a, b), x);
        return expr_int(in->dag, 0);
    }
    return r;
}

/* Inside a function relations make no events (12.2), unless it is annotated
 * with GenerateEvents = true. */
Expr event_node(const Context *in, ExprOp op, Expr a, Expr b)
{
    Expr r = expr_make(in->dag, op, a, b, EXPR_NONE);
    double x;
    const Exec *exec = in->exec;
    bool real = expr_type(in->dag, a) == ET_REAL ||
                (b != EXPR_NONE && expr_type(in->dag, b) == ET_REAL);
    if (!exec || !exec->fn || exec->generate_events || !real ||
        expr_is_const(in->dag, r, &x))
        return r;
    return expr_unary(in->dag, EX_NOEVENT, r);
}

FlatVariability event_variability(const Context *in, FlatVariability v)
{
    const Exec *exec = in->exec;
    bool events = !exec || !exec->fn || exec->generate_events;
    return events && v > FV_DISCRETE ? FV_DISCRETE : v;
}

/* ---- reports ---- */

static Value *wrong_types(const Context *in, AstOp op, const Value *a,
                          const Value *b, Span span)
{
    context_report(in, span, DIAG_E0401,
                   "operator '%s' cannot be applied to %s and %s",
                   ast_op_text(op), value_text(in, a), value_text(in, b));
    return value_error(in);
}

static Value *wrong_shapes(const Context *in, AstOp op, const Value *a,
                           const Value *b, const char *why, Span span)
{
    context_report(in, span, DIAG_E0501,
                   "operator '%s' cannot be applied to %s and %s: %s",
                   ast_op_text(op), value_text(in, a), value_text(in, b), why);
    return value_error(in);
}

/* ---- element by element ---- */

static const Type *number_type(const Value *a, const Value *b)
{
    bool real = is_kind(a, TYPE_REAL) || (b && is_kind(b, TYPE_REAL));
    return type_builtin(real ? TYPE_REAL : TYPE_INTEGER);
}

/* op for each pair; a scalar is repeated. */
static Value *pairs(const Context *in, ExprOp op, const Value *a,
                    const Value *b, const Type *type, Span span)
{
    const Value *shape = is_scalar(a) ? b : a;
    Value *r = value_make(in, type, shape->ndim, shape->dim);
    r->variability = var_max(a->variability, b->variability);
    bool integer = type->kind == TYPE_INTEGER;
    int da = is_scalar(a) ? 0 : 1, db = is_scalar(b) ? 0 : 1;
    if (type->kind == TYPE_REAL) {
        a = value_convert(in, a, type);
        b = value_convert(in, b, type);
    }
    for (int i = 0; i < r->nscalar; i++)
        r->scalar[i] = op_scalar(in, op, a->scalar[i * da], b->scalar[i * db],
                                 integer, span);
    return r;
}

static Value *concat(const Context *in, const Value *a, const Value *b)
{
    const Value *shape = is_scalar(a) ? b : a;
    int da = is_scalar(a) ? 0 : 1, db = is_scalar(b) ? 0 : 1;
    Value *r = value_make(in, a->type, shape->ndim, shape->dim);
    r->variability = var_max(a->variability, b->variability);
    for (int i = 0; i < r->nscalar; i++) {
        Expr x = a->scalar[i * da], y = b->scalar[i * db];
        if (expr_op(in->dag, x) == EX_STR && expr_op(in->dag, y) == EX_STR)
            r->scalar[i] =
                expr_string(in->dag, arena_printf(in->arena, "%s%s",
                                                  expr_node(in->dag, x)->text,
                                                  expr_node(in->dag, y)->text));
        else
            r->scalar[i] = expr_binary(in->dag, EX_CONCAT, x, y);
    }
    return r;
}

static ExprOp arithmetic_op(AstOp op)
{
    switch (op) {
    case OP_ADD:
    case OP_EADD: return EX_ADD;
    case OP_SUB:
    case OP_ESUB: return EX_SUB;
    case OP_MUL:
    case OP_EMUL: return EX_MUL;
    case OP_DIV:
    case OP_EDIV: return EX_DIV;
    default: return EX_POW;
    }
}

/* .+ .- .* ./ .^ (10.6.2 to 10.6.8) */
static Value *element_wise(const Context *in, AstOp op, Value *a, Value *b,
                           Span span)
{
    if (!is_scalar(a) && !is_scalar(b) && !same_dims(a, b))
        return wrong_shapes(in, op, a, b, "the sizes differ", span);
    if (op == OP_EADD && is_kind(a, TYPE_STRING) && is_kind(b, TYPE_STRING))
        return concat(in, a, b);
    if (!is_numeric(a) || !is_numeric(b))
        return wrong_types(in, op, a, b, span);
    bool real = op == OP_EDIV || op == OP_EPOW;
    const Type *t = real ? type_builtin(TYPE_REAL) : number_type(a, b);
    return pairs(in, arithmetic_op(op), a, b, t, span);
}

/* + and - (10.6.2, 10.6.3) */
static Value *add(const Context *in, AstOp op, Value *a, Value *b, Span span)
{
    bool strings =
        op == OP_ADD && is_kind(a, TYPE_STRING) && is_kind(b, TYPE_STRING);
    if (!strings && (!is_numeric(a) || !is_numeric(b)))
        return wrong_types(in, op, a, b, span);
    if (!same_dims(a, b)) {
        bool mixed = is_scalar(a) || is_scalar(b);
        return wrong_shapes(in, op, a, b,
                            !mixed         ? "the sizes differ"
                            : op == OP_ADD ? "use '.+' to add a scalar to "
                                             "each element"
                                           : "use '.-' to subtract element "
                                             "by element",
                            span);
    }
    if (strings)
        return concat(in, a, b);
    return pairs(in, arithmetic_op(op), a, b, number_type(a, b), span);
}

/* ---- products ---- */

/* The matrix product of a [n, m] and b [m, p]. */
static void product_into(const Context *in, const Value *a, const Value *b,
                         int n, int m, int p, bool integer, Expr *out,
                         Span span)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            Expr sum = integer ? expr_int(in->dag, 0) : expr_real(in->dag, 0);
            for (int k = 0; k < m; k++) {
                Expr t = op_scalar(in, EX_MUL, a->scalar[i * m + k],
                                   b->scalar[k * p + j], integer, span);
                sum = k ? op_scalar(in, EX_ADD, sum, t, integer, span) : t;
            }
            out[i * p + j] = sum;
        }
}

/* vector*vector, matrix*vector, vector*matrix, matrix*matrix (10.6.4) */
static Value *matrix_product(const Context *in, Value *a, Value *b, Span span)
{
    if (a->ndim > 2 || b->ndim > 2)
        return wrong_shapes(in, OP_MUL, a, b,
                            "only vectors and matrices can be multiplied",
                            span);
    int n = a->ndim == 2 ? a->dim[0] : 1;
    int m = a->dim[a->ndim - 1];
    int p = b->ndim == 2 ? b->dim[1] : 1;
    if (b->dim[0] != m)
        return wrong_shapes(
            in, OP_MUL, a, b,
            arena_printf(in->arena, "%d columns meet %d rows", m, b->dim[0]),
            span);
    int dim[2], ndim = 0;
    if (a->ndim == 2)
        dim[ndim++] = n;
    if (b->ndim == 2)
        dim[ndim++] = p;
    const Type *t = number_type(a, b);
    if (!value_may_have(in, ndim, dim, span))
        return value_error(in);
    Value *r = value_make(in, t, ndim, dim);
    r->variability = var_max(a->variability, b->variability);
    in->run->work += (long)n * m * p;
    if (!eval_step(in, span))
        return value_error(in);
    a = value_convert(in, a, t);
    b = value_convert(in, b, t);
    product_into(in, a, b, n, m, p, t->kind == TYPE_INTEGER, r->scalar, span);
    return r;
}

static Value *multiply(const Context *in, Value *a, Value *b, Span span)
{
    if (!is_numeric(a) || !is_numeric(b))
        return wrong_types(in, OP_MUL, a, b, span);
    if (is_scalar(a) || is_scalar(b))
        return pairs(in, EX_MUL, a, b, number_type(a, b), span);
    return matrix_product(in, a, b, span);
}

static Value *divide(const Context *in, Value *a, Value *b, Span span)
{
    if (!is_numeric(a) || !is_numeric(b))
        return wrong_types(in, OP_DIV, a, b, span);
    if (!is_scalar(b))
        return wrong_shapes(in, OP_DIV, a, b,
                            "use './' to divide element by element", span);
    return pairs(in, EX_DIV, a, b, type_builtin(TYPE_REAL), span);
}

/* A square matrix to a constant Integer >= 0, by repeated squaring (10.6.8). */
static Value *matrix_power(const Context *in, Value *a, Value *b, Span span)
{
    int n;
    if (a->ndim != 2 || a->dim[0] != a->dim[1])
        return wrong_shapes(in, OP_POW, a, b,
                            "the power of an array needs a square matrix; use "
                            "'.^' for each element",
                            span);
    Value *k = is_kind(b, TYPE_INTEGER) ? eval_fold(in, b) : NULL;
    if (!k || !value_const_int(in, k, &n) || n < 0) {
        context_report(in, span, DIAG_E0401,
                       "the power of a matrix needs a constant Integer "
                       "exponent that is not negative");
        return value_error(in);
    }
    Value *r = value_make(in, a->type, 2, a->dim);
    bool real = is_kind(a, TYPE_REAL);
    for (int i = 0; i < r->nscalar; i++) {
        double x = i / a->dim[0] == i % a->dim[0];
        r->scalar[i] = real ? expr_real(in->dag, x) : expr_int(in->dag, x);
    }
    for (; n > 0 && !is_error(r) && !is_error(a); n >>= 1) {
        if (n & 1)
            r = matrix_product(in, r, a, span);
        if (n > 1)
            a = matrix_product(in, a, a, span);
    }
    return r;
}

static Value *power(const Context *in, Value *a, Value *b, Span span)
{
    if (!is_numeric(a) || !is_numeric(b))
        return wrong_types(in, OP_POW, a, b, span);
    if (!is_scalar(b))
        return wrong_shapes(in, OP_POW, a, b, "use '.^' for each element",
                            span);
    if (!is_scalar(a))
        return matrix_power(in, a, b, span);
    return pairs(in, EX_POW, a, b, type_builtin(TYPE_REAL), span);
}

/* ---- relations and logic ---- */

static ExprOp relation_op(AstOp op)
{
    switch (op) {
    case OP_LT: return EX_LT;
    case OP_LE: return EX_LE;
    case OP_GT: return EX_GT;
    case OP_GE: return EX_GE;
    case OP_EQ: return EX_EQ;
    default: return EX_NE;
    }
}

static bool compare(AstOp op, int order)
{
    switch (op) {
    case OP_LT: return order < 0;
    case OP_LE: return order <= 0;
    case OP_GT: return order > 0;
    case OP_GE: return order >= 0;
    case OP_EQ: return order == 0;
    default: return order != 0;
    }
}

/* 3.5: scalars of simple type; Boolean false < true, enumerations by their
 * order, strings by their characters. */
static Value *relation(const Context *in, AstOp op, Value *a, Value *b,
                       Span span)
{
    if (!is_scalar(a) || !is_scalar(b))
        return wrong_shapes(in, op, a, b, "relations compare scalars", span);
    const Type *t = type_common(a->type, b->type);
    if (!t || t->kind > TYPE_ENUM)
        return wrong_types(in, op, a, b, span);
    const char *s = value_const_string(in, a), *u = value_const_string(in, b);
    if (s && u)
        return value_bool(in, compare(op, strcmp(s, u)));
    a = value_convert(in, a, t);
    b = value_convert(in, b, t);
    FlatVariability v = var_max(a->variability, b->variability);
    Expr e = event_node(in, relation_op(op), a->scalar[0], b->scalar[0]);
    return value_scalar(in, type_builtin(TYPE_BOOLEAN), e,
                        event_variability(in, v));
}

static Value *logic(const Context *in, AstOp op, Value *a, Value *b, Span span)
{
    if (!is_kind(a, TYPE_BOOLEAN) || !is_kind(b, TYPE_BOOLEAN))
        return wrong_types(in, op, a, b, span);
    if (!same_dims(a, b))
        return wrong_shapes(in, op, a, b, "the sizes differ", span);
    return pairs(in, op == OP_AND ? EX_AND : EX_OR, a, b, a->type, span);
}

Value *op_binary(const Context *in, AstOp op, Value *a, Value *b, Span span)
{
    if (is_error(a) || is_error(b))
        return value_error(in);
    if (is_kind(a, TYPE_RECORD) || is_kind(b, TYPE_RECORD))
        return operator_binary(in, op, a, b, span);
    switch (op) {
    case OP_ADD:
    case OP_SUB: return add(in, op, a, b, span);
    case OP_MUL: return multiply(in, a, b, span);
    case OP_DIV: return divide(in, a, b, span);
    case OP_POW: return power(in, a, b, span);
    case OP_EADD:
    case OP_ESUB:
    case OP_EMUL:
    case OP_EDIV:
    case OP_EPOW: return element_wise(in, op, a, b, span);
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return relation(in, op, a, b, span);
    default: return logic(in, op, a, b, span);
    }
}

Value *op_unary(const Context *in, AstOp op, Value *a, Span span)
{
    if (is_error(a))
        return a;
    if (is_kind(a, TYPE_RECORD) && op != OP_POS && op != OP_EPOS)
        return operator_unary(in, op, a, span);
    bool fits = op == OP_NOT ? is_kind(a, TYPE_BOOLEAN) : is_numeric(a);
    if (!fits) {
        context_report(in, span, DIAG_E0401,
                       "operator '%s' cannot be applied to %s", ast_op_text(op),
                       value_text(in, a));
        return value_error(in);
    }
    if (op == OP_POS || op == OP_EPOS)
        return a;
    Value *r = value_make(in, a->type, a->ndim, a->dim);
    r->variability = a->variability;
    ExprOp node = op == OP_NOT ? EX_NOT : EX_NEG;
    for (int i = 0; i < r->nscalar; i++)
        r->scalar[i] = op_scalar(in, node, a->scalar[i], EXPR_NONE,
                                 is_kind(a, TYPE_INTEGER), span);
    return r;
}
