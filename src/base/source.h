/* source.h - texts that were read, and places in them.
 *
 * A Span is 12 bytes and names a text by its number, so that every node of a
 * tree can afford one. Lines and columns are counted from 1 and found from the
 * offset when a message is printed; a column counts characters, not bytes.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_SOURCE_H
#define TAKT_BASE_SOURCE_H

#include <stdint.h>

#include "base/arena.h"

typedef struct Span {
    int32_t source; /* number of the text, NONE: no place */
    uint32_t begin; /* offset of the first byte */
    uint32_t end;   /* offset after the last byte */
} Span;

#define NO_SPAN ((Span){NONE, 0, 0})

typedef struct Source {
    const char *path; /* as messages show it */
    const char *text; /* size bytes, then a NUL */
    uint32_t size;
    const uint32_t *line; /* offset of each line's first byte, size nline;
                             made at the first question for a line */
    int nline;
} Source;

typedef struct Sources Sources;

Sources *sources_new(Arena *arena);
/* Adds a text (copied) and returns its number. */
int sources_add(Sources *s, const char *path, const char *text, size_t size);
/* Reads a file. Returns its number, or NONE with errno set; EFBIG if it is
 * larger than 1 GB, EISDIR if it is a directory. */
int sources_read(Sources *s, const char *path);
const Source *sources_get(const Sources *s, int number);

typedef struct Place {
    const char *path;
    int line, column;      /* from 1 */
    const char *line_text; /* not ended by NUL */
    int line_size;         /* bytes without the line end */
    int width;             /* characters of the span on this line, >= 1 */
} Place;

/* The place of a span; path NULL if it has none. */
Place sources_place(const Sources *s, Span span);
/* From the begin of `a` to the end of `b`. */
Span span_join(Span a, Span b);

#endif
