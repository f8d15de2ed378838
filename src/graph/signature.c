/* signature.c - highest-value transversal and smallest offsets.
 *
 * slack_ij = d_j - c_i - sigma_ij >= 0 always holds. A round:
 *   1. From all free equations, Dijkstra over slack to the nearest free
 *      unknown, at distance D. (A matched edge has slack 0.)
 *   2. c_i += D - dist_i, d_j += D - dist_j for all nearer ones: the paths of
 *      length D are now tight, no slack becomes negative.
 *   3. match_grow() on the tight edges.
 * The start is c = 0, d_j = max_i sigma_ij, tight edges matched.
 *
 * The smallest duals: c_k must be at least c_i + sigma_ij - sigma_kj where k is
 * matched with j. The surplus s_i = c_i - smallest c_i is a shortest distance,
 * with s_i <= c_i at the start and edges i -> k of length slack_ij.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/signature.h"

#include <assert.h>
#include <limits.h>

#include "graph/heap.h"

#define FAR LONG_MAX

typedef struct Assign {
    const Incidence *inc;
    Match *m;
    long *c, *d;            /* sizes neqn, nvar */
    long *dist;             /* size neqn */
    long *var_dist;         /* size nvar */
    unsigned char *allowed; /* size nedge: tight */
    Heap heap;
    Arena *arena;
} Assign;

static long slack(const Assign *a, int i, int edge)
{
    return a->d[a->inc->var[edge]] - a->c[i] - a->inc->weight[edge];
}

static void match_tight(Assign *a)
{
    for (int i = 0; i < a->inc->neqn; i++)
        for (int k = a->inc->start[i]; k < a->inc->start[i + 1]; k++)
            a->allowed[k] = slack(a, i, k) == 0;
    match_grow(a->inc, a->allowed, a->m);
}

static Assign begin(const Incidence *inc, Match *m, Arena *arena)
{
    Assign a = {.inc = inc, .m = m, .arena = arena, .heap = {.arena = arena}};
    a.c = NEW_ARRAY(arena, long, inc->neqn);
    a.d = NEW_ARRAY(arena, long, inc->nvar);
    a.dist = NEW_ARRAY(arena, long, inc->neqn);
    a.var_dist = NEW_ARRAY(arena, long, inc->nvar);
    a.allowed = NEW_ARRAY(arena, unsigned char, inc->nedge);
    for (int j = 0; j < inc->nvar; j++)
        a.d[j] = LONG_MIN;
    for (int k = 0; k < inc->nedge; k++)
        if (inc->weight[k] > a.d[inc->var[k]])
            a.d[inc->var[k]] = inc->weight[k];
    for (int j = 0; j < inc->nvar; j++)
        if (a.d[j] == LONG_MIN)
            a.d[j] = 0; /* occurs nowhere */
    return a;
}

/* Goes through equation i, at distance a->dist[i]. Returns the smaller of
 * `nearest` and the distance of a free unknown seen from i. */
static long relax(Assign *a, int i, long nearest)
{
    for (int k = a->inc->start[i]; k < a->inc->start[i + 1]; k++) {
        int j = a->inc->var[k], other = a->m->eqn_of[j];
        long dist = a->dist[i] + slack(a, i, k);
        if (dist >= a->var_dist[j] || dist >= nearest)
            continue;
        a->var_dist[j] = dist;
        if (other == NONE) {
            nearest = dist;
        } else if (dist < a->dist[other]) {
            a->dist[other] = dist;
            heap_push(&a->heap, dist, other);
        }
    }
    return nearest;
}

/* Step 1. Returns D, or FAR if no free unknown can be reached. */
static long distances(Assign *a)
{
    vec_clear(&a->heap.item);
    for (int j = 0; j < a->inc->nvar; j++)
        a->var_dist[j] = FAR;
    for (int i = 0; i < a->inc->neqn; i++) {
        a->dist[i] = FAR;
        if (a->m->var_of[i] == NONE) {
            a->dist[i] = 0;
            heap_push(&a->heap, 0, i);
        }
    }
    long nearest = FAR;
    while (a->heap.item.n > 0) {
        HeapItem top = heap_pop(&a->heap);
        if (top.key >= nearest)
            break;
        if (top.key == a->dist[top.id])
            nearest = relax(a, top.id, nearest);
    }
    return nearest;
}

/* Makes the matching complete; false if that cannot be. */
static bool assign(Assign *a)
{
    match_tight(a);
    while (a->m->size < a->inc->neqn) {
        long nearest = distances(a);
        if (nearest == FAR)
            return false;
        for (int i = 0; i < a->inc->neqn; i++)
            if (a->dist[i] < nearest)
                a->c[i] += nearest - a->dist[i];
        for (int j = 0; j < a->inc->nvar; j++)
            if (a->var_dist[j] < nearest)
                a->d[j] += nearest - a->var_dist[j];
        match_tight(a);
    }
    return true;
}

/* Makes c and d the smallest. */
static void shrink(Assign *a)
{
    vec_clear(&a->heap.item);
    for (int i = 0; i < a->inc->neqn; i++) {
        a->dist[i] = a->c[i];
        heap_push(&a->heap, a->dist[i], i);
    }
    while (a->heap.item.n > 0) {
        HeapItem top = heap_pop(&a->heap);
        int i = top.id;
        if (top.key != a->dist[i])
            continue;
        for (int k = a->inc->start[i]; k < a->inc->start[i + 1]; k++) {
            int other = a->m->eqn_of[a->inc->var[k]];
            long dist = top.key + slack(a, i, k);
            if (dist < a->dist[other]) {
                a->dist[other] = dist;
                heap_push(&a->heap, dist, other);
            }
        }
    }
    for (int i = 0; i < a->inc->neqn; i++) {
        a->c[i] -= a->dist[i];
        a->d[a->m->var_of[i]] -= a->dist[i];
    }
}

const Offsets *offsets_new(int n, const int *c, const int *d, const Match *m,
                           Arena *out)
{
    Offsets *o = NEW(out, Offsets);
    *o = (Offsets){.n = n, .c = c, .d = d, .match = m};
    bool zero = false;
    for (int i = 0; i < n; i++) {
        o->index = c[i] > o->index ? c[i] : o->index;
        o->value += d[i] - c[i];
        zero = zero || d[i] == 0;
    }
    o->index += zero;
    return o;
}

static const Offsets *offsets_of(const Assign *a, Arena *out)
{
    int n = a->inc->neqn;
    int *c = NEW_ARRAY(out, int, n), *d = NEW_ARRAY(out, int, n);
    for (int i = 0; i < n; i++) {
        c[i] = (int)a->c[i];
        d[i] = (int)a->d[i];
    }
    return offsets_new(n, c, d, a->m, out);
}

const Offsets *signature_offsets(const Incidence *sigma, Arena *out)
{
    if (sigma->neqn != sigma->nvar)
        return NULL;
    Arena *local = arena_new();
    Assign a = begin(sigma, match_new(sigma, out), local);
    const Offsets *o = NULL;
    if (assign(&a)) {
        shrink(&a);
        o = offsets_of(&a, out);
    }
    arena_free(local);
    return o;
}

const Incidence *signature_leading(const Incidence *sigma, const Offsets *o,
                                   Arena *out)
{
    Arena *local = arena_new();
    bool *drop = NEW_ARRAY(local, bool, sigma->nedge);
    for (int i = 0; i < sigma->neqn; i++)
        for (int k = sigma->start[i]; k < sigma->start[i + 1]; k++)
            drop[k] = o->d[sigma->var[k]] - o->c[i] != sigma->weight[k];
    const Incidence *leading = incidence_without(sigma, drop, NULL, out);
    arena_free(local);
    return leading;
}

void offsets_check(const Incidence *sigma, const Offsets *o)
{
    match_check(sigma, o->match);
    assert(o->match->size == o->n);
    for (int i = 0; i < o->n; i++) {
        assert(o->c[i] >= 0);
        for (int k = sigma->start[i]; k < sigma->start[i + 1]; k++) {
            int j = sigma->var[k];
            int gap = o->d[j] - o->c[i] - sigma->weight[k];
            assert(gap >= 0 && (gap == 0 || o->match->var_of[i] != j));
        }
    }
}
