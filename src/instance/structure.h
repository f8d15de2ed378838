/* structure.h - classes in their environment, modifiers, instances: what the
 * files of the structure half share (see instance_internal.h for the halves).
 *
 * Everything is made on demand. A Class is the text of a class in an
 * environment: the class around it, the instance around it, and the modifiers
 * that reach it from outside. Its elements are known once it is elaborated
 * (class.c); a class without modifiers is elaborated once and shared by all its
 * components. An Instance is a component: its size, condition, children and
 * variables are found when somebody asks, because a size may depend on a
 * parameter that is declared later or elsewhere.
 *
 *   class.c      elements of a class: own, inherited, redeclared
 *   modify.c     modifiers: merging, precedence, final, each
 *   find.c       names: lexical scopes, imports, composite names
 *   component.c  instances and their sizes, conditions, variables
 *   binding.c    values of components: declaration equations, attributes
 *   reference.c  the value of a reference a[2].b.c[:]
 *   types.c      types and functions as `values` sees them
 *   equation.c   equation sections
 *   connect.c    connection sets
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_STRUCTURE_H
#define TAKT_INSTANCE_STRUCTURE_H

#include "instance/instance_internal.h"
#include "instance/trial.h"

enum {
    LIMIT_DEPTH = 250,     /* nesting of instances */
    LIMIT_RECURSION = 600, /* nesting of lookups and elaborations */
    LIMIT_SIZE = 20000000, /* elements of one array */
    LIMIT_VARS = 5000000,  /* scalar variables of a model */
};

/* ---- modifiers (7.2) ---- */

typedef struct Mod Mod;
typedef struct Element Element;

/* Where the expressions or names of a modifier are looked up. `self`: in the
 * instance that is made of the class, which is not known before (mod_bind). */
typedef struct ModScope {
    Class *part;
    Instance *inst;
    bool self;
} ModScope;

/* A modification of one name. A Mod is never changed once it is part of a
 * class or an instance; merging and binding make new ones. */
struct Mod {
    const char *name; /* NULL: of the class or component itself */
    Span span;
    const AstExpr *value; /* binding, NULL: none */
    ModScope scope;       /* of the value */
    /* `depth` levels below the instance `anchor` levels deep the name stands;
     * the value is split over the arrays of components between level `stop`
     * and that of the name (each: 7.2.5). anchor NONE: not yet bound */
    int depth, stop, anchor;
    bool each, final, is_break;
    bool weak; /* inside of something whose whole value an outer modifier set */
    const AstElem *redeclare; /* NULL: none */
    ModScope redeclare_scope;
    Mod *under; /* what a `redeclare ... extends` redeclares in turn */
    Mod **kid;
    int nkid;
    Value *cached; /* of the unsplit value */
    bool busy;     /* the value is being evaluated */
};

/* The modification (args) = value as written; NULL if `ast` is NULL. What it
 * modifies stands `depth` levels below the instance of its class: 1 for a
 * component, 0 for the class itself. */
Mod *mod_new(const Context *in, const AstMod *ast, ModScope scope, int depth);
/* A modification that redeclares `elem`. */
Mod *mod_new_redeclare(const Context *in, const AstElem *elem, ModScope scope,
                       int depth);
/* An empty modification with one kid. */
Mod *mod_wrap(const Context *in, Mod *kid);
/* The modification of `name` inside, NULL if there is none. */
Mod *mod_kid(const Mod *m, const char *name);
/* outer over inner; each may be NULL. Reports a change of what is final. */
Mod *mod_merge(const Context *in, Mod *outer, Mod *inner);
/* The same modification with `self` scopes bound to an instance. */
Mod *mod_bind(const Context *in, Mod *m, Instance *inst);
/* Without its own value, only with what is inside. */
Mod *mod_without_value(const Context *in, Mod *m);
bool mod_is_empty(const Mod *m);

/* ---- classes ---- */

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

/* A table from names to numbers. */
typedef struct NameMap {
    const char **key;
    int *value;
    int cap, n;
} NameMap;
/* Of what is found by its address. */
unsigned namemap_hash(const void *address);
int namemap_find(const NameMap *m, const char *name); /* NONE: not there */
void namemap_add(const Context *in, NameMap *m, const char *name, int value);

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
    Mod *attributes;       /* types.c: of a simple type, merged */
    struct TypeInfo *info; /* types.c: what it is in the end */
    Scope *scope;          /* as a class scope without instance */
    Instance *constants;   /* its instance for package constants */
    const Function *function;
    bool function_done;
    const Type *type;
    bool checked_balance;
};

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
/* The class an element declares, seen from the instance (may be NULL). */
Class *element_class(const Context *in, Element *e, Instance *inst);
/* The type of a component element. NULL after a report. */
Class *element_type(const Context *in, Element *e, Instance *inst);
/* Reports modifiers that fit no element of `cls`. */
void class_check_mods(const Context *in, Class *cls, const Mod *mods,
                      const char *what);
bool class_is_attribute(const char *name); /* of enumerations */
/* subtype.c: can a `sub` stand where a `super` is expected (6.4)? If not, *why
 * says what is wrong. */
bool class_is_subtype(const Context *in, Class *sub, Class *super,
                      const char **why);
/* Reports a redeclared element that is no subtype of its constraint. */
void subtype_check_element(const Context *in, Element *e, Class *cls,
                           Instance *inst);
/* restrict.c: what a record, connector, function... may hold (4.6). */
void restrict_class(const Context *in, Class *cls);
Class *class_builtin(const Context *in, TypeKind kind);
Class *class_builtin_by_name(const Context *in, const char *name);
bool class_is_kind(const Context *in, Class *cls, AstClassKind kind);
AstClassKind class_kind(const Class *cls);
/* Is `base` a base class of `cls` (by text), or the same class? */
bool class_derives(const Context *in, Class *cls, const Class *base);

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

/* ---- instances ---- */

typedef enum InstKind {
    IK_OBJECT, /* has children */
    IK_PRIM,   /* a scalar or array of a simple type: has variables */
    IK_ARRAY,  /* elements are instances */
    IK_ABSENT, /* condition is false */
    IK_ERROR,
} InstKind;

typedef enum Step { STEP_NEW, STEP_BUSY, STEP_DONE } Step;

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
    Step size_step, var_step, bind_step;
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
    Scope **scope;
    int nscope;
    int nconnect;       /* connections to it, for cardinality */
    int node;           /* graph.c: its number there + 1, 0: none */
    int neqn_component; /* balance: equations of this component */
};

Instance *instance_root(const Context *in, Class *cls);
/* The instance of a package or function, for its constants. */
Instance *instance_of_constants(const Context *in, Class *cls);
/* Child number i, made if need be. Never NULL; kind IK_ABSENT or IK_ERROR
 * where there is none. */
Instance *instance_child(const Context *in, Instance *inst, int i);
Instance *instance_child_by_name(const Context *in, Instance *inst,
                                 const char *name);
/* Sizes are known and elements exist afterwards. False after an error. */
bool instance_size(const Context *in, Instance *inst);
/* The whole tree below, with variables. */
void instance_expand(const Context *in, Instance *inst);
/* Is it declared with a condition (4.4.5)? */
bool instance_is_conditional(const Instance *inst);
const char *instance_path(const Context *in, Instance *inst);
Scope *instance_scope(const Context *in, Instance *inst, Class *part);
Scope *class_scope(const Context *in, Class *cls);
Scope *mod_scope(const Context *in, ModScope s);

/* binding.c: the value given by the declaration or a modifier, fitted to the
 * type; NULL: none. */
Value *instance_binding(const Context *in, Instance *inst);
/* The value as read by an expression. */
Value *instance_value(const Context *in, Instance *inst, Span span);
/* Fills bindings, attributes; emits equations of bindings. */
void instance_bind_all(const Context *in, Instance *inst);
/* Reports parameters whose values depend on themselves. */
void binding_check_cycles(const Context *in);
/* Creates the variables of a simple component. */
void instance_variables(const Context *in, Instance *inst);
/* A value without its first dimensions: v[index[0], ...]. */
/* The value given, before it is fitted to type and size. */
Value *instance_raw_binding(const Context *in, Instance *inst);
const char *index_text(const Context *in, int ndim, const int *dim, int k);
Value *value_pick(const Context *in, Value *v, int n, const int *index);

/* ---- names ---- */

typedef enum FoundKind {
    FOUND_NONE,
    FOUND_CLASS,
    FOUND_INSTANCE,
    FOUND_LOCAL,
    FOUND_ERROR,
} FoundKind;

/* What a name stands for. */
typedef struct Found {
    FoundKind kind;
    Class *cls;
    Instance *inst;
    Value *value;
    int npart;     /* parts of the reference that were used */
    bool is_outer; /* found in an enclosing class, not in the class itself */
} Found;

/* The first identifier of a reference. */
Found find_simple(const Context *in, Scope *scope, const char *name, Span span);
/* A class by its full reference; reports unless quiet. */
Class *find_class(const Context *in, Scope *scope, const AstRef *ref,
                  bool quiet);
/* The same, when looking for a base class of `of`: names that `of` inherits
 * do not count (5.6.1). */
void find_suggest(const Context *in, Scope *scope, const char *name);
void find_suggest_member(const Context *in, Class *cls, const char *name);

/* Instances a reference names: an array of them with dimensions. */
typedef struct InstanceSet {
    Instance **at;
    int n;
    int ndim;
    int dim[16];
    bool absent; /* leads through a component whose condition is false */
    bool ok;
} InstanceSet;
InstanceSet find_instances(const Context *in, Scope *scope, const AstRef *ref);

/* reference.c: what part i of a reference names is known. */
Value *reference_value(const Context *in, Scope *scope, Instance *inst,
                       const AstRef *ref, int i);
Value *reference_rest(const Context *in, Scope *scope, Instance *inst,
                      const AstRef *ref, int i);
Value *reference_empty(const Context *in, Instance *array, const AstRef *ref,
                       int i, const InstanceSet *set);
/* The values of the elements of an array as one. */
Value *reference_gather(const Context *in, Instance *array, Value *const *v,
                        Span span);
Value *reference_local(const Context *in, Scope *scope, Value *v,
                       const AstRef *ref, int i);
InstanceSet reference_instances(const Context *in, Scope *scope,
                                Instance *first, const AstRef *ref, int i);

/* ---- equations and connections ---- */

void equation_emit(const Context *in, int component, Expr lhs, Expr rhs,
                   FlatOrigin origin, Span span);
void equation_collect_connects(const Context *in, Instance *inst);
void equation_all(const Context *in, Instance *inst);
void connect_add(const Context *in, Scope *scope, Instance *owner,
                 const AstEqn *eqn);
void connect_emit(const Context *in);

/* ---- the run ---- */

typedef struct Structure {
    struct ClassMap *loaded; /* LoadClass -> Class */
    Class *builtin[TYPE_NORETURN + 1];
    Class *state_select, *assertion_level, *external_object, *clock;
    Class *connections;
    Instance *root;
    Vec(Instance *) var_owner; /* of each variable */
    Vec(struct Connection *) connections_made;
    int depth;     /* nesting of lookups */
    bool too_deep; /* reported */
    bool too_many;
    const char *n_attr[16];
    struct ConnectGraph *graph;
    NameMap enums; /* full name -> number */
    Vec(const Class *) enum_class;
} Structure;

#define ST(in) ((in)->structure)

#endif
