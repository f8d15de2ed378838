/* share_internal.h - numbers of values, for share.c and recall.c. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_SHARE_INTERNAL_H
#define TAKT_TAPE_SHARE_INTERNAL_H

#include "tape/tape.h"

typedef struct Known {
    int op, a, b, c; /* numbers of values, NONE where there is no operand */
    int value;       /* number of the result */
    int slot;        /* that had it first, or has it again */
    int next;        /* in its bucket; NONE */
} Known;

enum { NBUCKET = 4096 };

/* At the begin of a segment the number of a slot's value is the slot. */
typedef struct Share {
    Tape *t;
    Arena *local;
    int *number; /* of the value of each slot */
    int *made;   /* of each instruction: number of what it gives; or NULL */
    int nvalue;
    int bucket[NBUCKET];
    Vec(Known) known; /* operands before results */
} Share;

Share *share_new(Tape *t, Arena *local);
/* The instructions of a segment; rewrites: what is known becomes a copy. */
void share_walk(Share *s, const TapeSegment *segment, bool rewrites);
/* May the instruction be replaced by a copy of what it gives? */
bool share_is_operation(const TapeInstr *in);
/* Is the instruction a block whose body runs once, in order? Then its unknowns
 * change after it, and nothing else is special. */
bool share_runs_once(const Tape *t, int at);
/* What is known of an operation on these numbers; NULL: nothing. */
const Known *share_find(const Share *s, int op, int a, int b, int c);

#endif
