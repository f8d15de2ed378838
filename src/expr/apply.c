/* apply.c - what each operation means for numbers.
 *
 * The one definition behind constant folding, evaluation and the interpreter;
 * generated C spells the same formulas. Booleans are 0 and 1. What C leaves
 * to the floating-point unit stays there: 1/0 is infinite, log(-1) is NaN.
 * min, max and sign compare with < only, so a NaN is seen in the result of
 * min and max only if it is the first argument.
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
    case EX_SIN: return sin(a);
    case EX_COS: return cos(a);
    case EX_TAN: return tan(a);
    case EX_ASIN: return asin(a);
    case EX_ACOS: return acos(a);
    case EX_ATAN: return atan(a);
    case EX_ATAN2: return atan2(a, b);
    case EX_SINH: return sinh(a);
    case EX_COSH: return cosh(a);
    case EX_TANH: return tanh(a);
    case EX_EXP: return exp(a);
    case EX_LOG: return log(a);
    case EX_LOG10: return log10(a);
    case EX_SQRT: return sqrt(a);
    case EX_ABS: return fabs(a);
    case EX_SIGN: return (a > 0) - (a < 0);
    case EX_MIN: return b < a ? b : a;
    case EX_MAX: return a < b ? b : a;
    case EX_FLOOR: return floor(a);
    case EX_CEIL: return ceil(a);
    case EX_INTEGER: return floor(a);
    case EX_IDIV: return divide_integer(a, b);
    case EX_MOD: return a - floor(a / b) * b;
    case EX_REM: return a - divide_integer(a, b) * b;
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
