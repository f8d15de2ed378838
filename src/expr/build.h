/* build.h - the rules of local simplification; for src/expr only.
 *
 * A rule gives what a node of its operation with these arguments simplifies
 * to, EXPR_NONE if it stays. Arguments of commutative operations are in order,
 * and not all of them are constants.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXPR_BUILD_H
#define TAKT_EXPR_BUILD_H

#include <math.h>

#include "expr/expr_internal.h"

#define MOST_EXACT 9007199254740992.0 /* 2^53 */

#define MAKE1(d, op, a)    expr_make(d, op, a, EXPR_NONE, EXPR_NONE)
#define MAKE2(d, op, a, b) expr_make(d, op, a, b, EXPR_NONE)

static inline bool is_op(const Dag *d, Expr e, ExprOp op)
{
    return op_of(d, e) == op;
}

static inline Expr arg_of(const Dag *d, Expr e, int i)
{
    return node_of(d, e)->arg[i];
}

static inline bool is_number(const Dag *d, Expr e, double *v)
{
    return expr_is_const(d, e, v) && node_of(d, e)->off == 0;
}

static inline bool is_value(const Dag *d, Expr e, double v)
{
    double c;
    return is_number(d, e, &c) && c == v;
}

static inline bool is_whole(double v)
{
    return v == floor(v) && fabs(v) < MOST_EXACT;
}

/* build_arith.c: + - * / ^ and negation */
Expr build_arithmetic(Dag *d, ExprOp op, Expr a, Expr b);
/* build_logic.c: everything else */
Expr build_other(Dag *d, ExprOp op, Expr a, Expr b, Expr c);

#endif
