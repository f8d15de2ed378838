/* blt_html.c - the blocks of a schedule as a section of a page: a table, the
 * matrix with search and zoom, and the graphs of its loops. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/json.h"
#include "base/markup.h"
#include "report/blt.h"
#include "report/blt_internal.h"
#include "report/structure.h"
#include "web/web.h"

enum { MOST_LOOPS = 20, MOST_NODES = 400, MOST_TEXT = 120, MOST_ROWS = 200 };

/* ---- the matrix ---- */

static void put_texts(const Order *o, SourceBook *book, JsonOut *j)
{
    const Inlined *d = o->s->inlined;
    json_begin_array(j, "rows");
    for (int p = 0; p < o->n; p++)
        json_put_text(
            j, NULL,
            inlined_eqn_text(d, blt_equation(o, p), MOST_TEXT, o->arena));
    json_end(j);
    json_begin_array(j, "cols");
    for (int p = 0; p < o->n; p++)
        json_put_text(j, NULL, d->var[o->var[p]].name);
    json_end(j);
    json_begin_array(j, "tips");
    for (int p = 0; p < o->n; p++)
        json_put_text(j, NULL, blt_tip(o, p));
    json_end(j);
    json_begin_array(j, "lines");
    for (int p = 0; p < o->n; p++) {
        const char *at = book_anchor(book, blt_equation(o, p)->span);
        if (at)
            json_put_text(j, NULL, at);
        else
            json_put_null(j, NULL);
    }
    json_end(j);
}

static void put_blocks(const Order *o, JsonOut *j)
{
    json_begin_array(j, "blocks");
    for (int b = 0; b < o->s->nblock; b++) {
        const SchedBlock *block = &o->s->block[b];
        json_begin_array(j, NULL);
        json_put_count(j, NULL, o->first[b]);
        json_put_count(j, NULL, block->size);
        json_put_count(j, NULL, block->nchain);
        json_put_count(j, NULL, block->kind == SK_ASSIGN);
        json_end(j);
    }
    json_end(j);
}

static void put_cells(const Order *o, JsonOut *j)
{
    const SchedEdges *edges = &o->s->edges;
    json_begin_array(j, "cells");
    for (int p = 0; p < o->n; p++)
        for (int k = edges->start[o->eqn[p]]; k < edges->start[o->eqn[p] + 1];
             k++) {
            json_put_count(j, NULL, p);
            json_put_count(j, NULL, o->place[edges->var[k]]);
            json_put_count(j, NULL, edges->solvable[k] ? 0 : 1);
        }
    json_end(j);
    static const char *const mark[][2] = {
        {"the equation can be solved for it", "o"},
        {"the equation cannot be solved for it", "x"}};
    json_begin_array(j, "marks");
    for (int i = 0; i < 2; i++) {
        json_begin_array(j, NULL);
        json_put_text(j, NULL, mark[i][0]);
        json_put_text(j, NULL, "--ink");
        json_put_text(j, NULL, mark[i][1]);
        json_end(j);
    }
    json_end(j);
}

static void put_matrix(const Order *o, SourceBook *book, FILE *out)
{
    web_figure_begin("grid", "equations and unknowns in the order of solution",
                     out);
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    json_begin_object(j, NULL);
    json_put_count(j, "n", o->n);
    put_texts(o, book, j);
    put_blocks(o, j);
    put_cells(o, j);
    json_end(j);
    json_finish(j);
    web_figure_end(out);
}

/* ---- the loops ---- */

static void put_nodes(const Order *o, int b, JsonOut *j)
{
    const Inlined *d = o->s->inlined;
    json_begin_array(j, "vars");
    for (int p = o->first[b]; p < o->first[b + 1]; p++) {
        json_begin_object(j, NULL);
        json_put_text(j, "name", d->var[o->var[p]].name);
        json_put_bool(j, "torn", o->is_torn[p]);
        json_end(j);
    }
    json_end(j);
    json_begin_array(j, "eqn");
    for (int p = o->first[b]; p < o->first[b + 1]; p++) {
        const InlinedEqn *e = blt_equation(o, p);
        json_begin_object(j, NULL);
        json_put_text(j, "name", inlined_eqn_name(d, e, o->arena));
        json_put_text(j, "text", inlined_eqn_text(d, e, 90, o->arena));
        json_put_text(j, "tip", blt_tip(o, p));
        json_put_bool(j, "torn", o->is_torn[p]);
        json_end(j);
    }
    json_end(j);
}

static void put_edges(const Order *o, int b, JsonOut *j)
{
    json_begin_array(j, "edges");
    for (int p = o->first[b]; p < o->first[b + 1]; p++) {
        const SchedEdges *edges = &o->s->edges;
        int i = o->eqn[p];
        for (int k = edges->start[i]; k < edges->start[i + 1]; k++) {
            int q = o->place[edges->var[k]];
            if (o->block[q] != b)
                continue;
            json_begin_array(j, NULL);
            json_put_count(j, NULL, p - o->first[b]);
            json_put_count(j, NULL, q - o->first[b]);
            json_end(j);
        }
    }
    json_end(j);
}

static bool is_shown(const SchedBlock *b)
{
    return b->size >= 2 && b->size <= MOST_NODES;
}

static void put_loops(const Order *o, FILE *out)
{
    int shown = 0;
    web_figure_begin("loops", "Loops as graphs", out);
    JsonOut text = json_start(out, JSON_COMPACT), *j = &text;
    json_begin_array(j, NULL);
    for (int b = 0; b < o->s->nblock && shown < MOST_LOOPS; b++) {
        if (!is_shown(&o->s->block[b]))
            continue;
        shown++;
        json_break(j, 0);
        json_begin_object(j, NULL);
        json_put_text(j, "title",
                      arena_printf(o->arena,
                                   "block %d: %d equations, %d iteration "
                                   "variables",
                                   b + 1, o->s->block[b].size,
                                   o->s->block[b].ntorn));
        put_nodes(o, b, j);
        put_edges(o, b, j);
        json_end(j);
    }
    json_end(j);
    json_finish(j);
    web_figure_end(out);
}

/* ---- the table ---- */

static void put_row(const Schedule *s, int number, FILE *out)
{
    const SchedBlock *b = &s->block[number];
    fprintf(out,
            "<tr><td>%d</td><td>%d</td><td>%d</td><td>%d</td>"
            "<td class='t'>%s%s</td><td class='t'>%s</td><td>",
            number + 1, b->size, b->ntorn, b->jac.nnz,
            sched_kind_name(sched_block_kind(b)),
            b->kind == SK_SOLVED ? ", solved symbolically" : "",
            b->nstate > 0 || b->view != PA_TEAR ? plan_algebraic_name(b->view)
                                                : "tear");
    if (!isnan(b->growth))
        fprintf(out, "%.3g", b->growth);
    fputs("</td><td class='t mono'>", out);
    for (int k = 0; k < b->ntorn && k < 6; k++) {
        fputs(k ? ", " : "", out);
        markup_text(s->inlined->var[b->torn[k]].name, out);
    }
    if (b->ntorn > 6)
        fprintf(out, " and %d more", b->ntorn - 6);
    fputs("</td></tr>\n", out);
}

static void put_table(const Schedule *s, FILE *out)
{
    int nblock = 0, nnz = 0;
    for (int b = 0; b < s->nblock; b++) {
        nblock += s->block[b].kind != SK_ASSIGN;
        nnz += s->block[b].jac.nnz;
    }
    fprintf(out,
            "<p>%d equations: %d assignments and %d blocks with %d iteration "
            "variables, %d entries in their matrices.</p>\n",
            s->system->neqn, s->nassign, nblock, s->niteration, nnz);
    if (nblock == 0)
        return;
    fputs("<div class='wide'><table><thead><tr><th>block</th><th>equations</th>"
          "<th>iteration variables</th><th>entries</th><th class='t'>kind</th>"
          "<th class='t'>view</th><th>growth</th><th class='t'>iterated</th>"
          "</tr></thead><tbody>\n",
          out);
    for (int b = 0, shown = 0; b < s->nblock && shown < MOST_ROWS; b++)
        if (s->block[b].kind != SK_ASSIGN && ++shown)
            put_row(s, b, out);
    fputs("</tbody></table></div>\n", out);
    if (nblock > MOST_ROWS)
        fprintf(out, "<p>and %d more</p>\n", nblock - MOST_ROWS);
}

void blt_section(const Schedule *s, SourceBook *book, const Sources *sources,
                 FILE *out)
{
    Arena *arena = arena_new();
    Order o = blt_arrange(s, sources, arena);
    put_table(s, out);
    fputs("<p><span class='swatch' style='background:var(--solved)'></span>"
          "solved equation <span class='swatch' style='background:var(--loop)'>"
          "</span>loop <span class='swatch' style='background:var(--torn)'>"
          "</span>iteration variables and residuals; o: can be solved for, x: "
          "cannot. A double click leads to the line of source.</p>\n",
          out);
    put_matrix(&o, book, out);
    bool any = false;
    for (int b = 0; b < s->nblock; b++)
        any |= is_shown(&s->block[b]);
    if (any) {
        fputs("<p>Unknowns to the left, equations to the right. Click an edge "
              "to remove it, as a delay of information does.</p>\n",
              out);
        put_loops(&o, out);
    }
    arena_free(arena);
}

void blt_draw_html(const Schedule *s, const Sources *sources, FILE *out)
{
    Arena *arena = arena_new();
    SourceBook *book = book_new(sources, arena);
    web_begin(arena_printf(arena, "Blocks of %s, system %s",
                           s->inlined->sys->flat->model, s->system->name),
              out);
    web_section("structure", "Structure", out);
    blt_section(s, book, sources, out);
    web_section_end(out);
    web_section("source", "Source", out);
    book_write(book, out);
    web_section_end(out);
    web_end(out);
    arena_free(arena);
}
