/* walk.h - the Modelica files below a directory. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_WALK_H
#define TAKT_CLI_WALK_H

#include "base/diag.h"
#include "cli/options.h"

/* Adds `path` to `out` if it is a file, or all *.mo below it if it is a
 * directory, in the order of their names. Directories that were visited
 * before (symbolic links) are not visited again; `.git` is passed over. What
 * cannot be read is reported. */
void walk_files(const char *path, TextList *out, Arena *arena, Diag *diag);

#endif
