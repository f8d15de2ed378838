/* ring.h - rows of numbers from one thread to one other, without locks.
 *
 *     double *row = ring_room(r);          const double *row = ring_front(r);
 *     if (row) { fill it; ring_push(r); }  if (row) { use it; ring_pop(r); }
 *
 * The left side belongs to one thread, the right side to the other.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_RING_H
#define TAKT_RUN_RING_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct Ring {
    double *value; /* nrow rows of `width` numbers */
    size_t nrow, width;
    _Atomic size_t head; /* rows that were pushed, */
    _Atomic size_t tail; /* and popped */
} Ring;

/* Memory for nrow rows, all of them equal to `first` (NULL: 0). */
void ring_init(Ring *r, size_t nrow, size_t width, const double *first,
               Arena *arena);
double *ring_room(Ring *r);        /* NULL: full */
void ring_push(Ring *r);           /* what ring_room() gave */
const double *ring_front(Ring *r); /* NULL: empty */
void ring_pop(Ring *r);

#endif
