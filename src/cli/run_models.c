/* run_models.c - models of a run: compiled and loaded; others beside the first,
 * and what connects them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/run_command.h"

/* ---- compiled and loaded ---- */

static RunModel *load_model(const RunCommand *r, Compilation *c)
{
    const DriverCode *code = c->code;
    RunFile *file = NEW_ARRAY(c->arena, RunFile, code->nfile);
    for (int i = 0; i < code->nfile; i++)
        file[i] = (RunFile){code->file[i].name, code->file[i].text};
    RunSource source = {code->name, file, code->nfile,
                        emit_foreign_words(code->out->foreign, c->arena),
                        r->no_cache};
    if (r->talks && isatty(2))
        fprintf(stderr, "compiling %s ...", c->flat->model);
    RunModel *m = run_load(&source, c->arena, c->diag);
    if (r->talks && isatty(2))
        fprintf(stderr, "\r\033[K");
    if (m)
        m->nmessage = fused_nmessage(c->step->lowered);
    return m;
}

/* ---- others ---- */

static bool fail(RunCommand *r, const char *option, const char *text,
                 const char *why)
{
    diag_report(r->c->diag, NO_SPAN, DIAG_E1620, "%s %s: %s", option, text,
                why);
    return false;
}

/* MODEL,STEP: compiled by itself, with messages of its own. */
static bool add_mate(RunCommand *r, const char *text, Mate *mate,
                     Compilation **compilation)
{
    Arena *arena = r->c->arena;
    const char *comma = strrchr(text, ',');
    if (!comma)
        return fail(r, "--with", text, "MODEL,STEP is expected");
    StepOptions o = step_defaults();
    TextList args = {0};
    vec_push(arena, &args, arena_strndup(arena, text, (size_t)(comma - text)));
    plan_add_edit(&o.driver.edits, PLAN_STEP, comma + 1, arena);
    o.library = r->step.library;
    const char *wrong = step_take(&o, &args, arena);
    if (wrong)
        return fail(r, "--with", text, wrong);
    o.driver.live_inputs = true;
    o.driver.external = r->step.driver.external;
    Compilation *c = *compilation = driver_new();
    if (!driver_compile(c, &o.driver, PHASE_CODE) ||
        !(mate->m = load_model(r, c)))
        return fail(r, "--with", text, "the model cannot be used, see above");
    double every = c->size / r->c->size, whole = rint(every);
    if (whole < 1 || fabs(every - whole) > 1e-9 * whole)
        return fail(r, "--with", text,
                    "its step is no multiple of that of the first model");
    mate->every = (int64_t)whole;
    mate->name = c->flat->model;
    mate->m->prefix = arena_printf(arena, "%s.", mate->name);
    alarms_init(&mate->alarms, mate->m, arena);
    return true;
}

static const RunModel *model_at(const RunCommand *r, int i)
{
    return i == NONE ? r->model : r->run.mates->at[i].m;
}

static bool add_link(RunCommand *r, const char *text, MateLink *l)
{
    const char *equal = strchr(text, '=');
    if (!equal)
        return fail(r, "--connect", text, "INPUT=SOURCE is expected");
    const char *to = arena_strndup(r->c->arena, text, (size_t)(equal - text));
    l->sink = run_find(r->model, to);
    l->source = run_find(r->model, equal + 1);
    if (l->sink == NONE || l->source == NONE)
        return fail(r, "--connect", text,
                    arena_printf(r->c->arena, "no model keeps '%s'",
                                 l->sink == NONE ? to : equal + 1));
    RunQuantity q = run_quantity(r->model, l->sink);
    if (q.causality != EU_INPUT)
        return fail(r, "--connect", text,
                    arena_printf(r->c->arena, "'%s' is no input", to));
    if (run_is_connected(r, l->sink))
        return fail(r, "--connect", text,
                    arena_printf(r->c->arena, "'%s' is connected already", to));
    for (l->to = NONE; model_at(r, l->to) != q.of;)
        l->to++;
    return true;
}

bool run_is_connected(const RunCommand *r, int number)
{
    const Mates *s = r->run.mates;
    for (int i = 0; s && i < s->nlink; i++)
        if (s->link[i].sink == number)
            return true;
    return false;
}

static bool has_name(const RunCommand *r, const char *name, int n)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(r->run.mates->at[i].name, name))
            return true;
    return false;
}

static bool load_mates(RunCommand *r)
{
    Arena *arena = r->c->arena;
    int n = r->with.n;
    Mates *s = r->run.mates = NEW(arena, Mates);
    RunModel **end = &r->model->next;
    s->at = NEW_ARRAY(arena, Mate, n);
    r->mate = NEW_ARRAY(arena, Compilation *, n);
    for (; s->n < n; s->n++) {
        Mate *mate = &s->at[s->n];
        if (!add_mate(r, r->with.at[s->n], mate, &r->mate[s->n]))
            return false;
        if (has_name(r, mate->name, s->n))
            return fail(r, "--with", r->with.at[s->n],
                        "there is one of this name already");
        *end = mate->m;
        end = &mate->m->next;
    }
    MateLink *link = NEW_ARRAY(arena, MateLink, r->connect.n + 1);
    s->link = link;
    for (; s->nlink < r->connect.n; s->nlink++)
        if (!add_link(r, r->connect.at[s->nlink], &link[s->nlink]))
            return false;
    return true;
}

bool run_load_models(RunCommand *r)
{
    r->model = load_model(r, r->c);
    return r->model && (r->with.n == 0 || load_mates(r));
}

Compilation *run_compilation(const RunCommand *r, int i)
{
    return i == 0 ? r->c : r->mate[i - 1];
}

void run_print_mates(const RunCommand *r)
{
    const Mates *s = r->run.mates;
    for (int i = 0; s && i < s->n; i++)
        printf("  %s: step %g s, %lld steps\n", s->at[i].name,
               (double)s->at[i].every * r->run.step, (long long)s->at[i].steps);
}

void run_put_mates(const RunCommand *r, JsonOut *j)
{
    const Mates *s = r->run.mates;
    if (!s)
        return;
    json_begin_array(j, "with");
    for (int i = 0; i < s->n; i++) {
        json_begin_object(j, NULL);
        json_put_text(j, "model", s->at[i].name);
        json_put_number(j, "step", (double)s->at[i].every * r->run.step);
        json_put_count(j, "steps", s->at[i].steps);
        json_begin_object(j, "alarms");
        run_put_alarms(j, s->at[i].m, &s->at[i].alarms);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

/* Messages of the others come with theirs; returns the worst exit code. */
int run_close_mates(RunCommand *r, int code)
{
    for (int i = 0; r->mate && i < r->with.n && r->mate[i]; i++) {
        run_unload(r->run.mates->at[i].m);
        int own = driver_end(r->mate[i]);
        code = own > code ? own : code;
    }
    return code;
}
