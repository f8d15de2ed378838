/* value.c - values: typed arrays of scalar expressions, and records of them.
 *
 * A record array keeps one Value for each member, with the dimensions of the
 * record before those of the member: `a[2].b[3]` is the member b of shape
 * [2, 3]. So an index of a record array is the same index of each member.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "value/value.h"

bool is_kind(const Value *v, TypeKind kind)
{
    return v->type->kind == kind;
}

bool is_numeric(const Value *v)
{
    return is_kind(v, TYPE_REAL) || is_kind(v, TYPE_INTEGER);
}

static int product(int ndim, const int *dim)
{
    int n = 1;
    for (int i = 0; i < ndim; i++)
        n *= dim[i];
    return n;
}

int value_count(const Value *v)
{
    return product(v->ndim, v->dim);
}

bool same_dims(const Value *a, const Value *b)
{
    return a->ndim == b->ndim &&
           (a->ndim == 0 ||
            memcmp(a->dim, b->dim, (size_t)a->ndim * sizeof *a->dim) == 0);
}

const char *value_text(const Context *in, const Value *v)
{
    return type_text(in, v->type, v->ndim, v->dim);
}

bool value_may_have(const Context *in, int ndim, const int *dim, Span span)
{
    if (ndim > MOST_DIMS) {
        context_report(in, span, DIAG_E0507,
                       "an array of %d dimensions: at most %d are possible",
                       ndim, MOST_DIMS);
        return false;
    }
    double n = 1;
    for (int i = 0; i < ndim; i++) {
        if (dim[i] < 0) {
            context_report(in, span, DIAG_E0507,
                           "the size of dimension %d is negative: %d", i + 1,
                           dim[i]);
            return false;
        }
        n *= dim[i];
    }
    if (n > MOST_SCALARS) {
        context_report(in, span, DIAG_E0507,
                       "an array of more than %d scalars is too large",
                       MOST_SCALARS);
        return false;
    }
    return true;
}

/* ---- making ---- */

static const int *copy_dims(const Context *in, int ndim, const int *dim)
{
    if (ndim == 0)
        return NULL;
    int *copy = NEW_ARRAY(in->scratch, int, ndim);
    memcpy(copy, dim, (size_t)ndim * sizeof *dim);
    return copy;
}

Value *value_make(const Context *in, const Type *type, int ndim, const int *dim)
{
    Value *v = NEW(in->scratch, Value);
    v->type = type;
    v->ndim = ndim;
    v->dim = copy_dims(in, ndim, dim);
    v->one = EXPR_UNSET;
    if (type->kind == TYPE_RECORD) {
        v->member = NEW_ARRAY(in->scratch, Value *, type->nmember);
        return v;
    }
    v->nscalar = product(ndim, dim);
    v->scalar = ndim ? NEW_ARRAY(in->scratch, Expr, v->nscalar) : &v->one;
    for (int i = 0; i < v->nscalar; i++)
        v->scalar[i] = EXPR_UNSET;
    return v;
}

Value *value_new(const Context *in, const Type *type, int ndim, const int *dim,
                 const Expr *scalar, FlatVariability variability)
{
    Value *v = value_make(in, type, ndim, dim);
    if (v->nscalar)
        memcpy(v->scalar, scalar, (size_t)v->nscalar * sizeof *scalar);
    v->variability = variability;
    return v;
}

Value *value_record(const Context *in, const Type *type, int ndim,
                    const int *dim, Value *const *member)
{
    Value *v = value_make(in, type, ndim, dim);
    for (int i = 0; i < type->nmember; i++) {
        v->member[i] = member[i];
        v->variability = var_max(v->variability, member[i]->variability);
    }
    return v;
}

Value *value_error(const Context *in)
{
    return value_make(in, type_builtin(TYPE_ANY), 0, NULL);
}

Value *value_scalar(const Context *in, const Type *type, Expr e,
                    FlatVariability variability)
{
    return value_new(in, type, 0, NULL, &e, variability);
}

Value *value_int(const Context *in, double x)
{
    return value_scalar(in, type_builtin(TYPE_INTEGER), expr_int(in->dag, x),
                        FV_CONSTANT);
}

Value *value_real(const Context *in, double x)
{
    return value_scalar(in, type_builtin(TYPE_REAL), expr_real(in->dag, x),
                        FV_CONSTANT);
}

Value *value_bool(const Context *in, bool x)
{
    return value_scalar(in, type_builtin(TYPE_BOOLEAN), expr_bool(in->dag, x),
                        FV_CONSTANT);
}

Value *value_string(const Context *in, const char *text)
{
    return value_scalar(in, type_builtin(TYPE_STRING),
                        expr_string(in->dag, text), FV_CONSTANT);
}

/* ---- asking ---- */

static bool scalar_const(const Context *in, Expr e)
{
    double x;
    return e >= 0 &&
           (expr_is_const(in->dag, e, &x) || expr_op(in->dag, e) == EX_STR);
}

bool value_is_const(const Context *in, const Value *v)
{
    if (v->member) {
        for (int i = 0; i < v->type->nmember; i++)
            if (!value_is_const(in, v->member[i]))
                return false;
        return true;
    }
    for (int i = 0; i < v->nscalar; i++)
        if (!scalar_const(in, v->scalar[i]))
            return false;
    return !is_error(v);
}

bool value_const_int(const Context *in, const Value *v, int *x)
{
    double d;
    if (v->ndim || !v->scalar || v->scalar[0] < 0 ||
        !expr_is_const(in->dag, v->scalar[0], &d) || d < -2147483648.0 ||
        d > 2147483647.0)
        return false;
    *x = (int)d;
    return true;
}

bool value_const_bool(const Context *in, const Value *v, bool *x)
{
    double d;
    if (v->ndim || !v->scalar || v->scalar[0] < 0 ||
        !expr_is_const(in->dag, v->scalar[0], &d))
        return false;
    *x = d != 0;
    return true;
}

const char *value_const_string(const Context *in, const Value *v)
{
    if (v->ndim || !v->scalar || v->scalar[0] < 0 ||
        expr_op(in->dag, v->scalar[0]) != EX_STR)
        return NULL;
    return expr_node(in->dag, v->scalar[0])->text;
}

Value *value_member(const Value *v, const char *name)
{
    if (v->type->kind != TYPE_RECORD)
        return NULL;
    for (int i = 0; i < v->type->nmember; i++)
        if (v->type->member[i].name == name)
            return v->member[i];
    return NULL;
}

/* ---- shape ---- */

Value *value_reshape(const Context *in, const Value *v, int ndim,
                     const int *dim)
{
    Value *r = value_make(in, v->type, ndim, dim);
    r->variability = v->variability;
    if (!v->member) {
        memcpy(r->scalar, v->scalar, (size_t)v->nscalar * sizeof *v->scalar);
        return r;
    }
    for (int i = 0; i < v->type->nmember; i++) {
        const Value *m = v->member[i];
        int n = ndim + m->ndim - v->ndim;
        int *all = NEW_ARRAY(in->scratch, int, n + 1);
        memcpy(all, dim, (size_t)ndim * sizeof *dim);
        for (int k = v->ndim; k < m->ndim; k++)
            all[ndim + k - v->ndim] = m->dim[k];
        r->member[i] = value_reshape(in, m, n, all);
    }
    return r;
}

static int index_at(const Index *ix, int k)
{
    return ix->at ? ix->at[k] : k;
}

/* Offsets, in blocks of the dimensions after the first n, of the elements
 * chosen by the indices. */
static int *offsets(const Context *in, const int *dim, const Index *ix, int n,
                    int *count)
{
    *count = 1;
    for (int i = 0; i < n; i++)
        *count *= ix[i].n;
    int *at = NEW_ARRAY(in->scratch, int, *count + 1);
    int have = 1;
    for (int i = 0; i < n && *count; i++) {
        /* from the back, so that no entry is read after it was replaced */
        for (int j = have - 1; j >= 0; j--)
            for (int k = ix[i].n - 1; k >= 0; k--)
                at[j * ix[i].n + k] = at[j] * dim[i] + index_at(&ix[i], k);
        have *= ix[i].n;
    }
    return at;
}

Value *value_gather(const Context *in, const Value *v, const Index *ix, int n)
{
    int small[MOST_DIMS];
    int *dim =
        v->ndim <= MOST_DIMS ? small : NEW_ARRAY(in->scratch, int, v->ndim);
    int ndim = 0;
    for (int i = 0; i < n; i++)
        if (ix[i].keep)
            dim[ndim++] = ix[i].n;
    for (int i = n; i < v->ndim; i++)
        dim[ndim++] = v->dim[i];
    Value *r = value_make(in, v->type, ndim, dim);
    r->variability = v->variability;
    if (v->member) {
        for (int i = 0; i < v->type->nmember; i++)
            r->member[i] = value_gather(in, v->member[i], ix, n);
        return r;
    }
    int block = product(v->ndim - n, v->dim + n);
    if (n == 1 && ix[0].n == 1) {
        memcpy(r->scalar, v->scalar + (size_t)index_at(ix, 0) * (size_t)block,
               (size_t)block * sizeof *v->scalar);
        return r;
    }
    int count;
    int *at = offsets(in, v->dim, ix, n, &count);
    for (int k = 0; k < count; k++)
        memcpy(r->scalar + (size_t)k * (size_t)block,
               v->scalar + (size_t)at[k] * (size_t)block,
               (size_t)block * sizeof *v->scalar);
    return r;
}

void value_scatter(const Context *in, Value *dst, const Index *ix, int n,
                   const Value *src)
{
    dst->variability = var_max(dst->variability, src->variability);
    if (dst->member) {
        for (int i = 0; i < dst->type->nmember; i++) {
            value_own(in, &dst->member[i]);
            value_scatter(in, dst->member[i], ix, n, src->member[i]);
        }
        return;
    }
    int block = product(dst->ndim - n, dst->dim + n);
    if (n == 1 && ix[0].n == 1) {
        memcpy(dst->scalar + (size_t)index_at(ix, 0) * (size_t)block,
               src->scalar, (size_t)block * sizeof *src->scalar);
        return;
    }
    int count;
    int *at = offsets(in, dst->dim, ix, n, &count);
    for (int k = 0; k < count; k++)
        memcpy(dst->scalar + (size_t)at[k] * (size_t)block,
               src->scalar + (size_t)k * (size_t)block,
               (size_t)block * sizeof *src->scalar);
}

Value *value_join(const Context *in, int ndim, const int *dim,
                  Value *const *element)
{
    const Value *first = element[0];
    int *all = NEW_ARRAY(in->scratch, int, ndim + first->ndim + 1);
    memcpy(all, dim, (size_t)ndim * sizeof *dim);
    for (int i = 0; i < first->ndim; i++)
        all[ndim + i] = first->dim[i];
    Value *r = value_make(in, first->type, ndim + first->ndim, all);
    int n = product(ndim, dim);
    for (int k = 0; k < n; k++)
        r->variability = var_max(r->variability, element[k]->variability);
    if (!first->member) {
        for (int k = 0; k < n; k++)
            memcpy(r->scalar + (size_t)k * (size_t)first->nscalar,
                   element[k]->scalar,
                   (size_t)first->nscalar * sizeof *first->scalar);
        return r;
    }
    Value **part = NEW_ARRAY(in->scratch, Value *, n + 1);
    for (int i = 0; i < first->type->nmember; i++) {
        for (int k = 0; k < n; k++)
            part[k] = element[k]->member[i];
        part[0] = first->member[i];
        r->member[i] = value_join(in, ndim, dim, part);
    }
    return r;
}

Value *value_element(const Context *in, const Value *v, int k)
{
    if (is_error(v))
        return value_error(in);
    Index ix = {.keep = false, .n = 1, .at = &k, .run = EXPR_NONE};
    return value_gather(in, v, &ix, 1);
}

/* ---- scalar by scalar ---- */

Value *value_map(const Context *in, const Value *v, MapScalar *map,
                 void *context)
{
    Value *r = value_make(in, v->type, v->ndim, v->dim);
    r->variability = v->variability;
    for (int i = 0; v->member && i < v->type->nmember; i++)
        r->member[i] = value_map(in, v->member[i], map, context);
    for (int i = 0; i < v->nscalar; i++)
        r->scalar[i] = map(context, in, v->scalar[i], v->type);
    return r;
}

/* One of the two has no value: it is not a number there. What is no Real
 * cannot tell, and is what the other one is. */
static Expr partly_set(const Context *in, Expr c, Expr x, Expr y)
{
    Expr set = x < 0 ? y : x;
    if (expr_type(in->dag, set) != ET_REAL)
        return set;
    Expr none = expr_real(in->dag, NAN);
    return expr_if(in->dag, c, x < 0 ? none : x, y < 0 ? none : y);
}

Value *value_if(const Context *in, Expr c, FlatVariability variability,
                const Value *a, const Value *b)
{
    Value *r = value_make(in, a->type, a->ndim, a->dim);
    r->variability =
        var_max(variability, var_max(a->variability, b->variability));
    for (int i = 0; a->member && i < a->type->nmember; i++)
        r->member[i] = value_if(in, c, variability, a->member[i], b->member[i]);
    for (int i = 0; i < a->nscalar; i++) {
        Expr x = a->scalar[i], y = b->scalar[i];
        if (x == y)
            r->scalar[i] = x;
        else if (x < 0 || y < 0)
            r->scalar[i] = partly_set(in, c, x, y);
        else
            r->scalar[i] = expr_if(in->dag, c, x, y);
    }
    r->closure = a->closure;
    return r;
}

/* ---- sharing ---- */

void value_share(Value *v)
{
    if (!v->owned)
        return;
    v->owned = false;
    for (int i = 0; v->member && i < v->type->nmember; i++)
        value_share(v->member[i]);
}

Value *value_copy(const Context *in, const Value *v)
{
    Value *r = NEW(in->scratch, Value);
    *r = *v;
    r->owned = false;
    r->dim = copy_dims(in, v->ndim, v->dim);
    r->scalar = v->ndim ? NEW_ARRAY(in->scratch, Expr, v->nscalar) : &r->one;
    if (v->member) {
        r->scalar = NULL;
        r->member = NEW_ARRAY(in->scratch, Value *, v->type->nmember);
        for (int i = 0; i < v->type->nmember; i++)
            r->member[i] = value_copy(in, v->member[i]);
    } else if (v->nscalar) {
        memcpy(r->scalar, v->scalar, (size_t)v->nscalar * sizeof *v->scalar);
    }
    r->tuple = v->nvalue ? NEW_ARRAY(in->scratch, Value *, v->nvalue) : NULL;
    for (int i = 0; v->tuple && i < v->nvalue; i++)
        r->tuple[i] = value_copy(in, v->tuple[i]);
    return r;
}

void value_own(const Context *in, Value **at)
{
    Value *v = *at;
    if (v->owned)
        return;
    Value *copy = value_make(in, v->type, v->ndim, v->dim);
    copy->variability = v->variability;
    copy->closure = v->closure;
    if (v->member)
        memcpy(copy->member, v->member,
               (size_t)v->type->nmember * sizeof *v->member);
    if (v->nscalar)
        memcpy(copy->scalar, v->scalar, (size_t)v->nscalar * sizeof(Expr));
    copy->owned = true;
    *at = copy;
}
