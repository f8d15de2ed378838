/* memo.c - a table from handles to handles, for what is kept between calls. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/expr_internal.h"

#define FIRST_SIZE 16

static uint32_t place_of(const Memo *m, uint32_t key)
{
    uint32_t at = (key * 0x9e3779b9u) >> 7 & m->mask;
    while (m->slot[at].key && m->slot[at].key != key)
        at = (at + 1) & m->mask;
    return at;
}

void memo_init(Memo *m, Arena *arena)
{
    *m = (Memo){.arena = arena, .mask = FIRST_SIZE - 1};
    m->slot = arena_array(arena, FIRST_SIZE, sizeof *m->slot);
}

bool memo_find(const Memo *m, Expr key, Expr *value)
{
    uint32_t at = place_of(m, (uint32_t)key + 1);
    if (!m->slot[at].key)
        return false;
    *value = m->slot[at].value;
    return true;
}

static void grow(Memo *m)
{
    struct MemoSlot *old = m->slot;
    uint32_t n = m->mask + 1;
    m->slot = arena_array(m->arena, 2 * (size_t)n, sizeof *m->slot);
    m->mask = 2 * n - 1;
    for (uint32_t k = 0; k < n; k++) {
        if (old[k].key)
            m->slot[place_of(m, old[k].key)] = old[k];
    }
}

void memo_set(Memo *m, Expr key, Expr value)
{
    uint32_t at = place_of(m, (uint32_t)key + 1);
    if (!m->slot[at].key) {
        if (2 * ++m->n > m->mask) {
            grow(m);
            at = place_of(m, (uint32_t)key + 1);
        }
    }
    m->slot[at].key = (uint32_t)key + 1;
    m->slot[at].value = value;
}
