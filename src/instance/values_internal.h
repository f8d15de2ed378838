/* values_internal.h - what the files of the values half share.
 *
 * One evaluator does it all: eval_expr() turns syntax into Values whose scalars
 * are handles of the DAG. Because the DAG folds constants as it is built, a
 * function called with constants is interpreted, and the same function called
 * with variables is executed symbolically; there is no second interpreter.
 *
 *   value.c       values: making, indexing, joining
 *   type.c        types: names, common types, fitting a value to a declaration
 *   eval.c        expressions          eval_op.c     operators
 *   eval_sub.c    subscripts           eval_array.c  constructors, iterators
 *   fold.c        compile-time values  builtin*.c    predefined functions
 *   function.c    calls                frame.c       variables being assigned
 *   statement.c   statements           algorithm.c   sections of models
 *   external.c    known external functions
 *   units.c       units of equations   finish.c      what is checked at the end
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_VALUES_INTERNAL_H
#define TAKT_INSTANCE_VALUES_INTERNAL_H

#include "instance/instance_internal.h"
#include "instance/trial.h"

enum {
    MOST_NESTED = 3000,     /* nesting of evaluation */
    MOST_CALLS = 200,       /* nesting of function calls */
    MOST_SCALARS = 4000000, /* scalars of one value */
    MOST_DIMS = 32,         /* dimensions of one value */
    MOST_WORK = 20000000,   /* evaluations of one run */
    MOST_MEGABYTES = 600,   /* for one call, with all calls inside */
    MOST_OPEN_TURNS = 200,  /* of a while-loop with a run-time condition */
};

/* Scalars of a variable that is being assigned and has no value. */
#define EXPR_UNSET  EXPR_NONE  /* never assigned */
#define EXPR_PARTLY ((Expr)-2) /* assigned in some branches only */

/* A function as a value: with arguments bound by `function f(a = 1)`. */
typedef struct Closure {
    const Function *fn;
    const char *builtin; /* a predefined function; fn is NULL then */
    const char **name;   /* of the bound arguments, size nbound */
    Value **value;
    int nbound;
} Closure;

typedef struct Exec Exec; /* a function or section being executed */

/* What the evaluation of a model remembers. */
typedef struct Values {
    Expr *folded;  /* by variable: its constant value, EXPR_NONE: not yet */
    bool *folding; /* by variable: on the way */
    Expr *defined; /* at the end, by variable: what an equation v = ...
                      says it is; NULL before */
    int nfolded;
    bool *varies; /* by variable, for total derivatives */
    int nvaries;
    int *slot; /* by variable: place in the running section, NONE */
    int nslot;
    const Type **enum_type; /* by enumeration */
    int nenum_type;
    Vec(PreUse) pre_use;
    int nwhen; /* helper variables of when-statements so far */
} Values;

/* ---- reports ---- */

/* Reports with notes that tell which calls led here. */
void values_report(const Context *in, Span span, DiagCode code, const char *fmt,
                   ...) TAKT_PRINTF(4, 5);
/* One step of evaluation: false, reported once, when a limit is passed. */
bool values_step(const Context *in, Span span);
/* An array of these sizes may be made: else reported. */
bool size_allowed(const Context *in, int ndim, const int *dim, Span span);
const char *expr_as_text(const Context *in, const AstExpr *e); /* shortened */

/* ---- value.c ---- */

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

/* Memory for the scalars (unset) or members of an array; to be filled. */
Value *value_make(const Context *in, const Type *type, int ndim,
                  const int *dim);
Value *value_scalar(const Context *in, const Type *type, Expr e,
                    FlatVariability variability);
Value *value_int(const Context *in, double x);
Value *value_real(const Context *in, double x);
Value *value_bool(const Context *in, bool x);
Value *value_string(const Context *in, const char *text);
/* The same scalars with another shape of equal size; records too. */
Value *value_reshape(const Context *in, const Value *v, int ndim,
                     const int *dim);
bool value_const_int(const Context *in, const Value *v, int *x);
bool value_const_bool(const Context *in, const Value *v, bool *x);
const char *value_const_string(const Context *in, const Value *v);
bool value_is_const(const Context *in, const Value *v); /* all scalars */
int value_count(const Value *v); /* number of elements: product of dim */
bool same_dims(const Value *a, const Value *b);
const char *value_text(const Context *in, const Value *v); /* type_text */

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
 * the caller owns (own_value). */
void value_scatter(const Context *in, Value *dst, const Index *ix, int n,
                   const Value *src);
/* An array whose elements along the first dimensions are the given values of
 * equal type and shape. `element` has one entry at least. */
Value *value_join(const Context *in, int ndim, const int *dim,
                  Value *const *element);
/* if c then a else b, for every scalar; shapes and types are equal. */
Value *value_if(const Context *in, Expr c, FlatVariability variability,
                const Value *a, const Value *b);
/* Calls `map` for every scalar, members of records included. */
typedef Expr MapScalar(void *context, const Context *in, Expr e,
                       const Type *type);
Value *value_map(const Context *in, const Value *v, MapScalar *map,
                 void *context);
/* The member of a record (array) by its interned name, or NULL. */
Value *value_member(const Value *v, const char *name);

/* ---- type.c ---- */

/* The type both fit to: Integer and Real give Real, records by their members.
 * NULL: there is none. */
const Type *type_common(const Type *a, const Type *b);
/* The value as one of `type`, which it fits to by type_common. */
Value *value_convert(const Context *in, const Value *v, const Type *type);
bool type_equal(const Type *a, const Type *b);
ExprType type_expr(const Type *t);
const char *dims_text(const Context *in, int ndim,
                      const int *dim); /* "[3, :]" */

/* ---- eval.c ---- */

/* Evaluates; only one value: a call with no output is reported. */
Value *eval_value(const Context *in, Scope *scope, const AstExpr *e);
/* A reference as it is, without the values of a running algorithm. */
Value *eval_ref_raw(const Context *in, Scope *scope, const AstRef *ref);
/* A scalar Boolean condition; EXPR_NONE after a report. */
Expr eval_condition(const Context *in, Scope *scope, const AstExpr *e,
                    const char *what, FlatVariability *variability);
Expr expr_and(const Context *in, Expr a, Expr b);
Expr expr_not(const Context *in, Expr a);
bool expr_const_bool(const Context *in, Expr e, bool *x);

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

/* ---- builtin*.c ---- */

typedef struct BuiltinCall {
    const char *name;
    const AstExpr *call; /* NULL when called by values */
    Scope *scope;
    Span span;
    AstExpr *arg[8];     /* by place; NULL: not given */
    Value *val[8];       /* values, where known */
    int narg;            /* number of entries of arg that may be given */
    AstExpr *const *all; /* of functions with any number of arguments */
    int nall;
} BuiltinCall;

typedef Value *BuiltinFn(const Context *in, BuiltinCall *c);

/* The value of argument i. */
Value *builtin_arg(const Context *in, BuiltinCall *c, int i);
bool builtin_has(const BuiltinCall *c, int i);
/* An argument that is a compile-time Integer. */
bool builtin_int(const Context *in, BuiltinCall *c, int i, int *x);
Value *builtin_wrong(const Context *in, const BuiltinCall *c, int i,
                     const Value *v, const char *wanted);
/* Is it a predefined function? Then calls it. */
bool builtin_is(const char *name);
Value *builtin_call(const Context *in, Scope *scope, const char *name,
                    const AstExpr *e);
Value *builtin_apply(const Context *in, const char *name, Value *const *arg,
                     int narg, Span span);

#define BUILTIN(f) Value *f(const Context *in, BuiltinCall *c)
BUILTIN(builtin_function);
BUILTIN(builtin_abs);
BUILTIN(builtin_sign);
BUILTIN(builtin_minmax);
BUILTIN(builtin_sum);
BUILTIN(builtin_product);
BUILTIN(builtin_integer);
BUILTIN(builtin_toint);
BUILTIN(builtin_string);
BUILTIN(builtin_ndims);
BUILTIN(builtin_size);
BUILTIN(builtin_scalar);
BUILTIN(builtin_vector);
BUILTIN(builtin_matrix);
BUILTIN(builtin_transpose);
BUILTIN(builtin_outer);
BUILTIN(builtin_identity);
BUILTIN(builtin_diagonal);
BUILTIN(builtin_zeros);
BUILTIN(builtin_fill);
BUILTIN(builtin_linspace);
BUILTIN(builtin_symmetric);
BUILTIN(builtin_cross);
BUILTIN(builtin_skew);
BUILTIN(builtin_promote);
BUILTIN(builtin_cat);
BUILTIN(builtin_array);
BUILTIN(builtin_der);
BUILTIN(builtin_pre);
BUILTIN(builtin_initial);
BUILTIN(builtin_sample);
BUILTIN(builtin_noevent);
BUILTIN(builtin_smooth);
BUILTIN(builtin_homotopy);
BUILTIN(builtin_semilinear);
BUILTIN(builtin_delay);
BUILTIN(builtin_action);
BUILTIN(builtin_instance_name);
BUILTIN(builtin_pure);
BUILTIN(builtin_unsupported);

/* String() of a constant (3.7.1.1). */
const char *string_of_real(const Context *in, double x, int digits);
const char *string_pad(const Context *in, const char *s, int width, bool left);

/* ---- function.c, frame.c, statement.c, algorithm.c ---- */

Value *eval_call(const Context *in, Scope *scope, const AstExpr *e);
Value *eval_partial(const Context *in, Scope *scope, const AstExpr *e);
/* Is the reference a function? Then its value for a function-typed input. */
Value *eval_function_ref(const Context *in, Scope *scope, const AstRef *ref);
/* Calls with a value for each input in the order of declaration (NULL: the
 * default). Scalars over arrays are vectorised. */
Value *call_function(const Context *in, const Function *fn, Value **arg,
                     Span span);
/* The outputs of an external function whose inputs are in the frame. False
 * after a report. */
bool call_external(const Context *in, Exec *x, Span span);
bool function_recurses(
    const Context *in);                  /* the innermost is also further out */
Value *value_pending(const Context *in); /* mark of a variable not yet there */

typedef enum ExecStatus {
    EXEC_NORMAL,
    EXEC_BREAK,  /* the state belongs behind the loop */
    EXEC_RETURN, /* the state belongs to the end of the function */
    EXEC_DEAD,   /* every way ended, all states are kept */
    EXEC_FAIL,   /* reported */
} ExecStatus;

/* A state that waits behind a loop or at the end. */
typedef struct Kept {
    Expr condition; /* of the path */
    void *state;
} Kept;

typedef Vec(Kept) KeptList;

typedef Vec(FlatAction) ActionList;

/* A variable that a section assigns. */
typedef struct Slot {
    int var;
    bool known;            /* one of the two below was set */
    const AstStmt *clause; /* the when-statement that assigns it, NULL: none */
    bool mixed;            /* assigned by several clauses, or also outside */
    bool in_when;          /* assigned by some when-statement */
} Slot;

typedef struct SlotWrite {
    int slot;
    Expr old;
} SlotWrite;

struct Exec {
    Exec *up;
    const Function *fn; /* NULL: a section of a model */
    Span call;          /* where it was called */
    Scope *frame;
    Expr path; /* the statement that comes next counts only if this holds: ways
                  that returned or left the loop are excluded */
    int depth;
    bool generate_events;
    bool declaring; /* initial values of its variables are evaluated */
    KeptList returns;
    KeptList *breaks;            /* of the innermost loop, NULL: none */
    FlatVariability variability; /* function: of its arguments at most */
    /* section */
    Vec(Slot) var;      /* what it assigns */
    Vec(Expr) now;      /* by slot: the value, EXPR_UNSET: not assigned yet */
    Vec(SlotWrite) log; /* every write, to take back a branch */
    Vec(int) touched;   /* scratch of merge_branches, by slot: NONE */
    int nest;           /* if, for, while around */
    const AstStmt *clause;    /* the when-statement around, NULL: none */
    ActionList *actions;      /* inside of it: where they go */
    Vec(const AstRef *) seen; /* targets whose arrays have slots */
};

/* A variable of a frame: initialises it on demand; NULL: not local. */
Value *frame_read(const Context *in, Scope *scope, const char *name, Span span);
/* Marks a value as shared: nobody changes it in place any more. */
void value_share(Value *v);
void value_own(const Context *in, Value **v);
/* Reports where a scalar of `v` has no value; false then. */
bool value_is_set(const Context *in, const Value *v, const char *name,
                  Span span);

void *state_save(const Context *in, Exec *x);
void state_load(const Context *in, Exec *x, void *state);
/* The current state becomes: if c then `state` else the current one. */
bool state_merge(const Context *in, Exec *x, Expr c, void *state);

/* The context of what comes next in `x`. */
Context exec_context(const Context *in, Exec *x);
ExecStatus exec_list(const Context *in, Exec *x, Scope *scope,
                     AstStmt *const *stmt, int n);
ExecStatus exec_when(const Context *in, Exec *x, Scope *scope,
                     const AstStmt *s);
bool exec_assign(const Context *in, Exec *x, Scope *scope, const AstRef *ref,
                 Value *v, Span span);
/* The kept states merged into the current one. */
bool exec_join(const Context *in, Exec *x, KeptList *list, int from,
               ExecStatus status);
/* The value of a slot: assigned last, or that before the section. */
Expr section_read(const Context *in, Exec *x, int slot);
Expr section_default(const Context *in, Exec *x, int slot);
void section_set(const Context *in, Exec *x, int slot, Expr value);
/* What a branch wrote since `mark`, taken back: slots and their values. */
typedef struct Branch {
    int n;
    int *slot;
    Expr *value;
} Branch;
Branch section_take_back(const Context *in, Exec *x, int mark);
/* The writes of a branch again. */
void section_redo(const Context *in, Exec *x, Branch b);
/* Both branches ran from the same state: if c then one else two. */
void section_join(const Context *in, Exec *x, Expr c, Branch one, Branch two);
Exec *exec_section(const Context *in); /* the section around, or NULL */

/* ---- fold.c, units.c, finish.c ---- */

/* A constant or EXPR_NONE. */
Expr fold_expr(const Context *in, Expr e);
void units_check(const Context *in);

#endif
