/* builtin_array.c - array functions (10.3). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/builtin.h"
#include "eval/exec.h"

static Expr number(const Context *in, const Type *t, double x)
{
    return t->kind == TYPE_REAL ? expr_real(in->dag, x) : expr_int(in->dag, x);
}

/* ---- sizes (10.3.1) ---- */

/* The sizes of a value; a reference need not have a value for that: it may be
 * to an array of models. */
static Value *sized(const Context *in, BuiltinCall *c)
{
    const AstExpr *e = c->arg[0];
    Context only = *in;
    only.only_size = e && e->kind == AE_REF;
    if (!only.only_size || e->ref->global || e->ref->npart != 1 ||
        e->ref->part[0].nsub || !scope_local(c->scope, e->ref->part[0].name))
        return builtin_arg(&only, c, 0);
    return frame_read(in, c->scope, e->ref->part[0].name, e->span);
}

BUILTIN(builtin_ndims)
{
    Value *v = sized(in, c);
    return is_error(v) ? v : value_int(in, v->ndim);
}

BUILTIN(builtin_size)
{
    Value *v = sized(in, c);
    if (is_error(v))
        return v;
    if (!builtin_has(c, 1)) {
        Value *r = value_make(in, type_builtin(TYPE_INTEGER), 1, &v->ndim);
        for (int i = 0; i < v->ndim; i++)
            r->scalar[i] = expr_int(in->dag, v->dim[i]);
        return r;
    }
    int i;
    if (!builtin_int(in, c, 1, &i))
        return value_error(in);
    if (i < 1 || i > v->ndim) {
        context_report(in, c->span, DIAG_E0503,
                       "size() asks for dimension %d of %s, which has %d", i,
                       value_text(in, v), v->ndim);
        return value_error(in);
    }
    return value_int(in, v->dim[i - 1]);
}

/* ---- changing the number of dimensions (10.3.2) ---- */

/* Number of dimensions whose size is not 1. */
static int count_wide(const Value *v)
{
    int n = 0;
    for (int i = 0; i < v->ndim; i++)
        n += v->dim[i] != 1;
    return n;
}

BUILTIN(builtin_scalar)
{
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v))
        return v;
    if (count_wide(v))
        return builtin_wrong(in, c, 0, v, "an array of one element");
    return value_reshape(in, v, 0, NULL);
}

BUILTIN(builtin_vector)
{
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v))
        return v;
    if (count_wide(v) > 1)
        return builtin_wrong(in, c, 0, v,
                             "an array with at most one dimension larger than "
                             "1");
    int n = value_count(v);
    return value_reshape(in, v, 1, &n);
}

BUILTIN(builtin_matrix)
{
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v))
        return v;
    int dim[2] = {v->ndim > 0 ? v->dim[0] : 1, v->ndim > 1 ? v->dim[1] : 1};
    for (int i = 2; i < v->ndim; i++)
        if (v->dim[i] != 1)
            return builtin_wrong(in, c, 0, v,
                                 "an array whose third and further dimensions "
                                 "have size 1");
    return value_reshape(in, v, 2, dim);
}

BUILTIN(builtin_promote)
{
    int n;
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v) || !builtin_int(in, c, 1, &n))
        return value_error(in);
    if (n < v->ndim || n > MOST_DIMS) {
        context_report(in, c->span, DIAG_E0503,
                       "promote() to %d dimensions: %s has %d already, and "
                       "%d are possible",
                       n, value_text(in, v), v->ndim, MOST_DIMS);
        return value_error(in);
    }
    return promote(in, v, n);
}

/* ---- constructors (10.3.3) ---- */

/* Sizes from argument `first` on; NULL after a report. */
static int *dims_from(const Context *in, BuiltinCall *c, int first)
{
    int *dim = NEW_ARRAY(in->scratch, int, c->nall + 1);
    for (int i = first; i < c->nall; i++) {
        const char *what =
            arena_printf(in->arena, "argument %d of %s()", i + 1, c->name);
        if (!eval_int(in, c->scope, c->all[i], what, &dim[i - first]))
            return NULL;
    }
    return value_may_have(in, c->nall - first, dim, c->span) ? dim : NULL;
}

static Value *filled(const Context *in, const Value *x, int ndim,
                     const int *dim)
{
    Value *r = value_make(in, x->type, ndim, dim);
    for (int i = 0; i < r->nscalar; i++)
        r->scalar[i] = x->scalar[0];
    r->variability = x->variability;
    return r;
}

/* zeros and ones are Integer */
BUILTIN(builtin_zeros)
{
    int *dim = dims_from(in, c, 0);
    if (!dim)
        return value_error(in);
    return filled(in, value_int(in, c->name[0] == 'o'), c->nall, dim);
}

BUILTIN(builtin_fill)
{
    if (c->nall < 2) {
        context_report(in, c->span, DIAG_E0603,
                       "fill() needs a value and at least one size");
        return value_error(in);
    }
    Value *x = eval_value(in, c->scope, c->all[0]);
    int *dim = dims_from(in, c, 1);
    if (!dim || is_error(x))
        return value_error(in);
    if (is_scalar(x) && !x->member)
        return filled(in, x, c->nall - 1, dim);
    int n = 1;
    for (int i = 0; i < c->nall - 1; i++)
        n *= dim[i];
    Value **v = NEW_ARRAY(in->scratch, Value *, n + 1);
    v[0] = x;
    for (int i = 0; i < n; i++)
        v[i] = x;
    int *all = NEW_ARRAY(in->scratch, int, c->nall + x->ndim);
    memcpy(all, dim, (size_t)(c->nall - 1) * sizeof *dim);
    for (int i = 0; i < x->ndim; i++)
        all[c->nall - 1 + i] = x->dim[i];
    if (!value_may_have(in, c->nall - 1 + x->ndim, all, c->span))
        return value_error(in);
    return value_join(in, c->nall - 1, dim, v);
}

BUILTIN(builtin_identity)
{
    int n;
    if (!builtin_int(in, c, 0, &n))
        return value_error(in);
    int dim[2] = {n, n};
    if (!value_may_have(in, 2, dim, c->span))
        return value_error(in);
    Value *r = filled(in, value_int(in, 0), 2, dim);
    for (int i = 0; i < n; i++)
        r->scalar[i * n + i] = expr_int(in->dag, 1);
    return r;
}

BUILTIN(builtin_diagonal)
{
    Value *v = builtin_arg(in, c, 0);
    if (v->ndim != 1 || !is_numeric(v))
        return builtin_wrong(in, c, 0, v, "a vector of numbers");
    int n = v->dim[0], dim[2] = {n, n};
    if (!value_may_have(in, 2, dim, c->span))
        return value_error(in);
    Value *r = value_make(in, v->type, 2, dim);
    for (int i = 0; i < n * n; i++)
        r->scalar[i] =
            i / n == i % n ? v->scalar[i % n] : number(in, v->type, 0);
    r->variability = v->variability;
    return r;
}

BUILTIN(builtin_linspace)
{
    Value *a = builtin_arg(in, c, 0), *b = builtin_arg(in, c, 1);
    int n;
    if (!is_numeric(a) || !is_scalar(a))
        return builtin_wrong(in, c, 0, a, "a Real scalar");
    if (!is_numeric(b) || !is_scalar(b))
        return builtin_wrong(in, c, 1, b, "a Real scalar");
    if (!builtin_int(in, c, 2, &n))
        return value_error(in);
    if (n < 2) {
        context_report(in, c->span, DIAG_E0507,
                       "linspace() needs at least 2 points, not %d", n);
        return value_error(in);
    }
    if (!value_may_have(in, 1, &n, c->span))
        return value_error(in);
    const Type *real = type_builtin(TYPE_REAL);
    Expr x = value_convert(in, a, real)->scalar[0];
    Expr y = value_convert(in, b, real)->scalar[0];
    Value *r = value_make(in, real, 1, &n);
    r->variability = var_max(a->variability, b->variability);
    /* x1 + (x2 - x1)*i/(n - 1) */
    Expr d = expr_sub(in->dag, y, x);
    for (int i = 0; i < n; i++) {
        Expr t = expr_div(in->dag, expr_mul(in->dag, d, expr_real(in->dag, i)),
                          expr_real(in->dag, n - 1));
        r->scalar[i] = i == 0 ? x : i == n - 1 ? y : expr_add(in->dag, x, t);
    }
    return r;
}

/* array(a, b, c) is {a, b, c}. */
BUILTIN(builtin_array)
{
    AstExpr list = {.kind = AE_ARRAY,
                    .span = c->span,
                    .arg = (AstExpr **)c->all,
                    .narg = c->nall};
    return eval_array(in, c->scope, &list);
}

BUILTIN(builtin_cat)
{
    int k;
    if (c->nall < 2) {
        context_report(in, c->span, DIAG_E0603,
                       "cat() needs a dimension and at least one array");
        return value_error(in);
    }
    if (!eval_int(in, c->scope, c->all[0], "argument 1 of cat()", &k))
        return value_error(in);
    int n = c->nall - 1;
    Value **v = NEW_ARRAY(in->scratch, Value *, n);
    for (int i = 0; i < n; i++) {
        v[i] = eval_value(in, c->scope, c->all[i + 1]);
        if (is_error(v[i]))
            return v[i];
    }
    if (k < 1 || k > v[0]->ndim) {
        context_report(in, c->span, DIAG_E0503,
                       "cat() along dimension %d: %s has %d", k,
                       value_text(in, v[0]), v[0]->ndim);
        return value_error(in);
    }
    return array_cat(in, k - 1, v, n, c->span);
}

/* ---- matrices and vectors (10.3.5) ---- */

BUILTIN(builtin_transpose)
{
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v) || v->ndim < 2)
        return builtin_wrong(in, c, 0, v, "a matrix");
    int n = v->dim[0], m = v->dim[1];
    int *dim = NEW_ARRAY(in->scratch, int, v->ndim);
    memcpy(dim, v->dim, (size_t)v->ndim * sizeof *dim);
    dim[0] = m;
    dim[1] = n;
    if (v->member) {
        Value *r = value_make(in, v->type, v->ndim, dim);
        r->variability = v->variability;
        for (int i = 0; i < v->type->nmember; i++) {
            Value *arg = v->member[i];
            r->member[i] = builtin_apply(in, "transpose", &arg, 1, c->span);
        }
        return r;
    }
    Value *r = value_make(in, v->type, v->ndim, dim);
    r->variability = v->variability;
    int block = n > 0 && m > 0 ? v->nscalar / (n * m) : 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            memcpy(r->scalar + (size_t)(j * n + i) * (size_t)block,
                   v->scalar + (size_t)(i * m + j) * (size_t)block,
                   (size_t)block * sizeof(Expr));
    return r;
}

BUILTIN(builtin_outer)
{
    Value *a = builtin_arg(in, c, 0), *b = builtin_arg(in, c, 1);
    if (a->ndim != 1 || !is_numeric(a))
        return builtin_wrong(in, c, 0, a, "a vector of numbers");
    if (b->ndim != 1 || !is_numeric(b))
        return builtin_wrong(in, c, 1, b, "a vector of numbers");
    int row[2] = {1, b->dim[0]};
    return op_binary(in, OP_MUL, promote(in, a, 2),
                     value_reshape(in, b, 2, row), c->span);
}

BUILTIN(builtin_symmetric)
{
    Value *v = builtin_arg(in, c, 0);
    if (is_error(v) || v->ndim != 2 || v->dim[0] != v->dim[1] || v->member)
        return builtin_wrong(in, c, 0, v, "a square matrix");
    int n = v->dim[0];
    Value *r = value_make(in, v->type, 2, v->dim);
    r->variability = v->variability;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            r->scalar[i * n + j] =
                i <= j ? v->scalar[i * n + j] : v->scalar[j * n + i];
    return r;
}

static bool is_vector3(const Value *v)
{
    return v->ndim == 1 && v->dim[0] == 3 && is_numeric(v);
}

BUILTIN(builtin_cross)
{
    Value *a = builtin_arg(in, c, 0), *b = builtin_arg(in, c, 1);
    if (!is_vector3(a))
        return builtin_wrong(in, c, 0, a, "a vector of 3 numbers");
    if (!is_vector3(b))
        return builtin_wrong(in, c, 1, b, "a vector of 3 numbers");
    const Type *t = type_common(a->type, b->type);
    bool integer = t->kind == TYPE_INTEGER;
    a = value_convert(in, a, t);
    b = value_convert(in, b, t);
    Value *r = value_make(in, t, 1, a->dim);
    r->variability = var_max(a->variability, b->variability);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        Expr p =
            op_scalar(in, EX_MUL, a->scalar[j], b->scalar[k], integer, c->span);
        Expr q =
            op_scalar(in, EX_MUL, a->scalar[k], b->scalar[j], integer, c->span);
        r->scalar[i] = op_scalar(in, EX_SUB, p, q, integer, c->span);
    }
    return r;
}

BUILTIN(builtin_skew)
{
    Value *v = builtin_arg(in, c, 0);
    if (!is_vector3(v))
        return builtin_wrong(in, c, 0, v, "a vector of 3 numbers");
    static const int at[9] = {0, -3, 2, 3, 0, -1, -2, 1, 0};
    int dim[2] = {3, 3};
    Value *r = value_make(in, v->type, 2, dim);
    r->variability = v->variability;
    for (int i = 0; i < 9; i++) {
        int k = at[i];
        r->scalar[i] = k == 0  ? number(in, v->type, 0)
                       : k > 0 ? v->scalar[k - 1]
                               : expr_neg(in->dag, v->scalar[-k - 1]);
    }
    return r;
}
