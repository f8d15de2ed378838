/* live.h - the latest figures of a run, for other threads to look at.
 *
 * One thread writes, any may read: a counter is odd while values are being
 * written, and a reader whose copy is torn takes another one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_LIVE_H
#define TAKT_RUN_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* A copy, or what is to be shown. */
typedef struct LiveFigures {
    double time; /* of the model */
    int64_t steps;
    int64_t work, longest; /* ns of the last step, and of the longest */
    int64_t late;          /* ns that the last tick woke up late */
    int64_t overruns, skipped;
} LiveFigures;

enum { LIVE_NFIGURE = 7 };

typedef struct Live {
    _Atomic uint32_t turn;
    _Atomic int64_t figure[LIVE_NFIGURE];
} Live;

Live *live_new(Arena *arena);
void live_write(Live *l, const LiveFigures *f);
void live_read(Live *l, LiveFigures *f);

#endif
