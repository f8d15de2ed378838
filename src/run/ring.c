/* ring.c - a ring for one writer and one reader: each owns one counter. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/ring.h"

#include <string.h>

void ring_init(Ring *r, size_t nrow, size_t width, const double *first,
               Arena *arena)
{
    *r = (Ring){.nrow = nrow, .width = width};
    r->value = NEW_ARRAY(arena, double, nrow *width + 1);
    for (size_t i = 0; first && i < nrow; i++)
        memcpy(r->value + i * width, first, width * sizeof *first);
}

double *ring_room(Ring *r)
{
    size_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    size_t tail = atomic_load_explicit(&r->tail, memory_order_acquire);
    return head - tail == r->nrow ? NULL : r->value + head % r->nrow * r->width;
}

void ring_push(Ring *r)
{
    size_t head = atomic_load_explicit(&r->head, memory_order_relaxed);
    atomic_store_explicit(&r->head, head + 1, memory_order_release);
}

const double *ring_front(Ring *r)
{
    size_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    size_t head = atomic_load_explicit(&r->head, memory_order_acquire);
    return head == tail ? NULL : r->value + tail % r->nrow * r->width;
}

void ring_pop(Ring *r)
{
    size_t tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
    atomic_store_explicit(&r->tail, tail + 1, memory_order_release);
}
