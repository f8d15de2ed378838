/* read.c - text and CSV files, and which file is which. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lut/read.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/vec.h"
#include "lut/read_mat.h"

typedef struct Reader {
    const char *at, *end;
    int line;
    Arena *arena;
} Reader;

static const char *line_end(const Reader *r)
{
    const char *nl = memchr(r->at, '\n', (size_t)(r->end - r->at));
    return nl ? nl : r->end;
}

static void next_line(Reader *r)
{
    r->at = line_end(r);
    if (r->at < r->end)
        r->at++;
    r->line++;
}

static bool is_separator(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
}

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t' || *s == '\r'))
        s++;
    return s;
}

/* ---- text ---- */

/* "double tab1(6, 2)": the name and the sizes; false: the line is none. */
static bool read_head(const Reader *r, const char **name, size_t *length,
                      long *nrow, long *ncol)
{
    const char *end = line_end(r), *s = skip_blanks(r->at, end);
    if (end - s > 6 && !strncmp(s, "double", 6))
        s += 6;
    else if (end - s > 5 && !strncmp(s, "float", 5))
        s += 5;
    else
        return false;
    const char *open = memchr(s, '(', (size_t)(end - s));
    if (!open || (*s != ' ' && *s != '\t'))
        return false;
    *name = skip_blanks(s, open);
    const char *last = open;
    while (last > *name && (last[-1] == ' ' || last[-1] == '\t'))
        last--;
    *length = (size_t)(last - *name);
    char text[64];
    size_t n = (size_t)(end - open) < sizeof text ? (size_t)(end - open)
                                                  : sizeof text - 1;
    memcpy(text, open, n);
    text[n] = '\0';
    return sscanf(text, "(%9ld ,%9ld )", nrow, ncol) == 2 && *nrow >= 0 &&
           *ncol >= 0;
}

/* The next number, over the ends of lines and comments. */
static const char *read_number(Reader *r, double *x)
{
    for (;;) {
        while (r->at < r->end && is_separator(*r->at))
            r->at++;
        if (r->at == r->end)
            return "it ends too early";
        if (*r->at != '\n' && *r->at != '#')
            break;
        next_line(r);
    }
    char *after;
    *x = number_read(r->at, &after);
    if (after == r->at || !isfinite(*x) ||
        (after < r->end && !is_separator(*after) && *after != '\n' &&
         *after != '#'))
        return arena_printf(r->arena, "line %d: a number is expected", r->line);
    r->at = after;
    return NULL;
}

static const char *read_matrix(Reader *r, long nrow, long ncol, LutData *out)
{
    if (nrow * ncol > LUT_MOST_NUMBERS)
        return arena_printf(r->arena, "line %d: more than %d numbers", r->line,
                            LUT_MOST_NUMBERS);
    next_line(r);
    double *at = NEW_ARRAY(r->arena, double, nrow *ncol + 1);
    for (long i = 0; i < nrow * ncol; i++) {
        const char *why = read_number(r, &at[i]);
        if (why)
            return why;
    }
    *out = (LutData){(int)nrow, (int)ncol, at};
    return NULL;
}

/* Editors put a byte order mark in front of UTF-8. */
static Reader start_reading(const char *text, size_t size, Arena *arena)
{
    size_t mark = size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    return (Reader){text + mark, text + size, 1, arena};
}

const char *lut_parse_text(const char *text, size_t size, const char *name,
                           LutData *out, Arena *arena)
{
    Reader r = start_reading(text, size, arena);
    if (r.end - r.at < 2 || strncmp(r.at, "#1", 2) != 0)
        return "its first line is not #1";
    for (; r.at < r.end; next_line(&r)) {
        const char *found;
        size_t length;
        long nrow, ncol;
        if (read_head(&r, &found, &length, &nrow, &ncol) &&
            length == strlen(name) && !memcmp(found, name, length))
            return read_matrix(&r, nrow, ncol, out);
    }
    return arena_printf(arena, "it has no table '%s'", name);
}

/* ---- CSV ---- */

static const char *read_row(Reader *r, char delimiter, double **at, int *n,
                            int *cap)
{
    const char *end = line_end(r);
    for (;;) {
        while (r->at < end && *r->at != delimiter && is_separator(*r->at))
            r->at++;
        char *after;
        double x = number_read(r->at, &after);
        if (after == r->at || after > end || !isfinite(x))
            return arena_printf(r->arena, "line %d: a number is expected",
                                r->line);
        if (*n == *cap) {
            int more = vec_capacity(*cap, *n + 1);
            *at = arena_grow(r->arena, *at, (size_t)*cap * sizeof(double),
                             (size_t)more * sizeof(double));
            *cap = more;
        }
        (*at)[(*n)++] = x;
        r->at = skip_blanks(after, *after == delimiter ? after : end);
        if (r->at >= end)
            return NULL;
        if (*r->at != delimiter)
            return arena_printf(r->arena, "line %d: '%c' is expected", r->line,
                                delimiter);
        r->at++;
    }
}

static bool is_blank(const Reader *r)
{
    return skip_blanks(r->at, line_end(r)) == line_end(r);
}

const char *lut_parse_csv(const char *text, size_t size, LutCsv csv,
                          LutData *out, Arena *arena)
{
    Reader r = start_reading(text, size, arena);
    double *at = NULL;
    int n = 0, cap = 0, nrow = 0, ncol = 0;
    for (int i = 0; i < csv.nheader && r.at < r.end; i++)
        next_line(&r);
    for (; r.at < r.end; next_line(&r)) {
        int before = n;
        if (is_blank(&r))
            continue;
        const char *why = read_row(&r, csv.delimiter, &at, &n, &cap);
        if (why)
            return why;
        if (nrow > 0 && n - before != ncol)
            return arena_printf(arena,
                                "line %d has %d numbers, the first row %d",
                                r.line, n - before, ncol);
        ncol = n - before;
        nrow++;
        if (n > LUT_MOST_NUMBERS)
            return arena_printf(arena, "more than %d numbers",
                                LUT_MOST_NUMBERS);
    }
    *out = (LutData){nrow, ncol, at};
    return NULL;
}

/* ---- files ---- */

static char *read_all(FILE *in, size_t *size, Arena *arena)
{
    char *text = NULL;
    size_t n = 0, cap = 0;
    for (;;) {
        if (n + 1 >= cap) {
            size_t more = cap ? 2 * cap : 65536;
            text = arena_grow(arena, text, cap, more);
            cap = more;
        }
        size_t got = fread(text + n, 1, cap - n - 1, in);
        if (got == 0)
            break;
        n += got;
    }
    text[n] = '\0';
    *size = n;
    return ferror(in) ? NULL : text;
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcasecmp(path + n - m, end) == 0;
}

const char *lut_read(const char *path, const char *name, LutCsv csv,
                     LutData *out, Arena *arena)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return strerror(errno);
    if (ends_with(path, ".mat")) {
        fclose(in);
        return lut_read_mat(path, name, out, arena);
    }
    size_t size;
    char *text = read_all(in, &size, arena);
    fclose(in);
    if (!text)
        return "it cannot be read";
    return ends_with(path, ".csv")
               ? lut_parse_csv(text, size, csv, out, arena)
               : lut_parse_text(text, size, name, out, arena);
}
