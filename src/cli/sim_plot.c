/* sim_plot.c - takt sim --plot: curves of a run, and of its reference. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "cli/sim_run.h"
#include "result/picture.h"

enum { MOST_STATES = 8 };

typedef struct Lines {
    PlotLine *at;
    int n;
} Lines;

/* A signal that was recorded, and the same of the reference where it has it:
 * both in one colour. */
static void add_signal(SimRun *r, Lines *lines, const char *name,
                       const Table *ref)
{
    Arena *arena = r->c->arena;
    Curve c = record_curve(r->record, name);
    if (c.n == 0)
        return;
    const char *unit = flat_unit(r->c->flat, name, arena);
    int colour = lines->n > 0 ? lines->at[lines->n - 1].colour + 1 : 1;
    lines->at[lines->n++] =
        (PlotLine){.name = name, .curve = c, .unit = unit, .colour = colour};
    int time = ref ? table_column(ref, "time") : NONE;
    int column = ref ? table_column(ref, name) : NONE;
    if (time == NONE || column == NONE)
        return;
    lines->at[lines->n++] = (PlotLine){
        .name = arena_printf(arena, "%s, reference", name),
        .curve = {ref->value + time, ref->value + column, ref->nrow, ref->ncol},
        .unit = unit,
        .colour = colour,
        .is_reference = true};
}

static Lines find_lines(SimRun *r, const Table *ref)
{
    const Dae *dae = r->c->dae;
    int n = r->plot_vars.n;
    Lines lines = {NEW_ARRAY(r->c->arena, PlotLine, 2 * (n + MOST_STATES)), 0};
    for (int i = 0; i < n; i++)
        add_signal(r, &lines, r->plot_vars.at[i], ref);
    int limit = ref ? 2 * MOST_STATES : MOST_STATES;
    for (int i = 0; n == 0 && dae && i < dae->nstate && lines.n < limit; i++)
        add_signal(r, &lines,
                   dae_leaf_text(dae, dae->state[i].leaf, r->c->arena), ref);
    return lines;
}

static bool ends_in_html(const char *path)
{
    size_t n = strlen(path);
    return n >= 5 && !strcmp(path + n - 5, ".html");
}

static bool write_page(SimRun *r, const Lines *lines)
{
    OutFile f;
    if (!outfile_open(&f, r->plot, r->c->arena))
        return false;
    plot_page(r->c->flat->model, lines->at, lines->n, f.file);
    return outfile_close(&f);
}

static bool write_picture(SimRun *r, const Lines *lines)
{
    Picture p;
    picture_open(&p);
    plot_svg(r->c->flat->model, lines->at, lines->n, p.svg);
    return picture_save(&p, r->plot, r->c->arena);
}

bool sim_plot(SimRun *r, const Table *reference)
{
    Lines lines = find_lines(r, reference);
    if (ends_in_html(r->plot) ? write_page(r, &lines)
                              : write_picture(r, &lines))
        return true;
    diag_report(r->c->diag, NO_SPAN, DIAG_E1308, "%s: %s", r->plot,
                strerror(errno));
    return false;
}
