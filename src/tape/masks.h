/* masks.h - truths that are masks.
 *
 * Truth is the number 1. A selection by it, and what logic makes of it, work on
 * words of ones or zeros only, masks, which is what a processor's comparison
 * leaves (runtime/takt_rt_base.h). So a local that only comparisons and logic
 * write stays a mask if selections and logic read it at least as often as it is
 * read as a number. emit/ writes it so, cost.h counts it so.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_MASKS_H
#define TAKT_TAPE_MASKS_H

#include "tape/tape.h"

/* Of each slot: is it a mask in the segment? may[s]: slot s is a local of its
 * own. Lives in `arena`. */
bool *tape_masks(const Tape *t, const TapeSegment *s, const bool *may,
                 Arena *arena);

bool tape_is_comparison(int op);
bool tape_is_logic(int op); /* and, or, not */

#endif
