/* nests.h - selections within selections, as one with another condition.
 *
 *   in    a Tape
 *   out   the same, with
 *
 *         if a then x else (if b then x else y)   if a or b then x else y
 *         if a then x else (if b then y else x)   if b and not a then y else x
 *         if a then (if b then x else y) else x   if a and not b then y else x
 *         if a then (if b then x else y) else y   if a and b then x else y
 *
 * where the inner selection serves nobody else. A selection is three
 * instructions of the machine, logic is one; and what is selected by the same
 * conditions has one condition then (share.h). Friction selects its torque in
 * this way: forward, backward, or as it was. Results are the same to the last
 * bit.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_NESTS_H
#define TAKT_TAPE_NESTS_H

#include "tape/tape.h"

/* A tape of the same segments; lives in `arena`. */
Tape *tape_flatten_nests(const Tape *t, Arena *arena);

#endif
