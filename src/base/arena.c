/* arena.c - memory by lifetime.
 *
 * An arena is a list of blocks, newest first. Memory is handed out from the
 * front of the newest one; blocks double in size up to 1 MB, and a larger
 * request gets a block of its own. Blocks come from calloc, so what is handed
 * out is zero without touching it: a large array that is never used costs
 * address space only.
 *
 *     Arena ─▶ Block [ used | last | free ] ─▶ Block [ used ] ─▶ ...
 *                           ^ may grow in place
 *
 * The total of all arenas is one counter, the only mutable state of takt that
 * lives at file scope; it is atomic, so that sweeps may use threads.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#define GUARD 16 /* poisoned bytes behind each piece */
#define POISON(p, n) __asan_poison_memory_region((p), (n))
#define UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#else
#define GUARD 0
#define POISON(p, n) ((void)0)
#define UNPOISON(p, n) ((void)0)
#endif

#define ALIGN 16
#define FIRST_BLOCK ((size_t)4096)
#define LAST_BLOCK ((size_t)1 << 20)

typedef struct Block {
    struct Block *older;
    size_t size; /* bytes of data */
    size_t used; /* bytes of data handed out */
    size_t last; /* offset of the piece handed out last */
} Block;

#define HEAD ((sizeof(Block) + ALIGN - 1) / ALIGN * ALIGN)

struct Arena {
    Block *newest;
    size_t next_size; /* data bytes of the next ordinary block */
};

static atomic_size_t held;
static atomic_size_t most = (size_t)4 << 30;

static char *data_of(Block *b)
{
    return (char *)b + HEAD;
}

static void die_memory(size_t want)
{
    size_t limit = atomic_load(&most);
    if (want > limit || atomic_load(&held) > limit - want)
        die("out of memory: the model needs more than the limit of %zu MB",
            limit >> 20);
    die("out of memory: the machine has no %zu bytes more", want);
}

/* Bytes of a piece in a block. Dies when `size` is near the end of size_t. */
static size_t rounded(size_t size)
{
    if (size > SIZE_MAX / 4)
        die_memory(size);
    if (size == 0)
        size = 1; /* two pieces never share an address */
    return (size + GUARD + ALIGN - 1) / ALIGN * ALIGN;
}

static Block *block_new(size_t size)
{
    size_t bytes = HEAD + size;
    size_t now = atomic_fetch_add(&held, bytes) + bytes;
    Block *b = now > atomic_load(&most) ? NULL : calloc(1, bytes);
    if (!b) {
        atomic_fetch_sub(&held, bytes);
        die_memory(bytes);
    }
    b->size = size;
    POISON(data_of(b), size);
    return b;
}

Arena *arena_new(void)
{
    Arena *a = calloc(1, sizeof *a);
    if (!a)
        die_memory(sizeof *a);
    a->next_size = FIRST_BLOCK - HEAD;
    return a;
}

void arena_free(Arena *a)
{
    if (!a)
        return;
    Block *older;
    for (Block *b = a->newest; b; b = older) {
        older = b->older;
        UNPOISON(data_of(b), b->size);
        atomic_fetch_sub(&held, HEAD + b->size);
        free(b);
    }
    free(a);
}

/* A block with room for `piece` bytes at its front. A piece larger than an
 * ordinary block gets its own, kept behind the newest so that the room left
 * there is still used. */
static Block *block_for(Arena *a, size_t piece)
{
    Block *b = a->newest;
    if (b && piece <= b->size - b->used)
        return b;
    if (b && piece > LAST_BLOCK / 4) {
        Block *own = block_new(piece);
        own->older = b->older;
        b->older = own;
        return own;
    }
    size_t size = piece > a->next_size ? piece : a->next_size;
    Block *fresh = block_new(size);
    fresh->older = b;
    a->newest = fresh;
    if (a->next_size < LAST_BLOCK)
        a->next_size = a->next_size * 2 + HEAD;
    return fresh;
}

void *arena_alloc(Arena *a, size_t size)
{
    size_t piece = rounded(size);
    Block *b = block_for(a, piece);
    char *p = data_of(b) + b->used;
    b->last = b->used;
    b->used += piece;
    UNPOISON(p, size ? size : 1);
    return p;
}

void *arena_array(Arena *a, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size)
        die_memory(SIZE_MAX);
    return arena_alloc(a, n * size);
}

/* Grows the last piece of block `b` to `want` bytes if the room suffices. */
static bool grow_in_place(Block *b, const char *p, size_t want)
{
    if (!b || p != data_of(b) + b->last || b->used == 0)
        return false;
    size_t piece = rounded(want);
    if (piece > b->size - b->last)
        return false;
    UNPOISON(data_of(b) + b->last, want);
    b->used = b->last + piece;
    return true;
}

/* A large piece that has a block to itself moves to a larger block and the old
 * one is freed at once: a growing vector does not leave its past lying around.
 * Returns NULL if `p` is not such a piece. */
static void *grow_own_block(Arena *a, char *p, size_t size, size_t want)
{
    size_t piece = rounded(want);
    if (!a->newest || piece <= LAST_BLOCK / 4)
        return NULL;
    Block **at = &a->newest->older;
    if (!*at || data_of(*at) != p || (*at)->last != 0)
        return NULL;
    Block *old = *at;
    Block *fresh = block_new(piece);
    fresh->older = old->older;
    fresh->used = piece;
    UNPOISON(data_of(fresh), want);
    memcpy(data_of(fresh), p, size);
    UNPOISON(data_of(old), old->size);
    atomic_fetch_sub(&held, HEAD + old->size);
    free(old);
    *at = fresh;
    return data_of(fresh);
}

void *arena_grow(Arena *a, void *p, size_t size, size_t want)
{
    if (!p)
        return arena_alloc(a, want);
    if (want <= size)
        return p;
    if (grow_in_place(a->newest, p, want))
        return p;
    void *moved = grow_own_block(a, p, size, want);
    if (moved)
        return moved;
    void *q = arena_alloc(a, want);
    memcpy(q, p, size);
    return q;
}

char *arena_strdup(Arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

char *arena_strndup(Arena *a, const char *s, size_t n)
{
    char *copy = arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}

char *arena_vprintf(Arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n < 0)
        die("internal error: a message could not be formatted");
    char *s = arena_alloc(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    return s;
}

size_t arena_used(void)
{
    return atomic_load(&held);
}

void arena_limit(size_t bytes)
{
    atomic_store(&most, bytes);
}
