/* SPDX-License-Identifier: BSD-3-Clause */
#include "prop/expr/point.h"

#include <math.h>
#include <string.h>

static const char *const names[NVAR] = {"x", "y", "z", "w",   "p",
                                        "q", "r", "a", "'b'", "n"};

Point point_random(Random *r)
{
    Point p;
    for (int v = 0; v < NVAR; v++) {
        for (int k = 0; k < NORDER; k++)
            p.value[v][k] = random_between(r, -3, 3);
        p.pre[v] = random_between(r, -3, 3);
    }
    for (int v = FIRST_POSITIVE; v < ANSWER; v++)
        p.value[v][0] = random_between(r, 0.2, 3);
    p.value[BOOLEAN][0] = random_below(r, 2);
    p.pre[BOOLEAN] = random_below(r, 2);
    p.value[INTEGER][0] = random_below(r, 9) - 4;
    p.pre[INTEGER] = random_below(r, 9) - 4;
    p.time = random_between(r, 0, 3);
    return p;
}

double point_leaf(void *point, const Dag *d, Expr e)
{
    const Point *p = point;
    const ExprNode *n = expr_node(d, e);
    switch (n->op) {
    case EX_VAR:
        return n->order < NORDER ? p->value[n->var][n->order] : (double)NAN;
    case EX_PRE: return p->pre[expr_node(d, n->arg[0])->var];
    case EX_TIME: return p->time;
    case EX_EDGE: {
        int v = expr_node(d, n->arg[0])->var;
        return p->value[v][0] != 0 && p->pre[v] == 0;
    }
    case EX_CHANGE: {
        int v = expr_node(d, n->arg[0])->var;
        return p->value[v][0] != p->pre[v];
    }
    default: return NAN;
    }
}

const char *point_name(void *context, int var)
{
    (void)context;
    return names[var];
}

int point_var(const char *name)
{
    for (int v = 0; v < NVAR; v++) {
        if (strcmp(names[v], name) == 0)
            return v;
    }
    return -1;
}

ExprType point_type(int var)
{
    return var == BOOLEAN ? ET_BOOLEAN : var == INTEGER ? ET_INTEGER : ET_REAL;
}
