/* equation.h - what the files about equations share.
 *
 *   equation.c   sections, if, for
 *   when.c       when-equations
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INSTANCE_EQUATION_H
#define TAKT_INSTANCE_EQUATION_H

#include "instance/structure.h"

typedef struct Pair {
    Expr lhs, rhs;
    const Type *type;
    Span span;
} Pair;

/* Where equations go: into the model, or into a branch of an if-equation. */
typedef struct Sink {
    bool direct;
    Vec(Pair) eqn;
    Vec(FlatAssert) assertion;
} Sink;

typedef struct Walk {
    const Context *in;
    Instance *inst;
    Sink *sink;
    Span span;
    const struct Without *without; /* selective.h */
} Walk;

/* 1: known to be true, 0: known to be false, -1: not known, *cond is the
 * condition; -2: an error was reported. */
int equation_condition(Walk *w, Scope *scope, const AstExpr *e, Expr *cond);
void equation_list(Walk *w, Scope *scope, AstEqn *const *eqn, int neqn);
void when_equation(Walk *w, Scope *scope, const AstEqn *q);

#endif
