/* build_logic.c - rules for functions, relations, logic, events and strings. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/build.h"

/* ---- functions ---- */
static Expr make_function(Dag *d, ExprOp op, Expr a)
{
    if (is_op(d, a, EX_NEG)) {
        Expr x = arg_of(d, a, 0);
        if (op_has(op, OP_ODD))
            return MAKE1(d, EX_NEG, MAKE1(d, op, x));
        if (op_has(op, OP_EVEN))
            return MAKE1(d, op, x);
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

/* ---- relations and logic ---- */
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

/* What `e` is made of by `op`: the operands of nested and, or. */
enum { MOST_PARTS = 24 };

static int parts_of(const Dag *d, ExprOp op, Expr e, Expr *part)
{
    Expr left[MOST_PARTS];
    int n = 0, nleft = 0;
    left[nleft++] = e;
    while (nleft > 0) {
        Expr x = left[--nleft];
        if (is_op(d, x, op) && n + nleft + 2 <= MOST_PARTS) {
            left[nleft++] = arg_of(d, x, 1);
            left[nleft++] = arg_of(d, x, 0);
        } else {
            part[n++] = x;
        }
    }
    return n;
}

static bool is_among(Expr e, const Expr *part, int n)
{
    bool found = false;
    for (int i = 0; i < n; i++)
        found |= part[i] == e;
    return found;
}

/* a and b together, of many operands each: where one holds the opposite of an
 * operand of the other the result is settled; where all of one are in the
 * other that is the result. */
static Expr make_parts(Dag *d, ExprOp op, Expr a, Expr b)
{
    Expr x[MOST_PARTS], y[MOST_PARTS];
    int nx = parts_of(d, op, a, x), ny = parts_of(d, op, b, y);
    int in_x = 0, in_y = 0;
    for (int i = 0; i < ny; i++) {
        if (is_among(MAKE1(d, EX_NOT, y[i]), x, nx))
            return expr_bool(d, op == EX_OR);
        in_x += is_among(y[i], x, nx);
    }
    for (int i = 0; i < nx; i++)
        in_y += is_among(x[i], y, ny);
    return in_x == ny ? a : in_y == nx ? b : EXPR_NONE;
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
    return make_parts(d, op, a, b);
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

/* ---- events ---- */
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

Expr build_other(Dag *d, ExprOp op, Expr a, Expr b, Expr c)
{
    switch (op) {
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
    if (op >= EX_PRE)
        return make_event(d, op, a, b, c);
    return expr_op_info[op].narg == 1 ? make_function(d, op, a) : EXPR_NONE;
}
