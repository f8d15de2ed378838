/* probe.h - any quantities of the model, for a thread that measures.
 *
 * Once: ask for some, and the loop fills their values in at its next tick.
 * Every step: hand over a list, and the loop puts a row into a ring. The work
 * of a tick is at most PROBE_MOST values of each; the loop never waits.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_PROBE_H
#define TAKT_RUN_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/model.h"
#include "run/ring.h"

enum { PROBE_MOST = 64, PROBE_ROWS = 4096, PROBE_HEAD = 2 };

typedef struct ProbeList {
    int number[PROBE_MOST];
    int n;
    int64_t every; /* steps */
    int turn;      /* of the list: rows of earlier ones are passed by */
} ProbeList;

typedef struct Probe {
    int number[PROBE_MOST]; /* asked for */
    double value[PROBE_MOST];
    int n;
    _Atomic uint32_t asked, answered;
    ProbeList *_Atomic list; /* NULL: none */
    Ring ring; /* rows: turn of the list, ns of the clock, its values */
    _Atomic int64_t missed;
} Probe;

Probe *probe_new(Arena *arena);
/* Of the loop: after step `k`, or with NONE while it is paused. */
void probe_serve(Probe *p, const RunModel *m, int64_t k, int64_t now);
/* Of the other thread: values of n quantities. False: the loop did not answer
 * within `ms`. */
bool probe_ask(Probe *p, const int *number, int n, double *value, int ms);

#endif
