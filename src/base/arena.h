/* arena.h - memory by lifetime.
 *
 * An arena hands out memory and frees all of it at once. What a phase returns
 * lives in the arena it was given; its temporary arrays live in a local arena
 * freed at its end. Nobody frees single objects.
 *
 * All memory of takt is counted here. When the limit set by arena_limit() is
 * passed, or the machine has no more, die_memory() ends the program with exit
 * code 4 and a message: no caller ever sees NULL.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_ARENA_H
#define TAKT_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *a); /* NULL is allowed */
/* From here on, arenas of this thread belong to `by` (NULL: to nobody): */
void arena_watch(const void *by);
void arena_forget(const void *by); /* frees those of them that are left */
void arena_keep(Arena *a);         /* it belongs to nobody any more */

/* `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(Arena *a, size_t size);
/* n objects of `size` bytes, zeroed; dies on overflow of the product. */
void *arena_array(Arena *a, size_t n, size_t size);
/* A block of `size` bytes grown to `want`; the old bytes are kept, the new
 * ones are zero. In place when `p` was the last block handed out. The old
 * address is not to be used again; `size` is what was asked for before. */
void *arena_grow(Arena *a, void *p, size_t size, size_t want);
char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
arena_printf(Arena *a, const char *fmt, ...);
char *arena_vprintf(Arena *a, const char *fmt, va_list ap);

/* Bytes held by all arenas now, and the most they may hold (default 4 GB). */
size_t arena_used(void);
void arena_limit(size_t bytes);

#define NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define NEW_ARRAY(arena, T, n)                                                 \
    ((T *)arena_array((arena), (size_t)(n), sizeof(T)))

/* The index of no one. */
#define NONE (-1)

#endif
