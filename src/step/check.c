/* check.c - what holds between the parts of a step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>

#include "num/table.h"
#include "step/step_internal.h"

/* A block that iterates is solved by tables or by expressions, not by both. */
static void check_factors(const Step *s)
{
    const Inlined *d = s->inlined;
    for (int i = 0; i < d->nsystem; i++) {
        if (!s->schedule[i] || i == d->param || i == d->init)
            continue;
        for (int k = 0; k < s->schedule[i]->nblock; k++) {
            const SchedBlock *b = &s->schedule[i]->block[k];
            const BlockFactor *f = &s->pivots->factor[i][k];
            bool iterates = b->kind != SK_ASSIGN && b->kind != SK_SOLVED;
            assert((f->table != NULL) + (f->delta != NULL) == iterates);
            assert(!f->table || f->table->n == b->ntorn);
            assert(!f->is_watched || f->delta);
        }
    }
}

static void check_lowered(const Lowered *low, const Inlined *d)
{
    assert(low->inlined == d);
    tape_check(low->tape);
    for (int i = 0; i < d->nvar; i++)
        assert(low->slot[i] >= NONE && low->slot[i] < low->tape->nslot);
}

static void check_fused(const Step *s)
{
    const Fused *f = s->fused;
    assert(f->low == s->lowered && f->nstep > 0);
    int nparts = f->parts ? f->parts->nrate + 2 : 0;
    assert(f->tape->segment.n == 1 + f->nstep + (f->start != NONE) + nparts);
    assert(f->tape->nslot >= s->lowered->tape->nslot);
    assert(s->value && s->delay);
    tape_check(f->tape);
}

void step_check(const Step *s)
{
    assert(s->inlined && s->method && s->plan);
    assert((s->goal >= STEP_STRUCTURE) == (s->schedule != NULL));
    assert((s->goal >= STEP_REFERENCE) == (s->lowered != NULL));
    assert((s->goal >= STEP_STATIC) == (s->pivots != NULL));
    assert((s->goal == STEP_REALTIME) == (s->fused != NULL));
    inlined_check(s->inlined);
    for (int i = 0; s->schedule && i < s->inlined->nsystem; i++)
        if (s->schedule[i])
            schedule_check(s->schedule[i]);
    if (s->lowered)
        check_lowered(s->lowered, s->inlined);
    if (s->pivots)
        check_factors(s);
    if (s->fused)
        check_fused(s);
}
