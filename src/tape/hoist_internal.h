/* hoist_internal.h - what the files of hoist share.
 *
 * A version is the instruction that wrote a value, or a negative number for
 * what was there before the segment or comes around a loop. For each version
 * the walk knows how often it is read and whether somebody outside asks for it
 * (`asked`); one that is read once and not asked for may be changed where it is
 * made. An operand may be read later than it was if its slot still has the
 * version it had.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_HOIST_INTERNAL_H
#define TAKT_TAPE_HOIST_INTERNAL_H

#include "tape/hoist.h"

enum { DEEPEST = 8, NBUCKET = 1024, BEFORE = -1 };

typedef struct Hoist {
    Tape *t;
    Arena *local;
    const double *value; /* of the first nvalue slots */
    int nvalue;
    int n;                /* slots at the begin of the segment */
    int *now;             /* version of each slot */
    int base;             /* first instruction of the segment */
    int *nread;           /* of each version, from base */
    bool *asked;          /* of each version, from base */
    int *version;         /* of the operands a, b, c of each instruction */
    Vec(TapeInstr) param; /* new instructions of `param` */
    Vec(int) next;        /* of them: the next in the same bucket */
    int bucket[NBUCKET];
    Vec(int) dead; /* versions nobody reads, to be followed */
} Hoist;

/* --- hoist.c */
/* A number, a parameter, what follows from them, or the step size. */
bool hoist_is_known(const Hoist *h, int slot);
double hoist_value(const Hoist *h, int slot); /* of a known slot */
/* The slot of a op b, both known; NONE: better not. */
int hoist_combine(Hoist *h, int op, int a, int b);
TapeInstr *hoist_code(const Hoist *h, int at);
/* The instruction that made the slot's value, NULL if that is not known. */
const TapeInstr *hoist_maker(const Hoist *h, int slot);
/* May the value be changed where it is made? */
bool hoist_is_single(const Hoist *h, int slot);
/* Has operand k of the maker of `slot` still the value it had there? */
bool hoist_is_same(const Hoist *h, int slot, int k);
/* What instruction `at` makes is `factor` times what it was: its slot has no
 * right to its name any more (tape/split.h). */
void hoist_note_scaled(Hoist *h, int at, int factor);
/* Instruction `at` becomes op(a, b). */
void hoist_become(Hoist *h, int at, int op, int a, int b);

/* --- hoist_rules.c */
/* One rule applied to instruction `at`; false if none fits. */
bool hoist_rewrite(Hoist *h, int at);

#endif
