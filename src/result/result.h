/* result.h - trajectories written while they are computed.
 *
 *   made by   sim/   one row a time point
 *   files     CSV; MAT v4 in the trajectory layout that Modelica tools write;
 *             HDF5 with a dataset for each signal (hdf5.h)
 *
 * A row holds the values of the columns; a signal is a column with a sign, so
 * that aliases cost nothing in a MAT file. Parameters are signals without a
 * column: their value stands once. A file appears under its name when it is
 * closed: whatever was written until then is in it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_RESULT_H
#define TAKT_RESULT_RESULT_H

#include <stdbool.h>

#include "base/arena.h"

typedef struct ResultSignal {
    const char *name;
    const char *description; /* "comment [unit]", may be "" */
    int column;              /* NONE: a parameter */
    double sign;             /* +1 or -1 */
    double value;            /* of a parameter */
} ResultSignal;

typedef struct ResultFile ResultFile;

/* Opens `path`; .mat gives MAT v4, .h5 HDF5, everything else CSV. ncolumn
 * counts the values of a row besides the time. Returns NULL with errno set if
 * the file cannot be written. */
ResultFile *result_open(const char *path, const ResultSignal *signal,
                        int nsignal, int ncolumn, Arena *arena);
/* The number of signals in it: a CSV file has no column for a parameter. */
int result_signals(const ResultFile *f);
void result_row(ResultFile *f, double time, const double *value);
/* Returns false with errno set if something could not be written; nothing is
 * left under the name then. */
bool result_close(ResultFile *f);

#endif
