/* run_lists.c - quantities of a run by name: inputs, what is sent, recorded and
 * shown. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "cli/record.h"
#include "cli/run_command.h"

static const TapeSymbol *find_symbol(const RunCommand *r, const char *name)
{
    const Tape *t = r->c->step->fused->tape;
    for (int i = 0; i < t->symbol.n; i++)
        if (!strcmp(t->symbol.at[i].name, name))
            return &t->symbol.at[i];
    return NULL;
}

/* A constant has no number in the model: its value is known now. */
static void add_quantity(RunCommand *r, RunList *list, const char *name)
{
    for (int i = 0; i < list->n; i++)
        if (!strcmp(list->name[i], name))
            return;
    const TapeSymbol *s = find_symbol(r, name);
    list->name[list->n] = name;
    list->number[list->n] = run_find(r->model, name);
    list->value[list->n] =
        s ? s->sign * r->c->step->value[s->slot] + s->offset : NAN;
    list->n++;
}

static RunList new_list(RunCommand *r, int most)
{
    Arena *a = r->c->arena;
    return (RunList){NEW_ARRAY(a, const char *, most + 1),
                     NEW_ARRAY(a, int, most + 1),
                     NEW_ARRAY(a, double, most + 1), 0};
}

/* Inputs of all models that nobody else gives. */
void run_find_inputs(RunCommand *r)
{
    const Sys *sys = r->c->sys;
    int nmodel = 1 + r->with.n, most = sys->nvar;
    for (int k = 0; k < nmodel; k++)
        most += run_compilation(r, k)->flat->nvar;
    r->inputs = new_list(r, most);
    const RunModel *m = r->model;
    for (int k = 0; k < nmodel; k++, m = m->next) {
        const Flat *f = run_compilation(r, k)->flat;
        for (int i = 0; i < f->nvar; i++) {
            if (f->var[i].causality != FC_INPUT)
                continue;
            const char *name =
                arena_printf(r->c->arena, "%s%s", m->prefix ? m->prefix : "",
                             f->var[i].name);
            int number = run_find(r->model, name);
            if (number == NONE || !run_is_connected(r, number))
                add_quantity(r, &r->inputs, name);
        }
    }
    r->nplain = r->inputs.n;
    for (int i = 0; i < sys->nvar; i++) /* then derivatives of the first's */
        if (sys->var[i].role == SR_INPUT && sys->var[i].input_order > 0)
            add_quantity(r, &r->inputs, sys->var[i].name);
}

/* Outputs of the model and those of --output; without any, the states. */
void run_find_sent(RunCommand *r)
{
    const Compilation *c = r->c;
    int nstate = c->dae ? c->dae->nstate : 0;
    r->sent = new_list(r, c->flat->nvar + r->step.output.n + nstate);
    for (int i = 0; i < c->flat->nvar; i++)
        if (c->flat->var[i].causality == FC_OUTPUT)
            add_quantity(r, &r->sent, c->flat->var[i].name);
    for (int i = 0; i < r->step.output.n; i++)
        add_quantity(r, &r->sent, r->step.output.at[i]);
    bool none = r->sent.n == 0;
    for (int i = 0; none && i < nstate; i++) {
        const char *name =
            dae_leaf_text(c->dae, dae_state_shown(c->dae, i), c->arena);
        if (run_find(r->model, name) != NONE)
            add_quantity(r, &r->sent, name);
    }
}

/* Everything that instances keep and that changes. */
void run_find_recorded(RunCommand *r)
{
    int nmodel = 1 + r->with.n, most = 0;
    for (int k = 0; k < nmodel; k++)
        most += run_compilation(r, k)->step->fused->tape->symbol.n;
    r->recorded = new_list(r, most);
    const RunModel *m = r->model;
    for (int k = 0, base = 0; k < nmodel;
         k++, base += m->call->nvar, m = m->next) {
        const Tape *t = run_compilation(r, k)->step->fused->tape;
        for (int i = 0; i < t->symbol.n; i++) {
            const TapeSymbol *s = &t->symbol.at[i];
            int region = t->region[s->slot], own;
            if (record_is_auxiliary(s->name) || region == TR_CONST ||
                region == TR_PARAM || region == TR_DERIVED ||
                (own = m->call->find(s->name)) == NONE)
                continue;
            RunList *list = &r->recorded;
            list->name[list->n] = run_name(r->model, base + own, r->c->arena);
            list->number[list->n++] = base + own;
        }
    }
}

/* The model that has an input, and its name there. */
static const Compilation *owner_of(const RunCommand *r, int number,
                                   const char **name)
{
    RunQuantity q = run_quantity(r->model, number);
    int k = 0;
    for (const RunModel *m = r->model; m != q.of; m = m->next)
        k++;
    *name = q.name;
    return run_compilation(r, k);
}

/* Whether values between those of a table have a meaning. */
void run_input_kind(const RunCommand *r, int i, TableInput *to)
{
    const char *name = NULL;
    if (r->inputs.number[i] == NONE)
        return;
    const Compilation *c = owner_of(r, r->inputs.number[i], &name);
    const TapeSymbol *s = tape_find_symbol(c->step->lowered->tape, name);
    int v = flat_find(c->flat, name);
    to->is_whole = s && s->domain != TAPE_REAL;
    to->is_held = to->is_whole ||
                  (v != NONE && c->flat->var[v].variability == FV_DISCRETE);
}

/* What the page can show: what is sent, then what else the model keeps. */
RunList run_find_shown(RunCommand *r)
{
    RunList list = new_list(r, PAGE_MOST_VALUES);
    for (int i = 0; i < r->sent.n && list.n < PAGE_MOST_VALUES; i++)
        add_quantity(r, &list, r->sent.name[i]);
    for (int i = 0; i < r->recorded.n && list.n < PAGE_MOST_VALUES; i++)
        add_quantity(r, &list, r->recorded.name[i]);
    return list;
}

const char *const *run_find_units(const RunCommand *r, const RunList *list)
{
    const char **unit = NEW_ARRAY(r->c->arena, const char *, list->n + 1);
    for (int i = 0; i < list->n; i++) {
        unit[i] = list->number[i] == NONE
                      ? ""
                      : run_quantity(r->model, list->number[i]).unit;
    }
    return unit;
}
