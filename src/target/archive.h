/* archive.h - files as a zip archive: the same files give the same bytes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TARGET_ARCHIVE_H
#define TAKT_TARGET_ARCHIVE_H

#include "target/target.h"

/* Packs `n` files in their order, all of 1 January 1980. The bytes live in
 * `arena`. Returns false after a report (E1405). */
bool archive_make(const TargetFile *file, int n, TargetFile *out, Arena *arena,
                  Diag *diag);

#endif
