/* cost.h - what a segment does, counted.
 *
 *   in    Tape, which slots are members of the instance
 *   out   Cost   operations and bytes, in all and by block
 *
 * The instructions counted are those that will run; loops have constant
 * counts, so the numbers are exact. What happens at the ticks of a rate only is
 * counted apart, and in the total. Loads and stores are those of members;
 * `instructions` says about what gcc -O2 makes of it on x86-64: an operation of
 * its weight (expr/ops.def), one more to fetch an operand where both
 * are in memory, and one to put away a local that is used again: there are more
 * of those than registers. Bytes of code and stack are estimates for x86-64,
 * fitted to gcc -O2 over the gallery (about 10 bytes an operation and 3 an
 * operand in memory, a word and a quarter a local that lives across others), as
 * the compiler has the last word.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_COST_H
#define TAKT_TAPE_COST_H

#include "tape/tape.h"

typedef struct Cost {
    long add; /* additions and subtractions, sign changes */
    long mul, div;
    long call;   /* elementary functions */
    long select; /* selections, comparisons, logic, rounding */
    long load, store;
    long instructions; /* about what a compiler makes of it, see below */
    long code_bytes;
    long stack_bytes;
} Cost;

typedef struct CostBlock {
    int block;      /* of the tape; NONE: outside of blocks */
    int iterations; /* counted in `cost` */
    Cost cost;
} CostBlock;

typedef struct CostTable {
    Cost total;       /* with the ticks of all rates */
    const Cost *rate; /* of each rate of the tape: a tick, part of `total` */
    CostBlock *block; /* the first is what stands outside of blocks */
    int nblock;
    Cost watch[TO_NROLE]; /* of roles with cost_watch_name(): what they need,
                             no part of `block` but of `total` */
    Cost code;            /* every instruction once, whatever loops do */
} CostTable;

/* What a role that is counted apart is called: "defect", "damping"; NULL: it is
 * a part of the step. */
const char *cost_watch_name(TapeRole role);

/* member[s]: slot s is kept in memory. Lives in `arena`. */
CostTable *cost_of(const Tape *t, const TapeSegment *segment,
                   const bool *member, Arena *arena);

#endif
