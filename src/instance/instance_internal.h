/* instance_internal.h - what the files of this folder share.
 *
 * Two halves meet here:
 *   structure  classes, names, inheritance, modification, redeclaration,
 *              components, connections: it builds the tree of Instances and
 *              resolves references (find.c, class.c, modify.c, component.c,
 *              connect.c, equation.c, ...)
 *   values     expressions over arrays and records, built-in operators,
 *              functions, algorithms: it turns AstExpr into Values whose
 *              scalars are handles of the DAG (eval*.c, value.c, builtin*.c,
 *              function.c, algorithm.c)
 *
 * structure calls values by eval_*(); values calls structure by scope_*().
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_INTERNAL_H
#define TAKT_INSTANCE_INTERNAL_H

#include "ast/ast.h"
#include "base/vec.h"
#include "flat/flat.h"
#include "instance/instance.h"
#include "load/load.h"

typedef struct Context Context;   /* the run and where it stands */
typedef struct Class Class;       /* a class in its environment (structure) */
typedef struct Instance Instance; /* a component or array of them (structure) */
typedef struct Scope Scope;       /* where a name is looked up (structure) */

/* ---- types ---- */

typedef enum TypeKind {
    TYPE_REAL,
    TYPE_INTEGER,
    TYPE_BOOLEAN,
    TYPE_STRING,
    TYPE_ENUM,
    TYPE_RECORD,   /* members in the order of declaration */
    TYPE_FUNCTION, /* a function as an argument: class and bound arguments */
    TYPE_OBJECT,   /* external object */
    TYPE_ANY,      /* result of an error that was reported */
    TYPE_NORETURN, /* a call without a value */
} TypeKind;

typedef struct Type Type;

typedef struct TypeMember {
    const char *name;
    const Type *type; /* element type */
    int ndim;
    const int *dim; /* sizes; NONE: not known (function inputs) */
} TypeMember;

struct Type {
    TypeKind kind;
    int enumeration;    /* TYPE_ENUM: index in Flat.enumeration */
    const Class *cls;   /* TYPE_RECORD, TYPE_FUNCTION, TYPE_OBJECT */
    const char *name;   /* full class name, for messages and for equality of
                           record types */
    TypeMember *member; /* TYPE_RECORD */
    int nmember;
};

/* ---- values ---- */

/* A typed array of scalars (ndim 0: one). Records: `member` holds one Value
 * for each member, whose dimensions are those of the record array followed by
 * those of the member; `scalar` is then NULL. Scalars are stored row-major.
 * A Value is never changed once made; assignments make new ones. */
typedef struct Value Value;
struct Value {
    const Type *type;
    int ndim;
    const int *dim;
    int nscalar; /* product of dim, 1 for ndim 0 */
    Expr *scalar;
    Value **member; /* TYPE_RECORD: type->nmember */
    /* what the value depends on at most: constants only, parameters too,
     * discrete variables, anything */
    FlatVariability variability;
    bool structural;  /* reading it made parameters structural */
    const char *unit; /* of a Real scalar or array; NULL: not known, "" none */
    int nvalue;       /* several outputs of a call in a tuple: all of them */
    Value **tuple;
    const struct Closure
        *closure;             /* TYPE_FUNCTION: what to call (function.c) */
    const Type *const *index; /* by dimension: the type of its subscripts;
                                 NULL: any, a computed array */
    bool owned; /* of a frame, which may still change it in place (frame.c) */
    Expr one;   /* place of the scalar of a scalar value */
};

/* ---- what `values` offers (eval.c and friends) ---- */

/* The value of an expression. Never NULL: after an error, which was reported,
 * a Value of TYPE_ANY that makes no further errors. A call with several
 * outputs gives its first one and all of them in `tuple`. */
Value *eval_expr(const Context *in, Scope *scope, const AstExpr *e);

/* The value with parameters replaced by their values, down to literal
 * constants; the parameters become structural. Returns NULL, without a report,
 * if something is left that is not known at compile time. */
Value *eval_fold(const Context *in, Value *v);
/* A compile-time Integer or Boolean (sizes, conditions of components and
 * if-equations). Reports and returns false if it is none; `what` names its
 * role in the message: "the size of 'x'". */
bool eval_int(const Context *in, Scope *scope, const AstExpr *e,
              const char *what, int *result);
bool eval_bool(const Context *in, Scope *scope, const AstExpr *e,
               const char *what, bool *result);

/* Applies subscripts to a value; `end` and `:` are known inside. */
Value *eval_subscripts(const Context *in, Scope *scope, Value *v,
                       AstExpr *const *sub, int nsub, Span span);
/* Fits a value to a declared type and sizes: Integer to Real, record by
 * member names, size check (an entry NONE of dim is free). Reports with `what`
 * ("the binding of 'x'") and gives TYPE_ANY when it does not fit. */
Value *value_fit(const Context *in, Value *v, const Type *type, int ndim,
                 const int *dim, const char *what, Span span);
/* A Value made of given scalars (copied). */
Value *value_new(const Context *in, const Type *type, int ndim, const int *dim,
                 const Expr *scalar, FlatVariability variability);
Value *value_record(const Context *in, const Type *type, int ndim,
                    const int *dim, Value *const *member);
Value *value_error(const Context *in);
const char *type_text(const Context *in, const Type *type, int ndim,
                      const int *dim); /* "Real[3]" for messages */
const Type *type_builtin(TypeKind kind);
const Type *type_enum(const Context *in, int enumeration);

/* lhs = rhs between values of the same shape: calls emit for each scalar
 * pair. Tuples on the left are matched with the outputs of a call. */
typedef void EmitEqual(void *context, const Context *in, Expr lhs, Expr rhs,
                       const Type *type);
void eval_equation(const Context *in, Scope *scope, const AstExpr *lhs,
                   const AstExpr *rhs, Span span, EmitEqual *emit,
                   void *context);

/* The actions of a call statement or call equation: assert(), terminate(),
 * reinit() (one action for each scalar). Arguments are checked; *action lives
 * in the arena. Returns their number; NONE if the call is none of these: then
 * it is a function call, to be evaluated by eval_expr (assertions inside the
 * function are added to the flat model, see Context.component). */
int eval_actions(const Context *in, Scope *scope, const AstExpr *call,
                 FlatAction **action);

/* The values of the iterator of a `for`: a vector, or TYPE_ANY after a report.
 * Without a range it is found from the use of the iterator as a subscript in
 * `use` (11.2.2.1). Types as ranges are known. */
typedef struct IterUse {
    const AstExpr *expr; /* may be NULL */
    AstEqn *const *eqn;
    int neqn;
    AstStmt *const *stmt;
    int nstmt;
} IterUse;
Value *eval_range(const Context *in, Scope *scope, const AstIter *iter,
                  IterUse use);
/* Element k of a vector, or row k of an array, from 0. */
Value *value_element(const Context *in, const Value *v, int k);

struct Values *values_new(Arena *arena);
/* At the end of flattening: checks that had to wait (pre() of what is no
 * discrete variable), assertions on constants and parameters, units. */
void values_finish(const Context *in);

/* An algorithm section of a model, executed symbolically: each variable it
 * assigns gets an equation `v = value at the end` (FO_ALGORITHM); loops with
 * constant bounds are unrolled, if-statements become if-expressions,
 * when-statements become FlatWhens. */
void algorithm_section(const Context *in, Scope *scope, AstStmt *const *stmt,
                       int nstmt);

/* ---- what `structure` offers ---- */

/* A scope is a class or instance, or a frame of local names (loop iterators,
 * the variables of a function) in front of another scope. Frames
 * are made in frame.c (values), class scopes in find.c (structure). */
struct Scope {
    struct Frame *frame; /* local names, NULL: a class scope */
    Scope *parent;       /* of a frame: what is behind it */
    Class *cls;          /* of a class scope: whose text the names stand in */
    Instance *inst;      /* the instance this class is (a part of); NULL: only
                            classes and constants can be found */
};
Scope *scope_frame(const Context *in, Scope *parent);
void scope_bind(const Context *in, Scope *frame, const char *name, Value *v);
/* The bound value of the nearest frame, NULL if the name is not local. */
Value *scope_local(const Scope *scope, const char *name);
/* Sets the value of a local name that is bound already. */
void scope_assign(Scope *scope, const char *name, Value *v);

/* The value of a reference to a component, constant, enumeration literal,
 * local name or `time`, subscripts applied. Reports and gives TYPE_ANY where
 * there is none; `enumeration type` and `Boolean` as ranges of `for` are
 * asked by scope_class. */
Value *scope_value(const Context *in, Scope *scope, const AstRef *ref);
/* The class a name stands for, NULL if there is none (without a report when
 * `quiet`). */
Class *scope_class(const Context *in, Scope *scope, const AstRef *ref,
                   bool quiet);

/* A function as `values` sees it. */
typedef struct FunctionVar {
    const char *name;
    AstDirKind direction; /* DIR_NONE: protected local */
    const Type *type;
    int ndim;
    AstExpr *const *dim;    /* AE_COLON: from the argument; evaluate in the
                               frame of the call, so sizes may use inputs */
    const AstExpr *binding; /* default or initial value, NULL: none */
    Scope *binding_scope;   /* where the binding is to be looked up; NULL: the
                               frame of the call */
    FlatVariability variability; /* parameter and constant locals */
    Span span;
} FunctionVar;

typedef struct Function {
    const Class *cls;
    const char *name; /* full name */
    Scope *scope;     /* of its class: parent of the call's frame */
    FunctionVar *var; /* inputs and outputs in order of declaration,
                         inherited ones included */
    int nvar;
    AstSection *const *section;  /* algorithm sections, inherited included */
    Scope *const *section_scope; /* the class whose text each section stands in:
                                    behind the frame while it runs */
    int nsection;
    const AstExternal *external; /* NULL: none */
    bool is_impure;
    bool is_partial;
    bool is_record_constructor; /* the class is a record: var are its members */
    bool inline_always;
    const AstMod *annotation;
    Span span;
} Function;

/* The function (or record constructor, or external object constructor) behind
 * a class; NULL if it is none. Cached. */
const Function *class_function(const Context *in, const Class *cls);
/* The type of a component of that class: built-in, enumeration or record. */
const Type *class_type(const Context *in, const Class *cls);
/* Is it an enumeration, or Boolean? Number of values and the type. */
bool class_is_range(const Context *in, const Class *cls, int *count,
                    const Type **type);

/* Operators whose answer is in the structure: cardinality, inStream,
 * actualStream, Connections.isRoot, Connections.rooted. NULL if the call is
 * none of these. */
Value *scope_operator(const Context *in, Scope *scope, const AstExpr *call);
/* The path of the instance that evaluates: getInstanceName() (3.7.4.4). */
const char *scope_instance_name(const Context *in, const Scope *scope);
/* Number of an instance in Flat.component. */
int instance_component(const Instance *instance);

/* The value a constant or parameter variable of the flat model was given, or
 * NULL: its binding, else its start value with a warning. Evaluated on demand
 * with a check for cycles. */
Value *var_binding(const Context *in, int var);
void var_make_structural(const Context *in, int var);

/* ---- adding to the flat model (emit.c) ---- */

/* Tables of Flat double when their count reaches a power of two; each returns
 * the index of the new entry, which is a copy. */
int emit_component(const Context *in, FlatComponent c);
int emit_var(const Context *in, FlatVar v);
int emit_eqn(const Context *in, FlatEqn e);
int emit_initial(const Context *in, FlatEqn e);
int emit_when(const Context *in, FlatWhen w);
int emit_assert(const Context *in, FlatAssert a, bool initial);
int emit_enumeration(const Context *in, FlatEnumeration e);
int emit_function(const Context *in, FlatFunction f);

/* ---- the context ---- */

/* What a run counts, whatever it evaluates. */
typedef struct Run {
    const Context *root; /* of what belongs to no expression: the model */
    int depth;           /* nesting of evaluation, against endless recursion */
    long work;           /* steps of compile-time evaluation so far */
    bool exhausted;      /* a limit was passed: nothing more is evaluated */
    Span exhausted_at;
    Diag *silence; /* of trials (trial.h), NULL: there was none */
} Run;

/* The run, and where it stands: for whom and under which condition something
 * is evaluated. A Context is passed down and never changed; whoever evaluates
 * a part under other conditions makes a copy for it. */
struct Context {
    /* the same everywhere */
    Library *library;
    Intern *names;
    Arena *arena;
    Dag *dag;
    Flat *flat; /* under construction: tables grow */
    Run *run;
    struct Structure *structure; /* private parts of the halves */
    struct Values *values;
    /* where reports and what is left behind go: a trial has its own */
    Diag *diag;
    struct Ledger *ledger; /* NULL: to the model */
    /* here */
    Expr path;       /* what is evaluated counts only if this holds */
    int component;   /* owner of assertions that functions make */
    bool is_initial; /* inside an initial equation or initial algorithm */
    bool in_when;    /* inside a when: pre() of a continuous variable is allowed
                        there */
    bool in_connect; /* in the arguments of a connect: conditional components
                        can be named there */
    bool keeps_tunable; /* folding does not make parameters structural */
    int end; /* what `end` stands for: the size of the dimension whose subscript
                is evaluated; NONE: no subscript */
    struct Exec *exec;    /* innermost function or section, NULL: none */
    size_t memory_before; /* bytes in use when the outermost of them began */
};

/* The same place, narrowed by a condition. */
Context context_narrow(const Context *in, Expr condition);
/* The same place for another owner. */
Context context_owned(const Context *in, int component);

#endif
