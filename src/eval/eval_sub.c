/* eval_sub.c - subscripts (10.5).
 *
 * A subscript is `:`, a scalar that removes its dimension, or a vector that
 * keeps it. Integer, Boolean (false is the first) and enumeration values count.
 * A scalar that is a parameter is folded, which fixes the parameter; one that
 * varies at run time selects by a chain of if-expressions, with an assertion
 * that it is in range.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "eval/eval_internal.h"

static bool is_index_type(const Value *v)
{
    return is_kind(v, TYPE_INTEGER) || is_kind(v, TYPE_BOOLEAN) ||
           is_kind(v, TYPE_ENUM);
}

/* i in 1 .. n, as an assertion of the model. */
static void assert_in_range(const Context *in, Expr i, int n, Span span)
{
    Dag *d = in->dag;
    Expr ok = expr_and(in, expr_binary(d, EX_GE, i, expr_int(d, 1)),
                       expr_binary(d, EX_LE, i, expr_int(d, n)));
    Expr unused = expr_not(in, in->path);
    FlatAssert a = {
        .condition = expr_binary(d, EX_OR, unused, ok),
        .message = expr_string(
            d, arena_printf(in->arena, "a subscript is not in 1:%d", n)),
        .component = in->component,
        .span = span,
    };
    left_assert(in, a);
}

/* In a branch of a function that a run need not take, a subscript out of bounds
 * is an error of that branch: functions are called with vectors of other sizes
 * than some of their branches are made for. So is it in a function that is
 * kept as one: its assertions count where it is called. */
static bool is_left_to_run(const Context *in)
{
    bool x;
    return in->call && (in->ledger || !expr_const_bool(in, in->path, &x));
}

/* The position from 0 of a constant subscript; false after a report. */
static bool position(const Context *in, const Value *v, Expr e, int size,
                     int dim, const AstExpr *sub, int *at)
{
    double x;
    if (!expr_is_const(in->dag, e, &x))
        return false;
    int k = (int)x + (is_kind(v, TYPE_BOOLEAN) ? 1 : 0);
    if ((k < 1 || k > size) && size > 0 && is_left_to_run(in)) {
        assert_in_range(in, expr_int(in->dag, k), size, sub->span);
        k = 1; /* stands for what is never read */
    }
    if (k < 1 || k > size) {
        if (size == 0)
            context_report(in, sub->span, DIAG_E0503,
                           "the subscript %d is out of bounds: dimension %d "
                           "has size 0",
                           k, dim + 1);
        else
            context_report(in, sub->span, DIAG_E0503,
                           "the subscript %d is out of bounds: dimension %d "
                           "has size %d",
                           k, dim + 1, size);
        return false;
    }
    *at = k - 1;
    return true;
}

static bool vector_index(const Context *in, Value *v, int size, int dim,
                         const AstExpr *sub, Index *ix)
{
    Value *known = eval_fold(in, v);
    if (!known) {
        context_report(in, sub->span, DIAG_E0413,
                       "a vector of subscripts must be known at compile time");
        return false;
    }
    int *at = NEW_ARRAY(in->scratch, int, v->nscalar + 1);
    for (int i = 0; i < v->nscalar; i++)
        if (!position(in, known, known->scalar[i], size, dim, sub, &at[i]))
            return false;
    *ix = (Index){.keep = true, .n = v->nscalar, .at = at, .run = EXPR_NONE};
    return true;
}

static bool scalar_index(const Context *in, Value *v, int size, int dim,
                         const AstExpr *sub, Index *ix)
{
    Value *known = v->variability <= FV_PARAMETER || value_is_const(in, v)
                       ? eval_fold(in, v)
                       : NULL;
    *ix = (Index){.keep = false, .n = 1, .run = EXPR_NONE};
    if (known) {
        int *at = NEW_ARRAY(in->scratch, int, 1);
        ix->at = at;
        return position(in, known, known->scalar[0], size, dim, sub, at);
    }
    if (size == 0) {
        context_report(in, sub->span, DIAG_E0503,
                       "the subscript is out of bounds: dimension %d has "
                       "size 0",
                       dim + 1);
        return false;
    }
    ix->run = v->scalar[0];
    if (is_kind(v, TYPE_BOOLEAN))
        ix->run = expr_if(in->dag, ix->run, expr_int(in->dag, 2),
                          expr_int(in->dag, 1));
    ix->variability = v->variability;
    return true;
}

/* `index`: the type of subscripts as declared; NULL: any. */
static bool one_index(const Context *in, Scope *scope, int size, int dim,
                      const Type *index, const AstExpr *sub, Index *ix)
{
    if (sub->kind == AE_COLON) {
        *ix = (Index){.keep = true, .n = size, .run = EXPR_NONE};
        return true;
    }
    Context inside = *in;
    inside.end = size;
    Value *v = eval_value(&inside, scope, sub);
    if (is_error(v))
        return false;
    if (!is_index_type(v) || v->ndim > 1) {
        context_report(in, sub->span, DIAG_E0505,
                       "a subscript must be an Integer, Boolean or enumeration "
                       "value or a vector of them, but this is %s",
                       value_text(in, v));
        return false;
    }
    if (index && !type_equal(index, v->type)) {
        context_report(in, sub->span, DIAG_E0505,
                       "dimension %d is declared with subscripts of type %s, "
                       "but this is %s",
                       dim + 1, index->name, value_text(in, v));
        return false;
    }
    if (v->ndim == 1)
        return vector_index(in, v, size, dim, sub, ix);
    return scalar_index(in, v, size, dim, sub, ix);
}

bool eval_indices(const Context *in, Scope *scope, const Value *v, int lead,
                  AstExpr *const *sub, int nsub, Span span, Index *ix)
{
    if (nsub > v->ndim - lead) {
        if (v->ndim == lead)
            context_report(in, span, DIAG_E0504,
                           "a scalar cannot have subscripts");
        else
            context_report(in, span, DIAG_E0504,
                           "%d subscripts for %d dimension%s: the type is %s",
                           nsub, v->ndim - lead, v->ndim - lead > 1 ? "s" : "",
                           value_text(in, v));
        return false;
    }
    for (int i = 0; i < nsub; i++)
        if (!one_index(in, scope, v->dim[lead + i], i,
                       v->index ? v->index[lead + i] : NULL, sub[i], &ix[i]))
            return false;
    return true;
}

/* Chooses along dimension `dim` by a run-time index. */
static Value *select_run(const Context *in, const Value *v, const Index *ix,
                         int n, int dim, Span span)
{
    int size = v->dim[dim];
    Index *one = NEW_ARRAY(in->scratch, Index, n);
    memcpy(one, ix, (size_t)n * sizeof *ix);
    one[dim].run = EXPR_NONE;
    assert_in_range(in, ix[dim].run, size, span);
    Value *r = NULL;
    for (int k = size - 1; k >= 0; k--) {
        one[dim].at = &k;
        Value *e = value_index(in, v, one, n, span);
        Expr hit =
            expr_binary(in->dag, EX_EQ, ix[dim].run, expr_int(in->dag, k + 1));
        r = r ? value_if(in, hit, ix[dim].variability, e, r) : e;
    }
    return r;
}

Value *value_index(const Context *in, const Value *v, const Index *ix, int n,
                   Span span)
{
    for (int i = 0; i < n; i++)
        if (ix[i].run != EXPR_NONE)
            return select_run(in, v, ix, n, i, span);
    return value_gather(in, v, ix, n);
}

Value *eval_sub_lead(const Context *in, Scope *scope, Value *v, int lead,
                     AstExpr *const *sub, int nsub, Span span)
{
    if (is_error(v) || nsub == 0)
        return v;
    Index *ix = NEW_ARRAY(in->scratch, Index, lead + nsub);
    for (int i = 0; i < lead; i++)
        ix[i] = (Index){.keep = true, .n = v->dim[i], .run = EXPR_NONE};
    if (!eval_indices(in, scope, v, lead, sub, nsub, span, ix + lead))
        return value_error(in);
    return value_index(in, v, ix, lead + nsub, span);
}

Value *eval_subscripts(const Context *in, Scope *scope, Value *v,
                       AstExpr *const *sub, int nsub, Span span)
{
    return eval_sub_lead(in, scope, v, 0, sub, nsub, span);
}
