/* wrap.h - the wrapper in C of a foreign function.
 *
 *   in    ExternalCall   a call with its values
 *   out   Wrap           the body of the wrapper, what it is called with and
 *                        which outputs it gives
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EXTERNAL_WRAP_H
#define TAKT_EXTERNAL_WRAP_H

#include "external/external_internal.h"
#include "foreign/foreign.h"

enum { FIRST_OBJECT = 1000000 }; /* tables have the numbers before */

typedef struct Wrap {
    ExternalCall *c;
    Foreign *unit;
    bool fortran;
    Vec(char) before, call, after, types; /* C */
    Vec(Expr) in;                         /* arguments of the wrapper */
    int nout;                             /* results so far, with the status */
    Vec(int) out_var;                     /* outputs in the order of results */
    bool has_object;
    FlatVariability variability;
} Wrap;

/* The value of an annotation of the external clause or the function, or NULL.
 */
const AstExpr *wrap_annotation(const ExternalCall *c, const char *name);
/* The body of the wrapper; false after a report. */
bool wrap_call(Wrap *w, const char **body);
/* The body of a wrapper that does what `body` does once for each value of its
 * argument `number`, and nothing where that is 0. */
const char *wrap_once(const Wrap *w, const char *body, int number);
/* The body of a wrapper for central differences of wrapper `number`, whose
 * argument after the others says by which one. */
const char *wrap_differences(const Wrap *w, int number);
/* A path that loadResource() gave. */
void wrap_note_resource(const Context *in, const char *path);
/* A text in C. One that is the path of a resource is that of wherever the
 * program runs. */
const char *wrap_string(const Wrap *w, const char *text);
/* The type in C of a scalar; NULL: there is none. */
const char *wrap_type(const Type *t);
/* size(a, 1) has the type size_t. */
bool wrap_is_size(const AstExpr *e);
/* Output or input number `var`: its value, or its shape. */
const Value *wrap_shape(const Wrap *w, int var);
void wrap_put(const Context *in, void *to, const char *fmt, ...)
    TAKT_PRINTF(3, 4);
const char *wrap_text(const Context *in, void *from);

#endif
