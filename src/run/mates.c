/* mates.c - models beside the first. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/mates.h"

static void pass(const Mates *s, RunModel *first, int to)
{
    for (int i = 0; i < s->nlink; i++) {
        const MateLink *l = &s->link[i];
        double x = 0;
        if (l->to != to)
            continue;
        run_get(first, &l->source, 1, &x);
        run_set(first, l->sink, x);
    }
}

int mates_start(Mates *s, RunModel *first, int *which)
{
    for (int i = 0; i < s->n; i++) {
        RunModel *m = s->at[i].m;
        *which = i;
        pass(s, first, i); /* of those that have values already */
        int status = m->call->start(m->m);
        if (status < 0)
            return status;
        s->at[i].steps = 0;
    }
    return 0;
}

void mates_give(const Mates *s, RunModel *first)
{
    pass(s, first, NONE);
}

int mates_step(Mates *s, RunModel *first, int64_t k, int *which)
{
    for (int i = 0; i < s->n; i++) {
        Mate *a = &s->at[i];
        if (k % a->every)
            continue;
        *which = i;
        pass(s, first, i);
        int status = a->m->call->step(a->m->m);
        if (status < 0)
            return status;
        a->steps++;
        if (status == STATUS_TERMINATED)
            return status;
        if (status != STATUS_FINE)
            alarms_note(&a->alarms, a->m);
    }
    return 0;
}
