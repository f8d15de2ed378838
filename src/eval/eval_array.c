/* eval_array.c - array constructors, concatenation, ranges, iterators, and
 * reductions over them (10.3.4, 10.4).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <string.h>

#include "eval/builtin.h"

/* All values as one common type; NULL after a report. */
static bool unify(const Context *in, Value **v, int n, DiagCode code,
                  const char *what, Span span)
{
    const Type *t = v[0]->type;
    for (int i = 0; i < n; i++) {
        if (is_error(v[i]))
            return false;
        if (v[i]->type->kind == TYPE_NORETURN) {
            context_report(in, span, DIAG_E0412,
                           "element %d of %s gives no value", i + 1, what);
            return false;
        }
        const Type *c = type_common(t, v[i]->type);
        if (!c) {
            context_report(in, span, code,
                           "element %d of %s has type %s, the others %s", i + 1,
                           what, value_text(in, v[i]),
                           type_text(in, t, v[0]->ndim, v[0]->dim));
            return false;
        }
        t = c;
    }
    for (int i = 0; i < n; i++)
        v[i] = value_convert(in, v[i], t);
    return true;
}

static bool same_shapes(const Context *in, Value **v, int n, Span span)
{
    for (int i = 1; i < n; i++)
        if (!same_dims(v[0], v[i])) {
            context_report(in, span, DIAG_E0508,
                           "the elements of an array constructor must have the "
                           "same size: element 1 is %s, element %d is %s",
                           value_text(in, v[0]), i + 1, value_text(in, v[i]));
            return false;
        }
    return true;
}

static Value *array_of(const Context *in, Value **v, int n, int ndim,
                       const int *dim, Span span)
{
    if (!unify(in, v, n, DIAG_E0508, "the array", span) ||
        !same_shapes(in, v, n, span))
        return value_error(in);
    int *all = NEW_ARRAY(in->scratch, int, ndim + v[0]->ndim + 1);
    memcpy(all, dim, (size_t)ndim * sizeof *dim);
    for (int i = 0; i < v[0]->ndim; i++)
        all[ndim + i] = v[0]->dim[i];
    if (!value_may_have(in, ndim + v[0]->ndim, all, span))
        return value_error(in);
    return value_join(in, ndim, dim, v);
}

/* ---- iterators ---- */

static long count_all(const Context *in, const AstExpr *e, Scope *scope,
                      Value **range, int *dim)
{
    long n = 1;
    for (int i = 0; i < e->niter; i++) {
        IterUse use = {.expr = e->arg[0]};
        range[i] = eval_range(in, scope, &e->iter[i], use);
        if (is_error(range[i]))
            return NONE;
        dim[i] = range[i]->dim[0];
        n *= dim[i];
        if (n > MOST_SCALARS) {
            int big = MOST_SCALARS + 1;
            value_may_have(in, 1, &big, e->span);
            return NONE;
        }
    }
    return n;
}

Value **eval_iterations(const Context *in, Scope *scope, const AstExpr *e,
                        int **dim, int *n)
{
    Value **range = NEW_ARRAY(in->scratch, Value *, e->niter + 1);
    *dim = NEW_ARRAY(in->scratch, int, e->niter + 1);
    long count = count_all(in, e, scope, range, *dim);
    if (count < 0)
        return NULL;
    *n = (int)count;
    Value **out = NEW_ARRAY(in->scratch, Value *, count + 1);
    Scope *frame = scope_frame(in, scope);
    for (int i = 0; i < e->niter && count; i++)
        scope_bind(in, frame, e->iter[i].name, value_element(in, range[i], 0));
    for (long k = 0; k < count; k++) {
        long rest = k;
        for (int i = 0; i < e->niter; i++) {
            int at = (int)(rest % (*dim)[i]);
            rest /= (*dim)[i];
            if (k)
                scope_assign(frame, e->iter[i].name,
                             value_element(in, range[i], at));
        }
        out[k] = eval_value(in, frame, e->arg[0]);
        if (is_error(out[k]))
            return NULL;
    }
    return out;
}

/* {e for i in I, j in J}: the last iterator is the first dimension
 * (10.4.1.1). */
static Value *array_for(const Context *in, Scope *scope, const AstExpr *e)
{
    int *dim, n;
    Value **v = eval_iterations(in, scope, e, &dim, &n);
    if (!v)
        return value_error(in);
    int *back = NEW_ARRAY(in->scratch, int, e->niter);
    for (int i = 0; i < e->niter; i++)
        back[i] = dim[e->niter - 1 - i];
    if (n == 0)
        return value_make(in, type_builtin(TYPE_REAL), e->niter, back);
    return array_of(in, v, n, e->niter, back, e->span);
}

/* { a, b, ... } */
Value *eval_array(const Context *in, Scope *scope, const AstExpr *e)
{
    if (e->narg == 1 && e->arg[0]->kind == AE_FOR)
        return array_for(in, scope, e->arg[0]);
    if (e->narg == 0) {
        context_report(in, e->span, DIAG_E0508,
                       "an array constructor needs at least one element; use "
                       "fill() or zeros(0) for an empty array");
        return value_error(in);
    }
    Value **v = NEW_ARRAY(in->scratch, Value *, e->narg);
    for (int i = 0; i < e->narg; i++)
        v[i] = eval_value(in, scope, e->arg[i]);
    return array_of(in, v, e->narg, 1, &e->narg, e->span);
}

/* ---- concatenation ---- */

/* Dimensions of size 1 added at the end (10.3.1). */
Value *promote(const Context *in, const Value *v, int ndim)
{
    if (v->ndim >= ndim)
        return (Value *)v;
    int *dim = NEW_ARRAY(in->scratch, int, ndim);
    for (int i = 0; i < ndim; i++)
        dim[i] = i < v->ndim ? v->dim[i] : 1;
    return value_reshape(in, v, ndim, dim);
}

Value *array_cat(const Context *in, int k, Value **v, int n, Span span)
{
    if (!unify(in, v, n, DIAG_E0509, "the concatenation", span))
        return value_error(in);
    int ndim = v[0]->ndim;
    int *dim = NEW_ARRAY(in->scratch, int, ndim + 1);
    memcpy(dim, v[0]->dim, (size_t)ndim * sizeof *dim);
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < ndim || j < v[i]->ndim; j++)
            if (v[i]->ndim != ndim ||
                (j != k && v[i]->dim[j] != v[0]->dim[j])) {
                context_report(in, span, DIAG_E0509,
                               "cannot concatenate %s and %s along dimension "
                               "%d",
                               value_text(in, v[0]), value_text(in, v[i]),
                               k + 1);
                return value_error(in);
            }
        dim[k] += v[i]->dim[k];
        if (!value_may_have(in, ndim, dim, span))
            return value_error(in);
    }
    Value *r = value_make(in, v[0]->type, ndim, dim);
    for (int i = 0; r->member && i < r->type->nmember; i++) {
        Value **part = NEW_ARRAY(in->scratch, Value *, n);
        for (int j = 0; j < n; j++)
            part[j] = v[j]->member[i];
        r->member[i] = array_cat(in, k, part, n, span);
    }
    int outer = 1, at = 0;
    for (int i = 0; i < k; i++)
        outer *= dim[i];
    for (int o = 0; o < outer; o++)
        for (int i = 0; i < n && !r->member; i++) {
            int block = outer ? v[i]->nscalar / outer : 0;
            memcpy(r->scalar + at, v[i]->scalar + (size_t)o * (size_t)block,
                   (size_t)block * sizeof *r->scalar);
            at += block;
        }
    for (int i = 0; i < n; i++)
        r->variability = var_max(r->variability, v[i]->variability);
    return r;
}

/* [a, b; c, d]: everything promoted to matrices or more, rows along dimension
 * 2, then along dimension 1 (10.4.2.1). */
Value *eval_matrix(const Context *in, Scope *scope, const AstExpr *e)
{
    int total = 0, ndim = 2;
    for (int i = 0; i < e->narg; i++)
        total += e->arg[i]->narg;
    Value **v = NEW_ARRAY(in->scratch, Value *, total + 1);
    int k = 0;
    for (int i = 0; i < e->narg; i++)
        for (int j = 0; j < e->arg[i]->narg; j++) {
            v[k] = eval_value(in, scope, e->arg[i]->arg[j]);
            if (is_error(v[k]))
                return v[k];
            if (v[k]->ndim > ndim)
                ndim = v[k]->ndim;
            k++;
        }
    for (int i = 0; i < total; i++)
        v[i] = promote(in, v[i], ndim);
    Value **row = NEW_ARRAY(in->scratch, Value *, e->narg + 1);
    k = 0;
    for (int i = 0; i < e->narg; i++) {
        if (e->arg[i]->narg == 0)
            return value_error(in);
        row[i] = array_cat(in, 1, v + k, e->arg[i]->narg, e->span);
        if (is_error(row[i]))
            return row[i];
        k += e->arg[i]->narg;
    }
    return array_cat(in, 0, row, e->narg, e->span);
}

/* ---- ranges ---- */

static Value *range_part(const Context *in, Scope *scope, const AstExpr *e)
{
    Value *v = eval_value(in, scope, e);
    if (is_error(v))
        return v;
    if (!is_scalar(v) || v->type->kind > TYPE_ENUM || is_kind(v, TYPE_STRING)) {
        context_report(in, e->span, DIAG_E0510,
                       "a range is made of scalars, but this is %s",
                       value_text(in, v));
        return value_error(in);
    }
    return v;
}

/* Number of elements of start:step:stop (10.4.3); -1: too many. */
static double range_count(double start, double step, double stop)
{
    double n = floor((stop - start) / step * (1 + 1e-15) + 1e-10) + 1;
    return n < 0 ? 0 : n;
}

static Value *range_known(const Context *in, const Type *t, double start,
                          double step, double stop, Span span)
{
    double n = range_count(start, step, stop);
    int dim = n > MOST_SCALARS ? MOST_SCALARS + 1 : (int)n;
    if (!value_may_have(in, 1, &dim, span))
        return value_error(in);
    Value *r = value_make(in, t, 1, &dim);
    for (int i = 0; i < dim; i++) {
        double x = start + i * step;
        r->scalar[i] = t->kind == TYPE_REAL      ? expr_real(in->dag, x)
                       : t->kind == TYPE_BOOLEAN ? expr_bool(in->dag, x != 0)
                                                 : expr_int(in->dag, x);
    }
    r->variability = FV_CONSTANT;
    return r;
}

/* A Real range whose size is known but not its numbers: p:p+2 does not occur
 * in practice; parameters are folded. */
Value *eval_range_expr(const Context *in, Scope *scope, const AstExpr *e)
{
    Value *part[3];
    const Type *t = NULL;
    for (int i = 0; i < e->narg; i++) {
        part[i] = range_part(in, scope, e->arg[i]);
        if (is_error(part[i]))
            return part[i];
        t = t ? type_common(t, part[i]->type) : part[i]->type;
        if (!t || (e->narg == 3 && t->kind > TYPE_INTEGER)) {
            context_report(in, e->span, DIAG_E0510,
                           "the parts of a range must be numbers, or two "
                           "Booleans, or two values of one enumeration");
            return value_error(in);
        }
    }
    double x[3];
    for (int i = 0; i < e->narg; i++) {
        Value *k = eval_fold(in, part[i]);
        if (!k) {
            bool runs = in->exec && part[i]->variability > FV_PARAMETER;
            context_report(in, e->arg[i]->span, runs ? DIAG_U0606 : DIAG_E0413,
                           "%sthe bounds of a range must be known at compile "
                           "time: '%s' is not",
                           runs ? "not supported yet: " : "",
                           expr_as_text(in, e->arg[i]));
            return value_error(in);
        }
        expr_is_const(in->dag, k->scalar[0], &x[i]);
    }
    double step = e->narg == 3 ? x[1] : 1;
    if (step == 0) {
        context_report(in, e->span, DIAG_E0510, "the step of a range is zero");
        return value_error(in);
    }
    return range_known(in, t, x[0], step, x[e->narg - 1], e->span);
}

/* ---- reductions ---- */

static Value *reduction_empty(const Context *in, const char *name)
{
    if (strcmp(name, "sum") == 0)
        return value_int(in, 0);
    if (strcmp(name, "product") == 0)
        return value_int(in, 1);
    return value_real(in, strcmp(name, "min") == 0 ? DBL_MAX : -DBL_MAX);
}

static Value *reduce_pair(const Context *in, const char *name, Value *a,
                          Value *b, Span span)
{
    if (strcmp(name, "sum") == 0)
        return op_binary(in, OP_ADD, a, b, span);
    if (strcmp(name, "product") == 0)
        return op_binary(in, OP_MUL, a, b, span);
    Value *pair[2] = {a, b};
    return builtin_apply(in, name, pair, 2, span);
}

Value *eval_reduction(const Context *in, Scope *scope, const char *name,
                      const AstExpr *loop, Span span)
{
    int *dim, n;
    Value **v = eval_iterations(in, scope, loop, &dim, &n);
    if (!v)
        return value_error(in);
    if (n == 0)
        return reduction_empty(in, name);
    bool any = strcmp(name, "sum") == 0;
    if (!any && !is_scalar(v[0])) {
        context_report(in, span, DIAG_E0403,
                       "%s() with iterators needs scalars, but its argument is "
                       "%s",
                       name, value_text(in, v[0]));
        return value_error(in);
    }
    Value *r = v[0];
    if (n == 1 && !is_numeric(r) && (any || strcmp(name, "product") == 0))
        return op_unary(in, OP_POS, r, span);
    for (int i = 1; i < n && !is_error(r); i++)
        r = reduce_pair(in, name, r, v[i], span);
    return r;
}
