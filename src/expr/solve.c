/* solve.c - solving an equation for one leaf, where that is safe.
 *
 * The operations above x are undone from the outside inwards: y = f(g(x))
 * becomes f^-1(y) = g(x), and so on. Safe means that the result is the one
 * solution of the equation wherever it has a finite value:
 *
 *   a x + b = y      x = (y - b)/a            if a is known not to vanish
 *   g/a = y          g = y a                  (a cannot be 0 there)
 *   a/g = y          g = a/y                  if y or a is known not to vanish
 *   exp(g) = y       g = log(y)               NaN where there is no solution
 *   other functions  by their inverses in ops.def
 *   g^n = y          g = sign(y) |y|^(1/n)    n odd
 *   g^r = y          g = y^(1/r)              r > 0 and neither r nor 1/r whole
 *   c^g = y          g = log(y)/log(c)        c > 0, c <> 1
 *
 * Not undone are operations with several inverses (even powers, abs, sin), and
 * those whose inverse has a value where the equation has no solution: g = y^2
 * solves sqrt(g) = y only if y >= 0, and the same goes for asin and atan.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

#define MOST_SEARCH 200 /* nodes, for a reason not to vanish */

typedef struct Solver {
    Dag *d;
    Expr x;
    ExprNonzero *nonzero;
    void *context;
    Walk walk; /* walk_value of a node: does it contain x? */
    Expr left; /* the side with x */
    Expr right;
} Solver;

/* ---- what cannot vanish ---- */
/* `budget` counts the nodes that may still be looked at. */
static bool is_nonzero(const Solver *s, Expr e, int *budget)
{
    const Dag *d = s->d;
    double v;
    if (expr_is_const(d, e, &v))
        return isfinite(v) && v != 0;
    if (s->nonzero && s->nonzero(s->context, d, e))
        return true;
    if (--*budget < 0)
        return false;
    const ExprNode *n = node_of(d, e);
    switch (n->op) {
    case EX_NEG:
    case EX_ABS:
    case EX_SIGN:
    case EX_SQRT:
    case EX_DIV:
    case EX_POW:
    case EX_NOEVENT: return is_nonzero(s, n->arg[0], budget);
    case EX_MUL:
    case EX_HOMOTOPY:
        return is_nonzero(s, n->arg[0], budget) &&
               is_nonzero(s, n->arg[1], budget);
    case EX_SMOOTH: return is_nonzero(s, n->arg[1], budget);
    case EX_IF:
        return is_nonzero(s, n->arg[1], budget) &&
               is_nonzero(s, n->arg[2], budget);
    default: return op_has(n->op, OP_POSITIVE);
    }
}

static bool cannot_vanish(const Solver *s, Expr e)
{
    int budget = MOST_SEARCH;
    return is_nonzero(s, e, &budget);
}

/* ---- undoing one operation ---- */
/* The equation is now left = right. */
static bool set(Solver *s, Expr left, Expr right)
{
    s->left = left;
    s->right = right;
    return true;
}

static Expr logarithm(Dag *d, Expr a)
{
    return expr_unary(d, EX_LOG, a);
}

/* sign(y) f */
static Expr odd(Dag *d, Expr y, Expr f)
{
    return expr_mul(d, expr_unary(d, EX_SIGN, y), f);
}

/* The inverse of sinh, without cancellation for y < 0. */
static Expr inverse_sinh(Dag *d, Expr y)
{
    Expr size = expr_unary(d, EX_ABS, y);
    Expr root = expr_unary(
        d, EX_SQRT,
        expr_add(d, expr_pow(d, y, expr_int(d, 2)), expr_real(d, 1)));
    return odd(d, y, logarithm(d, expr_add(d, size, root)));
}

static Expr inverse_tanh(Dag *d, Expr y)
{
    Expr one = expr_real(d, 1);
    Expr ratio = expr_div(d, expr_add(d, one, y), expr_sub(d, one, y));
    return expr_mul(d, expr_real(d, 0.5), logarithm(d, ratio));
}

static bool undo_power(Solver *s, const ExprNode *n, bool in_base)
{
    Dag *d = s->d;
    Expr y = s->right;
    double c;
    if (!in_base) {
        if (!expr_is_const(d, n->arg[0], &c) || !(c > 0) || c == 1)
            return false;
        return set(s, n->arg[1],
                   expr_div(d, logarithm(d, y), expr_real(d, log(c))));
    }
    if (!expr_is_const(d, n->arg[1], &c) || !isfinite(c))
        return false;
    double inverse = 1 / c;
    if (fabs(fmod(c, 2)) == 1) {
        if (c < 0 && !cannot_vanish(s, y))
            return false;
        Expr size =
            expr_pow(d, expr_unary(d, EX_ABS, y), expr_real(d, inverse));
        return set(s, n->arg[0], odd(d, y, size));
    }
    if (c <= 0 || c == floor(c) || inverse == floor(inverse))
        return false;
    return set(s, n->arg[0], expr_pow(d, y, expr_real(d, inverse)));
}

static bool undo_arithmetic(Solver *s, const ExprNode *n, int i)
{
    Dag *d = s->d;
    Expr y = s->right, inner = n->arg[i];
    Expr other = n->narg > 1 ? n->arg[1 - i] : EXPR_NONE;
    switch (n->op) {
    case EX_ADD: return set(s, inner, expr_sub(d, y, other));
    case EX_SUB:
        return set(s, inner,
                   i == 0 ? expr_add(d, y, other) : expr_sub(d, other, y));
    case EX_MUL:
        return cannot_vanish(s, other) && set(s, inner, expr_div(d, y, other));
    case EX_DIV:
        if (i == 0)
            return set(s, inner, expr_mul(d, y, other));
        /* y = other/x is never zero where `other` is not */
        return (cannot_vanish(s, y) || cannot_vanish(s, other)) &&
               set(s, inner, expr_div(d, other, y));
    default: return undo_power(s, n, i == 0);
    }
}

/* The short names of ops.def. */
#define NO_INVERSE  EXPR_NONE
#define FN(op, a)   expr_unary(d, EX_##op, a)
#define REAL(v)     expr_real(d, v)
#define POWER(a, b) expr_pow(d, a, b)

static bool undo_function(Solver *s, const ExprNode *n)
{
    Dag *d = s->d;
    Expr y = s->right, x = NO_INVERSE;
    switch (n->op) {
    case EX_NEG: x = expr_neg(d, y); break;
    case EX_NOT: x = FN(NOT, y); break;
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    case EX_##name:                                                            \
        x = inverse;                                                           \
        break;
#include "expr/ops.def"
    default: break;
    }
    return x != NO_INVERSE && set(s, n->arg[0], x);
}

static bool contains_x(Solver *s, Expr e)
{
    return e >= s->x && *walk_value(&s->walk, e) != 0;
}

/* Undoes the operation on top of the left side, if x is below only one of its
 * arguments. */
static bool undo(Solver *s)
{
    const ExprNode *n = node_of(s->d, s->left);
    if (n->op == EX_CALL || n->narg == 0 || n->narg > 2)
        return false;
    if (n->narg == 1)
        return undo_function(s, n);
    bool left = contains_x(s, n->arg[0]), right = contains_x(s, n->arg[1]);
    if (left == right || !(n->op >= EX_ADD && n->op <= EX_POW))
        return false;
    return undo_arithmetic(s, n, left ? 0 : 1);
}

/* ---- the whole ---- */
static void mark_x(Solver *s)
{
    s->walk = walk_begin(s->d);
    s->walk.least = s->x;
    s->walk.stop = OP_BIT(EX_PRE);
    walk_push(&s->walk, s->left);
    for (Expr e; (e = walk_next(&s->walk)) != EXPR_NONE;) {
        const ExprNode *n = node_of(s->d, e);
        bool has = e == s->x;
        if (!(s->walk.stop & OP_BIT(n->op))) {
            for (int i = 0; i < n->narg && !has; i++)
                has = contains_x(s, args_of(n)[i]);
        }
        *walk_value(&s->walk, e) = has;
    }
}

/* x from a x + b = right; EXPR_NONE if that is not the form or a may vanish. */
static Expr solve_linear(Solver *s, ExprDependence *how)
{
    Expr slope, rest;
    *how = expr_dependence(s->d, s->left, s->x, &slope, &rest);
    if (*how != DEP_LINEAR)
        return EXPR_NONE;
    if (!cannot_vanish(s, slope))
        slope = expr_simplify(s->d, slope);
    if (!cannot_vanish(s, slope))
        return EXPR_NONE;
    return expr_div(s->d, expr_sub(s->d, s->right, rest), slope);
}

/* Solves left = right, where x is on the left only. After a failed attempt at
 * a line, the next makes sense only when a function was undone. */
static Expr solve_sides(Solver *s)
{
    Expr result = EXPR_NONE;
    bool try_line = true;
    mark_x(s);
    while (result == EXPR_NONE) {
        ExprDependence how = DEP_NONLINEAR;
        if (s->left == s->x)
            result = s->right;
        else if (try_line)
            result = solve_linear(s, &how);
        if (result != EXPR_NONE || how == DEP_NONE)
            break;
        ExprOp op = op_of(s->d, s->left);
        try_line = op > EX_DIV && op != EX_NEG;
        if (!undo(s))
            break;
    }
    walk_end(&s->walk);
    return result;
}

/* Integer unknowns: only with slope 1 or -1, so that the solution is one. */
static Expr solve_integer(Solver *s)
{
    Expr slope, rest;
    double a;
    if (expr_dependence(s->d, s->left, s->x, &slope, &rest) != DEP_LINEAR ||
        !expr_is_const(s->d, slope, &a) || fabs(a) != 1)
        return EXPR_NONE;
    return a > 0 ? expr_sub(s->d, s->right, rest)
                 : expr_sub(s->d, rest, s->right);
}

Expr expr_solve(Dag *d, Expr lhs, Expr rhs, Expr x, ExprNonzero *nonzero,
                void *context)
{
    Solver s = {.d = d, .x = x, .nonzero = nonzero, .context = context};
    bool in_left = expr_contains(d, lhs, x),
         in_right = expr_contains(d, rhs, x);
    if (!in_left && !in_right)
        return EXPR_NONE;
    s.left = in_left ? lhs : rhs;
    s.right = in_left ? rhs : lhs;
    ExprType type = (ExprType)node_of(d, x)->type;
    if (in_left && in_right) {
        if (type != ET_REAL && type != ET_INTEGER)
            return EXPR_NONE;
        s.left = expr_simplify(d, expr_sub(d, lhs, rhs));
        s.right = expr_constant(d, type, 0);
        if (!expr_contains(d, s.left, x))
            return EXPR_NONE;
    }
    return type == ET_INTEGER ? solve_integer(&s) : solve_sides(&s);
}
