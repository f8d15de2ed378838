/* lapack.c - LAPACK by dlopen. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/lapack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/die.h"
#include "base/dynamic.h"

enum {
    ROOM = 160 << 20
}; /* what OpenBLAS with one thread needs, and some more */

static bool has_limit(struct rlimit *limit)
{
    return getrlimit(RLIMIT_AS, limit) == 0 && limit->rlim_cur != RLIM_INFINITY;
}

void lapack_alone(void)
{
    struct rlimit limit;
    if (has_limit(&limit))
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* OpenBLAS tries again for ever where it gets no memory. */
static void find_room(void)
{
    struct rlimit limit;
    if (!has_limit(&limit))
        return;
    void *room =
        mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        die("under the limit of %llu MB of addresses (ulimit -v) there are no "
            "%d MB left for LAPACK",
            (unsigned long long)limit.rlim_cur >> 20, ROOM >> 20);
    munmap(room, ROOM);
}

static bool take_all(Lapack *l)
{
    find_room();
    void *library = dynamic_open(TAKT_LATER_lapacke);
    if (library)
        dynamic_take(library, "openblas_set_num_threads", &l->set_threads);
#define TAKE(name) &&dynamic_take(library, "LAPACKE_" #name, &l->name)
    return library LAPACK_FUNCTIONS(TAKE);
#undef TAKE
}

/* Of a thread each: none waits for another, and one that dies here leaves
 * nothing half done to the rest. A host may have set the threads since the last
 * call. */
const Lapack *lapack(void)
{
    static _Thread_local Lapack l;
    static _Thread_local bool is_there;
    if (!is_there)
        is_there = take_all(&l);
    if (!is_there)
        die("LAPACK is needed: %s cannot be loaded", TAKT_LATER_lapacke);
    if (l.set_threads)
        l.set_threads(1);
    return &l;
}
