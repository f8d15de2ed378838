/* outputs.h - files that a verb will write, looked at before it begins: a run
 * of an hour is not lost to a slip in a name. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_OUTPUTS_H
#define TAKT_RESULT_OUTPUTS_H

#include "base/diag.h"

/* What is wrong with the ending of the file of an option, or NULL: it is none
 * of "csv|mat". A path without an ending, a device and "-" may be anything. */
const char *output_wrong(const char *option, const char *path,
                         const char *endings, Arena *arena);
/* Can the file be written? Else it is said (E1308). A path may be NULL. */
bool output_possible(const char *path, Arena *arena, Diag *diag);

#endif
