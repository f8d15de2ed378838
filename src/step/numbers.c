/* numbers.c - parameters that nobody will change, as numbers.
 *
 * Divisions by them become products, and factors of a product are multiplied
 * beforehand (tape/fold.h); that changes roundings. So it is done here, to the
 * tape that takt sim --static runs and generated code is made of, in each of
 * its segments: both compute the same.
 *
 * Sizes of steps are no such numbers: the last step of a run may be shorter,
 * and at the desk a step that has no solution is made again in halves. Nor is
 * what initialisation solves for.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "step/step_internal.h"
#include "tape/fold.h"
#include "tape/touch.h"

typedef struct Numbers {
    bool *varies; /* each slot */
    bool found;   /* a slot that varies was read */
} Numbers;

static void vary(void *context, int slot)
{
    Numbers *n = context;
    n->varies[slot] = true;
}

static void look(void *context, int slot)
{
    Numbers *n = context;
    n->found |= n->varies[slot];
}

/* What other segments than `param` write, the size of a step, and what `param`
 * makes of these. */
static const bool *find_varying(const Tape *t, const TapeSegment *param,
                                Arena *local)
{
    Numbers n = {.varies = NEW_ARRAY(local, bool, t->nslot + 1)};
    n.varies[t->step] = true;
    for (int k = 0; k < t->segment.n; k++) {
        const TapeSegment *s = &t->segment.at[k];
        for (int i = s->first; s != param && i < s->first + s->count; i++)
            tape_touch_writes(t, &t->code.at[i], vary, &n);
    }
    for (int i = param->first; i < param->first + param->count; i++) {
        n.found = false;
        tape_touch_reads(t, &t->code.at[i], look, &n);
        if (n.found)
            tape_touch_writes(t, &t->code.at[i], vary, &n);
    }
    return n.varies;
}

void step_put_numbers(Tape *t, const TapeSegment *init, double *value)
{
    Arena *local = arena_new();
    const TapeSegment *param = tape_find_segment(t, "param");
    const bool *varies = find_varying(t, param, local);
    int n = t->nslot;
    for (int i = 0; i < n; i++)
        if (varies[i])
            value[i] = NAN; /* no number: tape_merge() leaves it */
    for (int k = 0; k < t->segment.n; k++) {
        const TapeSegment *s = &t->segment.at[k];
        if (s != param && s->first != (init ? init->first : NONE))
            tape_merge(t, s, value, n);
    }
    arena_free(local);
}
