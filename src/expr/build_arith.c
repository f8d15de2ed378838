/* build_arith.c - rules for sums, products, quotients and powers. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/build.h"

/* ---- small questions ---- */
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

/* ---- sums ---- */
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

/* ---- products ---- */
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

/* ---- powers ---- */
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

Expr build_arithmetic(Dag *d, ExprOp op, Expr a, Expr b)
{
    switch (op) {
    case EX_ADD: return make_sum(d, a, b);
    case EX_SUB: return make_difference(d, a, b);
    case EX_MUL: return make_product(d, a, b);
    case EX_DIV: return make_quotient(d, a, b);
    case EX_POW: return make_power(d, a, b);
    default: return make_negative(d, a);
    }
}
