/* clock.h - time in integers, and what makes a process punctual.
 *
 * Time is that of CLOCK_MONOTONIC in ns. A process is punctual if its memory is
 * locked, it has a real-time priority, a processor of its own, and processors
 * do not fall asleep deeply. Where it may not have these, a warning says what
 * to do, and the run goes on without.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_CLOCK_H
#define TAKT_RUN_CLOCK_H

#include <stdint.h>

#include "base/diag.h"

int64_t clock_now(void);
/* Sleeps until the time `ns`, or until a signal comes. */
void clock_wait(int64_t ns);

/* Ticks of a period that need not be a whole number of ns. */
typedef struct ClockTicks {
    int64_t begin; /* of tick 0 */
    int64_t whole; /* ns of a period, */
    double part;   /* and what is left of it: 0 .. 1 */
} ClockTicks;

ClockTicks clock_ticks(double period, int64_t begin); /* period in ns */
int64_t clock_tick(const ClockTicks *t, int64_t number);
/* Number of the first tick that is not before `ns`, up to rounding. */
int64_t clock_next(const ClockTicks *t, int64_t ns);

typedef struct ClockMeans {
    bool lock;    /* memory stays where it is, wake-ups are not gathered */
    int priority; /* SCHED_FIFO, 1 .. 99; 0: none */
    int cpu;      /* to run on; NONE: any */
} ClockMeans;

/* What the processor had before, to be given back. */
typedef struct ClockSaved {
    bool locked;
    long slack;  /* ns by which the system may delay a wake-up; 0: as it was */
    int latency; /* /dev/cpu_dma_latency, NONE: not open */
} ClockSaved;

/* Asks for `want`, for the calling thread (memory: for the process). Returns
 * what was given; warns (W1610) of the rest. */
ClockMeans clock_take(const ClockMeans *want, ClockSaved *saved, Diag *diag);
/* Back to an ordinary thread. */
void clock_give_back(const ClockMeans *got, ClockSaved *saved);

/* From now on SIGINT, SIGTERM and SIGHUP are noted, unless they are ignored
 * already; false: they are noted already. */
bool clock_catch_signals(void);
int clock_caught(void);           /* the signal that came, 0: none */
void clock_release_signals(void); /* as before clock_catch_signals() */

#endif
