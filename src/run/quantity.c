/* quantity.c - quantities of all models of a run under one number. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "run/model.h"

int run_nquantity(const RunModel *first)
{
    int n = 0;
    for (const RunModel *m = first; m; m = m->next)
        n += m->call->nvar;
    return n;
}

/* The model that has quantity `number`, which becomes its number there. */
static const RunModel *owner_of(const RunModel *m, int *number)
{
    for (; *number >= m->call->nvar; m = m->next)
        *number -= m->call->nvar;
    return m;
}

int run_find(const RunModel *first, const char *name)
{
    int base = 0;
    for (const RunModel *m = first; m; base += m->call->nvar, m = m->next) {
        size_t n = m->prefix ? strlen(m->prefix) : 0;
        if (n > 0 && strncmp(name, m->prefix, n) != 0)
            continue;
        int number = m->call->find(name + n);
        if (number != NONE)
            return base + number;
    }
    return NONE;
}

RunQuantity run_quantity(const RunModel *first, int number)
{
    const RunModel *m = owner_of(first, &number);
    RunQuantity q = {.of = m};
    size_t place;
    double sign, offset;
    q.name = m->call->variable(number, &q.unit, &q.kind, &q.causality, &place,
                               &sign, &offset);
    return q;
}

const char *run_name(const RunModel *first, int number, Arena *arena)
{
    const RunModel *m = owner_of(first, &number);
    const char *name = m->call->name(number);
    return m->prefix ? arena_printf(arena, "%s%s", m->prefix, name) : name;
}

void run_get(const RunModel *first, const int *number, int n, double *value)
{
    if (!first->next) {
        first->call->get(first->m, number, n, value);
        return;
    }
    for (int i = 0; i < n; i++) {
        int own = number[i];
        if (own == NONE)
            continue;
        const RunModel *m = owner_of(first, &own);
        m->call->get(m->m, &own, 1, &value[i]);
    }
}

int run_set(RunModel *first, int number, double value)
{
    const RunModel *m = owner_of(first, &number);
    return m->call->set(m->m, number, value);
}

void run_update(RunModel *first, int number)
{
    const RunModel *m = owner_of(first, &number);
    m->call->update(m->m);
}
