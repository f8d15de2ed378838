/* SPDX-License-Identifier: BSD-3-Clause */
#include "unit/expr/expr_test.h"

#include <math.h>

int bench_open(void **state)
{
    Arena *a = arena_new();
    Bench *t = NEW(a, Bench);
    t->arena = a;
    t->d = dag_new(a);
    t->x = expr_var(t->d, 0, 0, ET_REAL);
    t->y = expr_var(t->d, 1, 0, ET_REAL);
    t->z = expr_var(t->d, 2, 0, ET_REAL);
    t->p = expr_var(t->d, 3, 0, ET_REAL);
    t->b = expr_var(t->d, 4, 0, ET_BOOLEAN);
    t->n = expr_var(t->d, 5, 0, ET_INTEGER);
    const double value[6] = {0.7, -1.3, 2.2, 0.4, 1, 3};
    const double pre[6] = {0.6, -1.2, 2.0, 0.5, 0, 2};
    const double der[6] = {1.1, 0.9, -0.8, 0, 0, 0};
    memcpy(t->value, value, sizeof value);
    memcpy(t->pre, pre, sizeof pre);
    memcpy(t->der, der, sizeof der);
    t->time = 1.5;
    *state = t;
    return 0;
}

int bench_close(void **state)
{
    arena_free(((Bench *)*state)->arena);
    return 0;
}

const char *bench_name(void *bench, int var)
{
    (void)bench;
    static const char *const name[] = {"x", "y", "z", "p", "b", "n"};
    return var < 6 ? name[var] : NULL;
}

const char *bench_text(Bench *t, Expr e)
{
    return expr_text(t->d, e, bench_name, t, 0, t->arena);
}

double bench_leaf(void *bench, const Dag *d, Expr e)
{
    const Bench *t = bench;
    const ExprNode *n = expr_node(d, e);
    switch (n->op) {
    case EX_VAR:
        return n->order == 0   ? t->value[n->var]
               : n->order == 1 ? t->der[n->var]
                               : 0.25;
    case EX_PRE: return t->pre[expr_node(d, n->arg[0])->var];
    case EX_TIME: return t->time;
    default: return NAN;
    }
}

double bench_value(Bench *t, Expr e)
{
    return expr_eval(t->d, e, bench_leaf, t);
}
