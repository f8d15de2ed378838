/* fuse_between.c - what happens between two steps.
 *
 * Old values and pre() are set, sample() becomes false and true again, inputs
 * are held. The caller sets inputs for the next step before it begins: where
 * the last point is evaluated once more without its samples, inputs are still
 * those of then, and what the new ones change happens at the end of the step.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

static bool is_input(const Fuse *f, int i)
{
    return f->d->var[i].kind == IV_INPUT && f->d->var[i].sys_var == i;
}

/* sim_set_pre: the slots it writes and what they get. */
static void set_pre(Fuse *f, bool of_inputs)
{
    const Lowered *low = f->low;
    for (int i = 0; i < f->d->nvar; i++) {
        const InlinedVar *v = &f->d->var[i];
        if (low->pre[i] != NONE && !fuse_is_own(f, i) &&
            (of_inputs || !is_input(f, i)))
            fuse_copy(f, low->pre[i], low->slot[i]);
        if (v->kind != IV_OLD || v->back != 1 || low->slot[i] == NONE)
            continue;
        int new = inlined_find(f->d, v->sys_var, v->order);
        if (new != NONE && f->d->var[new].kind == IV_VALUE &&
            !fuse_is_own(f, new))
            fuse_copy(f, low->slot[i], low->slot[new]);
    }
}

void fuse_set_pre(Fuse *f)
{
    set_pre(f, true);
}

void fuse_set_left(Fuse *f)
{
    for (int i = 0; i < f->d->nvar; i++)
        if (f->low->pre[i] != NONE && !f->d->var[i].is_discrete)
            fuse_copy(f, f->low->pre[i], f->low->slot[i]);
}

void fuse_set_old_left(Fuse *f)
{
    for (int i = 0; i < f->d->nvar; i++) {
        const InlinedVar *v = &f->d->var[i];
        if (v->kind != IV_OLD || v->back != 1 || f->low->slot[i] == NONE)
            continue;
        int new = inlined_find(f->d, v->sys_var, v->order);
        if (new != NONE && f->d->var[new].kind == IV_VALUE &&
            !f->d->var[new].is_discrete)
            fuse_copy(f, f->low->slot[i], f->low->slot[new]);
    }
}

void fuse_place_inputs(Fuse *f)
{
    f->input_before = NEW_ARRAY(f->local, int, f->d->nvar + 1);
    for (int i = 0; i < f->d->nvar; i++)
        f->input_before[i] = f->low->has_sample && f->d->event != NONE &&
                                     is_input(f, i) && f->low->slot[i] != NONE
                                 ? tape_slot(f->t, TR_CARRY, NULL,
                                             f->options->value[f->low->slot[i]])
                                 : NONE;
}

void fuse_keep_inputs(Fuse *f)
{
    for (int i = 0; i < f->d->nvar; i++)
        if (f->input_before[i] != NONE)
            fuse_copy(f, f->input_before[i], f->low->slot[i]);
}

void fuse_end_sampling(Fuse *f)
{
    if (!f->low->has_sample || f->d->event == NONE)
        return;
    fuse_copy(f, f->low->sampling, f->zero);
    fuse_copy_segment(f, f->event);
    fuse_set_pre(f);
}

void fuse_end_sampling_before(Fuse *f)
{
    if (!f->low->has_sample || f->d->event == NONE)
        return;
    int nmap = f->t->nslot;
    int *map = NEW_ARRAY(f->local, int, nmap);
    for (int i = 0; i < nmap; i++)
        map[i] = i;
    for (int i = 0; i < f->d->nvar; i++)
        if (f->input_before[i] != NONE)
            map[f->low->slot[i]] = f->input_before[i];
    fuse_copy(f, f->low->sampling, f->zero);
    fuse_copy_again(f, f->event, map, nmap);
    set_pre(f, false);
}

void fuse_begin_sampling(Fuse *f)
{
    if (!f->low->has_sample || f->d->event == NONE)
        return;
    fuse_copy(f, f->low->sampling, f->one);
    fuse_copy_segment(f, f->event);
}

/* Inputs are held during a step: stages see the value the caller has set. */
void fuse_hold_inputs(Fuse *f)
{
    for (int i = 0; i < f->d->nvar; i++) {
        const InlinedVar *v = &f->d->var[i];
        int slot = f->low->slot[i];
        if (v->kind != IV_INPUT || slot == NONE || i == v->sys_var)
            continue;
        int from = f->low->slot[v->sys_var];
        fuse_copy(f, slot, v->order > 0 || from == NONE ? f->zero : from);
    }
}
