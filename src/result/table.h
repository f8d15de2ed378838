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

/* --- columns over time: the table has a column `time` that does not fall */

/* The last line with a time <= `time`, NONE: it lies before all. */
int table_line(const Table *t, double time);
/* The value of a column at time t, linear between the lines and constant
 * outside of them; order 1: its slope. Two lines at the same time are a jump:
 * the segment is that of the time `side`, which lies a little before or after
 * `time`. */
double table_at(const Table *t, int column, int order, double time,
                double side);

#endif
