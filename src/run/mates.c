/* mates.c - models beside the first. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/mates.h"

static void pass(const Mates *s, RunModel *first, int to)
{
    for (int i = 0; i < s->nlink; i++) {
        const MateLink *l = &s->link[i];
        if (l->to != to)
            continue;
        const RunModel *from = l->from == NONE ? first : s->at[l->from].m;
        RunModel *sink = to == NONE ? first : s->at[to].m;
        double x = 0;
        run_get(from, &l->source, 1, &x);
        sink->call->set(sink->m, l->sink, x);
    }
}

int mates_start(Mates *s, RunModel *first, int *which)
{
    for (int i = 0; i < s->n; i++) {
        RunModel *m = s->at[i].m;
        *which = i;
        m->call->defaults(m->m);
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
    }
    return 0;
}

void mates_get(const Mates *s, double *value)
{
    for (int i = 0; i < s->n; i++) {
        run_get(s->at[i].m, s->at[i].number, s->at[i].n, value);
        value += s->at[i].n;
    }
}
