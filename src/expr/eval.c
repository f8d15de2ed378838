/* eval.c - values of expressions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

/* What only the caller knows. */
#define ASKED                                                                  \
    (OP_BIT(EX_VAR) | OP_BIT(EX_TIME) | OP_BIT(EX_PRE) | OP_BIT(EX_EDGE) |     \
     OP_BIT(EX_CHANGE) | OP_BIT(EX_INITIAL) | OP_BIT(EX_TERMINAL) |            \
     OP_BIT(EX_SAMPLE) | OP_BIT(EX_DELAY))

double expr_eval(const Dag *d, Expr root, ExprLeafValue *leaf, void *context)
{
    Walk w = walk_begin(d);
    CallMemo memo = {0};
    w.stop = ASKED; /* the caller sees to the arguments of DELAY */
    DoubleVec *number = &w.s->number; /* value of e: number[walk_value(e)] */
    walk_push(&w, root);
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        const ExprNode *n = node_of(d, e);
        double v;
        if (n->op == EX_CONST) {
            v = n->value;
        } else if (ASKED & OP_BIT(n->op)) {
            v = leaf(context, d, e);
        } else if (n->op == EX_CALL) {
            DoubleVec *arg = &w.s->arg;
            vec_clear(arg);
            for (int i = 0; i < n->narg; i++)
                vec_push(d->pool->arena, arg,
                         number->at[*walk_value(&w, n->args[i])]);
            v = function_value(d, e, arg->at, &memo);
        } else {
            double x[3] = {0, 0, 0};
            for (int i = 0; i < n->narg; i++)
                x[i] = number->at[*walk_value(&w, n->arg[i])];
            v = expr_apply((ExprOp)n->op, x[0], x[1], x[2]);
        }
        *walk_value(&w, e) = number->n;
        vec_push(d->pool->arena, number, v);
    }
    double result = number->at[*walk_value(&w, root)];
    walk_end(&w);
    function_forget(&memo);
    return result;
}

void expr_eval_all(const Dag *d, const Expr *root, int nroot,
                   ExprLeafValue *leaf, void *context, double *value)
{
    Walk w = walk_begin(d);
    CallMemo memo = {0};
    w.stop = OP_BIT(EX_PRE) | OP_BIT(EX_EDGE) | OP_BIT(EX_CHANGE);
    for (int i = 0; i < nroot; i++) {
        if (root[i] != EXPR_NONE)
            walk_push(&w, root[i]);
    }
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;) {
        const ExprNode *n = node_of(d, e);
        if (n->op == EX_CONST) {
            value[e] = n->value;
        } else if (ASKED & OP_BIT(n->op)) {
            value[e] = leaf(context, d, e);
        } else if (n->op == EX_CALL) {
            DoubleVec *arg = &w.s->arg;
            vec_clear(arg);
            for (int i = 0; i < n->narg; i++)
                vec_push(d->pool->arena, arg, value[n->args[i]]);
            value[e] = function_value(d, e, arg->at, &memo);
        } else {
            double x[3] = {0, 0, 0};
            for (int i = 0; i < n->narg; i++)
                x[i] = value[n->arg[i]];
            value[e] = expr_apply((ExprOp)n->op, x[0], x[1], x[2]);
        }
    }
    walk_end(&w);
    function_forget(&memo);
}
