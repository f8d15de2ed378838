/* external.h - a call of an external function that takt knows (12.9).
 *
 *   external.c         which functions these are; texts
 *   table.c   tables: external objects, their values
 *   random.c  random numbers
 *   library.c texts and files
 *   fft.c     spectra
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXTERNAL_INTERNAL_H
#define TAKT_EXTERNAL_INTERNAL_H

#include "eval/exec.h"

typedef struct ExternalCall {
    const Context *in;
    Exec *x;
    const AstExternal *ext;
    const char *c_name;
    Value **arg;
    int narg;
    Span span;
} ExternalCall;

typedef struct ExternalKnown {
    const char *name; /* in C */
    bool (*call)(ExternalCall *c);
} ExternalKnown;

/* The last of each has no name. */
extern const ExternalKnown external_tables[];
extern const ExternalKnown external_random[];
extern const ExternalKnown external_library[];
extern const ExternalKnown external_fft[];

/* derivative.c: the function that `derivative = ...` names, the first that is
 * for a call with these arguments (NULL: for any); NULL: none. *how is what is
 * said of it. */
const Function *derivative_function(const Context *in, const Function *fn,
                                    Value **arg, const AstMod **how);
bool derivative_leaves_out(const AstMod *how, const char *name);
/* Evaluates the arguments of the call as written, else the inputs. */
bool external_collect(ExternalCall *c);
/* Reports that takt cannot call it, and why. False. */
bool external_unsupported(ExternalCall *c, const char *why);
/* Argument i as a number or text that is known now; NULL or false: it is none.
 */
Value *external_known_arg(ExternalCall *c, int i);
const char *external_text_arg(ExternalCall *c, int i);
bool external_int_arg(ExternalCall *c, int i, int *x);
/* Argument i as a scalar; EXPR_NONE after a report. */
Expr external_scalar_arg(ExternalCall *c, int i);
/* Sets what the function returns, or the output that argument i names. */
bool external_set_result(ExternalCall *c, Value *v);
bool external_set_arg(ExternalCall *c, int i, Value *v);
/* A scalar Real result. */
bool external_set_real(ExternalCall *c, Expr e);

#endif
