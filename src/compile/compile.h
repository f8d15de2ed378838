/* compile.h - C files, compiled by the user's compiler.
 *
 *   in    CompileJob   files as texts, the words of a command
 *   out   Compiled     a folder with what the compiler made of them
 *
 * The files go into a folder of their own beneath $TMPDIR (/tmp). What comes
 * out is used there, and the folder is removed by compile_end(); between the
 * two nothing may be called that can end the program.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_COMPILE_COMPILE_H
#define TAKT_COMPILE_COMPILE_H

#include "base/diag.h"

typedef struct CompileFile {
    const char *name, *text;
} CompileFile;

typedef struct CompileJob {
    const char *compiler;       /* may have options; NULL: $CC, or cc */
    const char *const *option;  /* NULL at the end */
    const CompileFile *file;    /* those beneath folders are not written, */
    int nfile;                  /* but for `folder`; *.c are compiled */
    const char *folder;         /* "inner/", or NULL; has headers too */
    const bool *is_part;        /* of each file: others include it, it is not
                                   compiled itself; NULL: of none */
    const char *const *library; /* words after them; NULL at the end */
    const char *output;         /* name of what comes out */
    bool (*interrupted)(void);  /* should it end early? NULL: never */
} CompileJob;

enum { COMPILE_PATH = 4096 };

typedef struct Compiled {
    char dir[COMPILE_PATH];  /* "": there is none */
    char path[COMPILE_PATH]; /* what came out */
} Compiled;

/* Returns false after a report, and the folder is gone: no folder (E1602), no
 * compiler or its messages (E1601), an interruption (nothing is said). */
bool compile_make(const CompileJob *job, Compiled *out, Arena *arena,
                  Diag *diag);
void compile_end(Compiled *c);

/* What the compiler makes code for, as -dumpmachine says it:
 * "x86_64-linux-gnu". NULL after a report. */
const char *compile_machine(const char *compiler, Arena *arena, Diag *diag);

/* The global names that are defined in what comes out, a line each that begins
 * with the name; to be freed. NULL after a report. */
char *compile_symbols(const CompileJob *job, Arena *arena, Diag *diag);

#endif
