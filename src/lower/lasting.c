/* lasting.c - ranges of slots, and unknowns of events. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/lasting.h"

/* Slots between two ranges that are copied with them: less than a range more
 * costs. */
enum { GAP = 8 };

int lower_lasting(const Tape *t, SlotRange **range, Arena *arena)
{
    Vec(SlotRange) found = {0};
    for (int i = 0; i < t->nslot; i++) {
        if (t->region[i] == TR_TEMP || t->region[i] == TR_CONST)
            continue;
        SlotRange *last = found.n ? &vec_last(&found) : NULL;
        if (last && last->first + last->n + GAP > i)
            last->n = i + 1 - last->first;
        else
            vec_push(arena, &found, ((SlotRange){i, 1}));
    }
    *range = found.at;
    return found.n;
}

int lower_passed(const Lowered *low, int **slot, Arena *arena)
{
    const Inlined *d = low->inlined;
    const Tape *t = low->tape;
    Vec(int) passed = {0};
    *slot = NULL;
    if (d->event == NONE)
        return 0;
    const TapeSegment *run = &low->system[d->event].run;
    for (int i = run->first; i < run->first + run->count; i++) {
        if (t->code.at[i].op != TAPE_BLOCK)
            continue;
        const TapeBlock *b = &t->block.at[t->code.at[i].a];
        for (int k = 0; k < b->n && b->is_passed; k++)
            vec_push(arena, &passed, b->x[k]);
    }
    *slot = passed.at;
    return passed.n;
}
