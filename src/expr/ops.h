/* ops.h - what is known of each operation: a row of ops.def. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXPR_OPS_H
#define TAKT_EXPR_OPS_H

#include "expr/expr.h"

enum {
    OP_COMMUTES = 1,
    OP_LIBM = 2,     /* a function of C's library: a call in generated code */
    OP_REAL = 4,     /* arguments are made Real */
    OP_WHOLE = 8,    /* of Integers it is an Integer */
    OP_LOGICAL = 16, /* it is a Boolean, and so FLAT */
    OP_EVENT = 32,   /* generates events (unless inside NOEVENT) */
    OP_FLAT = 64,    /* the derivative is 0 whatever the arguments are */
    OP_JUMPS = 128,  /* it changes where its derivative does not say so */
    OP_ODD = 256,    /* f(-a) = -f(a) */
    OP_EVEN = 512,   /* f(-a) = f(a) */
    OP_POSITIVE = 1024, /* more than 0 always */
    OP_SIGNED = 2048,   /* has the sign of its argument */
    OP_STEEP = 4096,    /* leaves its range, or all measure, a little beside the
                           place it was linearised at */
};

typedef struct OpInfo {
    const char *name; /* "ADD" */
    const char *text; /* "+" */
    int narg;         /* -1: any number */
    int properties;   /* OP_... */
    int instructions;
    const char *c; /* function of C */
} OpInfo;

extern const OpInfo expr_op_info[EX_NOP];

/* Functions that a model calls by their names. */
typedef struct OpFunction {
    ExprOp op;
    const char *name, *inputs;
    int narg;
} OpFunction;

const OpFunction *expr_function_find(const char *name); /* NULL: no such one */

static inline bool op_has(int op, int properties)
{
    return (expr_op_info[op].properties & properties) != 0;
}

#endif
