/* inexact.c - constants whose digits rounding has taken.
 *
 * A number that is folded is off by what its last operation has left over and
 * by what its arguments were off by. This is kept beside the number (`left`),
 * for what is folded of it later: most of it is a last bit, and of no account.
 * Where numbers cancel it may be much of the result: (1e17 + 1) - 1e17 is 0 and
 * off by 1. Such a result is no number but a constant of its own, which keeps
 * its error: rounding/ moves it by that at run time and sees what follows.
 *
 * Numbers are shared, so that one that was written by hand has the error of an
 * equal one that was folded: it is some bits at most, else that of 1 would grow
 * with each 1*1. A zero that is left over by numbers of usual size,
 * as 273.15 + 20 - 293.15, is a zero: the structure of models hangs on it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "expr/expr_internal.h"

static const double SHARE = 1e-4; /* of a result: its digits are gone */
static const double LEAST = 1e-4; /* what a zero must be off by */
static const double BITS = 8 * DBL_EPSILON; /* of a number at most */

double inexact_left(const Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    return n->op != EX_CONST ? 0 : n->off > 0 ? n->off : n->left;
}

/* What the sum x of a and b has left over (Knuth, TAOCP 2, section 4.2.2). */
static double left_of_sum(double a, double b, double x)
{
    double c = x - a;
    return fabs((a - (x - c)) + (b - c));
}

/* What the operation itself has rounded. */
static double own_error(ExprOp op, double a, double b, double x)
{
    switch (op) {
    case EX_ADD: return left_of_sum(a, b, x);
    case EX_SUB: return left_of_sum(a, -b, x);
    case EX_MUL: return fabs(fma(a, b, -x));
    case EX_DIV: return fabs(fma(x, b, -a) / b);
    case EX_SQRT: return x > 0 ? fabs(fma(x, x, -a) / x) : 0;
    default: break;
    }
    bool rounds = op == EX_POW || op_has(op, OP_LIBM);
    return rounds && x != rint(x) ? DBL_EPSILON * fabs(x) : 0;
}

/* What comes of an argument that is off by `left`. It is moved by so much that
 * the result shows it. */
static double passed_on(ExprOp op, const double v[3], int i, double left,
                        double value)
{
    double by = fmax(left, 1e-7 * fabs(v[i])), most = 0;
    for (int way = -1; left > 0 && way <= 1; way += 2) {
        double x[3] = {v[0], v[1], v[2]};
        x[i] += way * by;
        double moves = fabs(expr_apply(op, x[0], x[1], x[2]) - value);
        most = fmax(most, isfinite(moves) ? moves * (left / by) : 0);
    }
    return most;
}

double inexact_error(const Dag *d, ExprOp op, const Expr *arg, double value)
{
    double v[3] = {0, 0, 0};
    int n = expr_op_info[op].narg;
    for (int i = 0; i < n; i++)
        v[i] = node_of(d, arg[i])->value;
    double sum = own_error(op, v[0], v[1], value);
    for (int i = 0; i < n; i++)
        sum += passed_on(op, v, i, inexact_left(d, arg[i]), value);
    return isfinite(sum) ? sum : 0;
}

Expr inexact_result(Dag *d, double value, double error)
{
    if (error > SHARE * fabs(value) && (value != 0 || error > LEAST))
        return expr_inexact(d, value, error);
    Expr e = expr_real(d, value);
    ExprNode *n = &d->chunk[e >> CHUNK_BITS][e & CHUNK_MASK];
    n->left = fmax(n->left, fmin(error, BITS * fabs(value)));
    return e;
}
