/* products.h - norms of products of steps along a scenario.
 *
 * The matrix of a sample is held for as many steps as lie before the next one,
 * so a run over many samples is a product of powers.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_PRODUCTS_H
#define TAKT_TUNE_PRODUCTS_H

#include "tune/proof.h"

/* log of the norm (largest row sum in units) of the product from sample i to
 * sample j, at [i + j * nsample]; NaN where there is none: other scenarios,
 * j < i, a sample without a matrix on the way. Lives in `arena`. */
const double *products_log_norms(const StepMaps *maps, double tau,
                                 const TuneProgress *progress, Arena *arena);

#endif
