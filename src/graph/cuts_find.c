/* cuts_find.c - small sets of edges without which a block falls apart.
 *
 * Nodes are the equations; equation i needs equation m(j) for each other
 * unknown j of it. One edge: the strong bridges, and each matched edge, which
 * needs another matching. More edges: from a few equations spread over the
 * block to every other one and back, a maximum flow of at most most_edges units
 * (Ford and Fulkerson); a flow of f units has a cut of f edges, and the cuts
 * nearest to its two ends are tried.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "graph/cuts.h"

typedef Vec(Cut) CutVec;

typedef struct Finder {
    const Incidence *inc;
    const Transpose *t;
    const Match *m;
    const CutOptions *o;
    long work;
    CutVec found;
    Arena *out, *local;
    /* flow */
    int *flow;  /* size nedge */
    int *via;   /* size neqn: edge by which a node was reached, 2k + backward */
    int *seen;  /* size neqn: stamp */
    int *queue; /* size neqn */
    int stamp;
} Finder;

CutOptions cuts_defaults(void)
{
    return (CutOptions){NULL, 2, 20, 100000000};
}

static bool may_cut(const Finder *f, int edge)
{
    return !f->o->allowed || f->o->allowed[edge];
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool is_known(const Finder *f, const int *edge, int nedge)
{
    for (int k = 0; k < f->found.n; k++)
        if (f->found.at[k].nedge == nedge &&
            memcmp(f->found.at[k].edge, edge, (size_t)nedge * sizeof *edge) ==
                0)
            return true;
    return false;
}

/* Keeps the cut if the block falls apart by it. */
static void try_cut(Finder *f, int *edge, int nedge)
{
    qsort(edge, (size_t)nedge, sizeof *edge, by_number);
    if (is_known(f, edge, nedge))
        return;
    Arena *local = arena_new();
    const Blt *blt = cuts_blocks(f->inc, edge, nedge, local);
    f->work += 4L * f->inc->nedge;
    if (blt && blt->nblock > 1) {
        int *copy = NEW_ARRAY(f->out, int, nedge);
        memcpy(copy, edge, (size_t)nedge * sizeof *copy);
        Cut cut = {nedge, copy, blt->nblock, blt_largest(blt)};
        vec_push(f->local, &f->found, cut);
    }
    arena_free(local);
}

static bool has_time(const Finder *f)
{
    return f->work < f->o->work;
}

static void find_single(Finder *f)
{
    bool *bridge = NEW_ARRAY(f->local, bool, f->inc->nedge);
    cuts_bridges(f->inc, f->m, bridge);
    for (int i = 0; i < f->inc->neqn; i++)
        for (int k = f->inc->start[i]; k < f->inc->start[i + 1]; k++) {
            bool matched = f->m->var_of[i] == f->inc->var[k];
            if ((bridge[k] || matched) && may_cut(f, k) && has_time(f))
                try_cut(f, &k, 1);
        }
}

/* Enters a node that the search has not seen. */
static int enter(Finder *f, int node, int via, int tail)
{
    if (f->seen[node] == f->stamp)
        return tail;
    f->seen[node] = f->stamp;
    f->via[node] = via;
    f->queue[tail++] = node;
    return tail;
}

/* Breadth first over what can still flow; true if `to` was reached. */
static bool find_path(Finder *f, int from, int to)
{
    const Incidence *inc = f->inc;
    int head = 0, tail;
    f->stamp++;
    tail = enter(f, from, NONE, 0);
    while (head < tail && f->seen[to] != f->stamp) {
        int i = f->queue[head++], own = f->m->var_of[i];
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++)
            if (inc->var[k] != own && (f->flow[k] == 0 || !may_cut(f, k)))
                tail = enter(f, f->m->eqn_of[inc->var[k]], 2 * k, tail);
        for (int q = f->t->start[own]; q < f->t->start[own + 1]; q++)
            if (f->flow[f->t->edge[q]] > 0)
                tail = enter(f, f->t->eqn[q], 2 * f->t->edge[q] + 1, tail);
        f->work += inc->start[i + 1] - inc->start[i];
    }
    return f->seen[to] == f->stamp;
}

/* The equation of an edge. */
static int eqn_of_edge(const Incidence *inc, int edge)
{
    int low = 0, high = inc->neqn;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (inc->start[mid] <= edge)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static void push_unit(Finder *f, int from, int to)
{
    for (int node = to; node != from;) {
        int k = f->via[node] / 2;
        if (f->via[node] % 2 == 0) {
            f->flow[k]++;
            node = eqn_of_edge(f->inc, k);
        } else {
            f->flow[k]--;
            node = f->m->eqn_of[f->inc->var[k]];
        }
    }
}

/* The edges from what was seen to the rest; more than `most`: returns -1. */
static int border(const Finder *f, int *edge, int most)
{
    int n = 0;
    for (int i = 0; i < f->inc->neqn; i++) {
        if (f->seen[i] != f->stamp)
            continue;
        for (int k = f->inc->start[i]; k < f->inc->start[i + 1]; k++) {
            if (f->seen[f->m->eqn_of[f->inc->var[k]]] == f->stamp)
                continue;
            if (n == most)
                return -1;
            edge[n++] = k;
        }
    }
    return n;
}

/* The cut between two equations that is nearest to `from`, if it is small. */
static void find_between(Finder *f, int from, int to)
{
    int most = f->o->most_edges, units = 0;
    memset(f->flow, 0, (size_t)f->inc->nedge * sizeof *f->flow);
    f->work += f->inc->nedge;
    while (units <= most && find_path(f, from, to)) {
        push_unit(f, from, to);
        units++;
    }
    if (units < 2 || units > most)
        return; /* single edges are known */
    int *edge = NEW_ARRAY(f->local, int, most);
    if (border(f, edge, most) == units)
        try_cut(f, edge, units);
}

/* From a few equations to all others and back. */
static void find_larger(Finder *f)
{
    int n = f->inc->neqn, sources = n < 6 ? n : 6;
    f->flow = NEW_ARRAY(f->local, int, f->inc->nedge);
    f->via = NEW_ARRAY(f->local, int, n);
    f->seen = NEW_ARRAY(f->local, int, n);
    f->queue = NEW_ARRAY(f->local, int, n);
    for (int s = 0; s < sources; s++) {
        int from = (int)((long)n * s / sources);
        for (int to = 0; to < n && has_time(f); to++) {
            if (to == from)
                continue;
            find_between(f, from, to);
            find_between(f, to, from);
        }
    }
}

static int by_merit(const void *a, const void *b)
{
    const Cut *x = a, *y = b;
    if (x->nedge != y->nedge)
        return x->nedge < y->nedge ? -1 : 1;
    if (x->largest != y->largest)
        return x->largest < y->largest ? -1 : 1;
    for (int k = 0; k < x->nedge; k++)
        if (x->edge[k] != y->edge[k])
            return x->edge[k] < y->edge[k] ? -1 : 1;
    return 0;
}

/* The best of each size. */
static const CutList *best_cuts(Finder *f)
{
    CutList *list = NEW(f->out, CutList);
    Cut *cut = NEW_ARRAY(f->out, Cut, f->found.n);
    int same = 0;
    if (f->found.n > 1)
        qsort(f->found.at, (size_t)f->found.n, sizeof *f->found.at, by_merit);
    for (int k = 0; k < f->found.n; k++) {
        bool first = k == 0 || f->found.at[k].nedge != f->found.at[k - 1].nedge;
        same = first ? 1 : same + 1;
        if (same <= f->o->most_cuts)
            cut[list->n++] = f->found.at[k];
    }
    list->cut = cut;
    list->complete = has_time(f);
    return list;
}

const CutList *cuts_find(const Incidence *inc, const CutOptions *o, Arena *out)
{
    Arena *local = arena_new();
    Finder f = {.inc = inc, .o = o, .out = out, .local = local};
    f.t = incidence_transpose(inc, local);
    f.m = match_maximum(inc, local);
    const Blt *blt = NULL;
    if (inc->neqn == inc->nvar && f.m->size == inc->neqn)
        blt = blt_order_matched(inc, f.m, local);
    if (blt && blt->nblock == 1 && inc->neqn > 1) {
        find_single(&f);
        if (o->most_edges > 1)
            find_larger(&f);
    }
    const CutList *list = best_cuts(&f);
    arena_free(local);
    return list;
}
