/* least_sum.h - of many solutions the one that leaves most entries alone.
 *
 * The solutions x + N c of equations that do not determine x: the one with the
 * least sum of weight_i |x_i|. Where the least sum of squares moves every entry
 * a little, this one makes as many entries 0 as there are columns of N, those
 * that leave the others nearest to 0 (unless several are as good).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_NUM_LEAST_SUM_H
#define TAKT_NUM_LEAST_SUM_H

#include <stdbool.h>

/* Moves x[n] along the k columns of null[n * k] (orthonormal) to where the sum
 * of weight[i] |x[i]| is least; weights are 0 or positive. Returns false, and
 * leaves x alone, where it is no less than at x. */
bool least_sum(int n, int k, const double *null, const double *weight,
               double *x);

#endif
