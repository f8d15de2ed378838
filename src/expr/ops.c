/* ops.c - the tables of ops.def. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/ops.h"

#include <string.h>

#include "expr/expr_internal.h"

/* The words of ops.def. */
enum {
    COMMUTES = OP_COMMUTES,
    LIBM = OP_LIBM,
    REAL = OP_REAL,
    WHOLE = OP_WHOLE,
    LOGICAL = OP_LOGICAL,
    EVENT = OP_EVENT,
    FLAT = OP_FLAT,
    JUMPS = OP_JUMPS,
    ODD = OP_ODD,
    EVEN = OP_EVEN,
    POSITIVE = OP_POSITIVE,
    SIGNED = OP_SIGNED,
    STEEP = OP_STEEP,
};

const OpInfo expr_op_info[EX_NOP] = {
#define OP(name, text, narg, properties, instructions, c)                      \
    {#name, text, narg, properties, instructions, c},
#include "expr/ops.def"
};

const uint64_t expr_flat_ops = 0
#define OP(name, text, narg, properties, instructions, c)                      \
    | ((properties) & (OP_FLAT | OP_LOGICAL) ? OP_BIT(EX_##name) : 0)
#include "expr/ops.def"
    ;

static const OpFunction function[] = {
#define FUNCTION(name, text, narg, properties, instructions, c, inputs, value, \
                 derivative, inverse)                                          \
    {EX_##name, text, inputs, narg},
#include "expr/ops.def"
};

const OpFunction *expr_function_find(const char *name)
{
    for (size_t i = 0; i < sizeof function / sizeof function[0]; i++)
        if (strcmp(function[i].name, name) == 0)
            return &function[i];
    return NULL;
}

const char *expr_op_name(ExprOp op)
{
    assert(op >= 0 && op < EX_NOP);
    return expr_op_info[op].name;
}
