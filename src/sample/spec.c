/* spec.c - what to sample, read from and written to a plan. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <cJSON.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "plan/json.h"
#include "sample/samples.h"

typedef struct Reader {
    Json json;
    const Sys *sys;
    SampleSpec *spec;
    Arena *arena;
    Diag *diag;
} Reader;

static SampleSpec *defaults(Arena *arena)
{
    SampleSpec *s = NEW(arena, SampleSpec);
    *s = (SampleSpec){.stop = NAN, .count = 20, .seed = 1, .nscenario = 1};
    s->scenario = NEW_ARRAY(arena, SampleScenario, 1);
    s->scenario[0] = (SampleScenario){.name = "nominal", .span = NO_SPAN};
    return s;
}

static int find_var(Reader *r, const cJSON *item)
{
    int sign, var = sys_find_var(r->sys, item->string);
    if (var != NONE)
        return sys_resolve(r->sys, var, &sign);
    json_wrong(&r->json, item, "the name of a variable of the model");
    return NONE;
}

static int count_children(const cJSON *x)
{
    int n = 0;
    for (const cJSON *i = x->child; i; i = i->next)
        n++;
    return n;
}

static void read_set(Reader *r, const cJSON *x, SampleScenario *s)
{
    if (!cJSON_IsObject(x)) {
        json_wrong(&r->json, x, "an object of names and numbers");
        return;
    }
    s->set = NEW_ARRAY(r->arena, SysSet, count_children(x) + 1);
    for (const cJSON *i = x->child; i; i = i->next) {
        SysSet *set = &s->set[s->nset];
        set->var = find_var(r, i);
        if (set->var != NONE && json_number(&r->json, i, &set->value))
            s->nset++;
    }
}

static void read_scenario(Reader *r, const cJSON *x, SampleScenario *s)
{
    static const char *const known[] = {"name", "set", "input"};
    s->name = "";
    s->span = json_span(&r->json, x);
    if (!cJSON_IsObject(x)) {
        json_wrong(&r->json, x, "an object with name, set, input");
        return;
    }
    for (const cJSON *i = x->child; i; i = i->next) {
        if (!strcmp(i->string, "name"))
            json_text(&r->json, i, &s->name);
        else if (!strcmp(i->string, "input"))
            json_text(&r->json, i, &s->input);
        else if (!strcmp(i->string, "set"))
            read_set(r, i, s);
        else
            json_unknown(&r->json, i, known, 3);
    }
}

static void read_scenarios(Reader *r, const cJSON *x)
{
    if (!cJSON_IsArray(x)) {
        json_wrong(&r->json, x, "an array of scenarios");
        return;
    }
    int n = count_children(x), k = 0;
    if (n == 0)
        return;
    r->spec->scenario = NEW_ARRAY(r->arena, SampleScenario, n);
    r->spec->nscenario = n;
    for (const cJSON *i = x->child; i; i = i->next)
        read_scenario(r, i, &r->spec->scenario[k++]);
}

static void read_spread(Reader *r, const cJSON *x)
{
    if (!cJSON_IsObject(x)) {
        json_wrong(&r->json, x, "an object of parameters and relative spreads");
        return;
    }
    r->spec->spread = NEW_ARRAY(r->arena, SampleSpread, count_children(x) + 1);
    for (const cJSON *i = x->child; i; i = i->next) {
        SampleSpread *s = &r->spec->spread[r->spec->nspread];
        s->var = find_var(r, i);
        if (s->var != NONE && json_positive(&r->json, i, &s->relative))
            r->spec->nspread++;
    }
}

static void read_key(Reader *r, const cJSON *x)
{
    static const char *const known[] = {"stop", "count", "seed", "scenarios",
                                        "spread"};
    int seed = 1;
    if (!strcmp(x->string, "stop"))
        json_number(&r->json, x, &r->spec->stop);
    else if (!strcmp(x->string, "count"))
        json_count(&r->json, x, 2, &r->spec->count);
    else if (!strcmp(x->string, "seed")) {
        if (json_count(&r->json, x, 0, &seed))
            r->spec->seed = (unsigned)seed;
    } else if (!strcmp(x->string, "scenarios"))
        read_scenarios(r, x);
    else if (!strcmp(x->string, "spread"))
        read_spread(r, x);
    else
        json_unknown(&r->json, x, known, 5);
}

SampleSpec *sample_spec_read(const char *json, const Sys *sys, Sources *sources,
                             Arena *arena, Diag *diag)
{
    Reader r = {
        .sys = sys, .spec = defaults(arena), .arena = arena, .diag = diag};
    if (!json)
        return r.spec;
    int source =
        sources_add(sources, "samples of the plan", json, strlen(json));
    if (!json_open(&r.json, sources, source, arena, diag))
        return NULL;
    if (!cJSON_IsObject(r.json.root))
        json_wrong(&r.json, r.json.root, "an object");
    else
        for (const cJSON *i = r.json.root->child; i; i = i->next)
            read_key(&r, i);
    json_close(&r.json);
    return r.json.failed ? NULL : r.spec;
}

/* ---- from a wish ---- */

static int find_parameter(const Sys *sys, const char *name, Arena *arena,
                          Diag *diag)
{
    int sign, var = sys_find_var(sys, name);
    if (var != NONE)
        return sys_resolve(sys, var, &sign);
    const char **all = NEW_ARRAY(arena, const char *, sys->nvar + 1);
    for (int i = 0; i < sys->nvar; i++)
        all[i] = sys->var[i].name;
    diag_report(diag, NO_SPAN, DIAG_E1511,
                "'%s', which is to be varied, is no variable of the model",
                name);
    diag_suggest(diag, name, all, sys->nvar);
    return NONE;
}

SampleSpec *sample_spec_make(const SampleWish *wish, const Sys *sys,
                             Arena *arena, Diag *diag)
{
    SampleSpec *s = defaults(arena);
    if (wish->count > 0)
        s->count = wish->count;
    if (wish->seed > 0)
        s->seed = (unsigned)wish->seed;
    if (wish->ninput > 0) {
        s->scenario = NEW_ARRAY(arena, SampleScenario, wish->ninput);
        s->nscenario = wish->ninput;
    }
    for (int i = 0; i < wish->ninput; i++)
        s->scenario[i] =
            (SampleScenario){.name = arena_printf(arena, "scenario %d", i + 1),
                             .input = wish->input[i],
                             .span = NO_SPAN};
    s->spread = NEW_ARRAY(arena, SampleSpread, wish->nvary + 1);
    for (; s->nspread < wish->nvary; s->nspread++) {
        const SampleVary *v = &wish->vary[s->nspread];
        int var = find_parameter(sys, v->name, arena, diag);
        if (var == NONE)
            return NULL;
        s->spread[s->nspread] = (SampleSpread){var, v->relative};
    }
    return s;
}

/* ---- writing ---- */

static void put_scenario(JsonOut *j, const SampleScenario *s, const Sys *sys)
{
    json_begin_object(j, NULL);
    json_put_text(j, "name", s->name);
    if (s->nset > 0) {
        json_begin_object(j, "set");
        for (int i = 0; i < s->nset; i++)
            json_put_number(j, sys->var[s->set[i].var].name, s->set[i].value);
        json_end(j);
    }
    if (s->input)
        json_put_text(j, "input", s->input);
    json_end(j);
}

const char *sample_spec_write(const SampleSpec *spec, const Sys *sys,
                              Arena *arena)
{
    JsonOut text, *j = &text;
    json_start_text(j, JSON_COMPACT);
    json_begin_object(j, NULL);
    if (!isnan(spec->stop))
        json_put_number(j, "stop", spec->stop);
    json_put_count(j, "count", spec->count);
    json_put_count(j, "seed", spec->seed);
    json_begin_array(j, "scenarios");
    for (int i = 0; i < spec->nscenario; i++)
        put_scenario(j, &spec->scenario[i], sys);
    json_end(j);
    if (spec->nspread > 0) {
        json_begin_object(j, "spread");
        for (int i = 0; i < spec->nspread; i++)
            json_put_number(j, sys->var[spec->spread[i].var].name,
                            spec->spread[i].relative);
        json_end(j);
    }
    json_end(j);
    return json_finish_text(j, arena);
}
