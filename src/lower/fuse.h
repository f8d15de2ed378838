/* fuse.h - a whole step as one segment.
 *
 *   in    Lowered   segments that sim/ strings together
 *   out   Fused     a tape of the segments `param` and one `step` for each
 *                   system of the method, with nothing in them that nobody
 *                   reads
 *   next  emit/     writes it as C; tape/cost.h counts it
 *
 * A fused step does what sim_step() does, in the same order, with the same
 * results to the last bit: time goes on, the system is solved, old values move
 * on, events come to rest (a loop with a constant number of iterations, whose
 * results are kept only while something changes), outputs follow.
 * Not part of it: delay(), the choice of other states, assertions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_FUSE_H
#define TAKT_LOWER_FUSE_H

#include "lower/lower.h"
#include "tape/prune.h"

typedef struct FuseOptions {
    double start;       /* time of the initial values */
    int events_max;     /* event iterations a step */
    const bool *wanted; /* of each symbol of the tape: read from outside */
} FuseOptions;

typedef struct Fused {
    const Lowered *low;
    Tape *tape;          /* segments: param, then the steps */
    const bool *carried; /* of each slot: must live from call to call */
    bool *wanted;        /* of each slot */
    int nstep;           /* step segments */
    int *system;         /* of the Diff behind each step segment */
    int count;           /* slot: steps done */
    int broken;    /* slot: 1 when an event broke the history; NONE: never */
    int unsettled; /* slot: 1 when events were left; NONE: no events */
} Fused;

/* Adds to the tape of `low`. Lives in `arena`. */
Fused *fuse(const Lowered *low, const FuseOptions *options, Arena *arena);

#endif
