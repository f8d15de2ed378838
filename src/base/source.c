/* source.c - texts that were read, and places in them.
 *
 * Lines are found by bisection in a table of line begins that is made when
 * the first message asks for a line of that text. A line ends with LF, CR LF
 * or CR alone.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/vec.h"

#define LARGEST ((size_t)1 << 30)

struct Sources {
    Arena *arena;
    Vec(Source *) all;
};

Sources *sources_new(Arena *arena)
{
    Sources *s = NEW(arena, Sources);
    s->arena = arena;
    return s;
}

/* `text` lives in the arena and is ended by NUL. */
static int add(Sources *s, const char *path, const char *text, size_t size)
{
    Source *one = NEW(s->arena, Source);
    one->path = arena_strdup(s->arena, path);
    one->text = text;
    one->size = (uint32_t)size;
    vec_push(s->arena, &s->all, one);
    return s->all.n - 1;
}

int sources_add(Sources *s, const char *path, const char *text, size_t size)
{
    if (size > LARGEST)
        size = LARGEST;
    return add(s, path, arena_strndup(s->arena, text, size), size);
}

/* Reads to the end rather than to the size that stat tells: pipes and files
 * that grow are texts as well. NULL with errno set on failure. */
static char *read_all(FILE *in, size_t expected, size_t *size, Arena *arena)
{
    size_t cap = expected + 2, n = 0;
    char *text = arena_alloc(arena, cap);
    for (;;) {
        n += fread(text + n, 1, cap - 1 - n, in);
        if (ferror(in))
            return NULL;
        if (n < cap - 1)
            break;
        if (n > LARGEST) {
            errno = EFBIG;
            return NULL;
        }
        text = arena_grow(arena, text, cap, cap * 2);
        cap *= 2;
    }
    text[n] = '\0';
    *size = n;
    return text;
}

int sources_read(Sources *s, const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in && errno == ENOMEM)
        die("out of memory while opening %s", path);
    if (!in)
        return NONE;
    struct stat st;
    int failed = fstat(fileno(in), &st) != 0   ? errno
                 : S_ISDIR(st.st_mode)         ? EISDIR
                 : st.st_size > (off_t)LARGEST ? EFBIG
                                               : 0;
    size_t size = 0;
    char *text = NULL;
    if (!failed) {
        size_t expected = S_ISREG(st.st_mode) ? (size_t)st.st_size : 4096;
        errno = 0;
        text = read_all(in, expected, &size, s->arena);
        if (!text)
            failed = errno ? errno : EIO;
    }
    fclose(in);
    if (failed) {
        errno = failed;
        return NONE;
    }
    return add(s, path, text, size);
}

const Source *sources_get(const Sources *s, int number)
{
    return s->all.at[number];
}

/* Offset of the line after the one that holds `i`, or size+1 at the end. */
static uint32_t next_line(const Source *src, uint32_t i)
{
    for (; i < src->size; i++) {
        if (src->text[i] == '\n')
            return i + 1;
        if (src->text[i] == '\r' && src->text[i + 1] != '\n')
            return i + 1;
    }
    return src->size + 1;
}

static void find_lines(Source *src, Arena *arena)
{
    int n = 0;
    for (uint32_t i = 0; i <= src->size; i = next_line(src, i))
        n++;
    uint32_t *line = NEW_ARRAY(arena, uint32_t, n);
    n = 0;
    for (uint32_t i = 0; i <= src->size; i = next_line(src, i))
        line[n++] = i;
    src->line = line;
    src->nline = n;
}

/* The line that holds offset `at`, counted from 0. */
static int line_of(const Source *src, uint32_t at)
{
    int low = 0, high = src->nline;
    while (high - low > 1) {
        int mid = low + (high - low) / 2;
        if (src->line[mid] <= at)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Characters of UTF-8 text: bytes that do not continue a character. */
static int characters(const char *s, uint32_t n)
{
    int count = 0;
    for (uint32_t i = 0; i < n; i++)
        count += ((unsigned char)s[i] & 0xc0) != 0x80;
    return count;
}

Place sources_place(const Sources *s, Span span)
{
    if (span.source < 0 || span.source >= s->all.n)
        return (Place){0};
    Source *src = s->all.at[span.source];
    if (!src->line)
        find_lines(src, s->arena);
    uint32_t begin = span.begin < src->size ? span.begin : src->size;
    uint32_t end = span.end < src->size ? span.end : src->size;
    int k = line_of(src, begin);
    uint32_t first = src->line[k];
    uint32_t stop = k + 1 < src->nline ? src->line[k + 1] : src->size;
    while (stop > first && strchr("\r\n", src->text[stop - 1]))
        stop--;
    if (k == 0 && src->size >= 3 && memcmp(src->text, "\xef\xbb\xbf", 3) == 0 &&
        stop >= 3)
        first = 3; /* a byte order mark is no character of the line */
    if (begin < first)
        begin = first;
    if (end > stop)
        end = stop;
    int width = end > begin ? characters(src->text + begin, end - begin) : 1;
    return (Place){
        .path = src->path,
        .line = k + 1,
        .column = characters(src->text + first, begin - first) + 1,
        .line_text = src->text + first,
        .line_size = (int)(stop - first),
        .width = width > 0 ? width : 1,
    };
}

Span span_join(Span a, Span b)
{
    if (a.source == NONE)
        return b;
    if (b.source != a.source || b.end < a.begin)
        return a;
    return (Span){a.source, a.begin, b.end};
}
