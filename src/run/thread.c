/* thread.c - a thread beside that of the run. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/thread.h"

#include <signal.h>

int thread_start(pthread_t *thread, void *(*work)(void *), void *context)
{
    sigset_t all, before;
    sigfillset(&all); /* signals are for the thread of the run */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, work, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}
