/* fault.c - loaded before the C library: the k-th allocation fails.
 *
 *   TAKT_FAULT_ALLOC=k   the k-th call of malloc, calloc, realloc (from 0)
 *                        and all later ones return NULL
 *   TAKT_FAULT_ONCE=1    only the k-th one does
 *   TAKT_FAULT_MARK=f    the file f is made when a call failed
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);

static long limit = -1; /* -1: nothing fails */
static int once;
static const char *mark;
static atomic_long calls;

__attribute__((constructor)) static void start(void)
{
    const char *k = getenv("TAKT_FAULT_ALLOC");
    once = getenv("TAKT_FAULT_ONCE") != NULL;
    mark = getenv("TAKT_FAULT_MARK");
    atomic_store(&calls, 0);
    if (k)
        limit = atol(k);
}

static int fails(void)
{
    if (limit < 0)
        return 0;
    long call = atomic_fetch_add(&calls, 1);
    if (once ? call != limit : call < limit)
        return 0;
    if (mark) {
        int fd = open(mark, O_CREAT | O_WRONLY, 0600);
        if (fd >= 0)
            close(fd);
    }
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
    return fails() ? NULL : __libc_realloc(p, size);
}
