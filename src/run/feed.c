/* feed.c - rows for the page. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/feed.h"

#include <string.h>

enum { LEAST_ROWS = 256, MOST_ROWS = 1 << 14 };

Feed *feed_new(const int *number, const double *first, int n, double period,
               Arena *arena)
{
    Feed *f = NEW(arena, Feed);
    size_t width = (size_t)n + FEED_NFIGURE;
    double rows = period > 0 ? 0.5 / period : MOST_ROWS;
    size_t nrow = rows < LEAST_ROWS  ? LEAST_ROWS
                  : rows > MOST_ROWS ? MOST_ROWS
                                     : (size_t)rows;
    double *row = NEW_ARRAY(arena, double, width);
    if (n > 0)
        memcpy(row + FEED_NFIGURE, first, (size_t)n * sizeof *row);
    f->number = number;
    f->n = n;
    ring_init(&f->ring, nrow, width, row, arena);
    return f;
}

double *feed_room(Feed *f)
{
    double *row = ring_room(&f->ring);
    if (row)
        return row + FEED_NFIGURE;
    atomic_fetch_add_explicit(&f->missed, 1, memory_order_relaxed);
    return NULL;
}

void feed_push(Feed *f, const LiveFigures *figures)
{
    double *row = ring_room(&f->ring);
    if (!row)
        return;
    row[FEED_TIME] = figures->time;
    row[FEED_STEPS] = (double)figures->steps;
    row[FEED_WORK] = (double)figures->work;
    row[FEED_LATE] = (double)figures->late;
    row[FEED_LONGEST] = (double)figures->longest;
    row[FEED_OVERRUNS] = (double)figures->overruns;
    row[FEED_SKIPPED] = (double)figures->skipped;
    ring_push(&f->ring);
}
