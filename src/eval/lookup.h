/* lookup.h - what evaluation asks of whoever knows the classes.
 *
 * Evaluation knows no classes and no components: what a name stands for, which
 * function a class is, which value a parameter was given, it asks of the Lookup
 * in its context. The answers may need evaluation in turn; they are found once
 * and remembered (facts, see trial.h).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_LOOKUP_H
#define TAKT_EVAL_LOOKUP_H

#include "ast/ast.h"
#include "eval/scope.h"
#include "told/told.h"
#include "value/cells.h"

/* The value that a declaration gives to one member of a record: Complex z(re =
 * 1). */
typedef struct MemberBinding {
    const char *name;
    const AstExpr *value;
    Scope *scope; /* NULL: the frame of the call */
} MemberBinding;

/* A function as evaluation sees it. */
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
    const MemberBinding *member; /* of a record, size nmember */
    int nmember;
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
    AstSection *const *section; /* algorithm sections, inherited included */
    int nsection;
    const AstExternal *external; /* NULL: none */
    bool is_partial;
    bool is_pure, is_impure;    /* as declared (12.3) */
    bool is_record_constructor; /* the class is a record: var are its members */
    const AstMod *annotation;
    Span span;
} Function;

typedef struct Lookup {
    /* The value of a reference to a component, constant, enumeration literal,
     * local name or `time`, subscripts applied. Reports and gives TYPE_ANY
     * where there is none. */
    Value *(*value)(const Context *in, Scope *scope, const AstRef *ref);
    /* The class a name stands for, NULL if there is none (without a report when
     * `quiet`). */
    Class *(*class_of)(const Context *in, Scope *scope, const AstRef *ref,
                       bool quiet);
    /* The function (or record constructor, or external object constructor) that
     * a class is; NULL if it is none. */
    const Function *(*function)(const Context *in, const Class *cls);
    /* The functions that overload the operator `name`, written as in the source
     * ("'+'"), of an operator record. Returns their number. */
    int (*operators)(const Context *in, const Class *cls, const char *name,
                     const Function *const **fn);
    /* The type of a component of that class: built-in, enumeration or record;
     * NULL: none. */
    const Type *(*type)(const Context *in, const Class *cls);
    /* Has an error in the class itself been reported? */
    bool (*is_wrong)(const Class *cls);
    /* Is it an enumeration, or Boolean? Number of values and the type. */
    bool (*is_range)(const Context *in, const Class *cls, int *count,
                     const Type **type);
    /* Operators whose answer is in the structure: cardinality, inStream,
     * actualStream, Connections.isRoot, Connections.rooted. NULL if the call is
     * none of these. */
    Value *(*structure_operator)(const Context *in, Scope *scope,
                                 const AstExpr *call);
    /* The file that a URI modelica://... names; NULL after a report. */
    const char *(*resource)(const Context *in, const char *uri, Span span);
    /* May foreign code that is declared there run? */
    bool (*trusts)(const Context *in, Span span);
    /* The outputs of an external function whose inputs are in the frame of `x`
     * (external/external.h). False after a report. */
    bool (*external)(const Context *in, struct Exec *x, Span span);
    /* Is the function that its annotation names as its derivative one? False
     * after a report. */
    bool (*derivative_fits)(const Context *in, const Function *fn, Value **arg,
                            Span span);
    /* How calls of this kind are differentiated; NULL: as they are written. */
    void (*tell)(const Context *in, const Function *fn, const FormalCall *c,
                 const Told **told);
    /* Does the function print and nothing else? */
    bool (*only_prints)(const Function *fn);
    /* The path of the instance that evaluates: getInstanceName() (3.7.4.4). */
    const char *(*instance_name)(const Context *in, const Scope *scope);
    /* The value a constant or parameter variable of the flat model was given,
     * or NULL: its binding, else its start value with a warning. */
    Value *(*binding)(const Context *in, int var);
    /* From now on the values of the parameter, and of those it depends on, are
     * part of the structure. */
    void (*make_structural)(const Context *in, int var);
} Lookup;

#endif
