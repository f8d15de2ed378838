/* apply.c - what each operation means for numbers.
 *
 * The one definition behind constant folding, evaluation and the interpreter;
 * generated C spells the same formulas. Functions have theirs in ops.def.
 * Booleans are 0 and 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

/* Modelica 3.6, 3.7.2: the quotient without its fraction. */
static double divide_integer(double a, double b)
{
    return trunc(a / b);
}

double expr_apply(ExprOp op, double a, double b, double c)
{
    switch (op) {
    case EX_ADD: return a + b;
    case EX_SUB: return a - b;
    case EX_MUL: return a * b;
    case EX_DIV: return a / b;
    case EX_POW: return pow(a, b);
    case EX_NEG: return -a;
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    case EX_##name: {                                                          \
        return value;                                                          \
    }
#include "expr/ops.def"
    case EX_TOINT: return a;
    case EX_LT: return a < b;
    case EX_LE: return a <= b;
    case EX_GT: return a > b;
    case EX_GE: return a >= b;
    case EX_EQ: return a == b;
    case EX_NE: return a != b;
    case EX_AND: return a != 0 && b != 0;
    case EX_OR: return a != 0 || b != 0;
    case EX_NOT: return a == 0;
    case EX_IF: return a != 0 ? b : c;
    case EX_NOEVENT: return a;
    case EX_SMOOTH: return b;
    case EX_HOMOTOPY: return a;
    case EX_SEMILINEAR: return a >= 0 ? a * b : a * c;
    default: return NAN; /* needs more than numbers */
    }
}
