/* fmu_clocks.c - the clocks of an FMU for scheduled execution.
 *
 * The importer runs each rate of the model as a task of its own. The step is a
 * clock too, the first one: it takes time and everything without a rate from
 * one moment to the next. Those that tick at one moment have priorities in the
 * order in which they have to run: the step first, then rates by what they read
 * from each other (step/fuse_parts.c). Ticks at the start belong to the
 * initialisation, so the first one of a clock comes after it.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "target/fmu.h"

static bool is_taken(const FmuModel *m, const char *name)
{
    for (int i = 0; i < m->nvar; i++)
        if (!strcmp(m->var[i].name, name))
            return true;
    for (int i = 0; i < m->nclock; i++)
        if (!strcmp(m->clock[i].name, name))
            return true;
    return false;
}

/* `name`, or one like it that no variable has. */
static const char *free_name(const FmuModel *m, const char *name, Arena *arena)
{
    while (is_taken(m, name))
        name = arena_printf(arena, "%s_", name);
    return name;
}

static bool is_whole(double length, double step)
{
    return fabs(length / step - floor(length / step + 0.5)) <= 1e-6;
}

/* Is there a clock that ticks between steps? Ticks act after them. */
static bool is_off_grid(const TargetInput *in)
{
    for (int r = 0; r < in->flat->nrate; r++)
        if (!is_whole(in->flat->rate[r].interval, in->size) ||
            !is_whole(in->flat->rate[r].first, in->size))
            return true;
    return false;
}

const char *fmu_clocks_missing(const TargetInput *in)
{
    const Tape *t = in->step->fused->tape;
    if (in->step->fused->parts)
        return is_off_grid(in) ? "a clock whose interval is no whole number of "
                                 "steps"
                               : NULL;
    return t->rate.n == 0 ? "a model without periodic clocks"
           : in->step->fused->nstep > 1
               ? "a method that looks back further than a step"
           : t->delay.n > 0 ? "a model with delays"
           : t->set.n > 0   ? "a model whose states are chosen as it runs"
                            : "clocks that wait for each other at one moment, "
                              "or for events";
}

bool fmu_is_clock(const TargetInput *in, const char *name)
{
    const Flat *f = in->flat;
    if (in->interface != TARGET_SCHEDULED)
        return false;
    for (int r = 0; r < f->nrate; r++)
        if (f->rate[r].name && !strcmp(f->rate[r].name, name))
            return true;
    return false;
}

void fmu_add_clocks(FmuModel *m, Arena *arena)
{
    const FusedParts *p = m->in->step->fused->parts;
    const Flat *f = m->in->flat;
    int reference = m->in->out->nvar + m->ntext;
    if (m->in->interface != TARGET_SCHEDULED || fmu_clocks_missing(m->in))
        return;
    FmuClock *c = NEW_ARRAY(arena, FmuClock, p->nrate + 1);
    m->clock = c;
    c[0] = (FmuClock){.name = free_name(m, "step", arena),
                      .description = "all that has no clock",
                      .reference = reference++,
                      .rate = NONE,
                      .interval = m->in->size,
                      .shift = m->in->size};
    m->nclock = 1;
    for (int r = 0; r < p->nrate; r++) {
        const FlatRate *rate = &f->rate[r];
        const char *name =
            rate->name ? rate->name : arena_printf(arena, "clock%d", r + 1);
        double first = rate->first > 0 ? rate->first : rate->interval;
        c[m->nclock] = (FmuClock){.name = free_name(m, name, arena),
                                  .description = rate->comment,
                                  .reference = reference++,
                                  .rate = r,
                                  .priority = 1 + p->rank[r],
                                  .interval = rate->interval,
                                  .shift = first};
        m->nclock++;
    }
}

/* The clock that a variable changes with, NULL: it has none. */
const FmuClock *fmu_clock_of(const FmuModel *m, const FmuVar *v)
{
    const Flat *f = m->in->flat;
    const Sys *sys = m->in->step->sys;
    if (m->nclock == 0 || v->row == NONE || !f->rate_of)
        return NULL;
    const EmitRow *r = &m->in->out->row[v->row];
    int flat = r->var == NONE || r->order > 0 ? NONE : sys->var[r->var].flat;
    int rate = flat == NONE ? NONE : f->rate_of[flat];
    return rate == NONE ? NULL : &m->clock[1 + rate];
}

void fmu_write_clocks(XmlOut *x, const FmuModel *m)
{
    for (int i = 0; i < m->nclock; i++) {
        const FmuClock *c = &m->clock[i];
        xml_begin(x, "Clock");
        xml_text(x, "name", c->name);
        xml_count(x, "valueReference", c->reference);
        if (c->description && c->description[0])
            xml_text(x, "description", c->description);
        xml_text(x, "causality", "input");
        xml_text(x, "variability", "discrete");
        xml_count(x, "priority", c->priority);
        xml_text(x, "intervalVariability", "constant");
        xml_number(x, "intervalDecimal", c->interval);
        xml_number(x, "shiftDecimal", c->shift);
        xml_end(x);
    }
}
