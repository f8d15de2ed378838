/* realtime.c - what a real-time step needs from the phases. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/realtime.h"

#include <string.h>

static bool check_supported(Compilation *c)
{
    const Inlined *d = c->inlined;
    const char *what = NULL;
    if (d->ncycle == 0)
        what = "the method none, which has no steps";
    if (what)
        diag_report(c->diag, c->flat->span, DIAG_U1403,
                    "generated code cannot have %s", what);
    return !what;
}

static void want_slot(const Tape *t, int slot, bool *wanted)
{
    for (int i = 0; slot != NONE && i < t->symbol.n; i++)
        if (t->symbol.at[i].slot == slot)
            wanted[i] = true;
}

static bool want_named(Compilation *c, const RealtimeOptions *o, bool *wanted)
{
    const Tape *t = c->lowered->tape;
    for (int k = 0; k < o->noutput; k++) {
        bool found = false;
        for (int i = 0; i < t->symbol.n; i++)
            if (!strcmp(t->symbol.at[i].name, o->output[k]))
                wanted[i] = found = true;
        if (found)
            continue;
        diag_report(c->diag, NO_SPAN, DIAG_E1404,
                    "--output: the model has no variable '%s'", o->output[k]);
        const char **all = NEW_ARRAY(c->arena, const char *, t->symbol.n + 1);
        for (int i = 0; i < t->symbol.n; i++)
            all[i] = t->symbol.at[i].name;
        diag_suggest(c->diag, o->output[k], all, t->symbol.n);
        return false;
    }
    return true;
}

/* States, the outputs of the model, and what was asked for. */
static bool *find_wanted(Compilation *c, const RealtimeOptions *o)
{
    const Lowered *low = c->lowered;
    const Tape *t = low->tape;
    bool *wanted = NEW_ARRAY(c->arena, bool, t->symbol.n + 1);
    for (int i = 0; i < t->symbol.n; i++)
        wanted[i] = o->all;
    for (int i = 0; c->dae && i < c->dae->nstate; i++) {
        int e = inlined_find(c->inlined, c->dae->state[i].var,
                             c->dae->state[i].order);
        want_slot(t, e == NONE ? NONE : low->slot[e], wanted);
    }
    for (int i = 0; i < t->symbol.n; i++) {
        int v = sys_find_var(c->sys, t->symbol.at[i].name);
        if (v != NONE && c->sys->var[v].flat != NONE &&
            c->flat->var[c->sys->var[v].flat].causality == FC_OUTPUT)
            wanted[i] = true;
    }
    return want_named(c, o, wanted) ? wanted : NULL;
}

/* Runs the initialisation of the static tape. */
static const double *initial_values(Compilation *c)
{
    SimOptions options = driver_static_options(c);
    Sim *sim = sim_new(c->lowered, &options, c->arena, c->diag);
    if (!sim)
        return NULL;
    int n = c->lowered->tape->nslot;
    double *value = NULL;
    if (sim_init(sim)) {
        value = NEW_ARRAY(c->arena, double, n);
        memcpy(value, sim->exec->r, (size_t)n * sizeof(double));
    }
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
static const double *delay_bounds(Compilation *c, const double *value)
{
    const Inlined *d = c->inlined;
    const Lowered *low = c->lowered;
    double *most = NEW_ARRAY(c->arena, double, d->ndelay + 1);
    Found found = {low, value};
    for (int i = 0; i < d->ndelay; i++) {
        most[i] = value[low->delay_time[i]];
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

static bool can_start(const Compilation *c)
{
    const Lowered *low = c->lowered;
    if (c->inlined->init == NONE)
        return false;
    const TapeSegment *run = &low->system[c->inlined->init].run;
    for (int i = 0; i < run->count; i++) {
        const TapeInstr *in = &low->tape->code.at[run->first + i];
        if (in->op == TAPE_BLOCK &&
            low->tape->block.at[in->a].n > MOST_UNKNOWNS)
            return false;
    }
    return true;
}

Realtime *driver_realtime(Compilation *c, const RealtimeOptions *options)
{
    Realtime *r = NEW(c->arena, Realtime);
    if (!check_supported(c) || !driver_static(c, &r->pivots))
        return NULL;
    const bool *wanted = find_wanted(c, options);
    const double *value = wanted ? initial_values(c) : NULL;
    if (!value)
        return NULL;
    SimOptions sim = driver_static_options(c);
    int n = c->lowered->tape->nslot;
    FuseOptions fuse_options = {.start = c->start,
                                .step = c->step,
                                .events_max = sim.events_max,
                                .wanted = wanted,
                                .value = value,
                                .nvalue = n,
                                .delay_max = delay_bounds(c, value),
                                .start_too = !options->values && can_start(c),
                                .fixed = options->fixed};
    double *first = NEW_ARRAY(c->arena, double, c->inlined->ndelay + 1);
    for (int i = 0; i < c->inlined->ndelay; i++)
        first[i] = value[c->lowered->delay_now[i]];
    r->delay = first;
    r->fused = fuse(c->lowered, &fuse_options, c->arena);
    const Tape *t = r->fused->tape;
    double *all = NEW_ARRAY(c->arena, double, t->nslot);
    for (int i = 0; i < t->nslot; i++)
        all[i] = i < n ? value[i] : t->initial[i];
    r->value = all;
    return r;
}
