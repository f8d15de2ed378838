/* resources.h - files that external functions read, as a part of an FMU. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_RESOURCES_H
#define TAKT_TARGET_RESOURCES_H

#include "target/foreign.h"

/* All that `out->what` reads, by names of its own beneath resources/; a folder
 * with everything in it. Returns false after a report. */
bool resources_collect(const TargetInput *in, TargetForeign *out, Arena *arena,
                       Diag *diag);

#endif
