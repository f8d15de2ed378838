/* foreign.h - C and FORTRAN of others, compiled and loaded at the desk.
 *
 *   in    wrappers: C of the form void f(const double *a, double *y), and what
 *         they need: include lines, folders, sources, libraries
 *   out   opaque functions of the DAG (expr/expr.h) that call them
 *   next  emit/ writes the same wrappers beside the generated code
 *
 * All wrappers of a model are one file, which is compiled by $CC (or cc) when
 * the first value is wanted and once more if wrappers were added since. Objects
 * are made when they are first used, and given back at the end. One call runs
 * at a time, whichever thread asks for it. Whether foreign code may run at all
 * is decided before (external/foreign.c).
 *
 * Where the sources are there, the functions have Taylor series too, by the C++
 * compiler and takt_taylor.h: exact derivatives of any order for derivative
 * arrays.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FOREIGN_FOREIGN_H
#define TAKT_FOREIGN_FOREIGN_H

#include "base/diag.h"
#include "expr/expr.h"

typedef struct Foreign Foreign;

Foreign *foreign_new(Arena *arena);
/* Texts and paths are copied; what is there already is not added again. */
void foreign_add_include(Foreign *u, const char *text);
void foreign_add_folder(Foreign *u, const char *path);  /* of headers */
void foreign_add_source(Foreign *u, const char *path);  /* .c, .f */
void foreign_add_library(Foreign *u, const char *name); /* file, or for -l */
void foreign_add_search(Foreign *u, const char *path);  /* of libraries */
/* The number of the wrapper with this body (in braces), a new one if there is
 * none: it is TAKT_X(number) in C. `span` is for messages. */
int foreign_add_wrapper(Foreign *u, const char *body, Span span);
/* The number of an object: `make` is an expression of C that gives a pointer,
 * `release` a statement that uses the name `object`, or "". In wrappers it is
 * takt_object(number). */
int foreign_add_object(Foreign *u, const char *make, const char *release);
/* The number of a file or folder that wrappers read: its path is
 * TAKT_X(file)(number) in C. */
int foreign_add_file(Foreign *u, const char *path);
void foreign_set_impure(Foreign *u); /* it remembers calls */
/* A prototype for what no header declares. */
void foreign_add_prototype(Foreign *u, const char *text);

/* The opaque function that calls wrapper `number`, with narg arguments and nout
 * results, status included. `name` is for readers. */
typedef struct ForeignFunction {
    const char *name;
    int number, narg, nout;
    /* Derivatives of the results, status apart, over ARG 0 .. narg-1, the
     * arguments, and ARG narg .. 2 narg-1, their derivatives; NULL: none */
    const Expr *along;
    /* wrapper of differences, whose argument after those says by which one;
     * NONE: there is none */
    int differences;
    bool is_exact;     /* those are derivatives, whatever they are called */
    bool needs_object; /* what it gives depends on an object too */
    /* of differences: group[i] is passed instead of the number i of an
     * argument, results depend on at most one of a group; NULL: i is */
    const int *group;
    /* [(result - 1) * narg + argument]: 0 if it does not depend on it; NULL:
     * all may depend on all */
    const unsigned char *depends;
} ForeignFunction;

int foreign_function(Foreign *u, Dag *d, const ForeignFunction *f);
/* The function that calls wrapper `number` already, or NONE. */
int foreign_find_function(const Foreign *u, const Dag *d, int number);
/* Its derivatives, as in ForeignFunction: they may call it themselves. */
void foreign_set_derivatives(Dag *d, int fn, const Expr *along,
                             int differences);

/* From here on nothing of it is compiled or run: a call fails. */
void foreign_forbid(Foreign *u);
/* Compiles and loads what there is; false after a report. What is forbidden
 * is passed over. */
bool foreign_load(Foreign *u, Diag *diag);
/* Has a call wanted it, and it could not be compiled or loaded? */
bool foreign_has_failed(const Foreign *u);
/* Gives the objects back and forgets what was loaded. NULL is fine. */
void foreign_close(Foreign *u);
bool foreign_is_used(const Foreign *u);

/* The file of wrappers; TAKT_X is defined in front of it. */
const char *foreign_text(const Foreign *u, Arena *arena);

#endif
