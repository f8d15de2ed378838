/* apart.h - work that may never end, in a process of its own.
 *
 *   in    a function that fills an array
 *   out   the array, or nothing: it took too long, or ended its process
 *
 * What the function changes in memory is lost with its process.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ROUNDING_APART_H
#define TAKT_ROUNDING_APART_H

#include <stdbool.h>

/* out: n numbers. Returns false if there are none. */
bool apart_run(bool (*work)(void *context, double *out), void *context,
               double *out, int n);

#endif
