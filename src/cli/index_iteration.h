/* index_iteration.h - takt index --iteration: iteration matrices as h goes to
 * 0.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_INDEX_ITERATION_H
#define TAKT_CLI_INDEX_ITERATION_H

#include "array/array.h"
#include "driver/driver.h"

/* Prints norm and condition of the matrix that DASSL would iterate with at the
 * point z, for h, h/10, ..., beside those of the model with backward Euler
 * inlined, which `driver` tells how to compile. */
void index_print_iteration(Array *a, double t, const double *z, double h,
                           const DriverOptions *driver, Arena *arena);

#endif
