/* dense_internal.h - what the files behind dense.h share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_DENSE_INTERNAL_H
#define TAKT_NUM_DENSE_INTERNAL_H

#include <stdbool.h>

/* Are all entries finite? Ends the program where there are too many. */
bool dense_is_finite(int nrow, int ncol, const double *a);

#endif
