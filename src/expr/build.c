/* build.c - building a node with local simplification.
 *
 * A rule looks at the node to be built and at most one level below it, so
 * building costs a bounded number of table look-ups. What is built keeps:
 *
 *   - constants stand first in a product and last in a sum; other arguments of
 *     commutative operations are ordered by handle
 *   - signs move outwards: (-x)*y is -(x*y), x + (-y) is x - y, 2*(-x) is -2*x
 *   - Integer constants among Real arguments are Real, exponents that are whole
 *     numbers are Integer: x^2.0 is x^2
 *   - edge(b) is b and not pre(b), change(v) is v <> pre(v) (Modelica 3.6,
 *     3.7.5); the printer shows them under their names
 *
 * A constant is folded only if the result is finite, and an Integer one only
 * if it is exact. Rules that need a division do it only if it is exact.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/build.h"

#define MOST_DEPTH 64 /* rules applied to results of rules */

static Expr to_real(Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    if (n->op == EX_CONST && n->type == ET_INTEGER)
        return expr_constant(d, ET_REAL, n->value);
    return e;
}

/* Integer constants beside Real arguments become Real. */
static void unify(Dag *d, ExprOp op, Expr *a, Expr *b, Expr *c)
{
    if (op == EX_IF) {
        if (expr_type_of(d, op, *a, *b, *c) == ET_REAL) {
            *b = to_real(d, *b);
            *c = to_real(d, *c);
        }
        return;
    }
    if (op == EX_POW) {
        const ExprNode *n = node_of(d, *b);
        *a = to_real(d, *a);
        if (n->op == EX_CONST && n->type == ET_REAL && is_whole(n->value))
            *b = expr_constant(d, ET_INTEGER, n->value);
        return;
    }
    bool real = op_has(op, OP_REAL);
    bool mixes = (op_has(op, OP_WHOLE) && expr_op_info[op].narg == 2) ||
                 (op >= EX_LT && op <= EX_NE) || op == EX_HOMOTOPY;
    if (!real && mixes)
        real =
            node_of(d, *a)->type == ET_REAL || node_of(d, *b)->type == ET_REAL;
    if (!real)
        return;
    Expr *arg[3] = {a, b, c};
    for (int i = 0; i < expr_op_info[op].narg; i++)
        *arg[i] = to_real(d, *arg[i]);
}

/* The result of `op` on constants, EXPR_NONE if it is not to be folded. */
static Expr fold(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    double v[3] = {0, 0, 0};
    const Expr arg[3] = {a, b, c};
    if (expr_op_info[op].narg == 0)
        return EXPR_NONE;
    for (int i = 0; i < expr_op_info[op].narg; i++) {
        if (!expr_is_const(d, arg[i], &v[i]))
            return EXPR_NONE;
    }
    double value = expr_apply(op, v[0], v[1], v[2]);
    ExprType type = expr_type_of(d, op, a, b, c);
    if (!isfinite(value) || (type == ET_INTEGER && !is_whole(value)))
        return EXPR_NONE;
    if (type != ET_REAL)
        return expr_constant(d, type, value);
    return inexact_result(d, value, inexact_error(d, op, arg, value));
}

/* A rule may leave an Integer where a Real stood, as in n + 0.0: a constant is
 * converted, anything else gives EXPR_NONE. */
static Expr with_type(Dag *d, Expr e, ExprType type)
{
    const ExprNode *n = node_of(d, e);
    if (n->type == type)
        return e;
    return n->op == EX_CONST ? expr_constant(d, type, n->value) : EXPR_NONE;
}

/* Orders the arguments of a commutative operation. */
static void order(const Dag *d, ExprOp op, Expr *a, Expr *b)
{
    if (!op_has(op, OP_COMMUTES))
        return;
    bool ca = is_op(d, *a, EX_CONST), cb = is_op(d, *b, EX_CONST);
    bool swap = *b < *a;
    if (ca != cb)
        swap = op == EX_MUL ? cb : ca;
    if (swap) {
        Expr t = *a;
        *a = *b;
        *b = t;
    }
}

Expr expr_make(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    int narg = expr_op_info[op].narg;
    assert(narg >= 0);
    assert((narg < 1 || (a >= 0 && a < d->count)) &&
           (narg < 2 || (b >= 0 && b < d->count)) &&
           (narg < 3 || (c >= 0 && c < d->count)));
    if (op == EX_ADD && node_of(d, a)->type == ET_STRING)
        op = EX_CONCAT;
    if (d->depth >= MOST_DEPTH || narg == 0)
        return expr_make_raw(d, op, a, b, c);
    unify(d, op, &a, &b, &c);
    Expr e = fold(d, op, a, b, c);
    if (e != EXPR_NONE)
        return e;
    order(d, op, &a, &b);
    d->depth++;
    e = op >= EX_ADD && op <= EX_NEG ? build_arithmetic(d, op, a, b)
                                     : build_other(d, op, a, b, c);
    d->depth--;
    if (e != EXPR_NONE && op != EX_IF)
        e = with_type(d, e, expr_type_of(d, op, a, b, c));
    return e != EXPR_NONE ? e : expr_make_raw(d, op, a, b, c);
}
