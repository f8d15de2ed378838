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
#include "expr/expr_internal.h"

#include <math.h>

#define MOST_DEPTH 64                 /* rules applied to results of rules */
#define MOST_EXACT 9007199254740992.0 /* 2^53 */

#define MAKE1(d, op, a)    expr_make(d, op, a, EXPR_NONE, EXPR_NONE)
#define MAKE2(d, op, a, b) expr_make(d, op, a, b, EXPR_NONE)

/* --- small questions
 * ------------------------------------------------------------ */
static bool is_op(const Dag *d, Expr e, ExprOp op)
{
    return op_of(d, e) == op;
}

static Expr arg_of(const Dag *d, Expr e, int i)
{
    return node_of(d, e)->arg[i];
}

static bool is_number(const Dag *d, Expr e, double *v)
{
    return expr_is_const(d, e, v);
}

static bool is_value(const Dag *d, Expr e, double v)
{
    double c;
    return is_number(d, e, &c) && c == v;
}

static bool is_whole(double v)
{
    return v == floor(v) && fabs(v) < MOST_EXACT;
}

/* c * x with a constant c. */
static bool is_scaled(const Dag *d, Expr e, double *c, Expr *x)
{
    if (!is_op(d, e, EX_MUL) || !is_number(d, arg_of(d, e, 0), c))
        return false;
    *x = arg_of(d, e, 1);
    return true;
}

static bool is_negative_scaled(const Dag *d, Expr e)
{
    double c;
    Expr x;
    return is_scaled(d, e, &c, &x) && c < 0;
}

/* A constant beside `like`: Integer if that is Integer and v is whole. */
static Expr number_like(Dag *d, Expr like, double v)
{
    bool integer = node_of(d, like)->type == ET_INTEGER && is_whole(v);
    return expr_constant(d, integer ? ET_INTEGER : ET_REAL, v);
}

/* Is a/b the exact quotient, finite, and not 0? */
static bool divides_exactly(double a, double b, double *q)
{
    *q = a / b;
    return isfinite(*q) && *q != 0 && fma(*q, b, -a) == 0;
}

static bool is_finite_sum(double a, double b, double *sum)
{
    *sum = a + b;
    return isfinite(*sum);
}

/* --- types and constants
 * ----------------------------------------------------------- */
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
    bool real =
        op == EX_DIV || (op >= EX_SIN && op <= EX_SQRT) || op == EX_SEMILINEAR;
    bool mixes = op == EX_ADD || op == EX_SUB || op == EX_MUL || op == EX_MIN ||
                 op == EX_MAX || (op >= EX_IDIV && op <= EX_REM) ||
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
        if (!is_number(d, arg[i], &v[i]))
            return EXPR_NONE;
    }
    double value = expr_apply(op, v[0], v[1], v[2]);
    ExprType type = expr_type_of(d, op, a, b, c);
    if (!isfinite(value) || (type == ET_INTEGER && !is_whole(value)))
        return EXPR_NONE;
    return expr_constant(d, type, value);
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
    if (!(expr_op_info[op].properties & OP_COMMUTATIVE))
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

/* --- sums
 * -------------------------------------------------------------------------- */
/* a = x + c or x - c with a constant: gives x and the signed c. */
static bool is_shifted(const Dag *d, Expr a, Expr *x, double *c)
{
    bool minus = is_op(d, a, EX_SUB);
    if (!minus && !is_op(d, a, EX_ADD))
        return false;
    if (!is_number(d, arg_of(d, a, 1), c))
        return false;
    if (minus)
        *c = -*c;
    *x = arg_of(d, a, 0);
    return true;
}

static Expr make_sum(Dag *d, Expr a, Expr b)
{
    double c, c2, s;
    Expr x;
    if (is_value(d, b, 0))
        return a;
    if (is_number(d, b, &c)) {
        if (is_shifted(d, a, &x, &c2) && is_finite_sum(c, c2, &s))
            return MAKE2(d, EX_ADD, x, number_like(d, b, s));
        if (c < 0)
            return MAKE2(d, EX_SUB, a, number_like(d, b, -c));
        return EXPR_NONE;
    }
    if (a == b)
        return MAKE2(d, EX_MUL, number_like(d, a, 2), a);
    if (is_op(d, b, EX_NEG))
        return MAKE2(d, EX_SUB, a, arg_of(d, b, 0));
    if (is_op(d, a, EX_NEG))
        return MAKE2(d, EX_SUB, b, arg_of(d, a, 0));
    if (is_negative_scaled(d, b))
        return MAKE2(d, EX_SUB, a, MAKE1(d, EX_NEG, b));
    if (is_negative_scaled(d, a))
        return MAKE2(d, EX_SUB, b, MAKE1(d, EX_NEG, a));
    if (is_op(d, a, EX_SUB) && arg_of(d, a, 1) == b)
        return arg_of(d, a, 0);
    if (is_op(d, b, EX_SUB) && arg_of(d, b, 1) == a)
        return arg_of(d, b, 0);
    return EXPR_NONE;
}

static Expr make_difference_of_sum(Dag *d, Expr a, Expr b)
{
    if (is_op(d, a, EX_ADD)) {
        if (arg_of(d, a, 1) == b)
            return arg_of(d, a, 0);
        if (arg_of(d, a, 0) == b)
            return arg_of(d, a, 1);
    }
    if (is_op(d, b, EX_ADD)) {
        if (arg_of(d, b, 1) == a)
            return MAKE1(d, EX_NEG, arg_of(d, b, 0));
        if (arg_of(d, b, 0) == a)
            return MAKE1(d, EX_NEG, arg_of(d, b, 1));
    }
    if (is_op(d, a, EX_SUB) && arg_of(d, a, 0) == b)
        return MAKE1(d, EX_NEG, arg_of(d, a, 1));
    if (is_op(d, b, EX_SUB) && arg_of(d, b, 0) == a)
        return arg_of(d, b, 1);
    return EXPR_NONE;
}

static Expr make_difference(Dag *d, Expr a, Expr b)
{
    double c, c2, s;
    Expr x;
    if (a == b)
        return number_like(d, a, 0);
    if (is_value(d, b, 0))
        return a;
    if (is_value(d, a, 0))
        return MAKE1(d, EX_NEG, b);
    if (is_number(d, b, &c)) {
        if (is_shifted(d, a, &x, &c2) && is_finite_sum(c2, -c, &s))
            return MAKE2(d, EX_ADD, x, number_like(d, b, s));
        if (c < 0)
            return MAKE2(d, EX_ADD, a, number_like(d, b, -c));
        return EXPR_NONE;
    }
    if (is_number(d, a, &c) && is_shifted(d, b, &x, &c2) &&
        is_finite_sum(c, -c2, &s))
        return MAKE2(d, EX_SUB, number_like(d, a, s), x);
    if (is_op(d, b, EX_NEG))
        return MAKE2(d, EX_ADD, a, arg_of(d, b, 0));
    if (is_op(d, a, EX_NEG))
        return MAKE1(d, EX_NEG, MAKE2(d, EX_ADD, arg_of(d, a, 0), b));
    if (is_negative_scaled(d, b))
        return MAKE2(d, EX_ADD, a, MAKE1(d, EX_NEG, b));
    return make_difference_of_sum(d, a, b);
}

static Expr make_negative(Dag *d, Expr a)
{
    double c;
    Expr x;
    if (is_op(d, a, EX_NEG))
        return arg_of(d, a, 0);
    if (is_op(d, a, EX_SUB))
        return MAKE2(d, EX_SUB, arg_of(d, a, 1), arg_of(d, a, 0));
    if (is_scaled(d, a, &c, &x))
        return MAKE2(d, EX_MUL, number_like(d, arg_of(d, a, 0), -c), x);
    if (is_op(d, a, EX_DIV) && is_number(d, arg_of(d, a, 0), &c))
        return MAKE2(d, EX_DIV, expr_constant(d, ET_REAL, -c), arg_of(d, a, 1));
    return EXPR_NONE;
}

/* --- products
 * ------------------------------------------------------------------------ */
/* A constant c, neither 0 nor 1, times b. */
static Expr make_scaled(Dag *d, Expr a, double c, Expr b)
{
    double c2, q;
    Expr x;
    if (c == -1)
        return MAKE1(d, EX_NEG, b);
    if (is_op(d, b, EX_NEG))
        return MAKE2(d, EX_MUL, number_like(d, a, -c), arg_of(d, b, 0));
    if (is_scaled(d, b, &c2, &x) && isfinite(c * c2) && c * c2 != 0)
        return MAKE2(d, EX_MUL, number_like(d, a, c * c2), x);
    if (!is_op(d, b, EX_DIV))
        return EXPR_NONE;
    if (is_number(d, arg_of(d, b, 0), &c2) && isfinite(c * c2))
        return MAKE2(d, EX_DIV, expr_constant(d, ET_REAL, c * c2),
                     arg_of(d, b, 1));
    if (is_number(d, arg_of(d, b, 1), &c2) && divides_exactly(c, c2, &q))
        return MAKE2(d, EX_MUL, expr_constant(d, ET_REAL, q), arg_of(d, b, 0));
    return EXPR_NONE;
}

static Expr make_product(Dag *d, Expr a, Expr b)
{
    double c;
    if (is_number(d, a, &c)) {
        if (c == 0)
            return number_like(d, b, 0);
        return c == 1 ? b : make_scaled(d, a, c, b);
    }
    bool na = is_op(d, a, EX_NEG), nb = is_op(d, b, EX_NEG);
    if (na || nb) {
        Expr p = MAKE2(d, EX_MUL, na ? arg_of(d, a, 0) : a,
                       nb ? arg_of(d, b, 0) : b);
        return na && nb ? p : MAKE1(d, EX_NEG, p);
    }
    if (a == b && node_of(d, a)->type == ET_REAL)
        return MAKE2(d, EX_POW, a, expr_constant(d, ET_INTEGER, 2));
    if (is_op(d, a, EX_DIV) && is_value(d, arg_of(d, a, 0), 1))
        return MAKE2(d, EX_DIV, b, arg_of(d, a, 1));
    if (is_op(d, b, EX_DIV) && is_value(d, arg_of(d, b, 0), 1))
        return MAKE2(d, EX_DIV, a, arg_of(d, b, 1));
    return EXPR_NONE;
}

static Expr make_quotient(Dag *d, Expr a, Expr b)
{
    double c, c2, q;
    Expr x;
    if (is_value(d, a, 0) && !is_value(d, b, 0))
        return expr_constant(d, ET_REAL, 0);
    if (is_number(d, b, &c)) {
        if (c == 1)
            return a;
        if (c == -1)
            return MAKE1(d, EX_NEG, a);
        if (is_scaled(d, a, &c2, &x) && divides_exactly(c2, c, &q))
            return MAKE2(d, EX_MUL, expr_constant(d, ET_REAL, q), x);
        if (c < 0)
            return MAKE1(d, EX_NEG,
                         MAKE2(d, EX_DIV, a, expr_constant(d, ET_REAL, -c)));
    }
    bool na = is_op(d, a, EX_NEG), nb = is_op(d, b, EX_NEG);
    if (na || nb) {
        Expr p = MAKE2(d, EX_DIV, na ? arg_of(d, a, 0) : a,
                       nb ? arg_of(d, b, 0) : b);
        return na && nb ? p : MAKE1(d, EX_NEG, p);
    }
    if (is_op(d, b, EX_DIV)) /* one division fewer */
        return MAKE2(d, EX_DIV, MAKE2(d, EX_MUL, a, arg_of(d, b, 1)),
                     arg_of(d, b, 0));
    return EXPR_NONE;
}

/* --- powers
 * ----------------------------------------------------------------------------
 */
static Expr make_whole_power(Dag *d, Expr a, double n)
{
    double m;
    if (n == 0)
        return expr_constant(d, ET_REAL, 1);
    if (n == 1)
        return a;
    if (n == -1)
        return MAKE2(d, EX_DIV, expr_constant(d, ET_REAL, 1), a);
    if (is_op(d, a, EX_NEG)) {
        Expr p =
            MAKE2(d, EX_POW, arg_of(d, a, 0), expr_constant(d, ET_INTEGER, n));
        return fmod(n, 2) == 0 ? p : MAKE1(d, EX_NEG, p);
    }
    if (is_op(d, a, EX_POW) && is_number(d, arg_of(d, a, 1), &m) &&
        is_whole(m) && is_whole(m * n))
        return MAKE2(d, EX_POW, arg_of(d, a, 0),
                     expr_constant(d, ET_INTEGER, m * n));
    if (is_op(d, a, EX_ABS) && fmod(n, 2) == 0)
        return MAKE2(d, EX_POW, arg_of(d, a, 0),
                     expr_constant(d, ET_INTEGER, n));
    if (is_op(d, a, EX_SQRT) && n == 2)
        return arg_of(d, a, 0);
    return EXPR_NONE;
}

static Expr make_power(Dag *d, Expr a, Expr b)
{
    double n;
    if (is_number(d, b, &n)) {
        if (n == 0.5)
            return MAKE1(d, EX_SQRT, a);
        return is_whole(n) ? make_whole_power(d, a, n) : EXPR_NONE;
    }
    if (is_value(d, a, 1))
        return a;
    return EXPR_NONE;
}

/* --- functions
 * ----------------------------------------------------------------------------
 */
static Expr make_function(Dag *d, ExprOp op, Expr a)
{
    if (is_op(d, a, EX_NEG)) {
        Expr x = arg_of(d, a, 0);
        switch (op) {
        case EX_SIN:
        case EX_TAN:
        case EX_ASIN:
        case EX_ATAN:
        case EX_SINH:
        case EX_TANH:
        case EX_SIGN: return MAKE1(d, EX_NEG, MAKE1(d, op, x));
        case EX_COS:
        case EX_COSH:
        case EX_ABS: return MAKE1(d, op, x);
        default: break;
        }
    }
    if (op == EX_ABS &&
        (is_op(d, a, EX_ABS) || is_op(d, a, EX_SQRT) || is_op(d, a, EX_EXP)))
        return a;
    if (op == EX_LOG && is_op(d, a, EX_EXP))
        return arg_of(d, a, 0);
    if (op == EX_EXP && is_op(d, a, EX_LOG))
        return arg_of(d, a, 0);
    if (op == EX_SQRT && is_op(d, a, EX_POW) && is_value(d, arg_of(d, a, 1), 2))
        return MAKE1(d, EX_ABS, arg_of(d, a, 0));
    return EXPR_NONE;
}

static Expr make_rounded(Dag *d, ExprOp op, Expr a)
{
    if ((op == EX_INTEGER || op == EX_TOINT) &&
        node_of(d, a)->type == ET_INTEGER)
        return a;
    if (op != EX_INTEGER && op != EX_TOINT &&
        (is_op(d, a, EX_FLOOR) || is_op(d, a, EX_CEIL)))
        return a;
    return EXPR_NONE;
}

/* --- relations and logic
 * ---------------------------------------------------------------------- */
static Expr make_relation(Dag *d, ExprOp op, Expr a, Expr b)
{
    if (a == b)
        return expr_bool(d, op == EX_LE || op == EX_GE || op == EX_EQ);
    if (!is_op(d, a, EX_STR) || !is_op(d, b, EX_STR))
        return EXPR_NONE;
    int c = strcmp(node_of(d, a)->text, node_of(d, b)->text);
    return expr_bool(d, expr_apply(op, c, 0, 0) != 0);
}

static Expr make_not(Dag *d, Expr a)
{
    const ExprNode *n = node_of(d, a);
    switch (n->op) {
    case EX_NOT: return n->arg[0];
    case EX_LT: return MAKE2(d, EX_GE, n->arg[0], n->arg[1]);
    case EX_LE: return MAKE2(d, EX_GT, n->arg[0], n->arg[1]);
    case EX_GT: return MAKE2(d, EX_LE, n->arg[0], n->arg[1]);
    case EX_GE: return MAKE2(d, EX_LT, n->arg[0], n->arg[1]);
    case EX_EQ: return MAKE2(d, EX_NE, n->arg[0], n->arg[1]);
    case EX_NE: return MAKE2(d, EX_EQ, n->arg[0], n->arg[1]);
    default: return EXPR_NONE;
    }
}

static Expr make_logic(Dag *d, ExprOp op, Expr a, Expr b)
{
    double v;
    if (a == b)
        return a;
    if (is_number(d, a, &v) || is_number(d, b, &v)) {
        Expr other = is_op(d, a, EX_CONST) ? b : a;
        return (v != 0) == (op == EX_AND) ? other : expr_bool(d, v != 0);
    }
    if ((is_op(d, a, EX_NOT) && arg_of(d, a, 0) == b) ||
        (is_op(d, b, EX_NOT) && arg_of(d, b, 0) == a))
        return expr_bool(d, op == EX_OR);
    return EXPR_NONE;
}

static Expr make_if(Dag *d, Expr c, Expr a, Expr b)
{
    double v;
    if (is_number(d, c, &v))
        return v != 0 ? a : b;
    if (a == b)
        return a;
    if (is_op(d, c, EX_NOT))
        return expr_make(d, EX_IF, arg_of(d, c, 0), b, a);
    if (is_op(d, a, EX_IF) && arg_of(d, a, 0) == c)
        return expr_make(d, EX_IF, c, arg_of(d, a, 1), b);
    if (is_op(d, b, EX_IF) && arg_of(d, b, 0) == c)
        return expr_make(d, EX_IF, c, a, arg_of(d, b, 2));
    if (node_of(d, a)->type == ET_BOOLEAN &&
        node_of(d, b)->type == ET_BOOLEAN && is_op(d, a, EX_CONST) &&
        is_op(d, b, EX_CONST))
        return is_value(d, a, 1) ? c : MAKE1(d, EX_NOT, c);
    return EXPR_NONE;
}

/* --- events
 * ----------------------------------------------------------------------------------------
 */
/* Nodes that cannot hold a relation: noEvent and smooth say nothing. */
static bool is_plain(const Dag *d, Expr e)
{
    ExprOp op = op_of(d, e);
    return op <= EX_TIME || op == EX_PRE || op == EX_NOEVENT;
}

static Expr make_pre(Dag *d, Expr a)
{
    if (is_op(d, a, EX_CONST) || is_op(d, a, EX_STR))
        return a;
    if (is_op(d, a, EX_NEG) || is_op(d, a, EX_NOT))
        return MAKE1(d, op_of(d, a), MAKE1(d, EX_PRE, arg_of(d, a, 0)));
    return EXPR_NONE;
}

static Expr make_event(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    switch (op) {
    case EX_PRE: return make_pre(d, a);
    case EX_EDGE:
        return MAKE2(d, EX_AND, a, MAKE1(d, EX_NOT, MAKE1(d, EX_PRE, a)));
    case EX_CHANGE: return MAKE2(d, EX_NE, a, MAKE1(d, EX_PRE, a));
    case EX_NOEVENT: return is_plain(d, a) ? a : EXPR_NONE;
    case EX_SMOOTH: return is_plain(d, b) ? b : EXPR_NONE;
    case EX_HOMOTOPY: return a == b ? a : EXPR_NONE;
    case EX_SEMILINEAR: return b == c ? MAKE2(d, EX_MUL, a, b) : EXPR_NONE;
    case EX_DELAY: return is_op(d, a, EX_CONST) ? a : EXPR_NONE;
    case EX_DER:
        return is_op(d, a, EX_CONST)  ? expr_constant(d, ET_REAL, 0)
               : is_op(d, a, EX_TIME) ? expr_constant(d, ET_REAL, 1)
                                      : EXPR_NONE;
    default: return EXPR_NONE;
    }
}

static Expr make_text(Dag *d, Expr a, Expr b)
{
    if (!is_op(d, a, EX_STR) || !is_op(d, b, EX_STR))
        return EXPR_NONE;
    const char *x = node_of(d, a)->text, *y = node_of(d, b)->text;
    return expr_string(d, arena_printf(d->arena, "%s%s", x, y));
}

/* What the node simplifies to, EXPR_NONE if it stays. */
static Expr rewrite(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    switch (op) {
    case EX_ADD: return make_sum(d, a, b);
    case EX_SUB: return make_difference(d, a, b);
    case EX_MUL: return make_product(d, a, b);
    case EX_DIV: return make_quotient(d, a, b);
    case EX_POW: return make_power(d, a, b);
    case EX_NEG: return make_negative(d, a);
    case EX_MIN:
    case EX_MAX: return a == b ? a : EXPR_NONE;
    case EX_FLOOR:
    case EX_CEIL:
    case EX_INTEGER:
    case EX_TOINT: return make_rounded(d, op, a);
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE: return make_relation(d, op, a, b);
    case EX_AND:
    case EX_OR: return make_logic(d, op, a, b);
    case EX_NOT: return make_not(d, a);
    case EX_IF: return make_if(d, a, b, c);
    case EX_CONCAT: return make_text(d, a, b);
    default: break;
    }
    if (op >= EX_SIN && op <= EX_SIGN && op != EX_ATAN2)
        return make_function(d, op, a);
    return make_event(d, op, a, b, c);
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
    e = rewrite(d, op, a, b, c);
    d->depth--;
    if (e != EXPR_NONE && op != EX_IF)
        e = with_type(d, e, expr_type_of(d, op, a, b, c));
    return e != EXPR_NONE ? e : expr_make_raw(d, op, a, b, c);
}
