/* value.h - values: typed arrays of scalar expressions, and records of them.
 *
 *   in    scalars: handles of the DAG (expr/expr.h)
 *   out   Value: a number, an array, a record; made, joined, indexed, fitted to
 *         a declared type
 *   next  eval/ makes values of expressions, calls functions with them
 *
 *   context.h   for whom and under which condition something is evaluated
 *   type.h      the types of values
 *   emit.h      adding to the flat model
 *
 * Because the DAG folds constants as it is built, a Value of literals is a
 * number and a Value of variables is a formula; nothing here asks which.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_VALUE_VALUE_H
#define TAKT_VALUE_VALUE_H

#include "value/type.h"

enum {
    MOST_SCALARS = 4000000, /* scalars of one value */
    MOST_DIMS = 32,         /* dimensions of one value */
};

/* A scalar of a variable that is being assigned and has no value yet. */
#define EXPR_UNSET EXPR_NONE

/* A typed array of scalars (ndim 0: one). Records: `member` holds one Value
 * for each member, whose dimensions are those of the record array followed by
 * those of the member; `scalar` is then NULL. Scalars are stored row-major.
 * A Value is never changed once made; assignments make new ones. */
typedef struct Value Value;
struct Value { /* there are millions: members stand by their sizes */
    const Type *type;
    const int *dim;   /* size ndim */
    Expr *scalar;     /* size nscalar */
    Value **member;   /* TYPE_RECORD: type->nmember */
    const char *unit; /* of a Real scalar or array; NULL: not known, "" none */
    Value **tuple;    /* several outputs of a call: all nvalue of them */
    const struct Closure
        *closure;             /* TYPE_FUNCTION: what to call (function.c) */
    const Type *const *index; /* by dimension: the type of its subscripts;
                                 NULL: any, a computed array */
    int nscalar;              /* product of dim, 1 for ndim 0 */
    Expr one;                 /* place of the scalar of a scalar value */
    int ndim;
    int nvalue : 16;
    /* what the value depends on at most: constants only, parameters too,
     * discrete variables, anything */
    FlatVariability variability : 8;
    bool owned : 1; /* of a frame, which may still change it in place
                       (frame.c) */
};

/* ---- making ---- */

/* A Value made of given scalars (copied). */
Value *value_new(const Context *in, const Type *type, int ndim, const int *dim,
                 const Expr *scalar, FlatVariability variability);
Value *value_record(const Context *in, const Type *type, int ndim,
                    const int *dim, Value *const *member);
/* After an error that was reported: makes no further errors. */
Value *value_error(const Context *in);
/* Memory for the scalars (unset) or members of an array; to be filled. */
Value *value_make(const Context *in, const Type *type, int ndim,
                  const int *dim);
Value *value_scalar(const Context *in, const Type *type, Expr e,
                    FlatVariability variability);
Value *value_int(const Context *in, double x);
Value *value_real(const Context *in, double x);
Value *value_bool(const Context *in, bool x);
Value *value_string(const Context *in, const char *text);

/* ---- asking ---- */

static inline bool is_error(const Value *v)
{
    return v->type->kind == TYPE_ANY;
}
static inline bool is_scalar(const Value *v)
{
    return v->ndim == 0;
}
static inline FlatVariability var_max(FlatVariability a, FlatVariability b)
{
    return a > b ? a : b;
}
bool is_numeric(const Value *v); /* Real or Integer */
bool is_kind(const Value *v, TypeKind kind);
bool value_is_const(const Context *in, const Value *v); /* all scalars */
/* A scalar constant; false or NULL: it is none. */
bool value_const_int(const Context *in, const Value *v, int *x);
bool value_const_bool(const Context *in, const Value *v, bool *x);
const char *value_const_string(const Context *in, const Value *v);
int value_count(const Value *v); /* number of elements: product of dim */
bool same_dims(const Value *a, const Value *b);
const char *value_text(const Context *in, const Value *v); /* type_text */
/* The member of a record (array) by its interned name, or NULL. */
Value *value_member(const Value *v, const char *name);

/* ---- arrays ---- */

/* An index of one dimension: n positions from 0; `keep`: the dimension stays.
 * A position that is known at run time only is `run`, counted from 1. */
typedef struct Index {
    bool keep;
    int n;
    const int *at; /* NULL: 0 .. n-1 */
    Expr run;      /* EXPR_NONE: known; else n is 1 and keep false */
    FlatVariability variability; /* of run */
} Index;

/* The elements chosen by indices of the first n dimensions (none at run time).
 */
Value *value_gather(const Context *in, const Value *v, const Index *ix, int n);
/* Writes `src`, which has the shape value_gather would give, into `dst`, which
 * the caller owns (value_own). */
void value_scatter(const Context *in, Value *dst, const Index *ix, int n,
                   const Value *src);
/* Element k of a vector, or row k of an array, from 0. */
Value *value_element(const Context *in, const Value *v, int k);
/* An array whose elements along the first dimensions are the given values of
 * equal type and shape. `element` has one entry at least. */
Value *value_join(const Context *in, int ndim, const int *dim,
                  Value *const *element);
/* The same scalars with another shape of equal size; records too. */
Value *value_reshape(const Context *in, const Value *v, int ndim,
                     const int *dim);

/* ---- scalar by scalar ---- */

/* if c then a else b, for every scalar; shapes and types are equal. */
Value *value_if(const Context *in, Expr c, FlatVariability variability,
                const Value *a, const Value *b);
/* Calls `map` for every scalar, members of records included. */
typedef Expr MapScalar(void *context, const Context *in, Expr e,
                       const Type *type);
Value *value_map(const Context *in, const Value *v, MapScalar *map,
                 void *context);

/* ---- fitting ---- */

/* The value as one of `type`, which it fits to by type_common. */
Value *value_convert(const Context *in, const Value *v, const Type *type);
/* Fits a value to a declared type and sizes: Integer to Real, record by
 * member names, size check (an entry NONE of dim is free). Reports with `what`
 * ("the binding of 'x'") and gives TYPE_ANY when it does not fit. */
Value *value_fit(const Context *in, Value *v, const Type *type, int ndim,
                 const int *dim, const char *what, Span span);
/* An array of these sizes may be made: else reported. */
bool value_may_have(const Context *in, int ndim, const int *dim, Span span);

/* ---- scalars that are not set (unset.c) ---- */

/* A value of that shape with nothing set. */
Value *value_blank(const Context *in, const Type *type, int ndim,
                   const int *dim);
/* Has every scalar a value? */
bool value_has_all(const Value *v);
/* A record of which some members have a value: the others are not numbers. */
Value *value_complete(const Context *in, Value *v);
/* Is `part` in the expression of one of its scalars? */
bool value_holds(const Context *in, const Value *v, Expr part);

/* ---- sharing ---- */

/* A value may be changed in place as long as only one owner knows it. Marks it
 * as shared: nobody changes it in place any more. */
void value_share(Value *v);
/* A copy of the whole in the scratch arena of `in`, whatever arena it is in;
 * what a closure holds is not copied. */
Value *value_copy(const Context *in, const Value *v);
/* Makes *v one that may be changed: itself, or a copy. */
void value_own(const Context *in, Value **v);

#endif
