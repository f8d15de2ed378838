/* routine.h - functions that stay functions: opaque functions made of
 * expressions.
 *
 *   in    expressions over ARG nodes (expr/expr.h), and what is to be called
 *   out   functions of the DAG that give all results at once
 *   next  lower/ makes one CALL of a call, emit/ one C function of a function
 *
 * Two kinds:
 *
 *   plain   result k is an expression of the arguments.
 *   loop    the first arguments are its state. While `go` holds the state is
 *           replaced by `next`; the results are the state at the end. At the
 *           desk it has as many turns as it needs, up to ROUTINE_MOST_TURNS. In
 *           C it has TAKT_TURNS, a number of the plan, whatever the data are:
 *           turns that are not needed change nothing. Result 0 tells that more
 *           would have been needed.
 *
 * A function is differentiated as such: its derivative by an argument is
 * another function, made when somebody asks for it. That of a loop carries the
 * derivatives of its state along.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ROUTINE_ROUTINE_H
#define TAKT_ROUTINE_ROUTINE_H

#include "expr/expr.h"

enum { ROUTINE_MOST_TURNS = 1000000 };

/* What expressions become when parts of them are arguments. */
typedef struct RoutineCall {
    int fn;
    const Expr *arg; /* size narg: of the call */
    int narg;
} RoutineCall;

/* A function `name` with results 1, 2, ... out[0], out[1], ..., which depend on
 * formal[] (ARG nodes); what does not depend on them becomes further arguments.
 * `given` are the arguments that stand for formal[]. */
RoutineCall routine_make(Dag *d, const char *name, const Expr *formal,
                         const Expr *given, int nformal, const Expr *out,
                         int nout);
/* The loop: while go loop state := next. state[i] is the ARG node of number i
 * of the state, first[i] its value before. */
RoutineCall routine_make_loop(Dag *d, const char *name, const Expr *state,
                              const Expr *first, const Expr *next, int nstate,
                              Expr go);
/* Result k of the call, k from 0: the status. */
Expr routine_result(Dag *d, const RoutineCall *c, int k, ExprType type);
/* How many nodes the expressions have. */
int routine_size(const Dag *d, const Expr *root, int nroot);

/* What a routine is made of, over ARG 0, 1, ...: result k is out[k - 1], and
 * result 0 the status; of a loop out[] is the next state and, last, whether it
 * goes on. */
typedef struct RoutineForm {
    const Expr *out;
    int nout;   /* expressions */
    int narg;   /* arguments */
    int nstate; /* 0: plain */
    int size;   /* nodes of out[] */
} RoutineForm;
/* False: `f` is none. */
bool routine_form(const ExprFunction *f, RoutineForm *form);

#endif
