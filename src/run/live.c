/* live.c - a snapshot behind a counter (a sequence lock with one writer). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/live.h"

#include <sched.h>
#include <string.h>

Live *live_new(Arena *arena)
{
    return NEW(arena, Live);
}

static int64_t bits_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

void live_write(Live *l, const LiveFigures *f)
{
    const int64_t figure[LIVE_NFIGURE] = {
        bits_of(f->time), f->steps,    f->work,   f->longest,
        f->late,          f->overruns, f->skipped};
    uint32_t turn = atomic_load_explicit(&l->turn, memory_order_relaxed);
    atomic_store_explicit(&l->turn, turn + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    for (int i = 0; i < LIVE_NFIGURE; i++)
        atomic_store_explicit(&l->figure[i], figure[i], memory_order_relaxed);
    atomic_store_explicit(&l->turn, turn + 2, memory_order_release);
}

void live_read(Live *l, LiveFigures *f)
{
    int64_t figure[LIVE_NFIGURE];
    for (;;) {
        uint32_t turn = atomic_load_explicit(&l->turn, memory_order_acquire);
        for (int i = 0; i < LIVE_NFIGURE; i++)
            figure[i] =
                atomic_load_explicit(&l->figure[i], memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
        if (turn % 2 == 0 &&
            turn == atomic_load_explicit(&l->turn, memory_order_relaxed))
            break;
        sched_yield();
    }
    memcpy(&f->time, &figure[0], sizeof f->time);
    f->steps = figure[1];
    f->work = figure[2];
    f->longest = figure[3];
    f->late = figure[4];
    f->overruns = figure[5];
    f->skipped = figure[6];
}
