/* tear_exact.c - the smallest number of torn unknowns.
 *
 * What is known after tearing depends only on the set of torn unknowns. Let S
 * be a set that is complete in this sense: no equation outside has a single
 * open unknown it can be solved for. The next equation i to be solved after S
 * has all its open unknowns but one torn, and which one is left does not
 * matter for what is known afterwards. So the search is a shortest path
 * over complete sets
 *
 *     S  ->  completion of S + unknowns of i,   cost: open unknowns of i - 1
 *
 * from the completion of nothing to all unknowns, and a set from which nothing
 * can be solved costs its complement. (The same idea solves zero forcing in
 * graphs: Butler et al., the wavefront algorithm.) Sets are visited in the
 * order of their cost, each once; those that cannot beat the heuristics are
 * cut off. The limit of work ends it without a proof.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <stdint.h>

#include "graph/heap.h"
#include "graph/tear_internal.h"

typedef struct Node {
    int cost;
    int from; /* node before, or NONE */
    int eqn;  /* equation that led here */
} Node;

typedef struct Exact {
    Engine *e;
    int words;         /* 64-bit words of a set */
    Vec(uint64_t) set; /* node k: words from k*words */
    Vec(Node) node;
    Heap heap;           /* nodes by cost */
    int *table;          /* hash table of nodes, NONE: free */
    int size;            /* its size, a power of two */
    uint64_t *known;     /* size words: the engine's set */
    int best, best_node; /* torn unknowns of the best complete way so far */
    Arena *arena;
} Exact;

static uint64_t hash(const uint64_t *set, int words)
{
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int w = 0; w < words; w++) {
        h = (h ^ set[w]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

/* The place of the set `known` in the table: of its node, or a free one. */
static int place(const Exact *x, const uint64_t *known)
{
    int at = (int)(hash(known, x->words) & (uint64_t)(x->size - 1));
    for (;; at = (at + 1) & (x->size - 1)) {
        int k = x->table[at];
        if (k == NONE || memcmp(&x->set.at[k * x->words], known,
                                (size_t)x->words * sizeof *known) == 0)
            return at;
    }
}

static void grow_table(Exact *x)
{
    x->size *= 2;
    x->table = NEW_ARRAY(x->arena, int, x->size);
    for (int at = 0; at < x->size; at++)
        x->table[at] = NONE;
    for (int k = 0; k < x->node.n; k++)
        x->table[place(x, &x->set.at[k * x->words])] = k;
}

static void read_known(Exact *x)
{
    memset(x->known, 0, (size_t)x->words * sizeof *x->known);
    for (int k = 0; k < x->e->ntrail; k++)
        x->known[x->e->trail[k] / 64] |= (uint64_t)1 << x->e->trail[k] % 64;
}

/* A node for what the engine knows now, unless it was reached as cheaply. */
static void reach(Exact *x, int cost, int from, int eqn)
{
    read_known(x);
    int at = place(x, x->known), k = x->table[at];
    if (k != NONE && x->node.at[k].cost <= cost)
        return;
    if (k == NONE) {
        Node fresh = {0};
        k = x->table[at] = x->node.n;
        vec_push(x->arena, &x->node, fresh);
        for (int w = 0; w < x->words; w++)
            vec_push(x->arena, &x->set, x->known[w]);
        if (2 * x->node.n > x->size)
            grow_table(x);
    }
    x->node.at[k] = (Node){cost, from, eqn};
    heap_push(&x->heap, cost, k);

    int open = x->e->n - x->e->ntrail;
    if (cost + open < x->best) {
        x->best = cost + open;
        x->best_node = k;
    }
}

/* The edge of equation i that is left open when the others are torn: any that
 * may be solved; rather one that is not preferred for tearing. */
static int edge_left(const Engine *e, int i)
{
    int best = NONE;
    for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++) {
        if (e->by[e->inc->var[k]] != OPEN || !engine_may_solve(e, k))
            continue;
        if (best == NONE || engine_preference(e, e->inc->var[k]) <
                                engine_preference(e, e->inc->var[best]))
            best = k;
    }
    return best;
}

static void give_unknowns(Engine *e, int i)
{
    for (int k = e->inc->start[i]; k < e->inc->start[i + 1]; k++)
        if (e->by[e->inc->var[k]] == OPEN)
            engine_give(e, e->inc->var[k]);
    engine_run(e);
}

/* Puts the engine into the state of node k. */
static void load(Exact *x, Rules r, int k)
{
    engine_reset(x->e, r);
    const uint64_t *set = &x->set.at[k * x->words];
    for (int j = 0; j < x->e->n; j++)
        if (set[j / 64] >> j % 64 & 1)
            engine_give(x->e, j);
    engine_run(x->e);
    x->e->work += x->e->inc->nedge + x->e->n;
}

static void expand(Exact *x, int k)
{
    Engine *e = x->e;
    int cost = x->node.at[k].cost;
    for (int i = 0; i < e->n; i++) {
        e->work++;
        if (e->use[i] != USE_FREE || e->nopen[i] < 2 ||
            cost + e->nopen[i] - 1 >= x->best)
            continue;
        if (edge_left(e, i) == NONE)
            continue;
        int more = e->nopen[i] - 1;
        EngineMark mark = engine_mark(e);
        give_unknowns(e, i);
        e->work += x->words;
        reach(x, cost + more, k, i);
        engine_undo(e, mark);
    }
}

/* Repeats the way to node k with the engine, tearing. */
static void follow(Exact *x, Rules r, int k)
{
    Engine *e = x->e;
    Vec(int) way = {0};
    for (; k != NONE && x->node.at[k].eqn != NONE; k = x->node.at[k].from)
        vec_push(x->arena, &way, x->node.at[k].eqn);
    engine_reset(e, r);
    for (int j = 0; j < e->n; j++)
        if (engine_preference(e, j) == TEAR_MUST)
            engine_tear(e, j);
    engine_run(e);
    while (way.n > 0) {
        int i = vec_pop(&way), left = edge_left(e, i);
        for (int q = e->inc->start[i]; q < e->inc->start[i + 1]; q++)
            if (q != left && e->by[e->inc->var[q]] == OPEN)
                engine_tear(e, e->inc->var[q]);
        engine_run(e);
    }
    for (int j = 0; j < e->n; j++)
        if (e->by[j] == OPEN)
            engine_tear(e, j);
    engine_run(e);
}

/* The first node: what follows from nothing, and from what must be torn. */
static void begin(Exact *x, Rules r)
{
    Engine *e = x->e;
    engine_reset(e, r);
    int cost = 0;
    for (int j = 0; j < e->n; j++)
        if (engine_preference(e, j) == TEAR_MUST) {
            engine_give(e, j);
            cost++;
        }
    engine_run(e);
    reach(x, cost, NONE, NONE);
}

bool search_exact(Engine *e, Rules r, int ntorn, int *least)
{
    Arena *local = arena_new();
    Exact x = {.e = e, .words = (e->n + 63) / 64, .size = 512};
    x.arena = x.heap.arena = local;
    x.known = NEW_ARRAY(local, uint64_t, x.words);
    x.best = ntorn;
    x.best_node = NONE;
    grow_table(&x);
    begin(&x, r);
    bool proven = false;
    *least = 1;
    while (x.heap.item.n > 0) {
        HeapItem top = heap_pop(&x.heap);
        if (x.node.at[top.id].cost != top.key)
            continue;
        *least = top.key + 1; /* each way on costs at least 1 */
        proven = *least >= x.best;
        if (proven || e->work > e->limit)
            break;
        load(&x, r, top.id);
        expand(&x, top.id);
    }
    if (proven || x.heap.item.n == 0)
        *least = x.best;
    if (x.best_node != NONE)
        follow(&x, r, x.best_node);
    bool found = x.best_node != NONE;
    arena_free(local);
    return found;
}
