/* columns.h - which columns of a wide matrix are independent? */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_COLUMNS_H
#define TAKT_NUM_COLUMNS_H

#include <stdbool.h>

typedef struct Columns {
    int m, width;        /* rows, columns */
    const double *value; /* m x width by rows */
    double *work;        /* as large */
    int *column;         /* size width */
} Columns;

/* Complete pivoting over the columns for which allowed[] holds; marks the pivot
 * columns in `used`. Returns the absolute determinant. */
double columns_pivot(const Columns *a, const bool *allowed, bool *used);

#endif
