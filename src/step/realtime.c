/* realtime.c - a static step as one segment with its initial values. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "step/step_internal.h"

bool step_can_be_static(const Step *s, Diag *diag)
{
    if (s->inlined->ncycle > 0)
        return true;
    diag_report(diag, s->sys->flat->span, DIAG_U1403,
                "generated code cannot have the method none, which has no "
                "steps");
    return false;
}

/* ---- what is wanted ---- */

static void want_slot(const Tape *t, int slot, bool *wanted)
{
    for (int i = 0; slot != NONE && i < t->symbol.n; i++)
        if (t->symbol.at[i].slot == slot)
            wanted[i] = true;
}

static bool want_named(const Step *s, bool *wanted, Arena *arena, Diag *diag)
{
    const Tape *t = s->lowered->tape;
    for (int k = 0; k < s->input.noutput; k++) {
        const char *name = s->input.output[k];
        bool found = false;
        for (int i = 0; i < t->symbol.n; i++)
            if (!strcmp(t->symbol.at[i].name, name))
                wanted[i] = found = true;
        if (found)
            continue;
        diag_report(diag, NO_SPAN, DIAG_E1404,
                    "--output: the model has no variable '%s'", name);
        const char **all = NEW_ARRAY(arena, const char *, t->symbol.n + 1);
        for (int i = 0; i < t->symbol.n; i++)
            all[i] = t->symbol.at[i].name;
        diag_suggest(diag, name, all, t->symbol.n);
        return false;
    }
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The inputs and outputs of the model, sorted. */
static int outside_names(const Sys *sys, const char ***name, Arena *arena)
{
    int n = 0;
    *name = NEW_ARRAY(arena, const char *, sys->nvar + 1);
    for (int v = 0; v < sys->nvar; v++)
        if (sys->var[v].flat != NONE &&
            sys->flat->var[sys->var[v].flat].causality != FC_LOCAL)
            (*name)[n++] = sys->var[v].name;
    qsort(*name, (size_t)n, sizeof **name, compare_names);
    return n;
}

/* States, inputs and outputs of the model, and what was asked for. */
static bool *find_wanted(const Step *s, Arena *arena, Diag *diag)
{
    const Lowered *low = s->lowered;
    const Tape *t = low->tape;
    bool *wanted = NEW_ARRAY(arena, bool, t->symbol.n + 1);
    for (int i = 0; i < t->symbol.n; i++)
        wanted[i] = s->input.all;
    for (int i = 0; s->dae && i < s->dae->nstate; i++) {
        const DaeState *x = &s->dae->state[i];
        int e = inlined_find(s->inlined, x->var, x->order);
        want_slot(t, e == NONE ? NONE : low->slot[e], wanted);
    }
    const char **outside;
    size_t noutside = (size_t)outside_names(s->sys, &outside, arena);
    for (int i = 0; i < t->symbol.n; i++)
        if (bsearch(&t->symbol.at[i].name, outside, noutside, sizeof *outside,
                    compare_names))
            wanted[i] = true;
    return want_named(s, wanted, arena, diag) ? wanted : NULL;
}

/* Which symbols are outputs of the model. */
static bool *find_outputs(const Step *s, Arena *arena)
{
    const Tape *t = s->lowered->tape;
    const char **outside;
    size_t n = (size_t)outside_names(s->sys, &outside, arena);
    bool *output = NEW_ARRAY(arena, bool, t->symbol.n + 1);
    for (int i = 0; i < t->symbol.n; i++)
        output[i] = bsearch(&t->symbol.at[i].name, outside, n, sizeof *outside,
                            compare_names) != NULL;
    return output;
}

/* ---- the start ---- */

/* Runs the initialisation of the static tape. *nearest: one of its blocks has
 * many solutions, which only the desk can choose from. */
static const double *initial_values(const Step *s, bool *nearest, Arena *arena,
                                    Diag *diag)
{
    SimOptions options = step_sim_options(s);
    Sim *sim = sim_new(s->lowered, &options, arena, diag);
    if (!sim)
        return NULL;
    int n = s->lowered->tape->nslot;
    double *value = NULL;
    if (sim_init(sim)) {
        sim_warn_grid(sim);
        value = NEW_ARRAY(arena, double, n);
        memcpy(value, sim->exec->r, (size_t)n * sizeof(double));
    }
    *nearest = false;
    for (int b = 0; b < s->lowered->tape->block.n; b++)
        *nearest |= sim->exec->is_least[b];
    sim_free(sim);
    return value;
}

typedef struct Found {
    const Lowered *low;
    const double *value;
} Found;

static double found_leaf(void *context, const Dag *dag, Expr e)
{
    const Found *f = context;
    int var, order;
    if (!expr_is_var(dag, e, &var, &order))
        return 0;
    int entry = order == 0 ? var : inlined_find(f->low->inlined, var, order);
    return entry == NONE || f->low->slot[entry] == NONE
               ? 0
               : f->value[f->low->slot[entry]];
}

/* The longest delay of each delayed expression: what delay() says, or the
 * delay that it has at the start. */
static const double *delay_bounds(const Step *s, const double *value,
                                  Arena *arena)
{
    const Inlined *d = s->inlined;
    double *most = NEW_ARRAY(arena, double, d->ndelay + 1);
    Found found = {s->lowered, value};
    for (int i = 0; i < d->ndelay; i++) {
        most[i] = value[s->lowered->delay_time[i]];
        if (d->delay[i].max == EXPR_NONE)
            continue;
        double max = expr_eval(d->dag, d->delay[i].max, found_leaf, &found);
        if (max > most[i])
            most[i] = max;
    }
    return most;
}

/* The largest system that initialisation may solve on the stack. */
enum { MOST_UNKNOWNS = 256 };

static bool can_start(const Step *s)
{
    const Lowered *low = s->lowered;
    if (s->inlined->init == NONE)
        return false;
    const TapeSegment *run = &low->system[s->inlined->init].run;
    for (int i = 0; i < run->count; i++) {
        const TapeInstr *in = &low->tape->code.at[run->first + i];
        if (in->op == TAPE_BLOCK &&
            low->tape->block.at[in->a].n > MOST_UNKNOWNS)
            return false;
    }
    return true;
}

/* Initial values of all slots of the fused tape, which has more. */
static const double *all_values(const Tape *t, const double *value, int n,
                                Arena *arena)
{
    double *all = NEW_ARRAY(arena, double, t->nslot);
    for (int i = 0; i < t->nslot; i++)
        all[i] = i < n ? value[i] : t->initial[i];
    return all;
}

/* What is open at the start was said there. */
static void warn_open(const Step *s, Diag *diag)
{
    if (s->pivots && s->pivots->report.open)
        diag_report(
            diag, s->sys->flat->span, DIAG_W1338,
            "at some points of the run that was made to find pivots "
            "the equations of the block of %s do not determine it; of "
            "many solutions generated code takes the nearest, and has no "
            "status for it",
            s->pivots->report.open);
}

bool step_fuse(Step *s, Arena *arena, Diag *diag)
{
    const Lowered *low = s->lowered;
    const bool *wanted = find_wanted(s, arena, diag);
    bool nearest = false;
    const double *value =
        wanted ? initial_values(s, &nearest, arena, diag) : NULL;
    if (!value)
        return false;
    warn_open(s, diag);
    int n = low->tape->nslot;
    FuseOptions o = {.start = s->input.start,
                     .step = s->input.size,
                     .events_max = step_events_max(s),
                     .wanted = wanted,
                     .value = value,
                     .nvalue = n,
                     .delay_max = delay_bounds(s, value, arena),
                     .points = s->plan->points,
                     .start_too =
                         s->plan->init == PI_SOLVE && !nearest && can_start(s),
                     .fixed = s->plan->fixed,
                     .bounds = s->plan->bounds,
                     .exchange = s->input.exchange && fuse_can_exchange(low),
                     .output = find_outputs(s, arena),
                     .parts = s->input.parts};
    double *first = NEW_ARRAY(arena, double, s->inlined->ndelay + 1);
    for (int i = 0; i < s->inlined->ndelay; i++)
        first[i] = value[low->delay_now[i]];
    s->delay = first;
    s->fused = fuse(low, &o, arena);
    s->value = all_values(s->fused->tape, value, n, arena);
    return true;
}
