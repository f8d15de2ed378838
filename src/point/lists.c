/* lists.c - which slots a step copies, compares and looks at, found once.
 *
 * What the Inlined table says of each entry does not change during a run; a
 * step goes through slots alone.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "point/point_parts.h"

typedef Vec(SimCopy) Copies;
typedef Vec(int) Slots;

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
    SimLists *l = s->lists;
    l->nlasting = lower_lasting(low->tape, &l->lasting, s->arena);
    l->npassed = lower_passed(low, &l->passed, s->arena);
    l->begin = NEW_ARRAY(s->arena, double, l->npassed + 1);
}
