/* blt.c - the matrix of a schedule as SVG.
 *
 * Coordinates: a cell is CELL wide; labels of rows are to the left, those of
 * columns above, turned. One group a row, so that pointing at it can show the
 * equation; marks are text.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/blt.h"

#include <string.h>

#include "base/markup.h"
#include "report/blt_internal.h"

enum { CELL = 14, FONT = 10, MOST_ROW_TEXT = 48, MOST_COLUMN_TEXT = 28 };

static void put_position(Order *o, int p, int eqn, int var, int block,
                         bool is_torn)
{
    o->eqn[p] = eqn;
    o->var[p] = var;
    o->block[p] = block;
    o->is_torn[p] = is_torn;
    o->place[var] = p;
}

Order blt_arrange(const Schedule *s, const Sources *sources, Arena *arena)
{
    int n = s->system->neqn, p = 0;
    Order o = {.s = s, .sources = sources, .n = n, .arena = arena};
    o.eqn = NEW_ARRAY(arena, int, n + 1);
    o.var = NEW_ARRAY(arena, int, n + 1);
    o.block = NEW_ARRAY(arena, int, n + 1);
    o.is_torn = NEW_ARRAY(arena, bool, n + 1);
    o.first = NEW_ARRAY(arena, int, s->nblock + 1);
    o.place = NEW_ARRAY(arena, int, s->inlined->nvar + 1);
    memset(o.place, 0xff, sizeof *o.place * (size_t)(s->inlined->nvar + 1));
    for (int b = 0; b < s->nblock; b++) {
        const SchedBlock *block = &s->block[b];
        o.first[b] = p;
        for (int k = 0; k < block->nchain; k++, p++)
            put_position(&o, p, block->chain[k].eqn, block->chain[k].var, b,
                         false);
        for (int k = 0; k < block->ntorn; k++, p++)
            put_position(&o, p, block->residual_eqn[k], block->torn[k], b,
                         true);
    }
    o.first[s->nblock] = p;
    return o;
}

const InlinedEqn *blt_equation(const Order *o, int p)
{
    return &o->s->system->eqn[o->eqn[p]];
}

const char *blt_tip(const Order *o, int p)
{
    const InlinedEqn *e = blt_equation(o, p);
    const char *text = inlined_eqn_text(o->s->inlined, e, 400, o->arena);
    const char *name = inlined_eqn_name(o->s->inlined, e, o->arena);
    Place at = sources_place(o->sources, e->span);
    if (!at.path)
        return arena_printf(o->arena, "%s\n%s", text, name);
    const char *line = at.line_text;
    int size = at.line_size;
    for (; size > 0 && (*line == ' ' || *line == '\t'); size--)
        line++;
    return arena_printf(o->arena, "%s\n%s, %s:%d: %.*s", text, name, at.path,
                        at.line, size, line);
}

/* The first `most` characters, counted as UTF-8. */
static const char *shortened(const Order *o, const char *text, int most)
{
    const char *p = text;
    for (int n = 0; *p; n++) {
        if (n == most)
            return arena_printf(o->arena, "%.*s…", (int)(p - text), text);
        for (p++; ((unsigned char)*p & 0xc0) == 0x80;)
            p++;
    }
    return text;
}

typedef struct Frame {
    int left, top; /* of the first cell */
} Frame;

static Frame frame_of(const Order *o)
{
    size_t longest = 4;
    for (int p = 0; p < o->n; p++) {
        size_t n = strlen(o->s->inlined->var[o->var[p]].name);
        longest = n > longest ? n : longest;
    }
    if (longest > MOST_COLUMN_TEXT)
        longest = MOST_COLUMN_TEXT;
    return (Frame){MOST_ROW_TEXT * 6 + 20, (int)longest * 6 + 20};
}

static void draw_block(const Order *o, Frame f, int b, FILE *out)
{
    int at = o->first[b], n = o->first[b + 1] - at;
    const SchedBlock *block = &o->s->block[b];
    int x = f.left + at * CELL, y = f.top + at * CELL;
    if (block->kind == SK_ASSIGN) {
        fprintf(out, "<rect class='s' x='%d' y='%d' width='%d' height='%d'/>\n",
                x, y, CELL, CELL);
        return;
    }
    int torn = block->nchain * CELL, size = n * CELL, rest = size - torn;
    fprintf(out, "<rect class='l' x='%d' y='%d' width='%d' height='%d'/>\n", x,
            y, size, size);
    fprintf(out, "<rect class='t' x='%d' y='%d' width='%d' height='%d'/>\n",
            x + torn, y, rest, size);
    fprintf(out, "<rect class='t' x='%d' y='%d' width='%d' height='%d'/>\n", x,
            y + torn, torn, rest);
    for (int k = 0; k < block->nchain; k++)
        fprintf(out, "<rect class='s' x='%d' y='%d' width='%d' height='%d'/>\n",
                x + k * CELL, y + k * CELL, CELL, CELL);
}

static void draw_row(const Order *o, Frame f, int p, FILE *out)
{
    const SchedEdges *edges = &o->s->edges;
    int y = f.top + p * CELL;
    const InlinedEqn *e = blt_equation(o, p);
    const char *text = inlined_eqn_text(o->s->inlined, e, 120, o->arena);
    fprintf(out, "<g class='r'><title>");
    markup_text(blt_tip(o, p), out);
    fprintf(out,
            "</title><rect class='h' x='0' y='%d' width='%d' height='%d'/>"
            "<text x='%d' y='%d' class='%s' text-anchor='end'>",
            y, f.left + o->n * CELL, CELL, f.left - 6, y + CELL - 4,
            o->is_torn[p] ? "n i" : "n");
    markup_text(shortened(o, text, MOST_ROW_TEXT), out);
    fprintf(out, "</text>");
    int i = o->eqn[p];
    for (int k = edges->start[i]; k < edges->start[i + 1]; k++)
        fprintf(out, "<text x='%d' y='%d'>%c</text>",
                f.left + o->place[edges->var[k]] * CELL + CELL / 2,
                y + CELL - 4, edges->solvable[k] ? 'o' : 'x');
    fprintf(out, "</g>\n");
}

static void draw_column(const Order *o, Frame f, int p, FILE *out)
{
    int x = f.left + p * CELL + CELL - 4, y = f.top - 6;
    const char *name = o->s->inlined->var[o->var[p]].name;
    fprintf(out,
            "<text x='%d' y='%d' class='%s' transform='rotate(-90 %d %d)'>"
            "<title>",
            x, y, o->is_torn[p] ? "c i" : "c", x, y);
    markup_text(name, out);
    fprintf(out, "</title>");
    markup_text(shortened(o, name, MOST_COLUMN_TEXT), out);
    fprintf(out, "</text>\n");
}

static void draw_grid(const Order *o, Frame f, FILE *out)
{
    int size = o->n * CELL;
    fprintf(out, "<path class='g' d='");
    for (int p = 0; p <= o->n; p++)
        fprintf(out, "M%d %dh%dM%d %dv%d", f.left, f.top + p * CELL, size,
                f.left + p * CELL, f.top, size);
    fprintf(out, "'/>\n");
}

void blt_matrix(const Order *o, FILE *out)
{
    Frame f = frame_of(o);
    int width = f.left + o->n * CELL + 10, height = f.top + o->n * CELL + 10;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' id='matrix' "
            "width='%d' height='%d' viewBox='0 0 %d %d'>\n",
            width, height, width, height);
    fprintf(out,
            "<style>"
            "#matrix text{font:%dpx ui-monospace,monospace;"
            "text-anchor:middle;fill:#222}"
            "#matrix .n{text-anchor:end}#matrix .c{text-anchor:start}"
            "#matrix .i{font-weight:bold;fill:#a0104a}"
            "#matrix .s{fill:#9fdc9f}#matrix .l{fill:#fbd3e0}"
            "#matrix .t{fill:#ee8fb2}#matrix .g{stroke:#e3e3e3;fill:none}"
            "#matrix .h{fill:#000;fill-opacity:0}"
            "#matrix .r:hover .h{fill-opacity:.09}</style>\n",
            FONT);
    fprintf(out, "<rect width='100%%' height='100%%' fill='#fff'/>\n");
    draw_grid(o, f, out);
    for (int b = 0; b < o->s->nblock; b++)
        draw_block(o, f, b, out);
    for (int p = 0; p < o->n; p++)
        draw_column(o, f, p, out);
    for (int p = 0; p < o->n; p++)
        draw_row(o, f, p, out);
    fprintf(out, "</svg>\n");
}

void blt_draw_svg(const Schedule *s, const Sources *sources, FILE *out)
{
    Arena *arena = arena_new();
    Order o = blt_arrange(s, sources, arena);
    blt_matrix(&o, out);
    arena_free(arena);
}
