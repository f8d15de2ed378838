/* record.h - the rows of a run: to a file, and in memory where something is to
 * be drawn or compared. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_RECORD_H
#define TAKT_CLI_RECORD_H

#include "result/compare.h"
#include "result/plot.h"
#include "result/result.h"
#include "sim/sim.h"

typedef struct Record {
    const Lowered *low;
    Arena *arena;
    ResultSignal *signal; /* of the file */
    int nsignal;
    int nwritten; /* of them in the file */
    int *symbol;  /* symbol of the tape behind each column */
    int ncolumn;
    double *row;      /* ncolumn values */
    ResultFile *file; /* NULL: none */
    bool keep;        /* keep rows in memory */
    Vec(double) time;
    Vec(double) value; /* ncolumn a row */
    int every;         /* every n-th step only */
} Record;

/* Is it a name that takt made, for a state of a set and the like? */
bool record_is_auxiliary(const char *name);
/* Prepares columns for all symbols of the tape whose name matches `filter`
 * (a pattern with * and ?, NULL: all) or is listed in `also`. */
Record *record_new(const Lowered *low, const char *filter,
                   const char *const *also, int nalso, Arena *arena);
/* Opens the result file; false with errno set. */
bool record_open(Record *r, const char *path, const Exec *exec);
void record_row(Record *r, const Exec *exec, double time);
/* The column of a signal by name and its sign; NONE if it is not recorded. */
int record_find(const Record *r, const char *name, double *sign);
/* The recorded curve of a signal (a copy); n = 0 if there is none. */
Curve record_curve(const Record *r, const char *name);

#endif
