/* fmu_reference.c - results of the default experiment, for who wants to see
 * whether an importer gets the same: extra/org.fmi-standard.fmi-ls-ref/.
 *
 * The run is that of takt sim --static with the plan of the FMU, which
 * co-simulation repeats to the last bit. Of a long one every k-th step is
 * written. Columns are the outputs, or the states where there are none.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/die.h"
#include "sim/sim.h"
#include "target/fmu.h"

enum { MOST_ROWS = 1000, MOST_STEPS = 200000 };

typedef struct Reference {
    const FmuModel *m;
    Vec(const EmitRow *) column;
    FILE *out;
    long every, step;
} Reference;

static bool is_state(const FmuModel *m, const EmitRow *r)
{
    const Dae *d = m->in->step->dae;
    for (int i = 0; d && i < d->nstate; i++)
        if (d->state[i].var == r->var && d->state[i].order == r->order)
            return true;
    return false;
}

static void choose_columns(Reference *r, Arena *arena)
{
    const FmuModel *m = r->m;
    for (int states = 0; states < 2 && r->column.n == 0; states++)
        for (int i = 0; i < m->nvar; i++) {
            const FmuVar *v = &m->var[i];
            const EmitRow *row =
                v->row == NONE ? NULL : &m->in->out->row[v->row];
            bool is =
                row && (states ? is_state(m, row) : v->causality == FMU_OUTPUT);
            if (is)
                vec_push(arena, &r->column, row);
        }
}

static bool write_row(void *context, const Sim *sim, double time, bool at_event)
{
    Reference *r = context;
    (void)at_event;
    if (r->step++ % r->every != 0)
        return true;
    csv_number(time, r->out);
    for (int i = 0; i < r->column.n; i++) {
        const EmitRow *row = r->column.at[i];
        const TapeSymbol *s = tape_find_symbol(sim->low->tape, row->name);
        fputc(',', r->out);
        csv_number(s ? s->sign * sim->exec->r[s->slot] + s->offset : NAN,
                   r->out);
    }
    fputc('\n', r->out);
    return true;
}

/* NULL: the run cannot be made, or is too long. */
const char *fmu_reference(const FmuModel *m, Arena *arena)
{
    const TargetInput *in = m->in;
    Reference r = {.m = m};
    double steps = (in->stop - in->start) / in->size;
    char *text = NULL;
    size_t size = 0;
    choose_columns(&r, arena);
    if (!(steps >= 1 && steps <= MOST_STEPS) || r.column.n == 0)
        return NULL;
    r.every = 1 + (long)steps / MOST_ROWS;
    r.out = open_memstream(&text, &size);
    if (!r.out)
        die("out of memory");
    csv_text("time", r.out);
    for (int i = 0; i < r.column.n; i++) {
        fputc(',', r.out);
        csv_text(r.column.at[i]->name, r.out);
    }
    fputc('\n', r.out);
    Diag *aside = diag_new(sources_new(arena), arena);
    SimOptions o = step_sim_options(in->step);
    o.keep_grid = true; /* times of the FMU */
    Sim *sim = sim_new(in->step->lowered, &o, arena, aside);
    bool fine = sim && sim_run(sim, write_row, &r);
    if (sim)
        sim_free(sim);
    if (fclose(r.out) != 0)
        die("out of memory");
    const char *copy = fine ? arena_strndup(arena, text, size) : NULL;
    free(text);
    return copy;
}

const char *fmu_reference_manifest(const FmuModel *m, Arena *arena)
{
    XmlOut x;
    xml_start(&x);
    xml_begin(&x, "fmiReferences");
    xml_text(&x, "xmlns:fmi-ls", "http://fmi-standard.org/fmi-ls-manifest");
    xml_text(&x, "fmi-ls:fmi-ls-name", "org.fmi-standard.fmi-ls-ref");
    xml_text(&x, "fmi-ls:fmi-ls-version", "1.0.0-alpha.1");
    xml_text(&x, "fmi-ls:fmi-ls-description", "reference results of this FMU");
    xml_begin(&x, "Related");
    xml_text(&x, "type", "text/csv");
    xml_text(&x, "source", arena_printf(arena, "%s_out.csv", m->in->name));
    xml_text(&x, "role", "result");
    xml_text(&x, "description", "the default experiment, co-simulation");
    xml_end(&x);
    xml_end(&x);
    return xml_finish(&x, arena);
}
