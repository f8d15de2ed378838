/* component.h - instances: components, their sizes, variables and values.
 *
 * An Instance is a component: its size, condition, children and variables are
 * found when somebody asks, because a size may depend on a parameter that is
 * declared later or elsewhere.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_COMPONENT_H
#define TAKT_INSTANCE_COMPONENT_H

#include "instance/class.h"

typedef enum InstKind {
    IK_OBJECT, /* has children */
    IK_PRIM,   /* a scalar or array of a simple type: has variables */
    IK_ARRAY,  /* elements are instances */
    IK_ABSENT, /* condition is false */
    IK_ERROR,
} InstKind;

/* How far something that is made on demand has come. */
typedef enum Making { MAKING_NEW, MAKING_BUSY, MAKING_DONE } Making;

struct Instance {
    const char *name; /* "r", "r[2]" */
    const char *path; /* full, "" for the model; made when asked for */
    Instance *parent; /* the instance around it (of an element: of the array) */
    Instance *array;  /* of an element: the array it belongs to */
    int index;        /* of an element: row-major place */
    Class *cls;
    const TypeInfo *info;
    Element *elem;
    Mod *mod;
    InstKind kind;
    Making size_step, var_step, bind_step;
    bool expanded;
    int depth;
    int ndim;
    const int *dim;
    const Type **index_type; /* by dimension: of the subscripts */
    int nelement;            /* product of dim */
    Instance **element;
    Instance **child; /* size cls->ncomp */
    FlatVariability variability;
    AstFlowKind flow;
    AstDirKind direction;
    bool is_protected, is_final, is_static, is_inner, is_outer;
    bool is_connector; /* its class is a connector */
    bool in_connector; /* it, or something around it, is one */
    bool evaluate;     /* annotation Evaluate = true */
    const Type *type;  /* IK_PRIM */
    int var;           /* IK_PRIM: number of its first variable */
    int component;     /* in Flat.component */
    Value *value;
    Value *binding;
    Span binding_span;
    Instance *outer_of; /* an outer component: the inner one */
    Instance *twin; /* inner outer: the one around, which its own class sees;
                       this one is for what is below */
    Scope **scope;
    int nscope;
    Instance **added; /* members that connections add to an expandable one */
    int nadded;
    bool present; /* in an expandable connector: something is connected */
    int nconnect; /* connections to it, for cardinality */
    int node;     /* graph.c: its number there + 1, 0: none */
};

/* ---- components (component.c) ---- */

Instance *instance_root(const Context *in, Class *cls);
/* The instance of a package or function, for its constants. */
Instance *instance_of_constants(const Context *in, Class *cls);
/* Child number i, made if need be. Never NULL; kind IK_ABSENT or IK_ERROR
 * where there is none. */
Instance *instance_child(const Context *in, Instance *inst, int i);
Instance *instance_child_by_name(const Context *in, Instance *inst,
                                 const char *name);
/* The member added to an expandable connector, NULL: none; adds one. */
Instance *instance_added(const Instance *inst, const char *name);
void instance_add(const Context *in, Instance *inst, Instance *member);
/* Makes it one with children. */
void instance_make_object(const Context *in, Instance *inst, Class *cls);
/* The elements of an array whose size is known. */
void instance_make_elements(const Context *in, Instance *inst);
/* Sizes are known and elements exist afterwards. False after an error. */
bool instance_size(const Context *in, Instance *inst);
/* The whole tree below, with variables. */
void instance_expand(const Context *in, Instance *inst);
/* Reports prefixes that the component cannot have (prefix.c). */
void prefix_check(const Context *in, const Instance *inst, const Element *e);
/* Reports a connector whose flows and potentials do not pair (9.3.1). */
void prefix_check_connector(const Context *in, Instance *inst);
/* Is it declared with a condition (4.4.5)? */
bool instance_is_conditional(const Instance *inst);
/* Its number in Flat.component, or that of the next one around it. */
int instance_component(const Instance *inst);
/* "[2,1]" for the element k. */
const char *index_text(const Context *in, int ndim, const int *dim, int k);
const char *instance_path(const Context *in, Instance *inst);
Scope *instance_scope(const Context *in, Instance *inst, Class *part);
Scope *class_scope(const Context *in, Class *cls);
Scope *mod_scope(const Context *in, ModScope s);

/* ---- values (binding.c) ---- */

/* The value given by the declaration or a modifier, fitted to the
 * type; NULL: none. */
Value *instance_binding(const Context *in, Instance *inst);
/* The value as read by an expression. */
Value *instance_value(const Context *in, Instance *inst, Span span);
/* Fills bindings, attributes; emits equations of bindings. */
void instance_bind_all(const Context *in, Instance *inst);
/* Reports parameters whose values depend on themselves. */
void binding_check_cycles(const Context *in);
/* The part of a modifier's value that belongs to `inst`. `self`: the element
 * `inst` itself of an array counts. */
Value *binding_split(const Context *in, Instance *inst, Mod *m, bool self,
                     const char *what);
/* Is it a component whose members take their values from its own? */
bool binding_is_record(const Instance *inst);
/* The value given, before it is fitted to type and size. */
Value *instance_raw_binding(const Context *in, Instance *inst);
/* The value a constant or parameter variable of the flat model was given, or
 * NULL: its binding, else its start value with a warning. */
Value *binding_of_var(const Context *in, int var);
/* The parameter and those it depends on become structural. */
void binding_make_structural(const Context *in, int var);

/* ---- variables (variable.c) ---- */

/* Creates the variables of a simple component. */
void instance_variables(const Context *in, Instance *inst);
/* Whose variable it is; NULL: no model declares it (value/hidden.h). */
Instance *variable_owner(const Context *in, int var);
/* The value of an attribute, fitted; NULL after a report. */
Value *attribute_value(const Context *in, Instance *inst, Mod *m,
                       const Type *type);
/* Sets the attribute that `m` names in the variables of `inst`. */
void attribute_set(const Context *in, Instance *inst, Mod *m);

#endif
