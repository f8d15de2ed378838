/* builtin_spatial.c - spatialDistribution() (3.7.4.2): what a fluid carries
 * through a pipe.
 *
 * Where the fluid enters, the operator gives what it brings along; where it
 * leaves, what is at that end, which the memory of spread/ knows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "eval/builtin.h"
#include "eval/trial.h"
#include "spread/spread.h"

/* Arguments. */
enum { IN0, IN1, X, POSITIVE, POINTS, VALUES };

static bool real_scalar(const Context *in, BuiltinCall *c, int i, Expr *e)
{
    Value *v = builtin_arg(in, c, i);
    if (is_error(v))
        return false;
    if (!is_scalar(v) || !is_numeric(v)) {
        builtin_wrong(in, c, i, v, "a Real scalar");
        return false;
    }
    *e = value_convert(in, v, type_builtin(TYPE_REAL))->scalar[0];
    return true;
}

static bool direction(const Context *in, BuiltinCall *c, Expr *e)
{
    Value *v = builtin_arg(in, c, POSITIVE);
    if (is_error(v))
        return false;
    if (!is_scalar(v) || !is_kind(v, TYPE_BOOLEAN)) {
        builtin_wrong(in, c, POSITIVE, v, "a scalar Boolean");
        return false;
    }
    *e = v->scalar[0];
    return true;
}

/* A vector of parameters. NULL after a report. */
static Value *parameters(const Context *in, BuiltinCall *c, int i)
{
    Value *v = builtin_arg(in, c, i);
    if (is_error(v))
        return NULL;
    if (v->ndim != 1 || !is_numeric(v)) {
        builtin_wrong(in, c, i, v, "a vector of Reals");
        return NULL;
    }
    if (v->variability > FV_PARAMETER) {
        context_report(in, c->arg[i]->span, DIAG_E0404,
                       "argument %d of %s() must be a constant or parameter "
                       "expression",
                       i + 1, c->name);
        return NULL;
    }
    return value_convert(in, v, type_builtin(TYPE_REAL));
}

/* From 0 to 1, as far as they are known. */
static bool points_are_right(const Context *in, const BuiltinCall *c,
                             const Value *points)
{
    double x, before = 0;
    Value *known = eval_fold(in, (Value *)points);
    for (int i = 0; known && i < known->nscalar; i++) {
        if (!expr_is_const(in->dag, known->scalar[i], &x))
            return true;
        if (x < before || (i == 0 && x != 0) ||
            (i == known->nscalar - 1 && x != 1)) {
            context_report(in, c->arg[POINTS]->span, DIAG_E0403,
                           "the initial points of %s() must rise from 0 to 1, "
                           "but point %d is %g",
                           c->name, i + 1, x);
            return false;
        }
        before = x;
    }
    return true;
}

/* The first points and their values, both of size *n. */
static bool profile(const Context *in, BuiltinCall *c, const Expr **point,
                    const Expr **value, int *n)
{
    Expr *zero = NEW_ARRAY(in->arena, Expr, 4);
    for (int i = 0; i < 4; i++)
        zero[i] = expr_real(in->dag, i == 1);
    *point = zero;
    *value = zero + 2;
    *n = 2;
    Value *p = NULL, *v = NULL;
    if ((builtin_has(c, POINTS) && !(p = parameters(in, c, POINTS))) ||
        (builtin_has(c, VALUES) && !(v = parameters(in, c, VALUES))))
        return false;
    if (p && !points_are_right(in, c, p))
        return false;
    int np = p ? p->nscalar : 2, nv = v ? v->nscalar : 2;
    if (np != nv || np < 2) {
        context_report(in, c->span, DIAG_E0403,
                       "%s() needs as many initial values as initial points, "
                       "at least two, but there are %d points and %d values",
                       c->name, np, nv);
        return false;
    }
    if (p)
        *point = p->scalar;
    if (v)
        *value = v->scalar;
    *n = np;
    return true;
}

static void assert_room(const Context *in, const BuiltinCall *c, Expr lost)
{
    Dag *d = in->dag;
    Expr none = expr_binary(d, EX_EQ, lost, expr_real(d, 0));
    left_assert(in, (FlatAssert){.condition = expr_unary(d, EX_NOEVENT, none),
                                 .message = expr_string(
                                     d, "spatialDistribution() needs more "
                                        "points than it may have"),
                                 .component = in->component,
                                 .span = c->span});
}

BUILTIN(builtin_spatial)
{
    Expr in0, in1, x, positive;
    const Expr *point, *value;
    int n;
    if (builtin_inside_function(in, c) || !real_scalar(in, c, IN0, &in0) ||
        !real_scalar(in, c, IN1, &in1) || !real_scalar(in, c, X, &x) ||
        !direction(in, c, &positive) || !profile(in, c, &point, &value, &n))
        return value_error(in);
    Dag *d = in->dag;
    Expr *arg = NEW_ARRAY(in->arena, Expr, SPREAD_LIST + 2 * n);
    arg[SPREAD_X] = x;
    arg[SPREAD_TIME] = expr_time(d);
    arg[SPREAD_IN0] = in0;
    arg[SPREAD_IN1] = in1;
    arg[SPREAD_SIDE] = positive;
    for (int i = 0; i < n; i++) {
        arg[SPREAD_LIST + i] = point[i];
        arg[SPREAD_LIST + n + i] = value[i];
    }
    Expr left = expr_call(d, spread_function(d, n), SPREAD_LEFT, ET_REAL, arg,
                          SPREAD_LIST + 2 * n);
    const Type *real = type_builtin(TYPE_REAL);
    Value **out = NEW_ARRAY(in->arena, Value *, 2);
    out[0] =
        value_scalar(in, real, expr_if(d, positive, in0, left), FV_CONTINUOUS);
    out[1] = value_scalar(
        in, real,
        expr_if(d, positive, spread_result(d, left, SPREAD_RIGHT), in1),
        FV_CONTINUOUS);
    assert_room(in, c, spread_result(d, left, SPREAD_LOST));
    Value *r = value_scalar(in, real, out[0]->scalar[0], FV_CONTINUOUS);
    r->nvalue = 2;
    r->tuple = out;
    return r;
}
