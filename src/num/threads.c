/* threads.c - asks OpenBLAS, if it is there, to stay on one core. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "num/threads.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ROOM = 160 << 20 }; /* what one thread and a small model need */

#if defined(__GNUC__)
extern void openblas_set_num_threads(int n) __attribute__((weak));
#endif

void threads_one(void)
{
#if defined(__GNUC__)
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
#endif
}

static bool has_openblas(void)
{
#if defined(__GNUC__)
    return openblas_set_num_threads != NULL;
#else
    return false;
#endif
}

void threads_find_room(char **argv)
{
    struct rlimit limit;
    const char *n = getenv("OPENBLAS_NUM_THREADS");
    if (!has_openblas() || getrlimit(RLIMIT_AS, &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY)
        return;
    if (!n || strcmp(n, "1") != 0) {
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        execv("/proc/self/exe", argv);
    }
    void *room =
        mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room != MAP_FAILED) {
        munmap(room, ROOM);
        return;
    }
    fprintf(stderr,
            "takt: under the limit of %llu MB of addresses (ulimit -v) there "
            "are no %d MB left to work in\n",
            (unsigned long long)limit.rlim_cur >> 20, ROOM >> 20);
    fflush(NULL);
    _exit(4); /* without waiting for threads */
}
