/* lasting.h - slots that a run has to keep from one point to the next. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_LASTING_H
#define TAKT_LOWER_LASTING_H

#include "lower/lower.h"

typedef struct SlotRange {
    int first, n;
} SlotRange;

/* Slots whose values outlive a segment and change, and some between them.
 * Returns how many ranges they are. */
int lower_lasting(const Tape *t, SlotRange **range, Arena *arena);

/* Unknowns that all passes of an event begin with where the first one does.
 * Returns how many. */
int lower_passed(const Lowered *low, int **slot, Arena *arena);

#endif
