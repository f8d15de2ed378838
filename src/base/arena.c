/* arena.c - memory by lifetime.
 *
 * An arena is a list of blocks, newest first. Memory is handed out from the
 * front of the newest one; blocks double in size up to 1 MB. A piece larger
 * than a quarter of that has a block of its own, in a second list, so that it
 * can move to a larger block and leave nothing behind when it grows. Blocks
 * come from calloc, so what is handed out is zero without being touched: a
 * large array that is never used costs address space only.
 *
 *     Arena ─▶ Block [ used | last | free ] ─▶ Block [ used ] ─▶ ...
 *       │                   ^ may grow in place
 *       └──▶ Block [ piece ] ◀─▶ Block [ piece ] ◀─▶ ...
 *
 * The total of all arenas is one counter, the only mutable state that threads
 * share; it is atomic.
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
#define GUARD          16 /* poisoned bytes after each piece */
#define POISON(p, n)   __asan_poison_memory_region((p), (n))
#define UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#else
#define GUARD          0
#define POISON(p, n)   ((void)0)
#define UNPOISON(p, n) ((void)0)
#endif

#define ALIGN       16
#define FIRST_BLOCK ((size_t)4096)
#define LAST_BLOCK  ((size_t)1 << 20)
#define OWN_BLOCK   (LAST_BLOCK / 4) /* larger pieces have their own block */

typedef struct Block {
    struct Block *older;
    struct Block *newer; /* only kept for blocks of one piece */
    size_t size;         /* bytes of data */
    size_t used;         /* bytes of data handed out */
    size_t last;         /* offset of the piece handed out last */
} Block;

#define HEAD ((sizeof(Block) + ALIGN - 1) / ALIGN * ALIGN)

struct Arena {
    Block *newest;
    Block *own;            /* blocks of one large piece */
    size_t next_size;      /* data bytes of the next ordinary block */
    const void *owner;     /* arena_watch() */
    Arena *before, *after; /* of those of all owners in this thread */
};

static atomic_size_t held;
static _Thread_local const void *owner;
static _Thread_local Arena *watched;
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
    a->owner = owner;
    if (owner) {
        a->after = watched;
        if (watched)
            watched->before = a;
        watched = a;
    }
    return a;
}

static void block_free(Block *b)
{
    UNPOISON(data_of(b), b->size);
    atomic_fetch_sub(&held, HEAD + b->size);
    free(b);
}

static void free_list(Block *b)
{
    while (b) {
        Block *older = b->older;
        block_free(b);
        b = older;
    }
}

void arena_free(Arena *a)
{
    if (!a)
        return;
    if (a->owner) {
        if (a->after)
            a->after->before = a->before;
        if (a->before)
            a->before->after = a->after;
        else
            watched = a->after;
    }
    free_list(a->newest);
    free_list(a->own);
    free(a);
}

void arena_watch(const void *by)
{
    owner = by;
}

void arena_forget(const void *by)
{
    for (Arena *a = watched, *after; a; a = after) {
        after = a->after;
        if (a->owner == by)
            arena_free(a);
    }
}

void arena_keep(Arena *a)
{
    if (a->after)
        a->after->before = a->before;
    if (a->before)
        a->before->after = a->after;
    else if (watched == a)
        watched = a->after;
    a->owner = NULL;
    a->before = a->after = NULL;
}

/* A large piece in a block of its own. */
static Block *own_block(Arena *a, size_t piece)
{
    Block *b = block_new(piece);
    b->older = a->own;
    if (a->own)
        a->own->newer = b;
    a->own = b;
    return b;
}

static void drop_own_block(Arena *a, Block *b)
{
    if (b->newer)
        b->newer->older = b->older;
    else
        a->own = b->older;
    if (b->older)
        b->older->newer = b->newer;
    block_free(b);
}

/* A block with room for `piece` bytes at its front. */
static Block *block_for(Arena *a, size_t piece)
{
    Block *b = a->newest;
    if (piece > OWN_BLOCK)
        return own_block(a, piece);
    if (b && piece <= b->size - b->used)
        return b;
    Block *fresh = block_new(piece > a->next_size ? piece : a->next_size);
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

/* Grows `p` to `want` bytes if it is the last piece and the room suffices. */
static bool grow_in_place(Arena *a, const char *p, size_t want)
{
    Block *b = a->newest;
    size_t piece = rounded(want);
    if (!b || p != data_of(b) + b->last || piece > OWN_BLOCK ||
        piece > b->size - b->last)
        return false;
    UNPOISON(data_of(b) + b->last, want);
    b->used = b->last + piece;
    return true;
}

void *arena_grow(Arena *a, void *p, size_t size, size_t want)
{
    if (!p)
        return arena_alloc(a, want);
    if (want <= size || grow_in_place(a, p, want))
        return p;
    void *q = arena_alloc(a, want);
    memcpy(q, p, size);
    if (rounded(size) > OWN_BLOCK)
        drop_own_block(a, (Block *)(void *)((char *)p - HEAD));
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
