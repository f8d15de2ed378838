/* class.h - classes in their environment, and what they are as types.
 *
 * A Class is the text of a class in an environment: the class around it, the
 * instance around it, and the modifiers that reach it from outside. Its
 * elements are known once it is elaborated; a class without modifiers is
 * elaborated once and shared by all its components.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_CLASS_H
#define TAKT_INSTANCE_CLASS_H

#include "instance/modify.h"
#include "instance/namemap.h"
#include "load/load.h"

typedef struct Element Element;

/* ---- classes and their elements ---- */

/* What a class declares: a component or a class. */
struct Element {
    const char *name;
    const AstElem *ast;      /* as it counts: the redeclaration, if any */
    const AstElem *original; /* as declared */
    LoadClass *load;         /* a class of its own file; ast is NULL then */
    Class *part;             /* the class whose text declares it */
    ModScope scope;          /* where its type or class is looked up */
    Mod *mod;                /* modifiers, the declaration's own included */
    Mod *redeclared_by;      /* NULL: as declared */
    bool is_component, is_protected, is_final;
    Class *cls;   /* class element: once made; component: its type, if that
                     does not depend on the instance */
    bool busy;    /* cls is being found */
    bool checked; /* subtype.c */
};

typedef struct Base {
    Class *cls;         /* with the modifiers that reach it */
    const AstElem *ast; /* the extends clause; NULL: short class */
    bool is_protected;
} Base;

typedef enum ClassState {
    CS_NEW,
    CS_OWN /* own elements known */,
    CS_BUSY /* looking for bases */,
    CS_DONE,
} ClassState;

struct Class {
    const char *name;
    const char *full_name;
    const AstClass *ast; /* NULL: built in */
    LoadClass *load;     /* NULL: a redeclaration inside a modifier */
    Class *parent;       /* whose text is around it; NULL: top level */
    Instance *owner;     /* the instance of `parent`, for modifiers of a short
                            class; NULL: none */
    Mod *mods;           /* from outside, NULL: none */
    Class *plain;        /* the same without these mods; itself if none */
    Class *replaced;     /* class extends: the class that is extended */
    bool is_local;       /* made for one instance */
    bool is_builtin;
    TypeKind builtin; /* if is_builtin */
    ClassState state;
    bool failed;   /* an error was reported while elaborating */
    Element **own; /* declared in its text (and class files found) */
    int nown;
    NameMap own_map;
    Base *base;
    int nbase;
    bool comp_ready;
    Element **comp; /* components, inherited ones included, in order */
    int ncomp;
    NameMap comp_map;
    struct TypeInfo *info; /* types.c: what it is in the end */
    Scope *scope;          /* as a class scope without instance */
    Instance *constants;   /* its instance for package constants */
    const Function *function;
    bool function_done;
    const Type *type;
    bool unpaired;                 /* a connector: prefix.c has told so */
    struct OperatorSet *operators; /* operator.c: those looked for so far */
};

/* ---- making and asking ---- */

/* The class of a library, without modifiers. */
Class *class_of_load(const Context *in, LoadClass *load);
/* A class of its own for a text; `load` is its file's class or NULL. */
Class *class_of_text(const Context *in, const AstClass *ast, Class *parent,
                     LoadClass *load);
/* `cls` with modifiers from outside (bound or not). */
Class *class_modify(const Context *in, Class *cls, Mod *mods);
/* Finds own elements; then also bases. False after an error. */
void class_own(const Context *in, Class *cls);
bool class_elaborate(const Context *in, Class *cls);
/* Elements by name: own and inherited. NULL: none. */
Element *class_find(const Context *in, Class *cls, const char *name);
/* Number of the component in cls->comp, NONE. */
int class_component(const Context *in, Class *cls, const char *name);
void class_components(const Context *in, Class *cls);
/* One more component than the text has; returns its number. */
int class_add_component(const Context *in, Class *cls, Element *e);
/* The class an element declares, seen from the instance (may be NULL). */
Class *element_class(const Context *in, Element *e, Instance *inst);
/* The type of a component element. NULL after a report. */
Class *element_type(const Context *in, Element *e, Instance *inst);
/* Reports modifiers that fit no element of `cls`. */
void class_check_mods(const Context *in, Class *cls, const Mod *mods,
                      const char *what);
bool class_is_attribute(const char *name); /* of enumerations */
/* ---- checks (subtype.c, restrict.c) ---- */

/* Can a `sub` stand where a `super` is expected (6.4)? If not, *why
 * says what is wrong. */
bool class_is_subtype(const Context *in, Class *sub, Class *super,
                      const char **why);
/* Reports a redeclared element that is no subtype of its constraint. */
void subtype_check_element(const Context *in, Element *e, Class *cls,
                           Instance *inst);
/* What a record, connector, function... may hold (4.6). */
void restrict_class(const Context *in, Class *cls);

Class *class_builtin(const Context *in, TypeKind kind);
Class *class_builtin_by_name(const Context *in, const char *name);
AstClassKind class_kind(const Class *cls);
/* Is `base` a base class of `cls` (by text), or the same class? */
bool class_derives(const Context *in, Class *cls, const Class *base);

/* ---- as types and functions (types.c) ---- */

/* What a class is as a type: a simple type, or something with components. */
typedef struct TypeInfo {
    bool is_simple; /* Real, Integer, Boolean, String, enumeration */
    bool is_object; /* external object */
    TypeKind kind;
    const Type *type;     /* simple types */
    Mod *mods;            /* attributes given by the type, merged */
    AstExpr *const **sub; /* dimensions, outermost definition first */
    int *nsub;
    ModScope *sub_scope;
    int nlevel;
    AstDirKind direction; /* prefixes of short class definitions */
    AstFlowKind flow;
    Class *underlying; /* without dimensions: what an element is */
} TypeInfo;
const TypeInfo *class_info(const Context *in, Class *cls);
/* The type of a component of that class: built-in, enumeration or record. */
const Type *class_type(const Context *in, const Class *cls);
/* The function (or record constructor, or external object constructor) that a
 * class is; NULL if it is none. */
const Function *class_function(const Context *in, const Class *cls);
/* The functions that overload the operator `name` ("'+'", "'constructor'") of
 * an operator record; their number, 0 for any other class. */
int class_operators(const Context *in, const Class *cls, const char *name,
                    const Function *const **fn);
/* Has an error in the class itself been reported? */
bool class_is_wrong(const Class *cls);
/* Is it an enumeration, or Boolean? Number of values and the type. */
bool class_is_range(const Context *in, const Class *cls, int *count,
                    const Type **type);

#endif
