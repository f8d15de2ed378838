/* front.c - the front end: text -> Ast -> Flat, or FMU -> Flat. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "base/quantity.h"
#include "clocks/clocks.h"
#include "driver/driver.h"
#include "foreign/foreign.h"

DriverOptions driver_defaults(const char *model)
{
    return (DriverOptions){.model = model, .stop = NAN};
}

Compilation *driver_new(void)
{
    Arena *arena = arena_new();
    Compilation *c = NEW(arena, Compilation);
    c->arena = arena;
    c->sources = sources_new(arena);
    c->names = intern_new(arena);
    c->diag = diag_new(c->sources, arena);
    return c;
}

int driver_end(Compilation *c)
{
    diag_print(c->diag, stderr);
    int code = diag_exit_code(c->diag);
    if (c->flat)
        foreign_close(c->flat->foreign);
    fmu_close(c->fmu);
    arena_free(c->arena);
    return code;
}

static void open_library(Compilation *c, const DriverOptions *o)
{
    LoadOptions load = {
        .dir = o->library, .ndir = o->nlibrary, .external = o->external};
    c->library = load_new(&load, c->sources, c->names, c->arena, c->diag);
}

/* ---- FMUs ---- */

/* The structure of an FMU can be looked at without running it. */
static bool may_run(Compilation *c, const DriverOptions *o, bool *runs)
{
    Span span = fmu_span(c->fmu);
    *runs = load_trusts(c->library, span);
    if (*runs || o->goal <= STEP_STRUCTURE)
        return true;
    diag_report(c->diag, span, DIAG_E0620,
                "'%s' holds foreign code, which takt runs only if you say so",
                o->model);
    diag_note(c->diag, NO_SPAN,
              "give the option --external if you trust this FMU, or name its "
              "folder in the environment variable TAKT_TRUST");
    return false;
}

static bool flatten_fmu(Compilation *c, const DriverOptions *o)
{
    const char *step = plan_find_edit(&o->edits, PLAN_STEP);
    FmuOptions f = {.set = o->set, .nset = o->nset, .step = NAN};
    open_library(c, o);
    c->fmu = fmu_open(o->model, c->sources, c->arena, c->diag);
    if (!c->fmu || !may_run(c, o, &f.may_run))
        return false;
    if (step && !quantity_time(step, &f.step))
        f.step = NAN;
    c->flat = fmu_flatten(c->fmu, &f, c->arena, c->diag);
    return c->flat != NULL;
}

/* ---- Modelica ---- */

static bool load_model(Compilation *c, const DriverOptions *o)
{
    open_library(c, o);
    c->model = load_resolve_model(c->library, o->model, c->diag);
    return c->model != NULL;
}

bool driver_flatten(Compilation *c, const DriverOptions *o)
{
    if (c->flat)
        return true; /* done before */
    if (fmu_is_name(o->model))
        return flatten_fmu(c, o);
    /* text -> Ast */
    if (!load_model(c, o))
        return false;
    /* Ast -> Flat */
    c->flat =
        instance_flatten(c->library, c->model, c->names, c->arena, c->diag);
    /* Flat -> Flat without clocks */
    if (c->flat)
        c->flat = clocks_translate(c->flat, c->arena, c->diag);
    return c->flat != NULL;
}
