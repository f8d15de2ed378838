/* probe.c - quantities for who measures. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/probe.h"

#include <string.h>
#include <time.h>

Probe *probe_new(Arena *arena)
{
    Probe *p = NEW(arena, Probe);
    ring_init(&p->ring, PROBE_ROWS, PROBE_MOST + PROBE_HEAD, NULL, arena);
    return p;
}

static void put_row(Probe *p, const ProbeList *l, const RunModel *m,
                    int64_t now)
{
    double *row = ring_room(&p->ring);
    if (!row) {
        atomic_fetch_add_explicit(&p->missed, 1, memory_order_relaxed);
        return;
    }
    row[0] = l->turn;
    row[1] = (double)now;
    run_get(m, l->number, l->n, row + PROBE_HEAD);
    ring_push(&p->ring);
}

void probe_serve(Probe *p, const RunModel *m, int64_t k, int64_t now)
{
    uint32_t asked = atomic_load_explicit(&p->asked, memory_order_acquire);
    if (asked != atomic_load_explicit(&p->answered, memory_order_relaxed)) {
        run_get(m, p->number, p->n, p->value);
        atomic_store_explicit(&p->answered, asked, memory_order_release);
    }
    const ProbeList *l = atomic_load_explicit(&p->list, memory_order_acquire);
    if (l && k != NONE && k % l->every == 0)
        put_row(p, l, m, now);
}

bool probe_ask(Probe *p, const int *number, int n, double *value, int ms)
{
    uint32_t turn = atomic_load(&p->asked);
    if (turn != atomic_load(&p->answered))
        return false; /* the last question has no answer yet */
    memcpy(p->number, number, (size_t)n * sizeof *number);
    p->n = n;
    atomic_store_explicit(&p->asked, turn + 1, memory_order_release);
    for (int i = 0; i < 4 * ms; i++) {
        if (atomic_load_explicit(&p->answered, memory_order_acquire) ==
            turn + 1) {
            memcpy(value, p->value, (size_t)n * sizeof *value);
            return true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 250000}, NULL);
    }
    return false;
}
