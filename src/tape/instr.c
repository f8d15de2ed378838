/* instr.c - the table of instr.def. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tape/instr.h"

#include <assert.h>

enum { S = 1, N = 0 }; /* the words of instr.def */

static const TapeInstrInfo info[] = {
#define INSTR(name, kind, dst, a, b, c, ...)                                   \
    {#name, TI_##kind, dst, (a) | (b) << 1 | (c) << 2, __VA_ARGS__},
#include "tape/instr.def"
};

const TapeInstrInfo *tape_op_info(int op)
{
    assert(op >= EX_NOP && op < TAPE_NOP_COUNT);
    return &info[op - EX_NOP];
}

const char *tape_op_name(int op)
{
    return op < EX_NOP ? expr_op_name((ExprOp)op) : tape_op_info(op)->name;
}

TapeKind tape_op_kind(int op)
{
    return op < EX_NOP ? TI_PLAIN : tape_op_info(op)->kind;
}

unsigned tape_op_reads(int op)
{
    if (op >= EX_NOP)
        return tape_op_info(op)->reads;
    assert(expr_op_info[op].narg >= 0); /* no calls of functions */
    return (1u << expr_op_info[op].narg) - 1;
}

bool tape_op_writes(int op)
{
    return op < EX_NOP || tape_op_info(op)->writes;
}
