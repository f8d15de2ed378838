/* heap.h - a binary heap of (key, id), smallest key first, then smallest id.
 *
 * An id may be pushed several times; the reader skips entries that are out of
 * date. Equal keys leave in the order of their ids, so that results do not
 * depend on the order of pushing.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_HEAP_H
#define TAKT_GRAPH_HEAP_H

#include <stdbool.h>

#include "base/vec.h"

typedef struct HeapItem {
    long key;
    int id;
} HeapItem;

typedef struct Heap {
    Arena *arena;
    Vec(HeapItem) item;
} Heap;

static inline bool heap_before(HeapItem a, HeapItem b)
{
    return a.key < b.key || (a.key == b.key && a.id < b.id);
}

static inline void heap_push(Heap *h, long key, int id)
{
    HeapItem x = {key, id};
    vec_push(h->arena, &h->item, x);
    int k = h->item.n - 1;
    while (k > 0 && heap_before(x, h->item.at[(k - 1) / 2])) {
        h->item.at[k] = h->item.at[(k - 1) / 2];
        k = (k - 1) / 2;
    }
    h->item.at[k] = x;
}

/* Takes the smallest item; there must be one. */
static inline HeapItem heap_pop(Heap *h)
{
    HeapItem top = h->item.at[0], x = vec_pop(&h->item);
    int n = h->item.n, k = 0;
    if (n == 0)
        return top;
    for (;;) {
        int child = 2 * k + 1;
        if (child >= n)
            break;
        if (child + 1 < n &&
            heap_before(h->item.at[child + 1], h->item.at[child]))
            child++;
        if (!heap_before(h->item.at[child], x))
            break;
        h->item.at[k] = h->item.at[child];
        k = child;
    }
    h->item.at[k] = x;
    return top;
}

#endif
