/* eval_internal.h - what the files about expressions share.
 *
 *   eval.c       expressions          eval_op.c     operators
 *   eval_sub.c   subscripts           eval_array.c  constructors, iterators
 *   iter.c       ranges of iterators  fold.c        compile-time values
 *   builtin.h    predefined functions
 *   exec.h       functions and algorithms
 *   units.c      units of equations   finish.c      what is checked at the end
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_EVAL_INTERNAL_H
#define TAKT_EVAL_EVAL_INTERNAL_H

#include "eval/eval.h"

enum {
    MOST_NESTED = 3000,   /* nesting of evaluation */
    MOST_WORK = 20000000, /* evaluations of one run */
    MOST_MEGABYTES = 600, /* for one call, with all calls inside */
};

typedef struct TableObject TableObject; /* external/table.c */

/* An external object of foreign code (external/foreign.c). */
typedef struct ForeignObject {
    int component;    /* that it belongs to */
    const char *make; /* C */
    int number;
} ForeignObject;

/* What the evaluation of a model remembers. */
/* Random numbers of a branch of a when clause: value/hidden.h. */
typedef struct HiddenStream {
    int var; /* first of the variables of its state */
    int component;
    Span span;
} HiddenStream;

typedef struct Memo {
    Expr *folded;  /* by variable: its constant value, EXPR_NONE: not yet */
    bool *folding; /* by variable: on the way */
    Expr *pruned;  /* by variable: its binding without branches that are not
                      taken, EXPR_NONE: as it is */
    Expr *defined; /* at the end, by variable: what an equation v = ...
                      says it is; NULL before */
    int nfolded;
    int *hopeless; /* by node: the epoch in which it had no value; see fold.c */
    Expr *known;   /* by node: the constant that it is, EXPR_NONE: not looked
                      for, or hopeless */
    int nhopeless; /* size of both */
    int epoch;  /* grows when more is known, and with each fold from outside */
    int nested; /* folds on the way */
    bool *varies; /* by variable, for total derivatives */
    int nvaries;
    int *slot; /* by variable: place in the running section, NONE */
    int nslot;
    Vec(PreUse) pre_use;
    Vec(TableObject *) table; /* by the number of the object */
    struct Foreign *foreign;  /* code of others; NULL: none */
    Vec(ForeignObject) object;
    Vec(const char *) resource;      /* paths that loadResource() gave */
    Vec(struct KeptFunction *) kept; /* keep.c */
    int nformal;                     /* ARG nodes so far */
    int nwhen;    /* helper variables of when-statements so far */
    int ncounted; /* calls of impure functions in when clauses so far */
    Vec(HiddenStream) stream;
    Expr *random; /* state that random numbers begin with; NULL: not set */
} Memo;

/* One step of evaluation: false, reported once, when a limit is passed. */
bool eval_step(const Context *in, Span span);
const char *expr_as_text(const Context *in, const AstExpr *e); /* shortened */

/* ---- eval.c ---- */

/* Evaluates; only one value: a call with no output is reported. */
Value *eval_value(const Context *in, Scope *scope, const AstExpr *e);
/* A reference as it is, without the values of a running algorithm. */
Value *eval_ref_raw(const Context *in, Scope *scope, const AstRef *ref);

/* ---- eval_sub.c ---- */

/* The indices of subscripts for the dimensions of `v` from `lead` on; false
 * after a report. ix has nsub entries. */
bool eval_indices(const Context *in, Scope *scope, const Value *v, int lead,
                  AstExpr *const *sub, int nsub, Span span, Index *ix);
/* Indices that may hold run-time ones, for the first n dimensions. */
Value *value_index(const Context *in, const Value *v, const Index *ix, int n,
                   Span span);
Value *eval_sub_lead(const Context *in, Scope *scope, Value *v, int lead,
                     AstExpr *const *sub, int nsub, Span span);

/* ---- eval_op.c ---- */

Value *op_unary(const Context *in, AstOp op, Value *a, Span span);
Value *op_binary(const Context *in, AstOp op, Value *a, Value *b, Span span);
/* One scalar operation with checks of overflow and division by zero. */
Expr op_scalar(const Context *in, ExprOp op, Expr a, Expr b, bool integer,
               Span span);
/* An event-generating node, without events where they are not wanted. */
Expr event_node(const Context *in, ExprOp op, Expr a, Expr b);
/* The variability of its result, which changes at events only. */
FlatVariability event_variability(const Context *in, FlatVariability v);

/* ---- operator.c: records whose operators are overloaded ---- */

Value *operator_unary(const Context *in, AstOp op, Value *v, Span span);
Value *operator_binary(const Context *in, AstOp op, Value *a, Value *b,
                       Span span);
/* String(first, ...); NULL: the record does not overload it. */
Value *operator_string(const Context *in, Scope *scope, const AstExpr *e,
                       const Value *first);
/* The sum of all elements by '+'; NULL: the record has no '0' for none. */
Value *operator_sum(const Context *in, const Value *v, Span span);

/* ---- eval_array.c ---- */

Value *eval_array(const Context *in, Scope *scope, const AstExpr *e);
Value *eval_matrix(const Context *in, Scope *scope, const AstExpr *e);
Value *eval_range_expr(const Context *in, Scope *scope, const AstExpr *e);
/* Concatenates along dimension k (from 0); the rest must agree. */
Value *array_cat(const Context *in, int k, Value **v, int n, Span span);
/* Evaluates arg[0] of an AE_FOR for all iterators; element k is the k-th, the
 * first iterator varies fastest. *dim has niter entries. NULL after a report.
 */
Value **eval_iterations(const Context *in, Scope *scope, const AstExpr *e,
                        int **dim, int *n);
/* sum, product, min, max with iterators. */
Value *eval_reduction(const Context *in, Scope *scope, const char *name,
                      const AstExpr *loop, Span span);
Value *promote(const Context *in, const Value *v, int ndim);

/* ---- fold.c ---- */

/* A constant or EXPR_NONE. */
Expr fold_expr(const Context *in, Expr e);

#endif
