/* partition.h - which variables are coordinates of the solution manifold?
 *
 *   in    Array, ArrayIndex, a point on the manifold
 *   out   x1, x2: [G_x' G_w G_x1] has full row rank
 *
 * A QR of [G_x' G_w] leaves X2 = Q2^T G_x, the constraints (Campbell, Zhong
 * 1994, (68)); independent columns of it are x1. It is done for F_0, F_1, ...,
 * F_k one after the other: a constraint that is there after few
 * differentiations is solved for variables that occur in none of the earlier
 * ones, if these serve, so positions are found from constraints of positions,
 * and velocities from those of velocities. Without this, a pendulum at its
 * lowest point gets both velocities as coordinates, which say nothing when it
 * is at rest.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_PARTITION_H
#define TAKT_ARRAY_PARTITION_H

#include "array/index.h"

/* is_first[j]: x_j is in x1; by these rows (NULL: all). Returns false if a
 * number is none. */
bool partition_choose(Array *a, const ArrayIndex *x, const ArrayRows *rows,
                      double t, const double *z, bool *is_first);

/* moves[j]: the derivative of x_j occurs in f. Lives in `arena`. */
bool *partition_moving(const Array *a, Arena *arena);

#endif
