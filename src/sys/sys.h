/* sys.h - the simplified system, of any index: F(x', x, y, u, p, t) = 0.
 *
 *   made by   simplify/simplify.h   Flat -> Sys
 *   read by   reduce/reduce.h       Sys -> Dae, and by everything that works
 *             on a system of any index: direct inlining, IDA, derivative arrays
 *
 * The variables keep their numbers of the flat model; auxiliary ones (the
 * conditions of when clauses) come after them. Each has a role that says
 * where its value comes from. Equations mention only variables whose role is
 * PARAMETER, FREE, INPUT, UNKNOWN or DISCRETE: constants and aliases are gone
 * from them, and can be undone for output by role.
 *
 * When clauses have become equations: a discrete v assigned under condition c
 * has v = if c and not pre(c) then value else pre(v), with c an auxiliary
 * Boolean variable.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SYS_SYS_H
#define TAKT_SYS_SYS_H

#include "flat/network.h"

typedef enum SysRole {
    SR_CONSTANT,  /* `value`: known now (constants, structural and final
                     parameters with known values, variables found constant) */
    SR_PARAMETER, /* can be set before a run; `expr` is its default value or
                     its dependence on other parameters */
    SR_FREE,      /* parameter with fixed = false: initialisation finds it */
    SR_INPUT,     /* input of the model */
    SR_UNKNOWN,   /* continuous unknown */
    SR_DISCRETE,  /* unknown that changes at events only: Boolean, Integer,
                     enumeration, discrete Real */
    SR_ALIAS,     /* sign * var[target]; Boolean with sign -1: not target */
    SR_COMPUTED,  /* nobody reads it: `expr` gives its value for output */
    SR_STRING,    /* a String: takes no part in the numbers */
} SysRole;

/* Which changes of a discrete variable others see in pre() of it. */
typedef enum SysFelt {
    FELT_CHANGES,
    FELT_RISES, /* of a Boolean: nothing is another when it becomes false */
    FELT_NEVER,
} SysFelt;

typedef struct SysVar {
    SysRole role;
    const char *name;
    int flat;      /* number in the flat model, NONE for auxiliary ones */
    int component; /* as in Flat */
    Span span;
    FlatType type;
    double value;    /* SR_CONSTANT */
    double off;      /* SR_CONSTANT: by rounding, where that is much of it */
    int target;      /* SR_ALIAS: never itself an alias or constant */
    int sign;        /* SR_ALIAS: +1 or -1 */
    Expr expr;       /* SR_PARAMETER: default or dependence; SR_COMPUTED */
    bool is_tunable; /* SR_PARAMETER: may be set by the user (not final, not
                        dependent on others by a final binding) */
    int input_order; /* SR_INPUT: > 0: this derivative of input `target` */
    int derivatives; /* highest derivative that occurs in the equations */
    SysFelt felt;    /* SR_DISCRETE */
    /* attributes, merged over all aliases */
    Expr start, min, max, nominal; /* EXPR_NONE: not given; in terms of the
                                      variable itself, also for aliases */
    bool fixed;
    int start_from; /* variable whose attribute won, for messages */
    FlatStateSelect state_select;
} SysVar;

/* Where an equation came from: one of the flat model by a rule. */
typedef enum SysRule {
    RULE_FLAT,           /* flat equation `from` */
    RULE_WHEN,           /* flat when clause `from` */
    RULE_CONDITION,      /* condition of flat when clause `from` */
    RULE_DIFFERENTIATED, /* time derivative of equation `from` of the same table
                          */
    RULE_COMBINED,       /* linear combination that removed a dependency */
    RULE_INITIAL,        /* flat initial equation `from` */
    RULE_BINDING,        /* binding of parameter `from`, which depends on a
                            parameter that initialisation finds */
    RULE_AUXILIARY,      /* meaning of the auxiliary variable `from` */
    RULE_PRE,          /* value before the start of discrete variable `from` */
    RULE_START,        /* fixed start value of variable `from` */
    RULE_START_CHOSEN, /* start value taken because a condition was missing */
    RULE_STATE_SET,    /* dynamic state selection */
} SysRule;

typedef struct SysOrigin {
    SysRule rule;
    int from;
} SysOrigin;

typedef struct SysEqn {
    Expr lhs, rhs;
    SysOrigin origin;
    int component, ordinal; /* "path#k" in plans */
    Span span;
} SysEqn;

/* When `condition` (an auxiliary Boolean) rises: */
typedef struct SysAction {
    FlatActionKind kind; /* FA_REINIT, FA_ASSERT, FA_TERMINATE */
    Expr active;         /* Boolean: true in the moment the action happens */
    int var;             /* FA_REINIT */
    Expr value;
    Expr message;
    bool is_warning;
    int component;
    Span span;
} SysAction;

/* A value given by the user, --set NAME=VALUE. */
typedef struct SysSet {
    int var;
    double value;
} SysSet;

typedef struct Sys {
    const Flat *flat;
    Dag *dag;
    SysVar *var;
    int nvar, cap_var;
    SysEqn *eqn;
    int neqn; /* equals the number of UNKNOWN and DISCRETE variables in a
                 balanced system */
    SysEqn *initial;
    int ninitial;
    SysAction *action; /* in the order of the source */
    int naction;
    FlatAssert *assertion;
    int nassertion;
    FlatAssert *initial_assertion; /* to be checked at the start only */
    int ninitial_assertion;
    SysEqn *redundant; /* hold whatever the unknowns are: left out of eqn. Their
                          expressions are as written, constants replaced */
    int nredundant;
    int *param_order; /* SR_PARAMETER variables, dependencies first */
    int nparam;
    SysSet *set; /* given by the user */
    int nset;
    Expr *invariant;
    int ninvariant;
    const Network *network; /* if a formulation of it is wanted, else NULL */
    int nalias, nconstant, ncomputed; /* what was removed */
} Sys;

bool sys_is_unknown(const Sys *s, int v);     /* SR_UNKNOWN or SR_DISCRETE */
const char *sys_var_name(void *sys, int var); /* for expr_print */
const char *sys_eqn_text(const Sys *s, const SysEqn *e, int limit,
                         Arena *arena);
/* The variable with this name, or NONE. Linear in the number of variables. */
int sys_find_var(const Sys *s, const char *name);
/* The same of many names: out[i] is the variable of name[i], or NONE. */
void sys_find_vars(const Sys *s, const char *const *name, int n, int *out);
/* The same for "x", "der(x)", "der(der(x))": *order is how often der stands. */
int sys_find_quantity(const Sys *s, const char *name, int *order);
/* The variable behind an alias, itself for all others; *sign gets +1 or -1. */
int sys_resolve(const Sys *s, int var, int *sign);
/* Where to point for a variable: its declaration if the model itself declares
 * it, else that of the component of the model it belongs to, which is what
 * the user wrote. */
Span sys_var_place(const Sys *s, int var);
/* The same for a component of the flat model. */
Span sys_component_place(const Sys *s, int component, Span otherwise);
/* The equation's name in plans and messages: "load.C1#2". */
const char *sys_eqn_name(const Sys *s, const SysEqn *e, Arena *arena);
/* Adds a variable after the others and returns its number. */
int sys_add_var(Sys *s, const char *name, SysRole role, FlatType type,
                int component, Span span, Arena *arena);

/* Sets `derivatives` of all variables by the equations. */
void sys_find_derivatives(Sys *s);

/* Values at the start point: parameters from `set` or their defaults, others
 * from `set` or their start attribute (0 where none), aliases and constants
 * too: value[nvar]. Returns false and reports where a parameter has no value
 * or an evaluation fails; the value is NaN there. `diag` may be NULL. */
bool sys_start_values(const Sys *s, const SysSet *set, int nset, double *value,
                      Diag *diag);
/* For expr_eval: leaf values from value[nvar], derivatives 0, initial() as
 * given, pre(v) as v. */
typedef struct SysPoint {
    const double *value;
    double time;
    bool is_initial;
} SysPoint;
double sys_leaf_value(void *point, const Dag *d, Expr leaf);
void sys_print(const Sys *s, FILE *out); /* --dump=sys */
void sys_check(const Sys *s);

#endif
