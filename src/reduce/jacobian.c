/* jacobian.c - entries of the leading Jacobian as expressions and numbers.
 *
 * By Griewank's lemma the derivative of the c_i times differentiated equation
 * by the d_j-th derivative of x_j is that of the equation itself by
 * x_j^(sigma_ij) wherever d_j - c_i = sigma_ij, so nothing needs to be
 * differentiated in time to look at it. Rows whose derivatives are told are
 * (told.c).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <math.h>

Expr reduce_jacobian_entry(Reduce *r, int row, int col)
{
    const Part *p = &r->part;
    const SysEqn *e = reduce_form(r, row, r->stage);
    Expr x = reduce_leaf_of(r, p->var[col], reduce_form_order(r, row, col));
    Expr a = expr_diff(r->dag, e->lhs, x), b = expr_diff(r->dag, e->rhs, x);
    if (a == EXPR_NONE || b == EXPR_NONE)
        return EXPR_NONE;
    return expr_sub(r->dag, a, b);
}

typedef struct Variability {
    const Reduce *r;
    bool varies;
} Variability;

static void find_varying(void *context, const Dag *d, Expr e)
{
    Variability *x = context;
    int v, order;
    switch (expr_op(d, e)) {
    case EX_VAR:
        expr_is_var(d, e, &v, &order);
        if (sys_is_unknown(x->r->sys, v) || x->r->sys->var[v].role == SR_INPUT)
            x->varies = true;
        break;
    case EX_TIME:
    case EX_SAMPLE:
    case EX_DELAY: x->varies = true; break;
    default: break;
    }
}

bool reduce_is_parametric(Reduce *r, Expr e)
{
    Variability x = {r, false};
    if (e == EXPR_NONE)
        return false;
    expr_walk(r->dag, &e, 1, find_varying, &x);
    return !x.varies;
}

static double noise(unsigned seed)
{
    unsigned x = seed * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (double)(x & 0xffffff) / 0xffffff - 0.5;
}

static double leaf_value(void *context, const Dag *d, Expr e)
{
    const Point *p = context;
    int v, order;
    switch (expr_op(d, e)) {
    case EX_VAR:
        expr_is_var(d, e, &v, &order);
        if (order == 0)
            return p->value[v];
        return p->random ? 2 * noise(p->random + (unsigned)(7 * v + order)) : 0;
    case EX_PRE: return leaf_value(context, d, expr_arg(d, e, 0));
    case EX_TIME: return p->time;
    case EX_INITIAL:
    case EX_TERMINAL:
    case EX_SAMPLE: return 0;
    case EX_DELAY: return p->random ? noise(p->random + (unsigned)e) : 0.5;
    default: return NAN;
    }
}

double reduce_point_value(Reduce *r, Expr e, const Point *p)
{
    return expr_eval(r->dag, e, leaf_value, (void *)p);
}

/* Values near the start point: parameters stay, Booleans are tossed. */
double *reduce_random_values(Reduce *r, unsigned seed)
{
    double *value = NEW_ARRAY(r->tmp, double, r->sys->nvar);
    for (int v = 0; v < r->sys->nvar; v++) {
        double x = r->start[v], z = noise(seed + (unsigned)v);
        value[v] = x;
        if (!sys_is_unknown(r->sys, v) && r->sys->var[v].role != SR_INPUT)
            continue;
        if (r->sys->var[v].type == FT_BOOLEAN)
            value[v] = z > 0;
        else if (r->sys->var[v].type == FT_REAL)
            value[v] = x + 0.2 * z * (fabs(x) + 0.1);
    }
    return value;
}
