/* parts.h - what structure gets wrong in a large system, part by part.
 *
 *   in    Array of a whole Sys (k = 0 is enough), its blocks
 *   out   ArrayParts   parts of the Sys, each with its own array, index and
 *                      selection
 *   next  remodel.h    rows of these arrays take the place of their equations
 *
 * Where the leading Jacobian of a block is singular, the block is looked at as
 * a system of its own: all other unknowns are given functions of time in it.
 * If it has a uniform index then, whatever these functions are, rows of its
 * array say the same as its equations, and the rest of the Sys need not be
 * looked at: index reduction differentiates there as it always does, and looks
 * at the blocks of what came out. If it has none, a constraint is hidden in it
 * that holds among other unknowns: the blocks that determine the unknowns of
 * its equations are taken in, until it has one or becomes too large.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_PARTS_H
#define TAKT_ARRAY_PARTS_H

#include "array/blocks.h"
#include "array/select.h"

enum { PART_MOST = 60 }; /* equations */

typedef struct WrongPart {
    ArrayPart part;
    const ArrayBlock *block; /* where it began */
    Array *a;                /* NULL: it has none */
    ArrayIndex *x;           /* NULL: the part is too large */
    const Selection *s;      /* NULL: `why` says what failed */
    const char *why;
} WrongPart;

typedef struct ArrayParts {
    int n;
    WrongPart *at;
    int nfound; /* with a selection */
} ArrayParts;

/* The parts of a run of this length from t on, at first with `rings` times the
 * blocks that determine the unknowns around. Lives in `arena`. */
ArrayParts *array_parts(const Array *whole, const ArrayBlocks *blocks, double t,
                        double length, int rings, Arena *arena, Diag *diag);

#endif
