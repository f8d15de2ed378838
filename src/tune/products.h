/* products.h - norms of products of steps along a scenario.
 *
 *   in    StepMaps   the linearised step in every sample
 *   out   the largest quotient of the norms of two steps over the same samples
 *
 * The matrix of a sample is held for as many steps as lie before the next one,
 * so a run over samples i .. j is a product of powers. Norms (largest row sums
 * in units) are at most the products of the norms of their parts: of most runs
 * this says that they cannot be the worst, and their products are never formed.
 * A run of no step at all has norm 1 and belongs to them. Of a large step that
 * is the same in all samples powers of 1, 2, 4, ... steps are looked at, from
 * the first to the last sample.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_PRODUCTS_H
#define TAKT_TUNE_PRODUCTS_H

#include "tune/proof.h"

/* The products of one step; what was computed is remembered. */
typedef struct Products Products;

/* `hold`: steps that each matrix is held for, 0: as many as lie between the
 * samples. The maps must live as long as the result, which lives in `arena`. */
Products *products_new(const StepMaps *maps, double tau, int hold,
                       Arena *arena);

/* Logarithms; samples are NONE where nothing grows. */
typedef struct ProductWorst {
    double ratio; /* largest of norm / max(1, norm of the exact one), >= 0 */
    int from, to; /* of that run */
    double norm;  /* largest norm, >= 0, */
    double exact; /* and of the exact step, >= 0 */
} ProductWorst;

/* Runs of `p` beside those of the exact step over the same samples. */
ProductWorst products_compare(Products *p, Products *exact,
                              const TuneProgress *progress);

#endif
