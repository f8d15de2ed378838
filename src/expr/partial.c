/* partial.c - the partial derivatives of an operation, for numbers.
 *
 * Functions have theirs in ops.def: what diff.c reads as expressions is read
 * here as arithmetic.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

#define ADD(a, b)                  ((a) + (b))
#define SUB(a, b)                  ((a) - (b))
#define MUL(a, b)                  ((a) * (b))
#define DIV(a, b)                  ((a) / (b))
#define NEG(a)                     (-(a))
#define REAL(v)                    ((double)(v))
#define FN(op, a)                  expr_apply(EX_##op, a, 0, 0)
#define OP2(op, a, b)              expr_apply(EX_##op, a, b, 0)
#define SQUARE(a)                  ((a) * (a))
#define choose(d, when, yes, no)   ((when) != 0 ? (yes) : (no))
#define diff_remainder(d, op, ...) remainder_slope(op, __VA_ARGS__)

/* a - q b with the whole quotient q, which stays where it is. */
static double remainder_slope(ExprOp op, double a, double b, double da,
                              double db)
{
    double q = op == EX_FLOOR ? floor(a / b) : trunc(a / b);
    return da - q * db;
}

/* Of function `op` whose value is e, along (da, db). */
static double slope(ExprOp op, double e, double a, double b, double da,
                    double db)
{
    (void)b, (void)db, (void)e;
    switch (op) {
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    case EX_##name: {                                                          \
        return derivative;                                                     \
    }
#include "expr/ops.def"
    default: return NAN;
    }
}

/* a^b; log(a) is asked for only where b moves. */
static void power(double a, double b, double e, double *partial)
{
    partial[0] = b == 0 ? 0 : b * pow(a, b - 1);
    partial[1] = a > 0 ? e * log(a) : a == 0 && b > 0 ? 0 : NAN;
}

void expr_apply_partial(ExprOp op, double a, double b, double c,
                        double partial[3])
{
    double e = expr_apply(op, a, b, c);
    partial[0] = partial[1] = partial[2] = 0;
    switch (op) {
    case EX_ADD: partial[0] = partial[1] = 1; return;
    case EX_SUB: partial[0] = 1, partial[1] = -1; return;
    case EX_MUL: partial[0] = b, partial[1] = a; return;
    case EX_DIV: partial[0] = 1 / b, partial[1] = -e / b; return;
    case EX_NEG: partial[0] = -1; return;
    case EX_POW: power(a, b, e, partial); return;
    case EX_IF: partial[a != 0 ? 1 : 2] = 1; return;
    case EX_NOEVENT:
    case EX_HOMOTOPY: partial[0] = 1; return;
    case EX_SMOOTH: partial[1] = 1; return;
    case EX_SEMILINEAR:
        partial[0] = a >= 0 ? b : c;
        partial[a >= 0 ? 1 : 2] = a;
        return;
    default: break;
    }
    if (expr_op_info[op].properties & (OP_FLAT | OP_LOGICAL))
        return;
    partial[0] = slope(op, e, a, b, 1, 0);
    if (expr_op_info[op].narg > 1)
        partial[1] = slope(op, e, a, b, 0, 1);
}
