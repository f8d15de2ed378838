/* book.c - collects lines, prints them with their neighbours. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/book.h"

#include <stdlib.h>
#include <string.h>

#include "base/markup.h"
#include "base/vec.h"

enum { AROUND = 2 };

typedef struct Line {
    int source, line;
} Line;

struct SourceBook {
    const Sources *sources;
    Arena *arena;
    Vec(Line) line;
};

SourceBook *book_new(const Sources *sources, Arena *arena)
{
    SourceBook *b = NEW(arena, SourceBook);
    b->sources = sources;
    b->arena = arena;
    return b;
}

const char *book_anchor(SourceBook *b, Span span)
{
    Place at = sources_place(b->sources, span);
    if (!at.path)
        return NULL;
    Line here = {span.source, at.line};
    int n = b->line.n; /* the same line often comes several times in a row */
    if (n == 0 || b->line.at[n - 1].source != here.source ||
        b->line.at[n - 1].line != here.line)
        vec_push(b->arena, &b->line, here);
    return arena_printf(b->arena, "#s%d-%d", here.source, here.line);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void book_put_link(SourceBook *b, Span span, FILE *out)
{
    const char *anchor = book_anchor(b, span);
    if (!anchor)
        return;
    Place at = sources_place(b->sources, span);
    fprintf(out, "<a href='%s'>", anchor);
    markup_text(base_name(at.path), out);
    fprintf(out, ":%d</a>", at.line);
}

static int by_place(const void *a, const void *b)
{
    const Line *x = a, *y = b;
    return x->source != y->source
               ? (x->source > y->source) - (x->source < y->source)
               : (x->line > y->line) - (x->line < y->line);
}

static void put_line(const Source *s, int number, int line, FILE *out)
{
    uint32_t begin = s->line[line - 1];
    uint32_t end = line < s->nline ? s->line[line] : s->size;
    while (end > begin &&
           (s->text[end - 1] == '\n' || s->text[end - 1] == '\r'))
        end--;
    Arena *arena = arena_new();
    fprintf(out, "<li id='s%d-%d' data-line='%d'>", number, line, line);
    markup_text(arena_strndup(arena, s->text + begin, end - begin), out);
    fputs("</li>\n", out);
    arena_free(arena);
}

/* The lines at[0 .. n-1] of one source, ascending. */
static void put_source(const SourceBook *b, const Line *at, int n, FILE *out)
{
    const Source *s = sources_get(b->sources, at[0].source);
    int shown = 0;
    fputs("<h3>", out);
    markup_text(s->path, out);
    fputs("</h3><ol class='source'>\n", out);
    for (int i = 0; i < n; i++) {
        int from = at[i].line - AROUND, to = at[i].line + AROUND;
        from = from > shown ? from : shown + 1;
        to = to < s->nline ? to : s->nline;
        if (shown > 0 && from > shown + 1)
            fputs("</ol><ol class='source'>\n", out);
        for (int k = from; k <= to; k++, shown = k - 1)
            put_line(s, at[0].source, k, out);
    }
    fputs("</ol>\n", out);
}

void book_write(const SourceBook *b, FILE *out)
{
    int n = b->line.n;
    Arena *arena = arena_new();
    Line *line = NEW_ARRAY(arena, Line, n + 1);
    if (n > 0)
        memcpy(line, b->line.at, (size_t)n * sizeof *line);
    qsort(line, (size_t)n, sizeof *line, by_place);
    for (int i = 0, k; i < n; i = k) {
        for (k = i; k < n && line[k].source == line[i].source;)
            k++;
        put_source(b, line + i, k - i, out);
    }
    arena_free(arena);
}
