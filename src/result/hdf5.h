/* hdf5.h - trajectories as HDF5: a dataset for each signal.
 *
 *   time       rows
 *   motor.w    rows, with the attribute "description"
 *   load.J     a parameter: one number, with "parameter" too
 *
 * A slash in a name, which HDF5 takes for a folder, is written as a backslash.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RESULT_HDF5_H
#define TAKT_RESULT_HDF5_H

#include "result/result.h"

typedef struct Hdf5 Hdf5;

/* NULL: it cannot be written, errno says why. */
Hdf5 *hdf5_open(const char *path, const ResultSignal *signal, int nsignal,
                Arena *arena);
void hdf5_row(Hdf5 *h, double time, const double *value);
bool hdf5_close(Hdf5 *h); /* false: something could not be written */

#endif
