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
    const char *what; /* for the progress */
    const TuneProgress *progress;
} PoolJobs;

/* How many run at a time. */
int pool_width(int nprocess);
/* Results go to out[n * size]. */
void pool_run(const PoolJobs *jobs, void *out);

#endif
