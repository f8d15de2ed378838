/* lag_find.c - the cuts of a block worth judging.
 *
 * Single occurrences and small sets come from graph/cuts.h: strong bridges and
 * minimum cuts. A minimum cut leaves the parts in one direction of dependence:
 * one after the other. To be solved at the same time, as the two halves of the
 * circuit of 5.3 are, they must lose the other direction too: so pairs of the
 * single cuts are tried, and kept if the parts become independent, or smaller
 * than either cut makes them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "graph/cuts.h"
#include "tune/lag_internal.h"

enum { MOST_SINGLE = 48 }; /* single cuts that are combined to pairs */

typedef Vec(LagCut) LagVec;

typedef struct Finder {
    const LagBlock *b;
    const LagOptions *o;
    const LagBase *base;
    LagVec found;
    Arena *out, *work;
} Finder;

static bool is_known(const Finder *f, const int *edge, int nedge)
{
    for (int i = 0; i < f->found.n; i++) {
        const LagCut *c = &f->found.at[i];
        if (c->nedge == nedge &&
            memcmp(c->edge, edge, (size_t)nedge * sizeof *edge) == 0)
            return true;
    }
    return false;
}

static void try_edges(Finder *f, const int *edge, int nedge)
{
    LagCut cut;
    if (!is_known(f, edge, nedge) &&
        lag_judge_with(f->b, f->base, edge, nedge, f->o, false, &cut, f->work))
        vec_push(f->work, &f->found, cut);
}

/* ---- pairs ---- */

/* Is a pair better than each of its edges? */
static bool is_worth(const Finder *f, const int *pair, int largest)
{
    Arena *work = arena_new();
    const Blt *blt = cuts_blocks(f->b->inc, pair, 2, work);
    bool worth = blt && blt_largest(blt) < largest;
    if (blt && !worth) { /* independent? */
        int *of = NEW_ARRAY(work, int, 2 * f->b->n + 1), *of_var = of + f->b->n;
        for (int c = 0; c < blt->nblock; c++)
            for (int k = blt->start[c]; k < blt->start[c + 1]; k++)
                of[blt->eqn[k]] = of_var[blt->var[k]] = c;
        worth = blt->nblock > 1;
        for (int i = 0; i < f->b->n && worth; i++)
            for (int k = f->b->inc->start[i]; k < f->b->inc->start[i + 1]; k++)
                if (k != pair[0] && k != pair[1] &&
                    of[i] != of_var[f->b->inc->var[k]])
                    worth = false;
    }
    arena_free(work);
    return worth;
}

static void try_pairs(Finder *f, const CutList *list)
{
    int n = 0;
    Cut single[MOST_SINGLE];
    for (int i = 0; i < list->n && n < MOST_SINGLE; i++)
        if (list->cut[i].nedge == 1)
            single[n++] = list->cut[i];
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            int x = single[i].edge[0], y = single[k].edge[0];
            int pair[2] = {x < y ? x : y, x < y ? y : x};
            int largest = single[i].largest < single[k].largest
                              ? single[i].largest
                              : single[k].largest;
            if (is_worth(f, pair, largest))
                try_edges(f, pair, 2);
        }
}

/* ---- entry ---- */

static int by_merit(const void *x, const void *y)
{
    const LagCut *a = x, *b = y;
    bool good_a = a->iterations != NONE, good_b = b->iterations != NONE;
    if (good_a != good_b)
        return good_a ? -1 : 1;
    if (a->size[0] != b->size[0])
        return a->size[0] - b->size[0];
    if (a->nedge != b->nedge)
        return a->nedge - b->nedge;
    if (a->radius != b->radius)
        return a->radius < b->radius ? -1 : 1;
    return (a->edge[0] > b->edge[0]) - (a->edge[0] < b->edge[0]);
}

/* Of what the list shall always have some: single occurrences, and parts that
 * can be solved at the same time. */
enum { KIND_SINGLE, KIND_PARALLEL, KIND_OTHER, NKIND };

static int kind_of(const LagCut *c)
{
    return c->parallel     ? KIND_PARALLEL
           : c->nedge == 1 ? KIND_SINGLE
                           : KIND_OTHER;
}

/* The best ones; up to a quarter of the room is kept for each kind. */
static void keep_best(Finder *f, LagList *list)
{
    int left = f->o->most_cuts, reserved[NKIND] = {0}, sum = 0;
    LagVec kept = {0};
    if (f->found.n > 1)
        qsort(f->found.at, (size_t)f->found.n, sizeof *f->found.at, by_merit);
    for (int i = 0; i < f->found.n; i++) {
        int kind = kind_of(&f->found.at[i]);
        if (kind != KIND_OTHER && reserved[kind] < left / 4) {
            reserved[kind]++;
            sum++;
        }
    }
    for (int i = 0; i < f->found.n; i++) {
        int kind = kind_of(&f->found.at[i]);
        if (reserved[kind] > 0) {
            reserved[kind]--;
            sum--;
        } else if (left <= sum) {
            continue;
        }
        left--;
        LagCut cut;
        if (lag_judge_with(f->b, f->base, f->found.at[i].edge,
                           f->found.at[i].nedge, f->o, true, &cut, f->out))
            vec_push(f->out, &kept, cut);
    }
    list->n = kept.n;
    list->cut = kept.at;
}

const LagList *lag_find(const LagBlock *b, const LagOptions *o, Arena *arena)
{
    LagList *list = NEW(arena, LagList);
    Arena *work = arena_new();
    Finder f = {.b = b, .o = o, .out = arena, .work = work};
    CutOptions c = cuts_defaults();
    c.allowed = b->allowed;
    c.most_edges = o->most_edges;
    c.most_cuts = o->most_cuts > MOST_SINGLE ? o->most_cuts : MOST_SINGLE;
    c.work = o->work;
    f.base = lag_base_new(b, work);
    const CutList *cuts = cuts_find(b->inc, &c, work);
    for (int i = 0; i < cuts->n; i++)
        try_edges(&f, cuts->cut[i].edge, cuts->cut[i].nedge);
    if (o->most_edges > 1)
        try_pairs(&f, cuts);
    keep_best(&f, list);
    list->own_radius = f.base->own_radius;
    list->full_work = lag_work(b, &b->n, 1, 1);
    list->complete = cuts->complete;
    arena_free(work);
    return list;
}

void lag_to_plan(const LagCut *cut, PlanCutKind kind, Plan *plan, Arena *arena)
{
    PlanCut *all = NEW_ARRAY(arena, PlanCut, plan->ncut + cut->nedge + 1);
    int n = 0;
    for (int i = 0; i < plan->ncut; i++)
        all[n++] = plan->cut[i];
    for (int k = 0; k < cut->nedge; k++)
        all[n++] = (PlanCut){kind, cut->eqn[k], cut->var[k], NAN, NO_SPAN};
    plan->cut = all;
    plan->ncut = n;
    plan->has[PLAN_CUTS] = true;
    if (kind == CUT_ITERATE && cut->iterations > plan->newton) {
        plan->newton = cut->iterations;
        plan->has[PLAN_NEWTON] = true;
    }
}
