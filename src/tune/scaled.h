/* scaled.h - products of many step matrices.
 *
 * A product is kept as a matrix of norm 1 and the logarithm of its size, so
 * that neither a fast decay nor an unstable model leaves the range of numbers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_SCALED_H
#define TAKT_TUNE_SCALED_H

#include "base/arena.h"

/* A matrix m exp(log), by columns. */
typedef struct Scaled {
    int n;
    double *m;
    double log;
} Scaled;

/* A copy of m, or the identity where m is NULL. */
Scaled scaled_new(int n, const double *m, Arena *arena);

/* a := b a; `work` holds n * n numbers. */
void scaled_multiply(Scaled *a, const Scaled *b, double *work);

/* For how many steps the matrix of a sample is held until the next one. */
int scaled_steps_held(double from, double to, double tau);

#endif
