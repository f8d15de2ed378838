/* table_internal.h - what the makers of tables share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_TABLE_INTERNAL_H
#define TAKT_NUM_TABLE_INTERNAL_H

#include "base/vec.h"
#include "num/table.h"

typedef Vec(uint32_t) IndexList;

/* Adds a list to the table under a name; returns its numbers. */
const uint32_t *table_keep(FactorTable *t, const char *name,
                           const IndexList *list, Arena *arena);
/* What all kinds have in common: the alarm, refinement. To be called when
 * nfactor counts all other places. */
void table_finish(FactorTable *t, const int *row, const int *col,
                  const TableOptions *options, Arena *arena);

#endif
