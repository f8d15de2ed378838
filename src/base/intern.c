/* intern.c - one copy of each name.
 *
 * A hash table with linear probing, at most half full, of pointers into the
 * arena; the hash of each string stands beside it, so that growing and most
 * misses touch no string. Hash: FNV-1a, folded by a multiplication.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/intern.h"

#include <stdint.h>

typedef struct Entry {
    const char *s; /* NULL: free */
    uint32_t hash;
    uint32_t size;
} Entry;

struct Intern {
    Arena *arena;
    Entry *at; /* size cap, a power of two */
    size_t cap;
    size_t n;
};

static uint32_t hash_of(const char *s, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return (uint32_t)((h * 0x9e3779b97f4a7c15u) >> 32);
}

/* The entry of the string, or the free one where it belongs. */
static Entry *entry_of(const Intern *t, const char *s, size_t n, uint32_t hash)
{
    size_t i = hash & (t->cap - 1);
    for (;; i = (i + 1) & (t->cap - 1)) {
        Entry *e = &t->at[i];
        if (!e->s)
            return e;
        if (e->hash == hash && e->size == n && memcmp(e->s, s, n) == 0)
            return e;
    }
}

Intern *intern_new(Arena *arena)
{
    Intern *t = NEW(arena, Intern);
    t->arena = arena;
    t->cap = 256;
    t->at = NEW_ARRAY(arena, Entry, t->cap);
    return t;
}

static void grow(Intern *t)
{
    Entry *old = t->at;
    size_t ncap = t->cap;
    t->cap *= 2;
    t->at = NEW_ARRAY(t->arena, Entry, t->cap);
    for (size_t i = 0; i < ncap; i++)
        if (old[i].s)
            *entry_of(t, old[i].s, old[i].size, old[i].hash) = old[i];
}

const char *intern(Intern *t, const char *s, size_t n)
{
    uint32_t hash = hash_of(s, n);
    Entry *e = entry_of(t, s, n, hash);
    if (e->s)
        return e->s;
    const char *copy = arena_strndup(t->arena, s, n);
    *e = (Entry){copy, hash, (uint32_t)n};
    if (++t->n * 2 > t->cap)
        grow(t);
    return copy;
}

const char *intern_str(Intern *t, const char *s)
{
    return intern(t, s, strlen(s));
}

const char *intern_find(const Intern *t, const char *s, size_t n)
{
    return entry_of(t, s, n, hash_of(s, n))->s;
}
