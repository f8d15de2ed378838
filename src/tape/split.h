/* split.h - a slot with a name holds what its name says.
 *
 *   in    a Tape whose code is final, slots that are read from outside
 *   out   the same code on more slots
 *   next  emit/   writes it as C
 *
 * Two values are not what the name of their slot promises: one that tape_hoist
 * has scaled where it is made, because its only reader wants it scaled; and one
 * that a block computes at the point its iteration goes on from, to be computed
 * again with the solution after the block or to be read by nobody there. Each
 * gets a slot of its own, "v scaled" or "v iterate", wherever it is dead
 * before the slot's next value is made. Instructions, their order and their
 * results stay as they are.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_SPLIT_H
#define TAKT_TAPE_SPLIT_H

#include "tape/tape.h"

/* kept[s]: slot s is read outside of the segment that writes it. The slots of
 * `t` keep their numbers; new ones follow. Lives in `arena`. */
const Tape *tape_split(const Tape *t, const bool *kept, Arena *arena);

#endif
