/* routine_internal.h - what the files of routine/ share.
 *
 *   routine.c     functions made, values      slope.c   their derivatives
 *   routine_c.c   C
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ROUTINE_INTERNAL_H
#define TAKT_ROUTINE_INTERNAL_H

#include "routine/routine.h"

/* One node: x[i] = op(x[a], x[b], x[c]). CALL: its arguments begin at args[a],
 * its results at place b of those of calls; NONE: it has one. */
typedef struct RoutineStep {
    int op;      /* ExprOp */
    int a, b, c; /* steps of arguments; CALL: where in `args`, row, step of
                    result 0; OR, AND: c is 1 if b is looked at first */
    Expr node;
} RoutineStep;

/* The `info` of a function. The expressions are over ARG 0, 1, ... */
typedef struct Routine {
    Dag *dag;
    int narg, nout;          /* nout: with the status */
    const Expr *out;         /* size nout - 1; of a loop: next state, go */
    int nstate;              /* 0: plain */
    int order;               /* of the derivative that it is; 0: none */
    const RoutineStep *step; /* size nstep, in order */
    int nstep;
    bool has_choice;      /* calls that may stand in a branch not taken */
    int nrow;             /* numbers that calls in it give */
    const int *at;        /* step of out[k] */
    const double *number; /* size nstep: constants */
    const int *args;      /* CALL: steps of its arguments, one after another */
    int *slope; /* functions of derivatives by argument, size narg; of a loop
                   one; NONE: not made yet, NO_SLOPE: there is none */
} Routine;

enum { NO_SLOPE = NONE - 1 };

static inline const Routine *routine_of(const ExprFunction *f)
{
    return *(const Routine *const *)f->info;
}

/* Is the step a power 2, 3 or 4, which is a product? Else 0. */
int routine_power(const Routine *r, const RoutineStep *s);
int routine_add(Dag *d, const char *name, const Expr *out, int nout, int narg,
                int nstate, int order);
Expr routine_derivative(Dag *d, Expr call, int i);
Expr routine_along(Dag *d, Expr call, const Expr *by); /* of a loop */
/* Finds arguments that functions without a derivative depend on. */
void routine_find_rough(const Routine *r);
const char *routine_c_call(const ExprFunction *f, int out, bool is_float,
                           const char *const *plain, const char *list,
                           Arena *arena);
const char *routine_c_define(const ExprFunction *f, const ExprCStyle *style,
                             Arena *arena);

#endif
