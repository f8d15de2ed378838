/* flat.h - the flat model: scalar variables and scalar equations.
 *
 *   made by   instance/instance.h   classes -> Flat
 *   read by   simplify/simplify.h   Flat -> Sys
 *
 * Everything is scalar: an array is its elements, a record its members, a
 * function call has been inlined or is an opaque CALL. Every variable and
 * equation remembers the component of the instance tree and the line of source
 * it came from, so that whatever fails later can name the user's own things.
 *
 * Expressions are handles of `dag`; a leaf VAR(v, k) is the k-th derivative of
 * variable v of this table. Enumeration values are Integers from 1, Booleans 0
 * and 1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FLAT_FLAT_H
#define TAKT_FLAT_FLAT_H

#include "base/diag.h"
#include "expr/expr.h"

typedef enum FlatType {
    FT_REAL,
    FT_INTEGER,
    FT_BOOLEAN,
    FT_STRING,
    FT_ENUM,
    FT_CLOCK, /* gone after clocks/ */
} FlatType;

typedef enum FlatVariability {
    FV_CONSTANT,  /* known at compile time */
    FV_PARAMETER, /* known before the start */
    FV_DISCRETE,  /* changes at events only */
    FV_CONTINUOUS,
} FlatVariability;

typedef enum FlatCausality { FC_LOCAL, FC_INPUT, FC_OUTPUT } FlatCausality;

typedef enum FlatStateSelect {
    SS_NEVER = 1,
    SS_AVOID,
    SS_DEFAULT,
    SS_PREFER,
    SS_ALWAYS
} FlatStateSelect;

/* A node of the instance tree. Component 0 is the model itself, with the
 * name "" and the parent NONE; parents come before children. */
typedef struct FlatComponent {
    const char *name; /* "C1", "body[2]" */
    int parent;       /* NONE for the root */
    const char
        *class_name; /* full name of its class: "Takt.Electrical.Capacitor" */
    Span span;       /* its declaration */
    bool is_part;    /* a connector or record: it has no equations itself */
} FlatComponent;

typedef struct FlatVar {
    const char *name; /* full: "load.C1.v", "x[3]" */
    int component;    /* what declares it */
    Span span;
    FlatType type;
    int enumeration; /* FT_ENUM: index in Flat.enumeration */
    FlatVariability variability;
    FlatCausality causality; /* of the model's own interface only: members of
                                components are FC_LOCAL */
    bool is_flow;
    bool from_outside; /* of a connector of its component: a flow, an input or a
                          stream, which connections determine */
    bool is_protected;
    bool is_final;      /* a parameter whose value cannot be set from outside */
    bool is_structural; /* a parameter that shaped the model (sizes, branches,
                           conditions, Evaluate=true): fixed by compilation */
    FlatStateSelect state_select;
    bool has_fixed; /* `fixed` was given */
    bool fixed;     /* its value; false for variables, true for parameters
                       where not given */
    Expr start;     /* EXPR_NONE where not given; the same below */
    Expr min, max, nominal;
    Expr binding; /* constants and parameters: the value. Variables have
                     an equation with FO_BINDING instead */
    Span binding_span;
    const char *unit, *display_unit, *quantity; /* "" where not given */
    const char *comment;
} FlatVar;

/* A periodic clock: variables that change when it ticks, and at no other
 * moment, whatever else happens (clocks/clocks.h). */
typedef struct FlatRate {
    int tick; /* Boolean variable: it ticks now */
    double interval,
        first; /* between ticks; the first one after the start, s */
    const char *name, *comment; /* of a Clock that is it; NULL: it has none */
} FlatRate;

typedef enum FlatOrigin {
    FO_EQUATION,    /* written by the user */
    FO_BINDING,     /* declaration equation of a variable */
    FO_CONNECT,     /* potentials of a connection set are equal */
    FO_FLOW,        /* flows of a connection set sum to zero */
    FO_UNCONNECTED, /* flow of a connector nobody connected is zero */
    FO_ALGORITHM,   /* value of a variable at the end of an algorithm section */
    FO_CONSTRAINT,  /* equalityConstraint of a broken loop edge */
    FO_WHEN,        /* condition of a when clause */
} FlatOrigin;

/* lhs = rhs. */
typedef struct FlatEqn {
    Expr lhs, rhs;
    FlatOrigin origin;
    int component; /* the instance whose class holds the equation */
    int ordinal;   /* number of the equation within the component, from 1:
                      "path#k" names it in plans */
    Span span;
    int clock; /* in `when clock`: 1 + its number in Flat.clock; 0: none */
} FlatEqn;

typedef enum FlatActionKind {
    FA_ASSIGN,    /* var = value */
    FA_REINIT,    /* reinit(var, value) */
    FA_ASSERT,    /* assert(value, message, level) */
    FA_TERMINATE, /* terminate(message) */
} FlatActionKind;

typedef struct FlatAction {
    FlatActionKind kind;
    int var;
    Expr value;
    Expr message;
    bool is_warning; /* AssertionLevel.warning */
    Span span;
} FlatAction;

/* `when {c1, c2} then ... elsewhen ...`: branch b is taken when one of its
 * conditions becomes true and no earlier branch is taken. */
typedef struct FlatWhenBranch {
    Expr *condition;
    int ncondition;
    FlatAction *action;
    int naction;
    Span span;
} FlatWhenBranch;

typedef struct FlatWhen {
    FlatWhenBranch *branch;
    int nbranch;
    int component;
    bool is_algorithm; /* came from an algorithm section */
    Span span;
} FlatWhen;

typedef struct FlatAssert {
    Expr condition;
    Expr message;
    bool is_warning;
    bool is_integer; /* takt's own: an Integer leaves its range */
    int component;
    Span span;
    int clock; /* as in FlatEqn */
} FlatAssert;

/* transition(from, to, condition, ...) between two states (17.1); gone after
 * clocks/. */
typedef struct FlatTransition {
    int from, to; /* components */
    Expr condition;
    bool immediate, reset, synchronize;
    int priority;
    int component; /* the instance whose class holds it */
    Span span;
} FlatTransition;

/* initialState(component). */
typedef struct FlatInitialState {
    int state;
    Span span;
} FlatInitialState;

typedef struct FlatEnumeration {
    const char *name;
    const char **literal;
    int nliteral;
} FlatEnumeration;

/* experiment(StopTime = ...) of the model; has_* tells what was given. */
typedef struct FlatExperiment {
    bool has_start, has_stop, has_tolerance, has_interval;
    double start, stop, tolerance, interval;
} FlatExperiment;

typedef struct Flat {
    struct Foreign *foreign; /* code of others that is called; NULL: none */
    const char *model;       /* full class name */
    const char *comment;
    Dag *dag;
    FlatComponent *component;
    int ncomponent;
    FlatVar *var;
    int nvar;
    FlatEqn *eqn;
    int neqn;
    FlatEqn *initial; /* initial equations and algorithms */
    int ninitial;
    FlatWhen *when;
    int nwhen;
    FlatAssert *assertion; /* outside of when */
    int nassertion;
    FlatAssert *initial_assertion;
    int ninitial_assertion;
    FlatEnumeration *enumeration;
    int nenumeration;
    Expr *clock; /* conditions of clocked when clauses */
    int nclock;
    FlatTransition *transition;
    int ntransition;
    FlatInitialState *initial_state;
    int ninitial_state;
    FlatRate *rate; /* periodic clocks */
    int nrate;
    int *rate_of;    /* of each variable: its rate or NONE; NULL: no rates */
    Expr *invariant; /* annotation(__takt(invariant = {...})) */
    int ninvariant;
    FlatExperiment experiment;
    Span span; /* of the model's name */
} Flat;

/* Is v an unknown of the model: neither constant nor parameter nor an input of
 * the model's interface? */
bool flat_is_unknown(const Flat *f, int v);
/* A continuous variable of which nothing more was said. */
FlatVar flat_plain_var(const char *name, Span span);
/* Number of unknowns and of scalar equations; a when clause counts one
 * equation for each variable it assigns. They are equal in a balanced model. */
int flat_count_unknowns(const Flat *f);
int flat_count_equations(const Flat *f);
int flat_count_parameters(const Flat *f);

/* The path of a component, "" for the model itself. Lives in `arena`. */
const char *flat_component_path(const Flat *f, int component, Arena *arena);
/* The variable of this name, or NONE. */
int flat_find(const Flat *f, const char *name);
/* The unit of "x" or "der(x)", "" if there is none. Lives in `arena`. */
const char *flat_unit(const Flat *f, const char *name, Arena *arena);
/* "m/s" -> "(m/s)/s" for an order of 1, "(m/s)/s2" for 2. */
const char *flat_unit_derived(const char *unit, int order, Arena *arena);
/* For expr_print(): the name of a variable; the context is the Flat. */
const char *flat_var_name(void *flat, int var);
/* "lhs = rhs" as text of at most `limit` characters. */
const char *flat_eqn_text(const Flat *f, const FlatEqn *e, int limit,
                          Arena *arena);

/* Warns of equations whose sides measure different things (units.c). Texts of
 * messages live in `arena`. */
void flat_check_units(const Flat *f, Arena *arena, Diag *diag);
/* Prints the model as valid Modelica: one flat class, names that are no
 * identifiers in quotes. */
void flat_print(const Flat *f, FILE *out);
/* Asserts that all indices are in range and all handles exist. */
void flat_check(const Flat *f);

#endif
