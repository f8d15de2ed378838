/* scc.c - Tarjan's strong components without recursion.
 *
 * order[i] is when node i was first seen; low[i] the earliest node on the
 * stack of open nodes that is known to be reachable from i. A node with
 * low == order closes a component: all nodes above it on that stack.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/scc.h"

typedef struct Tarjan {
    const int *start, *to;
    int *comp;  /* size n, NONE: not yet closed */
    int *order; /* size n, NONE: not yet seen */
    int *low;   /* size n */
    int *next;  /* size n: next edge to follow */
    int *open;  /* size n: stack of nodes without a component */
    int *path;  /* size n: stack of the search */
    int nopen, npath, seen, ncomp;
} Tarjan;

static void enter(Tarjan *t, int i)
{
    t->order[i] = t->low[i] = t->seen++;
    t->next[i] = t->start[i];
    t->open[t->nopen++] = i;
    t->path[t->npath++] = i;
}

static void close_component(Tarjan *t, int root)
{
    int i;
    do {
        i = t->open[--t->nopen];
        t->comp[i] = t->ncomp;
    } while (i != root);
    t->ncomp++;
}

/* Goes back from the last node of the path to the one before it. */
static void leave(Tarjan *t)
{
    int i = t->path[--t->npath];
    if (t->low[i] == t->order[i])
        close_component(t, i);
    if (t->npath > 0) {
        int before = t->path[t->npath - 1];
        if (t->low[i] < t->low[before])
            t->low[before] = t->low[i];
    }
}

static void search_from(Tarjan *t, int root)
{
    enter(t, root);
    while (t->npath > 0) {
        int i = t->path[t->npath - 1];
        if (t->next[i] == t->start[i + 1]) {
            leave(t);
            continue;
        }
        int other = t->to[t->next[i]++];
        if (other == NONE)
            continue;
        if (t->order[other] == NONE)
            enter(t, other);
        else if (t->comp[other] == NONE && t->order[other] < t->low[i])
            t->low[i] = t->order[other];
    }
}

int scc_find(int n, const int *start, const int *to, int *comp)
{
    Arena *local = arena_new();
    Tarjan t = {.start = start, .to = to, .comp = comp};
    t.order = NEW_ARRAY(local, int, n);
    t.low = NEW_ARRAY(local, int, n);
    t.next = NEW_ARRAY(local, int, n);
    t.open = NEW_ARRAY(local, int, n);
    t.path = NEW_ARRAY(local, int, n);
    for (int i = 0; i < n; i++)
        t.order[i] = comp[i] = NONE;
    for (int i = 0; i < n; i++)
        if (t.order[i] == NONE)
            search_from(&t, i);
    arena_free(local);
    return t.ncomp;
}
