/* front.c - the front end: text -> Ast -> Flat. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

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
    arena_free(c->arena);
    return code;
}

static bool load_model(Compilation *c, const DriverOptions *o)
{
    LoadOptions load = {
        .dir = o->library, .ndir = o->nlibrary, .external = o->external};
    c->library = load_new(&load, c->sources, c->names, c->arena, c->diag);
    c->model = load_resolve_model(c->library, o->model, c->diag);
    return c->model != NULL;
}

bool driver_flatten(Compilation *c, const DriverOptions *o)
{
    if (c->flat)
        return true; /* done before */
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
