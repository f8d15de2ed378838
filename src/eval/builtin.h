/* builtin.h - the predefined functions and operators (3.7, 10.3).
 *
 *   builtin.c         the table of them, their arguments
 *   builtin_math.c    sin, abs, min, sum, integer, ...
 *   builtin_array.c   size, fill, transpose, cat, ...
 *   builtin_event.c   der, pre, sample, delay, assert, reinit, ...
 *   builtin_spatial.c spatialDistribution
 *   builtin_clock.c   Clock, hold, previous, subSample, ...
 *   builtin_string.c  String
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EVAL_BUILTIN_H
#define TAKT_EVAL_BUILTIN_H

#include "eval/eval_internal.h"

typedef struct BuiltinCall {
    const char *name;
    const AstExpr *call; /* NULL when called by values */
    Scope *scope;
    Span span;
    AstExpr *arg[8];     /* by place; NULL: not given */
    Value *val[8];       /* values, where known */
    int narg;            /* number of entries of arg that may be given */
    AstExpr *const *all; /* of functions with any number of arguments */
    int nall;
} BuiltinCall;

typedef Value *BuiltinFn(const Context *in, BuiltinCall *c);

/* The value of argument i. */
Value *builtin_arg(const Context *in, BuiltinCall *c, int i);
bool builtin_has(const BuiltinCall *c, int i);
/* An argument that is a compile-time Integer. */
bool builtin_int(const Context *in, BuiltinCall *c, int i, int *x);
/* Reports a call that stands in a function, where it has no meaning. */
bool builtin_inside_function(const Context *in, const BuiltinCall *c);
Value *builtin_wrong(const Context *in, const BuiltinCall *c, int i,
                     const Value *v, const char *wanted);
/* Is it a predefined function? Then calls it. */
bool builtin_is(const char *name);
Value *builtin_call(const Context *in, Scope *scope, const char *name,
                    const AstExpr *e);
Value *builtin_apply(const Context *in, const char *name, Value *const *arg,
                     int narg, Span span);

#define BUILTIN(f) Value *f(const Context *in, BuiltinCall *c)
BUILTIN(builtin_function);
BUILTIN(builtin_abs);
BUILTIN(builtin_sign);
BUILTIN(builtin_minmax);
BUILTIN(builtin_sum);
BUILTIN(builtin_product);
BUILTIN(builtin_integer);
BUILTIN(builtin_toint);
BUILTIN(builtin_string);
BUILTIN(builtin_ndims);
BUILTIN(builtin_size);
BUILTIN(builtin_scalar);
BUILTIN(builtin_vector);
BUILTIN(builtin_matrix);
BUILTIN(builtin_transpose);
BUILTIN(builtin_outer);
BUILTIN(builtin_identity);
BUILTIN(builtin_diagonal);
BUILTIN(builtin_zeros);
BUILTIN(builtin_fill);
BUILTIN(builtin_linspace);
BUILTIN(builtin_symmetric);
BUILTIN(builtin_cross);
BUILTIN(builtin_skew);
BUILTIN(builtin_promote);
BUILTIN(builtin_cat);
BUILTIN(builtin_array);
BUILTIN(builtin_der);
BUILTIN(builtin_pre);
BUILTIN(builtin_initial);
BUILTIN(builtin_sample);
BUILTIN(builtin_clock);
BUILTIN(builtin_clocked);
BUILTIN(builtin_subsample);
BUILTIN(builtin_shift);
BUILTIN(builtin_tick);
/* sample(u), sample(u, clock); u and clock are places of arguments. */
Value *builtin_sampled(const Context *in, BuiltinCall *c, int u, int clock);
BUILTIN(builtin_noevent);
BUILTIN(builtin_smooth);
BUILTIN(builtin_homotopy);
BUILTIN(builtin_semilinear);
BUILTIN(builtin_delay);
BUILTIN(builtin_spatial);
BUILTIN(builtin_action);
BUILTIN(builtin_instance_name);
BUILTIN(builtin_pure);

#endif
