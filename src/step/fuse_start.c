/* fuse_start.c - initialisation as one segment.
 *
 * The order is that of sim_init(): the initial system is solved until its
 * relations and delayed values agree with the solution, then the first event
 * comes to rest, then old values are set. Blocks are damped and loops are left
 * early: this is code without constant work.
 *
 * The iteration begins at the solution for the default parameters, which was
 * found here; it stands in the members of an instance, and for everything that
 * is no member in copies in front of the segment.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

/* What initialisation finds there and does not compute. */
static void reset(Fuse *f)
{
    const Lowered *low = f->low;
    Tape *t = f->t;
    for (int i = 0; i < f->d->nrelation; i++) {
        int slot = low->slot[f->d->relation[i].var];
        fuse_copy(f, slot, tape_const(t, t->initial[slot]));
    }
    for (int i = 0; i < f->d->nvar; i++) {
        if (low->pre[i] != NONE)
            fuse_copy(f, low->pre[i], tape_const(t, t->initial[low->pre[i]]));
        if (f->d->var[i].kind == IV_DELAY && low->slot[i] != NONE)
            fuse_copy(f, low->slot[i], f->zero);
    }
    fuse_reset_sets(f);
    fuse_copy(f, f->out->count, f->zero);
    fuse_copy(f, t->time, tape_const(t, f->options->start));
    fuse_copy(f, low->initial, f->one);
    fuse_copy(f, low->terminal, f->zero);
    fuse_copy(f, low->lambda, f->one);
    fuse_copy(f, low->sampling, f->zero);
    for (int i = 0; i < low->tape->block.n; i++)
        if (low->tape->block.at[i].damping != 0)
            fuse_copy(f, low->tape->block.at[i].damping, f->one);
    for (int i = 0; i < low->memory.n; i++)
        fuse_copy(f, low->memory.at[i], f->zero);
    fuse_reset_estimate(f);
    if (f->out->broken != NONE)
        fuse_copy(f, f->out->broken, f->zero);
    if (f->out->unsettled != NONE)
        fuse_copy(f, f->out->unsettled, f->zero);
}

/* settle_init: at least once, at most 20 times. */
static void solve(Fuse *f)
{
    Tape *t = f->t;
    int first = NONE, head = t->code.n;
    if (f->d->nrelation > 0) {
        FuseModes *modes = fuse_begin_modes(f, true);
        first = tape_slot(t, TR_VALUE, NULL, 0);
        fuse_copy(f, first, f->one);
        head = t->code.n;
        tape_emit(t, TAPE_REPEAT, 0, 20, NONE, NONE);
        int changed = fuse_move_modes(f, modes);
        changed = tape_emit(t, EX_OR, NONE, changed, first, NONE);
        tape_emit(t, TAPE_LEAVE, 0, changed, NONE, NONE);
        fuse_copy(f, first, f->zero);
    }
    fuse_copy_segment(f, &f->low->system[f->d->init].run);
    if (first != NONE)
        t->code.at[head].b = t->code.n - head - 1;
}

/* A delayed value is at first that of its expression. */
static void solve_with_delays(Fuse *f)
{
    Tape *t = f->t;
    if (f->d->ndelay == 0) {
        solve(f);
        return;
    }
    int head = t->code.n, changed = NONE;
    tape_emit(t, TAPE_REPEAT, 0, 21, NONE, NONE);
    solve(f);
    fuse_copy_segment(f, &f->low->relations);
    fuse_note_all(f, false);
    for (int i = 0; i < f->d->nvar; i++) {
        const InlinedVar *v = &f->d->var[i];
        int slot = f->low->slot[i];
        if (v->kind != IV_DELAY || slot == NONE)
            continue;
        bool is_spread = f->d->delay[v->relation].past == IP_SPREAD;
        int now = is_spread ? fuse_read_spread(f, v, NONE, t->time)
                            : f->low->delay_now[v->relation];
        fuse_or(f, &changed, tape_emit(t, EX_NE, NONE, slot, now, NONE));
        fuse_copy(f, slot, now);
    }
    if (changed != NONE)
        tape_emit(t, TAPE_LEAVE, 0, changed, NONE, NONE);
    t->code.at[head].b = t->code.n - head - 1;
}

static void first_event(Fuse *f)
{
    if (f->low->has_sample)
        fuse_begin_sampling(f);
    else if (inlined_has_initial(f->d))
        fuse_copy_segment(f, f->event);
    if (f->d->nrelation > 0 || f->d->sys->naction > 0 || f->low->has_sample ||
        inlined_has_initial(f->d)) {
        fuse_settle(f, SIM_FIRST_EVENTS);
        fuse_set_pre(f);
    }
}

void fuse_start(Fuse *f)
{
    tape_begin(f->t, "fused.start");
    reset(f);
    fuse_clear_messages(f);
    fuse_hold_inputs(f);
    fuse_keep_inputs(f);
    solve_with_delays(f);
    fuse_set_pre(f);
    fuse_copy(f, f->low->initial, f->zero);
    if (f->d->event != NONE)
        first_event(f);
    fuse_record_delays(f);
    if (f->low->catch_up.is_there)
        fuse_copy_segment(f, &f->low->catch_up.start);
    fuse_copy_segment(f, &f->low->first);
    fuse_choose_states(f);
    fuse_copy_segment(f, &f->low->output);
    fuse_check_asserts(f);
    tape_end(f->t);
}
