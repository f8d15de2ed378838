/* dominators.c - Lengauer and Tarjan's algorithm.
 *
 * Nodes are numbered in the order of a depth-first search; below, v and w are
 * such numbers. semi[w] is the smallest v with a way v ... w whose inner nodes
 * all have numbers above w. Nodes are treated from the last to the first and
 * hung under their parents in a forest; best(v) is the node with the smallest
 * semi on the way from v up to its root in that forest, excluding the root,
 * and shortens that way.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/dominators.h"

typedef struct Dom {
    int n;       /* nodes reached */
    int *number; /* size nnode: number of a node, NONE: not reached */
    int *node;   /* size n: its inverse */
    int *parent; /* in the search tree; all that follows by numbers */
    int *semi;
    int *ancestor; /* in the forest, NONE: a root */
    int *label;    /* node of smallest semi on the shortened way */
    int *dom;
    int *bucket, *next; /* lists of nodes by their semi */
    int *stack;
} Dom;

/* Depth first from the root; numbers, parents. */
static void search(Dom *d, const int *start, const int *to, int *edge, int root)
{
    int depth = 0;
    d->number[root] = 0;
    d->node[d->n++] = root;
    d->stack[0] = root;
    edge[root] = start[root];
    while (depth >= 0) {
        int i = d->stack[depth];
        if (edge[i] == start[i + 1]) {
            depth--;
            continue;
        }
        int other = to[edge[i]++];
        if (d->number[other] != NONE)
            continue;
        d->number[other] = d->n;
        d->parent[d->n] = d->number[i];
        d->node[d->n++] = other;
        edge[other] = start[other];
        d->stack[++depth] = other;
    }
}

static int best(Dom *d, int v)
{
    if (d->ancestor[v] == NONE)
        return v;
    int depth = 0;
    for (int u = v; d->ancestor[d->ancestor[u]] != NONE; u = d->ancestor[u])
        d->stack[depth++] = u;
    while (depth > 0) { /* from the top down */
        int u = d->stack[--depth], up = d->ancestor[u];
        if (d->semi[d->label[up]] < d->semi[d->label[u]])
            d->label[u] = d->label[up];
        d->ancestor[u] = d->ancestor[up];
    }
    return d->label[v];
}

/* The reversed edges by number: from[k], at[w] <= k < at[w+1], lead to w. */
static void reverse_edges(const Dom *d, const int *start, const int *to,
                          int *at, int *from)
{
    for (int v = 0; v < d->n; v++)
        for (int k = start[d->node[v]]; k < start[d->node[v] + 1]; k++)
            at[d->number[to[k]] + 2]++;
    for (int w = 0; w <= d->n; w++)
        at[w + 1] += at[w];
    for (int v = 0; v < d->n; v++)
        for (int k = start[d->node[v]]; k < start[d->node[v] + 1]; k++)
            from[at[d->number[to[k]] + 1]++] = v;
}

static void treat(Dom *d, int w, const int *at, const int *from)
{
    for (int k = at[w]; k < at[w + 1]; k++) {
        int u = best(d, from[k]);
        if (d->semi[u] < d->semi[w])
            d->semi[w] = d->semi[u];
    }
    d->next[w] = d->bucket[d->semi[w]];
    d->bucket[d->semi[w]] = w;
    int parent = d->parent[w];
    d->ancestor[w] = parent;
    for (int v = d->bucket[parent]; v != NONE; v = d->next[v]) {
        int u = best(d, v);
        d->dom[v] = d->semi[u] < d->semi[v] ? u : parent;
    }
    d->bucket[parent] = NONE;
}

static Dom begin(int n, Arena *local)
{
    Dom d = {0};
    int **array[] = {&d.number, &d.node, &d.parent, &d.semi, &d.ancestor,
                     &d.label,  &d.dom,  &d.bucket, &d.next, &d.stack};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = NEW_ARRAY(local, int, n);
    for (int i = 0; i < n; i++) {
        d.number[i] = d.ancestor[i] = d.bucket[i] = NONE;
        d.semi[i] = d.label[i] = i;
    }
    return d;
}

void dominators_find(int n, const int *start, const int *to, int root,
                     int *idom)
{
    Arena *local = arena_new();
    Dom d = begin(n, local);
    search(&d, start, to, NEW_ARRAY(local, int, n), root);
    int *at = NEW_ARRAY(local, int, d.n + 2);
    int *from = NEW_ARRAY(local, int, start[n]);
    reverse_edges(&d, start, to, at, from);
    for (int w = d.n - 1; w > 0; w--)
        treat(&d, w, at, from);
    for (int w = 1; w < d.n; w++)
        if (d.dom[w] != d.semi[w])
            d.dom[w] = d.dom[d.dom[w]];
    for (int i = 0; i < n; i++) {
        int w = d.number[i];
        idom[i] = w > 0 ? d.node[d.dom[w]] : NONE;
    }
    arena_free(local);
}
