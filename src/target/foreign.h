/* foreign.h - C of others that a model calls, as a part of an FMU.
 *
 *   in    ExprForeign    wrappers, sources, folders, libraries, files
 *   out   TargetForeign  a folder of sources that is whole, resources
 *
 * The compiler says which headers the sources include; they go into one folder
 * with the sources, where a name in quotes leads to them. The global names of
 * all of it get the prefix of the FMU, by a header that each source begins
 * with: two FMUs with the same library go into one program. A library without
 * sources is linked into the binary if it is static, and refused otherwise.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_FOREIGN_H
#define TAKT_TARGET_FOREIGN_H

#include "target/target.h"

typedef struct TargetForeign {
    const ExprForeign *what;
    const TargetInner *inner;
    int ninner;
    const char *const *file; /* names in resources/, of each what->file */
    const TargetFile *resource;
    int nresource;
    const char *const *archive; /* static libraries; NULL at the end */
} TargetForeign;

/* Returns NULL after a report. */
const TargetForeign *target_foreign(const TargetInput *in, Arena *arena,
                                    Diag *diag);

/* The static libraries of `f` as words for the compiler, NULL at the end; NULL
 * after a report. `what` is made: "an FMU". */
const char *const *foreign_archives(const TargetInput *in, const char *what,
                                    Arena *arena, Diag *diag);

#endif
