/* table.h - numbers in named columns, read from a CSV file.
 *
 *   read by   sim/ (inputs), result/compare.h (reference trajectories)
 *
 * The first line holds the names, in quotes or not; the separator is the
 * first of comma, semicolon, tab that occurs in it. A line that starts with #
 * is a comment. Every other line has a number in each column. The column of
 * times is `time`, in any spelling of upper and lower case.
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
/* The same of a file with inputs: its times are finite and do not fall, and no
 * name stands there twice. */
Table *table_read_inputs(Sources *sources, int source, Arena *arena,
                         Diag *diag);
int table_column(const Table *t, const char *name); /* column or NONE */

/* --- columns over time: the table has a column `time` that does not fall */

/* The last line with a time <= `time`, NONE: it lies before all. */
int table_line(const Table *t, double time);
/* Is there a jump among the lines first .. last, or just before them? */
bool table_has_jump(const Table *t, int first, int last);
/* The value of a column at time t, linear between the lines and constant
 * outside of them; order 1: its slope, at the very ends that of the first and
 * last piece. Two lines at the same time are a jump:
 * the segment is that of the time `side`, which lies a little before or after
 * `time`. */
double table_at(const Table *t, int column, int order, double time,
                double side);

/* How an input follows from a table. */
typedef struct TableInput {
    int column;
    int order;       /* 1: it is the slope of the column */
    bool is_held;    /* between lines it has the value of the line before */
    bool is_whole;   /* no Real, */
    bool is_boolean; /* but 0 or 1 */
} TableInput;

/* Input `name` is its column. der(u) without one is the slope of u, and where u
 * is constant all its derivatives are 0. Returns false if there is none. */
bool table_find_input(const Table *t, const char *name, TableInput *out);
/* The first line in which a column is not finite or, if it is no Real, not a
 * whole number of 32 bits or a truth; NONE if there is none. */
int table_bad_line(const Table *t, const TableInput *in);
/* The derivative of an input of this order, as table_at. */
double table_input_at(const Table *t, const TableInput *in, int order,
                      double time, double side);

/* Is line i a stop for integrators that choose their steps: does the input jump
 * there, or bend by more than a part of its range? */
bool table_is_sharp(const Table *t, const TableInput *in, double range, int i);
/* Largest minus smallest value of a column. */
double table_range(const Table *t, int column);
/* How much of the range of an input is never seen at the points start + k step:
 * peaks between two of them, and values that are held for less than a step. In
 * parts of the range, 0 .. 1; *when is the time of the worst. */
double table_unseen(const Table *t, const TableInput *in, double start,
                    double step, double *when);

#endif
