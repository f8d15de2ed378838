/* emit.h - a fused step as C99.
 *
 *   in    Fused        what a step does
 *         EmitOptions  names, scalar type, mathematics, initial values
 *   out   files        NAME.h, NAME.c, NAME.map.json, takt_rt_base.h
 * [takt_rt_math.h, takt_rt_mathf.h, takt_rt_start.h, takt_rt_factor.h],
 *                      CMakeLists.txt, example/main.c
 *
 * The C is meant to be read: members and variables carry the names of the
 * model, systems of equations are introduced by their equations, short
 * subexpressions stand where they are used. The same input gives the same
 * bytes. The code allocates nothing, prints nothing, has no mutable globals;
 * an instance is a struct, a saved state is a copy of it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EMIT_EMIT_H
#define TAKT_EMIT_EMIT_H

#include "plan/plan.h"
#include "step/fuse.h"

typedef struct EmitOptions {
    const char *name;    /* prefix of every symbol, of c_prefix() */
    const char *model;   /* as the user knows it */
    const char *method;  /* title, for comments */
    const double *value; /* consistent initial values of all slots */
    const double *delay; /* first value of each delayed expression */
    double step;         /* s */
    bool is_float;       /* float instead of double */
    bool own_math;       /* takt's functions instead of libm's */
    int turns;           /* of loops that depend on data */
    int undivided; /* instructions up to which a step is one function; 0: a
                  default that keeps compilers fast */
    const Sources *sources;
    const PlanDomain *domain; /* ranges that a step looks at, or NULL */
} EmitOptions;

/* What a row of the table of variables is for. */
typedef enum EmitUse {
    EU_TIME,
    EU_STEP, /* size of a step */
    EU_PARAMETER,
    EU_START, /* start value: start(x) */
    EU_INPUT,
    EU_OUTPUT,
    EU_LOCAL,
    EU_EXCHANGE, /* of FusedExchange */
} EmitUse;

typedef struct EmitRow {
    const char *name, *unit; /* "": none */
    int var, order;          /* of the system: VAR(var, order); or NONE */
    FlatType kind;
    EmitUse use;
    int slot; /* value = sign * slot + offset */
    double sign, offset;
    TapeDomain domain;
    double value; /* at the start */
} EmitRow;

/* Of an instance: turn, status, causes, block and message. */
enum { EMIT_STATUS_BYTES = 6 * sizeof(int) };

typedef struct Emitted {
    const char *header, *code, *map, *cmake, *example; /* texts */
    int nvar; /* rows of the table of variables: */
    const EmitRow *row;
    size_t data_bytes;          /* of an instance */
    bool has_tables;            /* the code includes takt_rt_factor.h */
    const char *external;       /* text of NAME_external.c; NULL: none */
    const ExprForeign *foreign; /* what it needs; NULL: nothing */
    const char *const *runtime; /* of runtime/ that it includes for functions;
                                  NULL at the end */
} Emitted;

Emitted *emit_c(const Fused *f, const EmitOptions *options, Arena *arena);

/* What is written for it: names beneath a folder, with their texts. */
typedef struct EmitFile {
    const char *name, *text;
} EmitFile;

/* Returns the number of files. */
int emit_files(const Emitted *e, const EmitOptions *options,
               const EmitFile **files, Arena *arena);

/* What the compiler is told for external functions, after all else: words, NULL
 * at the end. NULL for none. */
const char *const *emit_foreign_words(const ExprForeign *f, Arena *arena);

int emit_set_room(const TapeSet *s); /* numbers of the room of a set */

/* runtime/NAME as text; NULL if there is no such file. */
const char *emit_runtime(const char *name);

#endif
