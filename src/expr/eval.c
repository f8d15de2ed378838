/* eval.c - values of expressions. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#include <math.h>

/* What only the caller knows. */
#define ASKED                                                                  \
    (OP_BIT(EX_VAR) | OP_BIT(EX_ARG) | OP_BIT(EX_TIME) | OP_BIT(EX_PRE) |      \
     OP_BIT(EX_EDGE) | OP_BIT(EX_CHANGE) | OP_BIT(EX_INITIAL) |                \
     OP_BIT(EX_TERMINAL) | OP_BIT(EX_SAMPLE) | OP_BIT(EX_DELAY))

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

typedef struct Values {
    const Dag *d;
    ExprLeafValue *leaf;
    void *context;
    double *value; /* by handle */
    CallMemo memo;
    DoubleVec *arg; /* of a call */
} Values;

static void evaluate(Values *v, Expr e)
{
    const ExprNode *n = node_of(v->d, e);
    if (n->op == EX_CONST) {
        v->value[e] = n->value;
    } else if (ASKED & OP_BIT(n->op)) {
        v->value[e] = v->leaf(v->context, v->d, e);
    } else if (n->op == EX_CALL) {
        vec_clear(v->arg);
        for (int i = 0; i < n->narg; i++)
            vec_push(v->d->pool->arena, v->arg, v->value[n->args[i]]);
        v->value[e] = function_value(v->d, e, v->arg->at, &v->memo);
    } else {
        double x[3] = {0, 0, 0};
        for (int i = 0; i < n->narg; i++)
            x[i] = v->value[n->arg[i]];
        v->value[e] = expr_apply((ExprOp)n->op, x[0], x[1], x[2]);
    }
}

/* Everything below the roots, but not what pre and its like stand for. */
static Walk walk_all(const Dag *d, const Expr *root, int nroot)
{
    Walk w = walk_begin(d);
    w.stop = OP_BIT(EX_PRE) | OP_BIT(EX_EDGE) | OP_BIT(EX_CHANGE);
    for (int i = 0; i < nroot; i++) {
        if (root[i] != EXPR_NONE)
            walk_push(&w, root[i]);
    }
    return w;
}

void expr_eval_all(const Dag *d, const Expr *root, int nroot,
                   ExprLeafValue *leaf, void *context, double *value)
{
    Walk w = walk_all(d, root, nroot);
    Values v = {d, leaf, context, value, {0}, &w.s->arg};
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;)
        evaluate(&v, e);
    walk_end(&w);
    function_forget(&v.memo);
}

int expr_order(const Dag *d, const Expr *root, int nroot, Expr **order,
               Arena *arena)
{
    Walk w = walk_all(d, root, nroot);
    ExprVec found = {0};
    for (Expr e; (e = walk_next(&w)) != EXPR_NONE;)
        vec_push(arena, &found, e);
    walk_end(&w);
    *order = found.at;
    return found.n;
}

void expr_eval_order(const Dag *d, const Expr *order, int n,
                     ExprLeafValue *leaf, void *context, double *value)
{
    Walk w = walk_begin(d); /* for the list of arguments it has */
    Values v = {d, leaf, context, value, {0}, &w.s->arg};
    for (int i = 0; i < n; i++)
        evaluate(&v, order[i]);
    walk_end(&w);
    function_forget(&v.memo);
}
