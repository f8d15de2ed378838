/* mixed_find.c - sets of explicit states that make the blocks smaller.
 *
 * For each form, states are added one by one: always the one that makes the
 * blocks smallest (sum of the cubes of their sizes) among those with which the
 * step stays sound in the samples for choosing; where no single state helps,
 * two together are tried. A few samples are looked at on the way; if the last
 * set fails in another one, that one is added to them and the search begins
 * again. A state that was refused once is not tried again. Sets on the way are
 * candidates where they are a good deal cheaper than the one before, each
 * single state that helps is, and Gustafsson's partition without the states
 * that do not help. Single places come from the small cuts of the blocks
 * (graph/cuts.h). At the end all candidates are judged on all samples, with the
 * caller's cost, which is asked for these few only.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "graph/blt.h"
#include "graph/cuts.h"
#include "tune/mixed_internal.h"

enum { MOST_FOR_PAIRS = 60 }; /* states: above, pairs are not tried */

typedef Vec(MixedSet) MixedVec;

typedef struct Finder {
    const PencilSet *p;
    double tau;
    const MixOptions *o;
    const double *allowed;
    MixedVec found;
    MixForm form;
    bool *at_old;  /* size nnz, scratch */
    bool *active;  /* size nsample: looked at on the way */
    bool *refused; /* size nx: states of the present search */
    Arena *out, *work;
} Finder;

static double cost_of(Finder *f, const bool *is_explicit)
{
    mixed_places(f->p, f->form, is_explicit, f->at_old);
    return mixed_default_cost(NULL, f->p, f->at_old);
}

/* The first sample in which f->at_old is not sound, or NONE. Kept-back ones are
 * not looked at; with `all`, others than the active ones are. */
static int find_unsound(Finder *f, bool all)
{
    for (int s = 0; s < f->p->nsample; s++) {
        if (f->p->sample[s].kept_back || isnan(f->allowed[s]) ||
            (!all && !f->active[s]) || (all && pencil_is_repeated(f->p, s)))
            continue;
        if (!mixed_is_sound(f->p, s, f->tau, f->at_old, f->allowed[s], f->o,
                            NULL))
            return s;
    }
    return NONE;
}

/* Three samples to begin with: the one that grows most, the first, the last. */
static void choose_active(Finder *f)
{
    int first = NONE, last = NONE, most = NONE;
    for (int s = 0; s < f->p->nsample; s++) {
        f->active[s] = false;
        if (f->p->sample[s].kept_back || isnan(f->allowed[s]))
            continue;
        first = first == NONE ? s : first;
        last = s;
        if (most == NONE || f->allowed[s] > f->allowed[most])
            most = s;
    }
    if (first != NONE)
        f->active[first] = f->active[last] = f->active[most] = true;
}

static bool is_known(const Finder *f, const MixedSet *set)
{
    for (int i = 0; i < f->found.n; i++) {
        const MixedSet *other = &f->found.at[i];
        if (other->nexplicit == set->nexplicit &&
            memcmp(other->at_old, set->at_old, (size_t)f->p->nnz) == 0)
            return true;
    }
    return false;
}

static MixedSet make_set(Finder *f, MixForm form, const bool *is_explicit)
{
    int nx = f->p->nx, n = 0;
    bool *states = NEW_ARRAY(f->out, bool, nx + 1);
    bool *at_old = NEW_ARRAY(f->out, bool, f->p->nnz + 1);
    for (int i = 0; i < nx; i++) {
        states[i] = is_explicit[i];
        n += states[i];
    }
    mixed_places(f->p, form, states, at_old);
    return (MixedSet){
        .form = form, .is_explicit = states, .nexplicit = n, .at_old = at_old};
}

static void add_set(Finder *f, const bool *is_explicit)
{
    MixedSet set = make_set(f, f->form, is_explicit);
    if (!is_known(f, &set))
        vec_push(f->work, &f->found, set);
}

/* ---- states, one by one ---- */

typedef struct Gain {
    int a, b; /* states, b NONE for a single one */
    double cost;
} Gain;

static int by_cost(const void *x, const void *y)
{
    const Gain *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a)
                        : (a->b > b->b) - (a->b < b->b);
}

static void set_gain(bool *is_explicit, const Gain *g, bool value)
{
    is_explicit[g->a] = value;
    if (g->b != NONE)
        is_explicit[g->b] = value;
}

/* What adding each state (or pair) would give, best first; only what is
 * cheaper than `cost`. */
static int list_gains(Finder *f, bool *is_explicit, double cost, bool pairs,
                      Gain *gain)
{
    int n = 0, nx = f->p->nx;
    for (int i = 0; i < nx; i++) {
        if (is_explicit[i] || (f->refused[i] && !pairs))
            continue;
        for (int j = pairs ? i + 1 : NONE; j < nx; j++) {
            if (pairs && is_explicit[j])
                continue;
            Gain g = {i, j, 0};
            set_gain(is_explicit, &g, true);
            g.cost = cost_of(f, is_explicit);
            set_gain(is_explicit, &g, false);
            if (g.cost < cost)
                gain[n++] = g;
            if (!pairs)
                break;
        }
    }
    if (n > 1)
        qsort(gain, (size_t)n, sizeof *gain, by_cost);
    return n;
}

/* Adds the best sound one of the list to the set. */
static bool take_best(Finder *f, bool *is_explicit, const Gain *gain, int n,
                      double *cost)
{
    for (int k = 0; k < n; k++) {
        set_gain(is_explicit, &gain[k], true);
        *cost = cost_of(f, is_explicit);
        if (find_unsound(f, false) == NONE)
            return true;
        set_gain(is_explicit, &gain[k], false);
        if (gain[k].b == NONE)
            f->refused[gain[k].a] = true;
    }
    return false;
}

static void add_single(Finder *f, Gain *gain)
{
    bool *is_explicit = NEW_ARRAY(f->work, bool, f->p->nx + 1);
    double cost = cost_of(f, is_explicit);
    int n = list_gains(f, is_explicit, cost, false, gain);
    for (int k = 0; k < n && k < f->o->most_sets; k++) {
        set_gain(is_explicit, &gain[k], true);
        add_set(f, is_explicit);
        set_gain(is_explicit, &gain[k], false);
    }
}

/* Adds states while that helps and stays sound in the active samples; order[k]
 * gets what was added in round k. Returns the number of rounds. */
static int grow_set(Finder *f, Gain *gain, bool *is_explicit, Gain *order)
{
    int nx = f->p->nx, nround = 0;
    bool pairs = nx <= MOST_FOR_PAIRS;
    memset(is_explicit, 0, (size_t)nx);
    memset(f->refused, 0, (size_t)nx);
    double cost = cost_of(f, is_explicit);
    while (nround < nx) {
        double old = cost;
        bool *before = NEW_ARRAY(f->work, bool, nx + 1);
        memcpy(before, is_explicit, (size_t)nx);
        int n = list_gains(f, is_explicit, old, false, gain);
        if (!take_best(f, is_explicit, gain, n, &cost)) {
            n = pairs ? list_gains(f, is_explicit, old, true, gain) : 0;
            if (!take_best(f, is_explicit, gain, n, &cost))
                break;
        }
        order[nround] = (Gain){NONE, NONE, cost};
        for (int i = 0; i < nx; i++)
            if (is_explicit[i] && !before[i]) {
                int *at = order[nround].a == NONE ? &order[nround].a
                                                  : &order[nround].b;
                *at = i;
            }
        nround++;
    }
    return nround;
}

/* Keeps the sets on the way that are a good deal cheaper than the one before,
 * and the last one. */
static void add_way(Finder *f, const Gain *order, int n)
{
    bool *is_explicit = NEW_ARRAY(f->work, bool, f->p->nx + 1);
    double last = INFINITY;
    for (int k = 0; k < n; k++) {
        set_gain(is_explicit, &order[k], true);
        if (order[k].cost > 0.7 * last && k < n - 1)
            continue;
        add_set(f, is_explicit);
        last = order[k].cost;
    }
}

static void search_states(Finder *f)
{
    int nx = f->p->nx;
    size_t room = nx <= MOST_FOR_PAIRS ? (size_t)nx * (size_t)nx : (size_t)nx;
    Gain *gain = NEW_ARRAY(f->work, Gain, room + 1);
    Gain *order = NEW_ARRAY(f->work, Gain, nx + 1);
    bool *is_explicit = NEW_ARRAY(f->work, bool, nx + 1);
    memset(f->refused, 0, (size_t)nx);
    add_single(f, gain);
    choose_active(f);
    for (int again = 0; again <= f->p->nsample; again++) {
        int n = grow_set(f, gain, is_explicit, order);
        cost_of(f, is_explicit);
        int bad = n > 0 ? find_unsound(f, true) : NONE;
        if (bad != NONE && !f->active[bad]) {
            f->active[bad] = true;
            continue;
        }
        add_way(f, order, n);
        return;
    }
}

/* The partition without the states that do not help, last ones first. */
static void prune(Finder *f, bool *is_explicit)
{
    double cost = cost_of(f, is_explicit);
    for (int i = f->p->nx - 1; i >= 0; i--) {
        if (!is_explicit[i])
            continue;
        is_explicit[i] = false;
        double without = cost_of(f, is_explicit);
        if (without > cost || find_unsound(f, false) != NONE)
            is_explicit[i] = true;
    }
}

/* Gustafsson's own for rows; `rows` is that one. */
static void search_partition(Finder *f, const MixedSet *rows)
{
    bool *is_explicit = NEW_ARRAY(f->work, bool, f->p->nx + 1);
    memcpy(is_explicit, rows->is_explicit, (size_t)f->p->nx);
    int n = rows->nexplicit;
    if (f->form != MIX_ROW)
        n = mixed_partition(f->p, f->tau, f->form, f->o, is_explicit);
    if (n == 0)
        return;
    prune(f, is_explicit);
    add_set(f, is_explicit);
}

/* ---- single places ---- */

static void add_cut(Finder *f, const Incidence *inc, const int *edge, int nedge)
{
    bool *at_old = NEW_ARRAY(f->out, bool, f->p->nnz + 1);
    for (int k = 0; k < nedge; k++)
        at_old[inc->weight[edge[k]]] = true;
    MixedSet set = {.form = MIX_PLACE,
                    .is_explicit = NEW_ARRAY(f->out, bool, f->p->nx + 1),
                    .nexplicit = nedge,
                    .at_old = at_old};
    if (!is_known(f, &set))
        vec_push(f->work, &f->found, set);
}

static void search_block(Finder *f, const Incidence *all, const Blt *blt, int b)
{
    int at = blt->start[b], n = blt->start[b + 1] - at;
    const Incidence *inc =
        incidence_part(all, blt->eqn + at, n, blt->var + at, n,
                       incidence_map(all, f->work), NULL, f->work);
    bool *allowed = NEW_ARRAY(f->work, bool, inc->nedge + 1);
    for (int i = 0; i < n; i++)
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
            allowed[k] = blt->eqn[at + i] != blt->var[at + inc->var[k]];
    CutOptions o = cuts_defaults();
    o.allowed = allowed;
    o.most_edges = f->o->most_places;
    o.most_cuts = f->o->most_sets;
    const CutList *list = cuts_find(inc, &o, f->work);
    for (int i = 0; i < list->n; i++)
        add_cut(f, inc, list->cut[i].edge, list->cut[i].nedge);
}

static void search_places(Finder *f)
{
    const Incidence *inc = mixed_incidence(f->p, NULL, f->work);
    const Blt *blt = blt_order(inc, f->work);
    for (int b = 0; blt && b < blt->nblock; b++)
        if (blt->start[b + 1] - blt->start[b] > 1)
            search_block(f, inc, blt, b);
}

/* ---- entry ---- */

static int by_merit(const void *x, const void *y)
{
    const MixedSet *a = x, *b = y;
    if (a->sound != b->sound)
        return a->sound ? -1 : 1;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->nexplicit != b->nexplicit)
        return a->nexplicit - b->nexplicit;
    if (a->form != b->form)
        return (int)a->form - (int)b->form;
    return (a->growth > b->growth) - (a->growth < b->growth);
}

/* Sets that are not worth their judgement are left out: per form, those beyond
 * one and a half times the room by the structural cost. */
static void leave_out_dear(Finder *f)
{
    int taken[MIX_PLACE + 1] = {0}, n = 0;
    for (int i = 0; i < f->found.n; i++) {
        MixedSet *s = &f->found.at[i];
        s->cost = mixed_default_cost(NULL, f->p, s->at_old);
        s->sound = true; /* not known yet */
    }
    if (f->found.n > 1)
        qsort(f->found.at, (size_t)f->found.n, sizeof *f->found.at, by_merit);
    for (int i = 0; i < f->found.n; i++)
        if (taken[f->found.at[i].form]++ < f->o->most_sets * 3 / 2)
            f->found.at[n++] = f->found.at[i];
    f->found.n = n;
}

/* Judges what was found and keeps the best of each form. */
static void keep_best(Finder *f, MixedList *list)
{
    MixedVec kept = {0};
    leave_out_dear(f);
    for (int i = 0; i < f->found.n; i++)
        mixed_judge(f->p, f->tau, f->allowed, f->o, &f->found.at[i]);
    if (f->found.n > 1)
        qsort(f->found.at, (size_t)f->found.n, sizeof *f->found.at, by_merit);
    int taken[MIX_PLACE + 1] = {0};
    for (int i = 0; i < f->found.n; i++) {
        MixedSet *s = &f->found.at[i];
        if (s->cost >= list->implicit.cost ||
            taken[s->form]++ >= f->o->most_sets)
            continue;
        mixed_judge_products(f->p, f->tau, f->o, s);
        vec_push(f->out, &kept, *s);
    }
    if (kept.n > 1) /* products may have refused some */
        qsort(kept.at, (size_t)kept.n, sizeof *kept.at, by_merit);
    list->n = kept.n;
    list->set = kept.at;
}

static void judge_fixed(Finder *f, MixedList *list)
{
    bool *states = NEW_ARRAY(f->work, bool, f->p->nx + 1);
    list->implicit = make_set(f, MIX_ROW, states);
    mixed_judge(f->p, f->tau, f->allowed, f->o, &list->implicit);
    mixed_partition(f->p, f->tau, MIX_ROW, f->o, states);
    list->gustafsson = make_set(f, MIX_ROW, states);
    mixed_judge(f->p, f->tau, f->allowed, f->o, &list->gustafsson);
    mixed_judge_products(f->p, f->tau, f->o, &list->gustafsson);
    for (int i = 0; i < f->p->nx; i++)
        states[i] = true;
    list->everything = make_set(f, MIX_ROW, states);
    mixed_judge(f->p, f->tau, f->allowed, f->o, &list->everything);
}

const MixedList *mixed_find(const PencilSet *p, double tau, const MixOptions *o,
                            Arena *arena)
{
    Arena *work = arena_new();
    MixedList *list = NEW(arena, MixedList);
    Finder f = {.p = p, .tau = tau, .o = o, .out = arena, .work = work};
    f.at_old = NEW_ARRAY(work, bool, p->nnz + 1);
    f.allowed = mixed_allowed(p, tau, o, work);
    f.active = NEW_ARRAY(work, bool, p->nsample + 1);
    f.refused = NEW_ARRAY(work, bool, p->nx + 1);
    judge_fixed(&f, list);
    for (f.form = MIX_ROW; f.form <= MIX_BOTH; f.form++) {
        search_states(&f);
        search_partition(&f, &list->gustafsson);
    }
    search_places(&f);
    keep_best(&f, list);
    arena_free(work);
    return list;
}
