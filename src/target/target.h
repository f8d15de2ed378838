/* target.h - what code is written for: a table, a row per target.
 *
 *   in    TargetInput   the C of emit.h, and the step it was made of
 *   out   TargetFile[]  what is written besides, or instead of it
 *
 * A target says how the C is made where the user does not, what becomes of it,
 * and what else is written: startup code and a Makefile, the description of an
 * FMU, a program. To add one: a row of targets.def, and target_NAME.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_TARGET_H
#define TAKT_TARGET_TARGET_H

#include "emit/emit.h"
#include "step/step.h"

/* What -o names. */
typedef enum TargetForm {
    TARGET_FOLDER,  /* a folder: the C, and the target's files beneath it */
    TARGET_ARCHIVE, /* a zip file of the target's files */
    TARGET_PROGRAM, /* a file that can be run: the only one of the target */
} TargetForm;

/* What an FMU is for. */
typedef enum TargetInterface {
    TARGET_BOTH, /* co-simulation, and model exchange if that can be */
    TARGET_EXCHANGE,
    TARGET_COSIM,
    TARGET_SCHEDULED,
} TargetInterface;

typedef struct TargetFile {
    const char *name;
    const void *data;
    size_t size;
} TargetFile;

/* C of others that the generated code calls and that goes with it, in the
 * folder TARGET_INNER beside it. */
#define TARGET_INNER "inner/"

typedef struct TargetInner {
    const char *name, *text; /* without the folder */
    bool is_code;            /* compiled itself */
} TargetInner;

typedef struct TargetInput {
    const char *name;    /* prefix of the symbols */
    const char *model;   /* as the user knows it */
    const char *version; /* of takt */
    const Emitted *out;
    const EmitFile *file; /* of it */
    int nfile;
    const Step *step;
    const Flat *flat;
    double start, stop, size; /* of a run and of a step, s */
    const char *const *cross; /* further compilers to make binaries with */
    int ncross;
    TargetInterface interface; /* of an FMU */
    const TargetInner *inner;  /* NULL: none */
    int ninner;
    const struct TargetForeign *foreign; /* of an FMU: foreign.h, or NULL */
} TargetInput;

typedef struct Target {
    const char *name;   /* as --target takes it */
    const char *help;   /* a few words for --help */
    const char *scalar; /* the words of --scalar and --math that hold where */
    const char *math;   /* the command line has none; NULL: the usual ones */
    int undivided;      /* EmitOptions; 0: the default */
    TargetForm form;
    const char *folder; /* of its own files, beneath that of the C; or NULL */
    bool compiles;      /* takes --cross */
    bool exchanges;     /* takes --interface */
    /* Its files. Returns how many, -1 after a report. NULL: there are none. */
    int (*files)(const TargetInput *input, const TargetFile **files,
                 Arena *arena, Diag *diag);
    const char *next; /* what can be done with them; or NULL */
} Target;

#define TARGET(name) extern const Target target_##name;
#include "target/targets.def"
#undef TARGET

/* In the order of targets.def; NULL at the end. */
extern const Target *const targets[];

const Target *target_find(const char *name); /* NULL: there is none */
const char *target_words(Arena *arena);      /* "c|cortex-m" */
const char *target_help(Arena *arena);       /* "c (C for any computer), ..." */

/* `text` with `by` in place of each `word`. */
const char *target_replaced(const char *text, const char *word, const char *by,
                            Arena *arena);
/* In capitals, as macros are. */
const char *target_upper(const char *name, Arena *arena);

/* A file of text. */
TargetFile target_text(const char *name, const char *text);

#endif
