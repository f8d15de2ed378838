/* lists.c - which slots a step copies, compares and looks at, found once.
 *
 * What the Inlined table says of each entry does not change during a run; a
 * step goes through slots alone.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_internal.h"

typedef Vec(SimCopy) Copies;
typedef Vec(int) Slots;

/* Slots between two ranges that are copied with them: less than a range more
 * costs. */
enum { GAP = 8 };

static void find_lasting(Sim *s)
{
    const Tape *t = s->low->tape;
    Vec(SimRange) range = {0};
    for (int i = 0; i < t->nslot; i++) {
        if (t->region[i] == TR_TEMP || t->region[i] == TR_CONST)
            continue;
        SimRange *last = range.n ? &vec_last(&range) : NULL;
        if (last && last->first + last->n + GAP > i)
            last->n = i + 1 - last->first;
        else
            vec_push(s->arena, &range, ((SimRange){i, 1}));
    }
    s->lists->lasting = range.at;
    s->lists->nlasting = range.n;
}

/* What the passes of an event begin with. */
static void find_passed(Sim *s)
{
    const Inlined *d = s->low->inlined;
    const Tape *t = s->low->tape;
    Slots passed = {0};
    if (d->event == NONE)
        return;
    const TapeSegment *run = &s->low->system[d->event].run;
    for (int i = run->first; i < run->first + run->count; i++) {
        if (t->code.at[i].op != TAPE_BLOCK)
            continue;
        const TapeBlock *b = &t->block.at[t->code.at[i].a];
        for (int k = 0; k < b->n && b->is_passed; k++)
            vec_push(s->arena, &passed, b->x[k]);
    }
    s->lists->passed = passed.at;
    s->lists->npassed = passed.n;
    s->lists->begin = NEW_ARRAY(s->arena, double, passed.n + 1);
}

void sim_find_lists(Sim *s)
{
    const Lowered *low = s->low;
    const Inlined *d = low->inlined;
    Copies left = {0}, pre = {0}, discrete = {0};
    Slots state = {0}, other = {0};
    SysFelt *felt = NEW_ARRAY(s->arena, SysFelt, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        SimCopy copy = {low->pre[i], low->slot[i]};
        if (copy.to != NONE) {
            vec_push(s->arena, &pre, copy);
            felt[discrete.n] = inlined_felt(d, i);
            if (v->is_discrete)
                vec_push(s->arena, &discrete, copy);
            else
                vec_push(s->arena, &left, copy);
        }
        SimCopy old = {low->slot[i], lower_source(low, i)};
        if (old.from != NONE) {
            vec_push(s->arena, &pre, old);
            vec_push(s->arena, &left, old);
        }
        if (v->kind != IV_VALUE || v->stage != DIFF_END || low->slot[i] == NONE)
            continue;
        if (v->is_state)
            vec_push(s->arena, &state, low->slot[i]);
        else
            vec_push(s->arena, &other, low->slot[i]);
    }
    s->lists = NEW(s->arena, SimLists);
    *s->lists = (SimLists){.left = left.at,
                           .nleft = left.n,
                           .pre = pre.at,
                           .npre = pre.n,
                           .discrete = discrete.at,
                           .felt = felt,
                           .ndiscrete = discrete.n,
                           .state = state.at,
                           .nstate = state.n,
                           .other = other.at,
                           .nother = other.n};
    find_lasting(s);
    find_passed(s);
}
