/* simulate.c - trajectories of the library. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdlib.h>

#include "adaptive/adaptive.h"
#include "api/api.h"
#include "base/number.h"

struct TaktResult {
    Arena *arena;
    const char **name;
    int *symbol; /* behind each column but the first */
    int ncolumn;
    Vec(double) value;
    int nrow;
};

typedef struct Wish {
    double stop;
    TaktResult *result;
} Wish;

static void add_columns(TaktResult *r, const Tape *t)
{
    r->name = NEW_ARRAY(r->arena, const char *, t->symbol.n + 1);
    r->symbol = NEW_ARRAY(r->arena, int, t->symbol.n + 1);
    r->name[r->ncolumn++] = "time";
    for (int i = 0; i < t->symbol.n; i++) {
        const TapeSymbol *s = &t->symbol.at[i];
        if (s->name[0] == '$' || t->region[s->slot] == TR_CONST)
            continue;
        r->symbol[r->ncolumn] = i;
        r->name[r->ncolumn++] = arena_strdup(r->arena, s->name);
    }
}

static bool on_row(void *context, const Sim *sim, double time, bool at_event)
{
    TaktResult *r = context;
    const Tape *t = sim->low->tape;
    (void)at_event;
    vec_push(r->arena, &r->value, time);
    for (int i = 1; i < r->ncolumn; i++) {
        const TapeSymbol *s = &t->symbol.at[r->symbol[i]];
        vec_push(r->arena, &r->value,
                 s->sign * sim->exec->r[s->slot] + s->offset);
    }
    r->nrow++;
    return true;
}

static SimOptions options_of(const Compilation *c, bool fixed)
{
    SimOptions o = {.start = c->start,
                    .stop = c->stop,
                    .step = c->size,
                    .events_max =
                        fixed ? step_events_max(c->step) : SIM_FIRST_EVENTS,
                    .ignore_bounds = c->plan->bounds == PB_IGNORE,
                    .stop_at_bounds = c->plan->bounds == PB_STOP};
    bool counted = c->plan->newton > 0 || c->method->newton > 0;
    o.tolerance =
        c->plan->has[PLAN_NEWTON_TOL] || !counted ? c->plan->newton_tol : 0;
    return o;
}

static bool march(Compilation *c, TaktResult *r, bool fixed)
{
    SimOptions o = options_of(c, fixed);
    Sim *sim = sim_new(c->step->lowered, &o, c->arena, c->diag);
    if (!sim)
        return false;
    const FlatExperiment *e = &c->flat->experiment;
    AdaptiveOptions how = {
        .solver =
            c->dae && c->dae->nstate > 500 ? ADAPTIVE_IDA : ADAPTIVE_CVODE,
        .rtol = e->has_tolerance && e->tolerance > 0 ? e->tolerance : 1e-6};
    AdaptiveStats stats;
    add_columns(r, c->step->lowered->tape);
    bool fine = fixed ? sim_run(sim, on_row, r)
                      : adaptive_run(sim, &how, on_row, r, &stats);
    sim_free(sim);
    return fine;
}

static bool simulate(TaktModel *m, Compilation *c, void *context)
{
    Wish *w = context;
    DriverOptions o = api_options(m);
    bool fixed = m->plan || m->edits.n > 0;
    o.stop = w->stop;
    o.goal = fixed ? STEP_HOST : STEP_REFERENCE;
    if (!driver_compile(c, &o, PHASE_STEP))
        return false;
    Arena *arena = arena_new();
    TaktResult *r = NEW(arena, TaktResult);
    r->arena = arena;
    bool fine = march(c, r, fixed);
    arena_keep(arena);
    w->result = r;
    return fine;
}

TaktResult *takt_simulate(TaktModel *m, double stop)
{
    Wish w = {.stop = stop};
    api_call(m, simulate, &w);
    return w.result;
}

void takt_result_free(TaktResult *r)
{
    if (r)
        arena_free(r->arena);
}

int takt_ncolumn(const TaktResult *r)
{
    return r ? r->ncolumn : 0;
}

int takt_nrow(const TaktResult *r)
{
    return r ? r->nrow : 0;
}

const char *takt_column(const TaktResult *r, int number)
{
    return number >= 0 && number < takt_ncolumn(r) ? r->name[number] : NULL;
}

const double *takt_values(const TaktResult *r)
{
    return r ? r->value.at : NULL;
}
