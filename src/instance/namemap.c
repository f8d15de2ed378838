/* namemap.c - tables of names: interned, so their addresses are the keys. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "instance/structure.h"

unsigned namemap_hash(const void *address)
{
    uintptr_t x = (uintptr_t)address >> 3;
    return (unsigned)((x * 0x9E3779B97F4A7C15ull) >> 32);
}

int namemap_find(const NameMap *m, const char *name)
{
    if (m->cap == 0)
        return NONE;
    for (unsigned h = namemap_hash(name);; h++) {
        unsigned k = h & (unsigned)(m->cap - 1);
        if (!m->key[k])
            return NONE;
        if (m->key[k] == name)
            return m->value[k];
    }
}

static void map_put(NameMap *m, const char *name, int value)
{
    unsigned h = namemap_hash(name);
    while (m->key[h & (unsigned)(m->cap - 1)])
        h++;
    m->key[h & (unsigned)(m->cap - 1)] = name;
    m->value[h & (unsigned)(m->cap - 1)] = value;
    m->n++;
}

void namemap_add(const Context *in, NameMap *m, const char *name, int value)
{
    if ((m->n + 1) * 2 > m->cap) {
        NameMap old = *m;
        m->cap = old.cap ? old.cap * 2 : 4;
        m->n = 0;
        m->key = NEW_ARRAY(in->arena, const char *, m->cap);
        m->value = NEW_ARRAY(in->arena, int, m->cap);
        for (int i = 0; i < old.cap; i++)
            if (old.key[i])
                map_put(m, old.key[i], old.value[i]);
    }
    map_put(m, name, value);
}
