/* thread.h - a thread beside that of the run, without its signals. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_THREAD_H
#define TAKT_RUN_THREAD_H

#include <pthread.h>

/* Returns 0, or the number of the error. */
int thread_start(pthread_t *thread, void *(*work)(void *), void *context);

#endif
