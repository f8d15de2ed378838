/* feed.h - every step of a run, for the page to draw.
 *
 * The loop puts a row of figures and values into a ring (ring.h) after each
 * step, whoever looks: ten pages or none are the same work. Where the page is
 * too slow rows are missed, and counted.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_FEED_H
#define TAKT_RUN_FEED_H

#include <stdint.h>

#include "run/live.h"
#include "run/ring.h"

/* The first places of a row; values follow. Times of the clock in ns. */
enum {
    FEED_TIME, /* of the model, s */
    FEED_STEPS,
    FEED_WORK,
    FEED_LATE,
    FEED_LONGEST,
    FEED_OVERRUNS,
    FEED_SKIPPED,
    FEED_NFIGURE
};

typedef struct Feed {
    Ring ring;
    const int *number; /* of each value in the model */
    int n;
    _Atomic int64_t missed; /* rows */
} Feed;

/* `first`: values, kept where the model has no number for one. `period` of the
 * clock in s, 0 if there is none. */
Feed *feed_new(const int *number, const double *first, int n, double period,
               Arena *arena);
/* Places of the values of the next row; NULL: there is no room, which is
 * counted. */
double *feed_room(Feed *f);
/* The row is complete. */
void feed_push(Feed *f, const LiveFigures *figures);

#endif
