/* diag_print.c - prints messages with the line they are about.
 *
 *     tank.mo:14:3: error: no unknown is left for this equation [E1001]
 *       14 |   p = rho * g * h;
 *          |   ^~~~~~~~~~~~~~~
 *
 * Tabs are widened to stops of 4 in both lines, so that the caret stands below
 * its character whatever the terminal thinks of tabs. A line longer than the
 * window is cut around the caret. Bytes that are no UTF-8 and control
 * characters are shown as '?': a model cannot write to the terminal.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/diag_internal.h"
#include "base/utf8.h"

#define TAB    4
#define WINDOW 100 /* characters of a source line that are shown */
#define LEAD   40  /* of them before the caret when the line is cut */

static const char *const kind_word[] = {"error", "unsupported", "warning"};
static const char *const kind_many[] = {"errors", "unsupported features",
                                        "warnings"};

/* What a terminal shows and does not obey. */
static bool is_shown(unsigned c)
{
    return c >= 32 && (c < 127 || c >= 160) && c != UTF8_WRONG;
}

/* Text of a model or of the command line; it may have several lines. */
static void print_text(const char *text, FILE *out)
{
    for (int n; *text; text += n) {
        unsigned c;
        n = utf8_next(text, &c);
        if (c == '\n' || c == '\t' || is_shown(c))
            fwrite(text, 1, (size_t)n, out);
        else
            fputc('?', out);
    }
}

typedef struct Cell {
    const char *s; /* what is shown in this column of the screen */
    int size;
} Cell;

typedef Vec(Cell) Cells;

/* The line as columns of the screen. `first` and `stop` are the columns the
 * span of `at` begins and ends in. Columns of a Place count the bytes that do
 * not continue a character; so does this. */
static void screen_line(const Place *at, Cells *cells, int *first, int *stop,
                        Arena *arena)
{
    const unsigned char *s = (const unsigned char *)at->line_text;
    int n = at->line_size, character = 0;
    *first = *stop = NONE;
    for (int i = 0; i < n;) {
        bool counts = (s[i] & 0xc0) != 0x80;
        character += counts;
        if (counts && character == at->column)
            *first = cells->n;
        if (counts && character == at->column + at->width)
            *stop = cells->n;
        unsigned code; /* a character does not go on after the line's end */
        int size = utf8_next(at->line_text + i, &code);
        Cell c =
            is_shown(code) ? (Cell){at->line_text + i, size} : (Cell){"?", 1};
        if (s[i] == '\t')
            c = (Cell){" ", 1};
        int times = s[i] == '\t' ? TAB - cells->n % TAB : 1;
        while (times-- > 0)
            vec_push(arena, cells, c);
        i += size;
    }
    if (*first == NONE)
        *first = cells->n + (at->column - 1 - character > 0);
    if (*stop == NONE)
        *stop = cells->n;
    if (*stop <= *first)
        *stop = *first + 1;
}

static void print_line(const Place *at, FILE *out)
{
    Arena *arena = arena_new();
    Cells cells = {0};
    int first, stop;
    screen_line(at, &cells, &first, &stop, arena);
    int from = 0, to = cells.n;
    if (to > WINDOW) {
        from = first > LEAD ? first - LEAD : 0;
        to = from + WINDOW < to ? from + WINDOW : to;
    }
    int last = to;
    while (last > from && cells.at[last - 1].s[0] == ' ')
        last--;
    const char *cut = from > 0 ? "..." : "";
    fprintf(out, "%4d | %s", at->line, cut);
    for (int i = from; i < last; i++)
        fwrite(cells.at[i].s, 1, (size_t)cells.at[i].size, out);
    fprintf(out, "%s\n     | %*s^", to < cells.n ? "..." : "",
            first - from + (int)strlen(cut), "");
    for (int i = first + 1; i < stop && i < to; i++)
        fputc('~', out);
    fputc('\n', out);
    arena_free(arena);
}

static void print_place(const Place *at, FILE *out)
{
    if (!at->path)
        return;
    print_text(at->path, out);
    fprintf(out, ":%d:%d: ", at->line, at->column);
}

static void print_message(const Diag *d, const Message *m, FILE *out)
{
    Place at = sources_place(d->sources, m->span);
    print_place(&at, out);
    fprintf(out, "%s: ", kind_word[diag_kind(m->code)]);
    print_text(m->text, out);
    fprintf(out, " [%s]\n", diag_code_name(m->code));
    if (at.path)
        print_line(&at, out);
    for (int k = m->note; k < m->note + m->nnote; k++) {
        Place other = sources_place(d->sources, d->note.at[k].span);
        print_place(&other, out);
        fputs("note: ", out);
        print_text(d->note.at[k].text, out);
        fputc('\n', out);
    }
}

void diag_print(Diag *d, FILE *out)
{
    for (; d->printed < d->message.n; d->printed++)
        print_message(d, &d->message.at[d->printed], out);
    for (int kind = 0; kind < 3; kind++) {
        int hidden = d->count[kind] - DIAG_SHOWN;
        if (d->nmute == 0 && hidden > d->told[kind]) {
            fprintf(out, "note: %d more %s are not shown\n", hidden,
                    kind_many[kind]);
            d->told[kind] = hidden;
        }
    }
}

int diag_nmessage(const Diag *d)
{
    return d->message.n;
}

DiagMessage diag_message(const Diag *d, int number)
{
    const Message *m = &d->message.at[number];
    return (DiagMessage){diag_kind(m->code), diag_code_name(m->code), m->text,
                         sources_place(d->sources, m->span), m->span};
}
