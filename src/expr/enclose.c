/* enclose.c - between which numbers does an expression stay? Interval
 * arithmetic: each operation on ranges gives a range that its values do not
 * leave. Nothing is rounded outwards: who wants to know where a pulse lies does
 * not care for the last digit.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "expr/expr_internal.h"

typedef ExprRange Range;

static const Range ANY = {-INFINITY, INFINITY};

static Range range(double a, double b)
{
    if (isnan(a) || isnan(b))
        return ANY;
    return a < b ? (Range){a, b} : (Range){b, a};
}

static bool is_point(Range x)
{
    return x.min == x.max;
}

static Range hull(Range a, Range b)
{
    return (Range){fmin(a.min, b.min), fmax(a.max, b.max)};
}

/* ---- arithmetic ---- */

static Range product(Range a, Range b)
{
    double x[] = {a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max};
    Range r = {INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double y = isnan(x[i]) ? 0 : x[i]; /* 0 times what has no bound */
        r.min = y < r.min ? y : r.min;
        r.max = y > r.max ? y : r.max;
    }
    return r;
}

static Range quotient(Range a, Range b)
{
    if (b.min <= 0 && b.max >= 0)
        return ANY;
    return product(a, (Range){1 / b.max, 1 / b.min});
}

/* What falls to 0 and rises from there: of |a|. */
static Range even(Range a, double (*f)(double x, double n), double n)
{
    double least =
        a.min <= 0 && a.max >= 0 ? 0 : fmin(fabs(a.min), fabs(a.max));
    return range(f(least, n), f(fmax(fabs(a.min), fabs(a.max)), n));
}

static double square(double x, double n)
{
    (void)n;
    return x * x;
}

static Range power(Range a, Range b)
{
    bool is_whole = is_point(b) && rint(b.min) == b.min;
    if (is_whole && b.min < 0)
        return quotient((Range){1, 1}, power(a, (Range){-b.min, -b.min}));
    if (is_whole && fmod(b.min, 2) == 0)
        return even(a, pow, b.min);
    if (is_whole)
        return range(pow(a.min, b.min), pow(a.max, b.min));
    if (a.min < 0 || (a.min == 0 && b.min < 0))
        return ANY;
    return hull(range(pow(a.min, b.min), pow(a.min, b.max)),
                range(pow(a.max, b.min), pow(a.max, b.max)));
}

/* ---- functions ---- */

/* cos(x - shift), which is `r` at both ends. */
static Range wave(Range a, double shift, Range r)
{
    const double turn = 2 * acos(-1);
    double from = (a.min - shift) / turn, to = (a.max - shift) / turn;
    if (!(to - from < 1))
        return (Range){-1, 1};
    if (floor(to) > floor(from)) /* a crest, at whole turns */
        r.max = 1;
    if (floor(to + 0.5) > floor(from + 0.5))
        r.min = -1;
    return r;
}

static double cosh_of(double x, double n)
{
    (void)n;
    return cosh(x);
}

static double same(double x, double n)
{
    (void)n;
    return x;
}

/* What rises everywhere, or wherever it is defined. */
static Range rising(ExprOp op, Range a)
{
    return range(expr_apply(op, a.min, 0, 0), expr_apply(op, a.max, 0, 0));
}

static Range unary(ExprOp op, Range a)
{
    switch (op) {
    case EX_NEG: return (Range){-a.max, -a.min};
    case EX_SIN: return wave(a, acos(-1) / 2, range(sin(a.min), sin(a.max)));
    case EX_COS: return wave(a, 0, range(cos(a.min), cos(a.max)));
    case EX_COSH: return even(a, cosh_of, 0);
    case EX_ABS: return even(a, same, 0);
    case EX_NOT: return (Range){1 - a.max, 1 - a.min};
    case EX_ASIN:
    case EX_ATAN:
    case EX_SINH:
    case EX_TANH:
    case EX_EXP:
    case EX_LOG:
    case EX_LOG10:
    case EX_SQRT:
    case EX_SIGN:
    case EX_FLOOR:
    case EX_CEIL:
    case EX_INTEGER:
    case EX_TOINT: return rising(op, a);
    case EX_NOEVENT: return a;
    default: return ANY;
    }
}

/* ---- relations and choices ---- */

static Range truth(bool may_be_false, bool may_be_true)
{
    return (Range){may_be_false ? 0 : 1, may_be_true ? 1 : 0};
}

static Range relation(ExprOp op, Range a, Range b)
{
    switch (op) {
    case EX_LT: return truth(!(a.max < b.min), a.min < b.max);
    case EX_LE: return truth(!(a.max <= b.min), a.min <= b.max);
    case EX_GT: return truth(!(a.min > b.max), a.max > b.min);
    case EX_GE: return truth(!(a.min >= b.max), a.max >= b.min);
    default: return (Range){0, 1};
    }
}

/* a - floor(a/b)*b, of a positive point b */
static Range remainder_of(Range a, Range b)
{
    if (!is_point(b) || !(b.min > 0))
        return ANY;
    if (floor(a.min / b.min) != floor(a.max / b.min))
        return (Range){0, b.min};
    double whole = floor(a.min / b.min) * b.min;
    return (Range){a.min - whole, a.max - whole};
}

static Range binary(ExprOp op, Range a, Range b, bool is_same)
{
    switch (op) {
    case EX_ADD: return range(a.min + b.min, a.max + b.max);
    case EX_SUB:
        return is_same ? (Range){0, 0} : range(a.min - b.max, a.max - b.min);
    case EX_MUL: return is_same ? even(a, square, 2) : product(a, b);
    case EX_DIV: return quotient(a, b);
    case EX_POW: return power(a, b);
    case EX_MIN:
    case EX_AND: return (Range){fmin(a.min, b.min), fmin(a.max, b.max)};
    case EX_MAX:
    case EX_OR: return (Range){fmax(a.min, b.min), fmax(a.max, b.max)};
    case EX_MOD: return remainder_of(a, b);
    case EX_SMOOTH: return b;
    case EX_HOMOTOPY: return a;
    case EX_LT:
    case EX_LE:
    case EX_GT:
    case EX_GE:
    case EX_EQ:
    case EX_NE: return relation(op, a, b);
    default: return ANY;
    }
}

static Range choice(Range c, Range a, Range b)
{
    return c.min > 0 ? a : c.max <= 0 ? b : hull(a, b);
}

/* ---- expressions ---- */

static Range apply(const ExprNode *n, const Range *range)
{
    Range x[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < n->narg; i++)
        x[i] = range[n->arg[i]];
    if (n->op == EX_IF)
        return choice(x[0], x[1], x[2]);
    if (is_point(x[0]) && is_point(x[1]) && is_point(x[2])) {
        double y = expr_apply((ExprOp)n->op, x[0].min, x[1].min, x[2].min);
        return isnan(y) ? ANY : (Range){y, y};
    }
    return n->narg == 1 ? unary((ExprOp)n->op, x[0])
           : n->narg == 2
               ? binary((ExprOp)n->op, x[0], x[1], n->arg[0] == n->arg[1])
               : ANY;
}

void expr_enclose_order(const Dag *d, const Expr *order, int n,
                        ExprLeafRange *leaf, void *context, ExprRange *range)
{
    for (int i = 0; i < n; i++) {
        const ExprNode *node = node_of(d, order[i]);
        if (node->op == EX_CONST)
            range[order[i]] = (Range){node->value, node->value};
        else if (node->op == EX_VAR || node->op == EX_TIME)
            range[order[i]] = leaf(context, d, order[i]);
        else
            range[order[i]] = node->op == EX_CALL ? ANY : apply(node, range);
    }
}
