/* weight.c - about how many instructions an operation is.
 *
 * Measured with callgrind on x86-64, gcc -O2 -fno-math-errno, and glibc at
 * usual arguments: functions of libm from their call to their return,
 * selections and relations as the branch-free code of emit/ (by masks). What it
 * takes to bring operands to registers is counted by those who know where they
 * are.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr.h"

int expr_op_instructions(int op)
{
    switch (op) {
    case EX_ADD:
    case EX_SUB:
    case EX_MUL:
    case EX_DIV:
    case EX_NEG:
    case EX_ABS:
    case EX_TOINT: return 1;
    case EX_SQRT: return 2;
    case EX_SIN:
    case EX_COS:
    case EX_TAN: return 75;
    case EX_EXP:
    case EX_LOG:
    case EX_ASIN:
    case EX_ACOS: return 55;
    case EX_ATAN: return 65;
    case EX_LOG10: return 90;
    case EX_SINH:
    case EX_COSH:
    case EX_TANH: return 110;
    case EX_POW:
    case EX_ATAN2:
    case EX_CALL: return 130;
    case EX_FLOOR:
    case EX_CEIL:
    case EX_INTEGER: return 20;
    case EX_IDIV:
    case EX_MOD:
    case EX_REM: return 40;
    case EX_IF: return 8;
    default: return 5; /* relations, logic */
    }
}
