/* binary.h - what a compiler made, as bytes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_BINARY_H
#define TAKT_TARGET_BINARY_H

#include "compile/compile.h"
#include "target/target.h"

/* What machines are called. */
typedef struct Platform {
    const char *fmi2, *fmi3; /* "linux64", "x86_64-linux" */
    const char *ending;      /* of a shared library, with its dot */
} Platform;

/* Of "x86_64-linux-gnu", as compilers say it. */
Platform platform_of(const char *machine, Arena *arena);

/* The bytes of a file; false: it cannot be read. */
bool binary_read(const char *path, TargetFile *out, Arena *arena);

/* Of each file: is it one of TargetInput.inner that others include? */
const bool *binary_parts(const TargetInput *in, const CompileFile *file, int n,
                         Arena *arena);

/* Compiles and reads what came out. Returns false after a report. */
bool binary_make(const CompileJob *job, TargetFile *out, Arena *arena,
                 Diag *diag);

#endif
