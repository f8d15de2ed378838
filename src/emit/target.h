/* target.h - what code is written for: a table, a row per target.
 *
 * All targets get the C of emit.h. A target says how that C is made where the
 * user does not, and what else is written beside it: startup code, a linker
 * script, a Makefile. To add one: a row of targets.def, and target_NAME.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_EMIT_TARGET_H
#define TAKT_EMIT_TARGET_H

#include "emit/emit.h"

typedef struct Target {
    const char *name;   /* as --target takes it */
    const char *help;   /* a few words for --help */
    const char *scalar; /* the words of --scalar and --math that hold where */
    const char *math;   /* the command line has none; NULL: the usual ones */
    int undivided;      /* EmitOptions; 0: the default */
    const char *folder; /* of its own files, beneath that of the C; or NULL */
    /* Those files for C with the prefix `prefix`, names beneath `folder`.
     * Returns how many. NULL: there are none. */
    int (*files)(const char *prefix, const EmitFile **files, Arena *arena);
    const char *next; /* what can be done in that folder; or NULL */
} Target;

#define TARGET(name) extern const Target target_##name;
#include "emit/targets.def"
#undef TARGET

/* In the order of targets.def; NULL at the end. */
extern const Target *const targets[];

const Target *target_find(const char *name); /* NULL: there is none */
const char *target_words(Arena *arena);      /* "c|cortex-m" */
const char *target_help(Arena *arena);       /* "c (C for any computer), ..." */

#endif
