/* prune.h - keep what somebody reads.
 *
 *   in    Tape, names of segments, slots that are wanted
 *   out   a Tape of those segments without dead instructions
 *
 * Segments may follow each other in any order, so a slot that one of them
 * reads before writing it is kept by all. The set of those slots is the least
 * fixed point of liveness over the segments: what only dead code reads is dead.
 * A BLOCK lives when one of its iteration variables does, without regard to
 * NOTEs; those of living blocks live.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_PRUNE_H
#define TAKT_TAPE_PRUNE_H

#include "tape/tape.h"

typedef struct Pruned {
    Tape *tape;    /* shares the slots of the tape it was made from */
    bool *carried; /* of each slot: read by a segment before it is written */
} Pruned;

/* `segment` are the segments to keep, in this order; wanted[s] tells that slot
 * s is read from outside. Lives in `arena`. */
Pruned *tape_prune(const Tape *t, const TapeSegment *segment, int nsegment,
                   const bool *wanted, Arena *arena);

#endif
