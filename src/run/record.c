/* record.c - the thread that writes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/record.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "run/thread.h"

enum {
    RING_BYTES = 16 << 20,  /* at least, */
    MOST_BYTES = 256 << 20, /* and for all rows of a run whose end is known */
    LEAST_ROWS = 256,
    LOOK_EVERY = 64 /* pauses */
};

static void pause_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 4000000}, NULL);
}

Recorder *recorder_new(ResultFile *file, const int *number, int n,
                       const double *first, int64_t most, Arena *arena)
{
    Recorder *r = NEW(arena, Recorder);
    r->file = file;
    r->number = number;
    r->n = n;
    r->every = 1;
    r->last = NONE;
    size_t width = (size_t)n + 1, room = MOST_BYTES / (8 * width);
    size_t rows = RING_BYTES / (8 * width);
    rows = rows < LEAST_ROWS ? LEAST_ROWS : rows;
    if (most >= 0 && (size_t)most < rows) /* no more than there will be */
        rows = (size_t)most + 1;
    else if (most >= 0)
        rows = (size_t)most < room ? (size_t)most + 1 : room;
    double *row = NEW_ARRAY(arena, double, width);
    if (n > 0)
        memcpy(row + 1, first, (size_t)n * sizeof *row);
    ring_init(&r->ring, file ? rows : 1, width, row, arena);
    return r;
}

static void drain(Recorder *r)
{
    for (const double *row; (row = ring_front(&r->ring)); ring_pop(&r->ring))
        result_row(r->file, row[0], row + 1);
}

static void *work(void *context)
{
    Recorder *r = context;
    Plain plain = plain_begin();
    for (int k = 0; !atomic_load(&r->over); k++) {
        drain(r);
        if (r->look && k % LOOK_EVERY == LOOK_EVERY - 1) {
            LiveFigures f;
            live_read(r->live, &f);
            r->look(r->context, &f);
        }
        pause_a_little();
    }
    drain(r);
    plain_end(plain);
    return NULL;
}

bool recorder_start(Recorder *r)
{
    int failed = thread_start(&r->thread, work, r);
    r->is_running = failed == 0;
    errno = failed;
    return r->is_running;
}

double *recorder_room(Recorder *r)
{
    double *row = ring_room(&r->ring);
    while (!row && r->may_wait) {
        pause_a_little();
        row = ring_room(&r->ring);
    }
    r->lost += !row;
    return row;
}

void recorder_push(Recorder *r, int64_t step)
{
    ring_push(&r->ring);
    r->rows++;
    r->last = step;
}

void recorder_stop(Recorder *r)
{
    if (!r->is_running)
        return;
    atomic_store(&r->over, true);
    pthread_join(r->thread, NULL);
    r->is_running = false;
}
