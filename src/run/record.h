/* record.h - rows of a run to a file, by a thread that may wait.
 *
 * The run puts rows into a ring; the thread takes them out and writes them
 * (result/result.h). Where the file is too slow the ring fills up, and rows are
 * lost and counted; a run without deadlines waits instead.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_RECORD_H
#define TAKT_RUN_RECORD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "result/result.h"
#include "run/live.h"
#include "run/ring.h"

typedef struct Recorder {
    ResultFile *file;  /* NULL: nothing is recorded */
    const int *number; /* of each column in the run */
    int n;             /* columns */
    int64_t every;     /* steps */
    bool may_wait;     /* the run has no deadlines */
    int64_t rows, lost;
    int64_t last; /* step of the last row */
    Ring ring;
    void (*look)(void *context,
                 const LiveFigures *f); /* now and then; or NULL */
    void *context;
    Live *live; /* for `look` */
    atomic_bool over;
    pthread_t thread;
    bool is_running;
} Recorder;

/* `first`: values of all columns, kept where the model has no number for one;
 * `most`: rows of the whole run, NONE if nobody knows. Where all of them have
 * room in memory none is lost, however slow the file is. Nothing is opened or
 * started. */
Recorder *recorder_new(ResultFile *file, const int *number, int n,
                       const double *first, int64_t most, Arena *arena);
/* Starts the thread. Returns false with errno set. */
bool recorder_start(Recorder *r);
/* Room for a row: time and columns; NULL: there is none, which is counted. */
double *recorder_room(Recorder *r);
void recorder_push(Recorder *r, int64_t step);
/* Everything is written and the thread is gone. */
void recorder_stop(Recorder *r);

#endif
