/* choice_hold.c - entries that no eigenvalue needs but the trajectory does.
 *
 * What drives a model and is not driven by it (a reference value, an input
 * filter) makes the matrix triangular: its entries can go without moving an
 * eigenvalue, and the model follows a step late. If the dropped entries
 * together would let an output stray too far (drift.h), those with the largest
 * shares are forced until the rest, by the shares, uses HOLD_USE of the limit.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "tune/choice_internal.h"
#include "tune/tune_internal.h"

#define HOLD_USE 0.8

bool choice_strays(const PencilSet *p, const ChoiceOptions *o, const bool *keep,
                   const double *frozen)
{
    return o->path && o->drift > 0 &&
           drift_exceeds(o->path, p, o->tau, keep, frozen, o->drift);
}

bool choice_hold(ChoiceWork *w)
{
    const ChoiceOptions *o = w->o;
    int nnz = w->p->nnz, count = 0;
    if (!o->path || !(o->drift > 0))
        return false;
    Arena *local = arena_new();
    double *share = NEW_ARRAY(local, double, nnz + 1);
    ChoiceRank *list = NEW_ARRAY(local, ChoiceRank, nnz + 1);
    Drift d = drift_estimate(o->path, w->p, o->tau, w->keep, NULL, share);
    for (int e = 0; e < nnz; e++)
        if (!w->keep[e] && share[e] > 0)
            list[count++] = (ChoiceRank){e, -share[e]};
    choice_sort(list, count);
    bool is_held = false;
    double left = d.percent;
    for (int i = 0; i < count && d.percent > o->drift; i++) {
        if (left <= HOLD_USE * o->drift)
            break;
        int e = list[i].place;
        left -= share[e];
        w->held[e] = share[e];
        w->forced[e] = w->keep[e] = is_held = true;
    }
    arena_free(local);
    return is_held;
}
