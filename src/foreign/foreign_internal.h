/* foreign_internal.h - what the files of foreign/ share.
 *
 *   foreign.c   wrappers and functions      load.c   compiler and loader
 *   series.c    the same over Taylor series
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FOREIGN_INTERNAL_H
#define TAKT_FOREIGN_INTERNAL_H

#include <pthread.h>

#include "base/vec.h"
#include "foreign/foreign.h"

typedef Vec(const char *) TextVec;

/* Coefficients 0 .. degree of nout results of narg arguments, one after the
 * other; with `by` >= 0 those of the derivatives by that argument. */
typedef void ForeignSeries(int degree, int by, int narg, int nout,
                           const double *a, double *y);

typedef struct Wrapper {
    const char *body;
    Span span;
    void (*call)(const double *a, double *y); /* NULL: not loaded */
    ForeignSeries *series;                    /* the same */
} Wrapper;

typedef struct Object {
    const char *make, *release;
} Object;

struct Foreign {
    Arena *arena;
    ExprForeign what;
    TextVec include, prototype, folder, source, library, search, file;
    Vec(Wrapper) wrapper;
    Vec(Object) object;
    void *handle;          /* of the library; NULL: none */
    int nloaded;           /* wrappers in it */
    bool failed;           /* it cannot be compiled */
    void *series_handle;   /* over Taylor series; NULL: not yet */
    int nseries;           /* wrappers in it */
    const char *no_series; /* why there are none; NULL: nobody knows yet */
    bool forbidden;        /* it may not run */
    pthread_mutex_t one;   /* at a time */
};

/* C of TAKT_X(file), with the paths as they are here; "": there are none. */
const char *foreign_files(const Foreign *u, Arena *arena);

/* ---- series.c ---- */
/* Why the wrappers have no Taylor series; NULL: they have, and are loaded. */
const char *foreign_no_series(Foreign *u);

/* ---- load.c ---- */
const char *foreign_embedded(const char *name); /* a header, "": none */
bool foreign_write(const char *dir, const char *name, const char *text,
                   Arena *arena);
bool foreign_has_fortran(const Foreign *u);
char **foreign_command(const Foreign *u, const char *dir, bool of_series,
                       Arena *arena);
int foreign_run_compiler(char **argv, const char *log); /* its exit code */
void foreign_say(int level, const char *text); /* a message of foreign code */
/* The wrapper, loaded; NULL if that does not go. */
void (*foreign_find(Foreign *u, int number))(const double *a, double *y);

#endif
