/* structure.h - classes in their environment, modifiers, instances: what the
 * files of this folder share.
 *
 * Everything is made on demand and remembered. Expressions are evaluated by
 * eval/, which asks back what names stand for (the Lookup in instance.c).
 *
 *   modify.h     modify.c       modifiers: merging, precedence, final, each
 *   class.h      class.c        elements of a class: own, inherited, redeclared
 *                class_base.c   its base classes
 *                selective.c    what extends leaves out
 *                element_class.c  the class that an element is, or is of
 *                types.c        classes as types and functions
 *                operator.c     the overloaded operators of records
 *                subtype.c, restrict.c  what may stand for what, and hold what
 *   component.h  component.c    instances, their conditions and prefixes
 *                prefix.c       what prefixes may stand before
 *                size.c         their sizes
 *                variable.c     their variables and attributes
 *                binding.c      their values: declaration equations
 *   find.h       find.c         names: lexical scopes, imports, composite names
 *                reference.c    the value of a reference a[2].b.c[:]
 *   connect.h    connect.c, graph.c, stream.c  connections
 *   equation.h   equation.c, when.c  equation sections
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_STRUCTURE_H
#define TAKT_INSTANCE_STRUCTURE_H

#include "instance/component.h"
#include "value/emit.h"
#include "instance/find.h"

enum {
    LIMIT_DEPTH = 250,     /* nesting of instances */
    LIMIT_RECURSION = 600, /* nesting of lookups and elaborations */
    LIMIT_SIZE = 20000000, /* elements of one array */
    LIMIT_VARS = 5000000,  /* scalar variables of a model */
};

/* For Context.structure: what is known of the classes and components. */
typedef struct Structure {
    Library *library;
    struct ClassMap *loaded; /* LoadClass -> Class */
    Class *builtin[TYPE_NORETURN + 1];
    Class *state_select, *assertion_level, *external_object;
    Instance *root;
    Vec(Instance *) var_owner; /* of each variable: variable_owner() */
    int depth;                 /* nesting of lookups */
    bool too_deep;             /* reported */
    bool too_many;
    Instance *missing_in; /* in connect: an expandable connector without the */
    const AstPart *missing_part; /* member that was looked for last */
    bool connected;              /* all connections are known */
    struct ConnectGraph *graph;
    Vec(const Class *) enum_class; /* by enumeration */
} Structure;

#define ST(in) ((in)->structure)

/* ---- equations (equation.c) ---- */

void equation_emit(const Context *in, int component, Expr lhs, Expr rhs,
                   FlatOrigin origin, Span span);
/* The first pass over all sections: connections. */
void equation_collect_connects(const Context *in, Instance *inst);
/* The second: everything else. */
void equation_all(const Context *in, Instance *inst);

#endif
