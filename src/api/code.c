/* code.c - generated code, loaded, and its instances. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "api/api.h"
#include "run/model.h"

enum { NOTHING_DONE = -1 }; /* a status: there is no code or no instance */

struct TaktCode {
    Arena *arena;
    RunModel *model;
    const TaktRun *call;
    TaktVariable *variable;
};

static void add_variables(TaktCode *k)
{
    k->variable = NEW_ARRAY(k->arena, TaktVariable, k->call->nvar + 1);
    for (int i = 0; i < k->call->nvar; i++) {
        TaktVariable *v = &k->variable[i];
        v->name = k->call->variable(i, &v->unit, &v->kind, &v->causality,
                                    &v->place, &v->sign, &v->offset);
    }
}

static bool build(TaktModel *m, Compilation *c, void *context)
{
    TaktCode **out = context;
    DriverOptions o = api_options(m);
    o.goal = STEP_REALTIME;
    o.all = true;
    o.name = "model";
    o.live_inputs = true;
    if (!driver_compile(c, &o, PHASE_CODE))
        return false;
    const DriverCode *code = c->code;
    RunFile *file = NEW_ARRAY(c->arena, RunFile, code->nfile + 1);
    for (int i = 0; i < code->nfile; i++)
        file[i] = (RunFile){code->file[i].name, code->file[i].text};
    RunSource source = {.name = code->name,
                        .file = file,
                        .nfile = code->nfile,
                        .option =
                            emit_foreign_words(code->out->foreign, c->arena)};
    Arena *arena = arena_new();
    TaktCode *k = NEW(arena, TaktCode);
    k->arena = arena;
    k->model = run_load(&source, arena, c->diag);
    if (!k->model) {
        arena_free(arena);
        return false;
    }
    k->call = k->model->call;
    add_variables(k);
    arena_keep(arena);
    *out = k;
    return true;
}

TaktCode *takt_build(TaktModel *m)
{
    TaktCode *k = NULL;
    api_call(m, build, &k);
    return k;
}

void takt_unload(TaktCode *k)
{
    if (!k)
        return;
    run_unload(k->model);
    arena_free(k->arena);
}

int takt_nvariable(const TaktCode *k)
{
    return k ? k->call->nvar : 0;
}

const TaktVariable *takt_variable(const TaktCode *k, int number)
{
    return number >= 0 && number < takt_nvariable(k) ? &k->variable[number]
                                                     : NULL;
}

int takt_find(const TaktCode *k, const char *name)
{
    return k && name ? k->call->find(name) : NONE;
}

size_t takt_scalar(const TaktCode *k)
{
    return k ? k->call->scalar : 0;
}

size_t takt_size(const TaktCode *k)
{
    return k ? k->call->bytes : 0;
}

void takt_defaults(const TaktCode *k, void *instance)
{
    if (k && instance)
        k->call->defaults(instance);
}

int takt_start(const TaktCode *k, void *instance)
{
    return k && instance ? k->call->start(instance) : NOTHING_DONE;
}

void takt_update(const TaktCode *k, void *instance)
{
    if (k && instance)
        k->call->update(instance);
}

int takt_step(const TaktCode *k, void *instance)
{
    return k && instance ? k->call->step(instance) : NOTHING_DONE;
}

long takt_step_many(const TaktCode *k, void *instances, long n, int *status)
{
    long nfailed = 0;
    char *at = instances;
    if (!k || !instances)
        return n > 0 ? n : 0;
    for (long i = 0; i < n; i++, at += k->call->bytes) {
        int s = k->call->step(at);
        nfailed += s < 0;
        if (status)
            status[i] = s;
    }
    return nfailed;
}

double takt_get(const TaktCode *k, const void *instance, int number)
{
    double x = 0;
    if (!takt_variable(k, number) || !instance)
        return NAN;
    k->call->get(instance, &number, 1, &x);
    return x;
}

int takt_put(const TaktCode *k, void *instance, int number, double value)
{
    return takt_variable(k, number) && instance
               ? k->call->set(instance, number, value)
               : NOTHING_DONE;
}

const char *takt_status_text(const TaktCode *k, int status)
{
    return k ? k->call->status_text(status) : "";
}

const char *takt_where(const TaktCode *k, const void *instance)
{
    return k && instance ? k->call->where(instance) : "";
}
