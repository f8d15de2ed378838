/* rows.c - the table of variables of generated code: what each row is. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "emit/emit_internal.h"

typedef struct Known {
    const char *name;
    int var;
} Known;

static int by_name(const void *a, const void *b)
{
    return strcmp(((const Known *)a)->name, ((const Known *)b)->name);
}

/* The variables of the system in the order of their names. */
static Known *sorted_names(const Sys *sys, Arena *arena)
{
    Known *all = NEW_ARRAY(arena, Known, sys->nvar + 1);
    for (int i = 0; i < sys->nvar; i++)
        all[i] = (Known){sys->var[i].name, i};
    if (sys->nvar > 0)
        qsort(all, (size_t)sys->nvar, sizeof *all, by_name);
    return all;
}

/* "der(der(x))" is order 2 of x; NONE: no variable of the system. */
static int find(const Known *all, int n, const char *name, int *order,
                Arena *arena)
{
    char *text = arena_strdup(arena, name);
    for (*order = 0; !strncmp(text, "der(", 4); ++*order) {
        text += 4;
        text[strlen(text) - 1] = '\0';
    }
    Known key = {text, NONE};
    const Known *k =
        n == 0 ? NULL : bsearch(&key, all, (size_t)n, sizeof *all, by_name);
    return k ? k->var : NONE;
}

static const char *unit_of(Emit *e, const EmitRow *r)
{
    const Sys *sys = e->f->low->inlined->sys;
    int flat = r->var == NONE ? NONE : sys->var[r->var].flat;
    const char *unit = flat == NONE ? "" : sys->flat->var[flat].unit;
    return flat_unit_derived(unit, r->order, e->arena);
}

static EmitUse use_of(const Emit *e, const EmitRow *r)
{
    const Sys *sys = e->f->low->inlined->sys;
    const SysVar *v = r->var == NONE ? NULL : &sys->var[r->var];
    Home home = (Home)e->home[r->slot];
    if (home == HOME_INPUT && v && v->role == SR_INPUT)
        return EU_INPUT;
    if (v && v->flat != NONE && r->order == 0 &&
        sys->flat->var[v->flat].causality == FC_OUTPUT)
        return EU_OUTPUT;
    if (home == HOME_PARAM)
        return !strncmp(r->name, "start(", 6) ? EU_START : EU_PARAMETER;
    return v ? EU_LOCAL : EU_EXCHANGE;
}

/* Which symbols are outputs of the model. */
static const bool *find_outputs(const Emit *e, const Known *all, Arena *arena)
{
    const Sys *sys = e->f->low->inlined->sys;
    bool *output = NEW_ARRAY(arena, bool, e->t->symbol.n + 1);
    for (int i = 0; i < e->t->symbol.n; i++) {
        int order;
        int v = find(all, sys->nvar, e->t->symbol.at[i].name, &order, arena);
        int flat = v == NONE || order > 0 ? NONE : sys->var[v].flat;
        output[i] = flat != NONE && sys->flat &&
                    sys->flat->var[flat].causality == FC_OUTPUT;
    }
    return output;
}

/* The row of a number: nothing of the slot, which is that of the time. */
static void make_constant(const Emit *e, EmitRow *r)
{
    r->offset = r->value = r->sign * e->t->initial[r->slot] + r->offset;
    r->slot = e->t->time;
    r->sign = 0;
}

static void add(Emit *e, const TapeSymbol *s, const Known *all)
{
    const Sys *sys = e->f->low->inlined->sys;
    EmitRow r = {.name = arena_strdup(e->arena, s->name),
                 .slot = s->slot,
                 .sign = s->sign,
                 .offset = s->offset,
                 .domain = s->domain,
                 .value = s->sign * e->o->value[s->slot] + s->offset};
    r.var = find(all, sys->nvar, s->name, &r.order, e->local);
    r.kind = r.var != NONE && r.order == 0 ? sys->var[r.var].type : FT_REAL;
    r.unit = unit_of(e, &r);
    if (emit_is_constant(e, (int)(s - e->t->symbol.at)))
        make_constant(e, &r);
    r.use = use_of(e, &r);
    vec_push(e->arena, &e->row, r);
}

void emit_rows(Emit *e)
{
    const Tape *t = e->t;
    const Known *all = sorted_names(e->f->low->inlined->sys, e->local);
    e->output = find_outputs(e, all, e->local);
    EmitRow time = {.name = "time",
                    .unit = "s",
                    .slot = t->time,
                    .var = NONE,
                    .sign = 1,
                    .use = EU_TIME};
    EmitRow step = {.name = "step",
                    .unit = "s",
                    .slot = t->step,
                    .var = NONE,
                    .sign = 1,
                    .domain = TAPE_POSITIVE,
                    .use = EU_STEP};
    time.value = e->o->value[t->time];
    step.value = e->o->value[t->step];
    vec_push(e->arena, &e->row, time);
    vec_push(e->arena, &e->row, step);
    for (int i = 0; i < t->symbol.n; i++)
        if (emit_in_table(e, i))
            add(e, &t->symbol.at[i], all);
}
