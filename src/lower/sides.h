/* sides.h - how far are the sides of a relation apart, at points of a run?
 *
 *   in   Lowered, and the slots of a point
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_SIDES_H
#define TAKT_LOWER_SIDES_H

#include "lower/lower.h"

/* lhs - rhs of a relation with the slots `r`; NAN: it is none. */
double sides_distance(const Lowered *low, Expr now, const double *r);
/* The part of a step that lies after its crossing, or after the last jump of
 * floor and the like; `last` and `here` are the slots at both ends. 0: there is
 * none. */
double sides_part_after(const Lowered *low, Expr now, const double *last,
                        const double *here);

#endif
