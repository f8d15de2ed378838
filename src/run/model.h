/* model.h - generated C, compiled and loaded.
 *
 *   in    RunSource   the files that takt build --target c writes
 *   out   RunModel    an instance and its functions
 *
 * The user's compiler ($CC, cc) makes a shared library of the files and a small
 * adapter, and the library is loaded and kept (cache.h): it is not compiled
 * again while nothing changes. With -ffp-contract=off results are those of takt
 * sim --static to the last bit.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_MODEL_H
#define TAKT_RUN_MODEL_H

#include <stddef.h>

#include "compile/compile.h"

/* What the adapter offers; numbers are double, whatever those of the model
 * are. One text for both sides: model.c prints it into the adapter. */
#define RUN_INTERFACE                                                          \
    typedef struct TaktRun {                                                   \
        size_t bytes;                                                          \
        int nvar, nblock;                                                      \
        void (*defaults)(void *m);                                             \
        int (*start)(void *m);                                                 \
        int (*step)(void *m);                                                  \
        int (*find)(const char *name);                                         \
        int (*set)(void *m, int number, double value);                         \
        void (*get)(const void *m, const int *number, int n, double *value);   \
        const char *(*status_text)(int status);                                \
        const char *(*block_name)(int block);                                  \
        const char *(*message)(int message);                                   \
        const char *(*name)(int number);                                       \
        const char *(*where)(const void *m);                                   \
        void (*update)(void *m);                                               \
        const void *(*variable)(int number, const char **unit, int *kind,      \
                                int *causality, size_t *place, double *sign,   \
                                double *offset);                               \
        size_t scalar;                               /* bytes of a number */   \
        unsigned (*what)(const void *m, int *place); /* [4], by StatusOf */    \
    } TaktRun

RUN_INTERFACE;

typedef CompileFile RunFile;

typedef struct RunSource {
    const char *name;    /* prefix of the symbols */
    const RunFile *file; /* NAME.h, NAME.c and what they include */
    int nfile;
    const char *const *option; /* last words for the compiler, NULL at the
                                  end; NULL: -lm. Such files may change:
                                  what is made of them is not kept */
    bool no_cache;             /* compile anew */
} RunSource;

typedef struct RunModel {
    void *handle; /* of the loaded library */
    void *m;      /* the instance: call->bytes */
    const TaktRun *call;
    bool is_kept;          /* it had been compiled before */
    int nmessage;          /* that its steps may speak of */
    const char *prefix;    /* of the names of its quantities in a run with
                              others, "Controller."; NULL: none */
    struct RunModel *next; /* beside it in the same run, or NULL */
} RunModel;

/* Returns NULL after a report: no folder (E1602), no compiler or its messages
 * (E1601), a library that cannot be loaded (E1602), a signal (nothing is
 * said). The instance lives in `arena`. */
RunModel *run_load(const RunSource *source, Arena *arena, Diag *diag);
void run_unload(RunModel *m); /* NULL is allowed */

/* ---- quantities of a run ----
 *
 * All models of a run, from the first one on, have their quantities under one
 * number: those of the first, then those of `next`, and so on. */

typedef struct RunQuantity {
    const char *name; /* as its model has it, without a prefix */
    const char *unit;
    int kind, causality; /* of the generated table */
    const RunModel *of;
} RunQuantity;

int run_nquantity(const RunModel *first);
/* By name, with the prefix of its model; NONE: no model has it. */
int run_find(const RunModel *first, const char *name);
RunQuantity run_quantity(const RunModel *first, int number);
/* Its name with the prefix. */
const char *run_name(const RunModel *first, int number, Arena *arena);
/* Values of `n` quantities; where number[i] is NONE value[i] is left alone. */
void run_get(const RunModel *first, const int *number, int n, double *value);
/* 0: it has the value now. */
int run_set(RunModel *first, int number, double value);
/* After a parameter has been set: what depends on it is computed anew. */
void run_update(RunModel *first, int number);

#endif
