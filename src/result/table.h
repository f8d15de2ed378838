/* table.h - numbers in named columns, read from a CSV file.
 *
 *   read by   sim/ (inputs), result/compare.h (reference trajectories)
 *
 * The first line holds the names, in quotes or not; the separator is the
 * first of comma, semicolon, tab that occurs in it. A line that starts with #
 * is a comment. Every other line has a number in each column.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_TABLE_H
#define TAKT_RESULT_TABLE_H

#include "base/diag.h"

typedef struct Table {
    int ncol, nrow;
    const char **name; /* size ncol */
    double *value;     /* row by row: value[row * ncol + col] */
} Table;

/* Reads the text of a source. Reports a wrong line with its place and returns
 * NULL. */
Table *table_read(Sources *sources, int source, Arena *arena, Diag *diag);
int table_column(const Table *t, const char *name); /* column or NONE */

#endif
