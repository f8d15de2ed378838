/* foreign_internal.h - what the files of foreign/ share.
 *
 *   foreign.c   wrappers and functions      load.c   compiler and loader
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_FOREIGN_INTERNAL_H
#define TAKT_FOREIGN_INTERNAL_H

#include <pthread.h>

#include "base/vec.h"
#include "foreign/foreign.h"

typedef Vec(const char *) TextVec;

typedef struct Wrapper {
    const char *body;
    Span span;
    void (*call)(const double *a, double *y); /* NULL: not loaded */
} Wrapper;

typedef struct Object {
    const char *make, *release;
} Object;

struct Foreign {
    Arena *arena;
    ExprForeign what;
    TextVec include, prototype, folder, source, library, search;
    Vec(Wrapper) wrapper;
    Vec(Object) object;
    void *handle;        /* of the library; NULL: none */
    int nloaded;         /* wrappers in it */
    bool failed;         /* it cannot be compiled */
    bool forbidden;      /* it may not run */
    pthread_mutex_t one; /* at a time */
};

/* The wrapper, loaded; NULL if that does not go. */
void (*foreign_find(Foreign *u, int number))(const double *a, double *y);

#endif
