/* fuse_states.c - which candidates are states, chosen again after each step.
 *
 * point/states.c with constant work: the matrix that decides and the candidates
 * go to the room of a set, the runtime chooses there (takt_rt_states.h), and
 * what came out is taken back.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "step/fuse_internal.h"

static int nset(const Fuse *f)
{
    return f->d->dae ? f->d->dae->nset : 0;
}

void fuse_place_sets(Fuse *f)
{
    for (int k = 0; k < nset(f); k++) {
        const DaeStateSet *s = &f->d->dae->set[k];
        TapeSet set = {.n = s->ncandidate,
                       .nstate = s->nstate,
                       .nrow = s->nrow,
                       .neliminated = s->neliminated,
                       .nentry = s->nentry,
                       .at = NEW_ARRAY(f->t->arena, int, s->nentry + 1)};
        for (int i = 0; i < s->nentry; i++)
            set.at[i] = s->entry[i].row * (s->ncandidate + s->neliminated) +
                        s->entry[i].col;
        vec_push(f->t->arena, &f->t->set, set);
    }
}

void fuse_reset_sets(Fuse *f)
{
    for (int k = 0; k < nset(f); k++) {
        const DaeStateSet *s = &f->d->dae->set[k];
        for (int i = 0; i < s->nstate * s->ncandidate; i++) {
            int slot = f->low->slot[s->select[i]];
            fuse_copy(f, slot, tape_const(f->t, f->t->initial[slot]));
        }
    }
}

static int leaf_slot(const Fuse *f, Expr leaf)
{
    int var, order;
    if (!expr_is_var(f->d->dag, leaf, &var, &order))
        return NONE;
    int entry = inlined_find(f->d, var, order);
    return entry == NONE ? NONE : f->low->slot[entry];
}

static void put(Fuse *f, int set, int *place, int slot)
{
    tape_emit(f->t, TAPE_PUT, 0, set, (*place)++,
              slot == NONE ? f->zero : slot);
}

static void get(Fuse *f, int set, int *place, int slot)
{
    if (slot != NONE)
        tape_emit(f->t, TAPE_GET, slot, set, *place, NONE);
    (*place)++;
}

static int choose(Fuse *f, int k)
{
    const Dae *dae = f->d->dae;
    const DaeStateSet *s = &dae->set[k];
    int n = s->ncandidate, place = 0;
    for (int i = 0; i < s->nentry; i++)
        put(f, k, &place, f->low->set_entry[k][i]);
    for (int j = 0; j < n; j++)
        put(f, k, &place, leaf_slot(f, s->candidate[j]));
    for (int j = 0; j < n; j++)
        put(f, k, &place, leaf_slot(f, s->candidate_der[j]));
    int results = place;
    for (int i = 0; i < s->nstate * n; i++)
        put(f, k, &place, f->low->slot[s->select[i]]);
    const DaeState *state = &dae->state[s->first_state];
    for (int i = 0; i < s->nstate; i++)
        put(f, k, &place, leaf_slot(f, state[i].leaf));
    for (int i = 0; i < s->nstate; i++)
        put(f, k, &place, leaf_slot(f, state[i].der));
    tape_emit(f->t, TAPE_CHOOSE, 0, k, NONE, NONE);
    for (int i = 0; i < s->nstate * n; i++)
        get(f, k, &results, f->low->slot[s->select[i]]);
    for (int i = 0; i < s->nstate; i++)
        get(f, k, &results, leaf_slot(f, state[i].leaf));
    for (int i = 0; i < s->nstate; i++)
        get(f, k, &results, leaf_slot(f, state[i].der));
    int changed = tape_slot(f->t, TR_TEMP, NULL, 0);
    get(f, k, &results, changed);
    return changed;
}

void fuse_choose_states(Fuse *f)
{
    if (nset(f) == 0)
        return;
    int changed = NONE;
    fuse_copy_segment(f, &f->low->sets);
    for (int k = 0; k < nset(f); k++)
        fuse_or(f, &changed, choose(f, k));
    if (f->out->broken != NONE)
        tape_emit(f->t, EX_OR, f->out->broken, f->out->broken, changed, NONE);
    fuse_set_pre(f);
}
