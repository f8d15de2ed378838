/* assign.h - which perturbed eigenvalue belongs to which?
 *
 * The bottleneck assignment: pairs such that the largest cost of a pair is as
 * small as can be. Binary search over the costs, with a maximum matching
 * (graph/match.h) for each bound that is tried. The bottleneck alone leaves
 * open who is with whom below it, so pairs are then exchanged while that makes
 * the sum of costs smaller.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_ASSIGN_H
#define TAKT_TUNE_ASSIGN_H

#include "base/arena.h"

/* cost[i + j * n] >= 0, finite, of giving i the partner j. pair[i] becomes the
 * partner of i. Returns the largest cost of a pair, 0 for n = 0. */
double assign_bottleneck(int n, const double *cost, int *pair);

#endif
