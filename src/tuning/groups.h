/* groups.h - groups of candidates by their names. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_GROUPS_H
#define TAKT_TUNING_GROUPS_H

#include <stdbool.h>

#define TUNE_GROUPS_WRONG                                                      \
    "--only takes a list of given, sparsing, mixed, delay, extrapolated, "     \
    "combined, positions, or all"

/* "sparsing,mixed" -> bits of TuneGroup; NULL leaves them alone. */
bool tune_read_groups(const char *text, unsigned *groups);

#endif
