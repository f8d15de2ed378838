/* fuse_estimate.c - the error of a step, after it is solved.
 *
 * What sim/estimate.c does: the system of the estimate runs before old values
 * move on; it is told how many steps there were since the history was broken.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

static const InlinedEstimate *estimate_of(const Fuse *f)
{
    return f->d->estimate.mode == PE_OFF ? NULL : &f->d->estimate;
}

static int slot_of(const Fuse *f, int entry)
{
    return f->low->slot[entry];
}

/* The entry that keeps another one from step to step. */
static int kept_slot(const Fuse *f, int entry)
{
    for (int i = 0; i < f->d->nvar; i++)
        if (f->d->var[i].kind == IV_KEPT && f->d->var[i].source == entry)
            return slot_of(f, i);
    return NONE;
}

void fuse_place_estimate(Fuse *f)
{
    const InlinedEstimate *e = estimate_of(f);
    FusedEstimate *out = &f->out->estimate;
    *out = (FusedEstimate){NONE, NONE, NONE, NONE, NONE};
    if (!e)
        return;
    out->inaccurate = tape_slot(f->t, TR_CARRY, "inaccurate", 0);
    out->worst = slot_of(f, e->worst);
    out->largest = kept_slot(f, e->largest);
    out->largest_state = kept_slot(f, e->largest_state);
    out->largest_time = kept_slot(f, e->largest_time);
}

void fuse_estimate(Fuse *f, int system)
{
    const InlinedEstimate *e = estimate_of(f);
    Tape *t = f->t;
    if (!e || f->d->system[system].estimate == NONE)
        return;
    fuse_copy_segment(f, &f->low->system[f->d->system[system].estimate].run);
    tape_from(t, (TapeOrigin){TO_ESTIMATE, NONE, NONE, NONE, NO_SPAN});
    int fine = tape_emit(t, EX_LE, NONE, slot_of(f, e->worst),
                         tape_const(t, f->d->plan->estimate_tolerance), NONE);
    int number = tape_emit(t, EX_ADD, NONE, slot_of(f, e->state), f->one, NONE);
    tape_emit(t, EX_IF, f->out->estimate.inaccurate, fine, f->zero, number);
    tape_from(t, (TapeOrigin){TO_STEP, NONE, NONE, NONE, NO_SPAN});
}

void fuse_count_since(Fuse *f)
{
    const InlinedEstimate *e = estimate_of(f);
    Tape *t = f->t;
    if (!e)
        return;
    int since = slot_of(f, e->since);
    tape_emit(t, EX_ADD, since, since, f->one, NONE);
    if (f->out->broken != NONE)
        tape_emit(t, EX_IF, since, f->out->broken, f->zero, since);
}

void fuse_reset_estimate(Fuse *f)
{
    const InlinedEstimate *e = estimate_of(f);
    if (!e)
        return;
    fuse_copy(f, slot_of(f, e->since), f->zero);
    fuse_copy(f, f->out->estimate.inaccurate, f->zero);
    for (int i = 0; i < f->d->nvar; i++)
        if (f->d->var[i].kind == IV_KEPT)
            fuse_copy(f, slot_of(f, i), f->zero);
}

void fuse_want_estimate(Fuse *f)
{
    const FusedEstimate *e = &f->out->estimate;
    const int slot[] = {e->inaccurate, e->worst, e->largest, e->largest_state,
                        e->largest_time};
    for (size_t i = 0; i < sizeof slot / sizeof *slot; i++)
        if (slot[i] != NONE)
            f->wanted[slot[i]] = true;
}
