/* pool.h - independent jobs in processes of their own.
 *
 * A failure ends its process, not the others: the job it was at is given to
 * `crashed`, and another process goes on with the rest. Results lie in memory
 * that all share, so that nothing is lost with a process. The processes end
 * before pool_run() does; if none can be made, the jobs are done here.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_POOL_H
#define TAKT_TUNING_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "tune/outcome.h"

typedef struct PoolJobs {
    int n;
    size_t size; /* bytes of a result */
    void (*work)(void *context, int job, void *result);
    /* The process of a job ended by a signal (> 0) or with an exit code. */
    void (*crashed)(void *context, int job, int signal, int code, void *result);
    void *context;
    int nprocess;     /* 0: one per core */
    bool alone;       /* each job in a process of its own: it finds everything
                         as it was when pool_run() was called, so that what it
                         gives does not depend on the others */
    const char *what; /* for the progress, */
    int before, all;  /* with the jobs done before, of so many (0: of these) */
    const TuneProgress *progress;
} PoolJobs;

/* How many run at a time. */
int pool_width(int nprocess);
/* Results go to out[n * size]. */
void pool_run(const PoolJobs *jobs, void *out);

/* One job in a process of its own, while the caller goes on. It finds
 * everything as it is now. NULL where no process can be made. */
typedef struct PoolAside PoolAside;
PoolAside *pool_begin(void (*job)(void *context, void *result), void *context,
                      size_t size, Arena *arena);
/* Waits for it. False: it came to nothing, and `out` is as it was. */
bool pool_end(PoolAside *a, void *out);
/* Ends it, if it was begun and is not at its end. */
void pool_drop(PoolAside *a);

#endif
