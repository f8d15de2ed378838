/* run_models.c - models of a run: compiled and loaded; others beside the first,
 * and what connects them. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/record.h"
#include "cli/run_command.h"

/* ---- compiled and loaded ---- */

static void add_words(TextList *to, const char *fmt, const char *const *list,
                      Arena *arena)
{
    for (; *list; list++)
        vec_push(arena, to, arena_printf(arena, fmt, *list));
}

/* What the compiler is told for external functions. */
static const char *const *foreign_options(const ExprForeign *f, Arena *arena)
{
    TextList word = {0};
    if (!f)
        return NULL;
    vec_push(arena, &word, "-std=gnu99");
    add_words(&word, "-I%s", f->folder, arena);
    add_words(&word, "%s", f->source, arena);
    add_words(&word, "-L%s", f->search, arena);
    for (const char *const *l = f->library; *l; l++)
        vec_push(arena, &word,
                 arena_printf(arena, strchr(*l, '/') ? "%s" : "-l%s", *l));
    vec_push(arena, &word, "-lm");
    vec_push(arena, &word, NULL);
    return word.at;
}

RunModel *run_load_model(const RunCommand *r, Compilation *c)
{
    const DriverCode *code = c->code;
    RunFile *file = NEW_ARRAY(c->arena, RunFile, code->nfile);
    for (int i = 0; i < code->nfile; i++)
        file[i] = (RunFile){code->file[i].name, code->file[i].text};
    RunSource source = {code->name, file, code->nfile,
                        foreign_options(code->out->foreign, c->arena),
                        r->no_cache};
    if (r->talks && isatty(2))
        fprintf(stderr, "compiling %s ...", c->flat->model);
    RunModel *m = run_load(&source, c->arena, c->diag);
    if (r->talks && isatty(2))
        fprintf(stderr, "\r\033[K");
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
        !(mate->m = run_load_model(r, c)))
        return fail(r, "--with", text, "the model cannot be used, see above");
    double every = c->size / r->c->size, whole = rint(every);
    if (whole < 1 || fabs(every - whole) > 1e-9 * whole)
        return fail(r, "--with", text,
                    "its step is no multiple of that of the first model");
    mate->every = (int64_t)whole;
    mate->name = c->flat->model;
    return true;
}

/* "Controller.y" of another model, else a quantity of the first. */
static const RunModel *find_end(const RunCommand *r, const char *name,
                                int *which, int *number)
{
    const Mates *s = r->run.mates;
    for (int i = 0; i < s->n; i++) {
        size_t n = strlen(s->at[i].name);
        if (strncmp(name, s->at[i].name, n) || name[n] != '.')
            continue;
        *which = i;
        *number = s->at[i].m->call->find(name + n + 1);
        return s->at[i].m;
    }
    *which = NONE;
    *number = r->model->call->find(name);
    return r->model;
}

static bool is_input(const RunModel *m, int number)
{
    const char *unit;
    int kind, causality;
    size_t place;
    double sign, offset;
    m->call->variable(number, &unit, &kind, &causality, &place, &sign, &offset);
    return causality == EU_INPUT;
}

static bool add_link(RunCommand *r, const char *text, MateLink *l)
{
    const char *equal = strchr(text, '=');
    if (!equal)
        return fail(r, "--connect", text, "INPUT=SOURCE is expected");
    const char *to = arena_strndup(r->c->arena, text, (size_t)(equal - text));
    const RunModel *sink = find_end(r, to, &l->to, &l->sink);
    find_end(r, equal + 1, &l->from, &l->source);
    if (l->sink == NONE || l->source == NONE)
        return fail(r, "--connect", text,
                    arena_printf(r->c->arena, "no model keeps '%s'",
                                 l->sink == NONE ? to : equal + 1));
    return is_input(sink, l->sink) ||
           fail(r, "--connect", text,
                arena_printf(r->c->arena, "'%s' is no input", to));
}

/* What of it is recorded: all that it keeps and that changes. */
static void find_recorded(RunCommand *r, Mate *mate, const Compilation *c)
{
    const Tape *t = c->step->fused->tape;
    int *number = NEW_ARRAY(r->c->arena, int, t->symbol.n + 1), k;
    for (int i = 0; i < t->symbol.n; i++) {
        const TapeSymbol *s = &t->symbol.at[i];
        int region = t->region[s->slot];
        if (record_is_auxiliary(s->name) || region == TR_CONST ||
            region == TR_PARAM || region == TR_DERIVED ||
            (k = mate->m->call->find(s->name)) == NONE)
            continue;
        number[mate->n++] = k;
    }
    mate->number = number;
}

bool run_open_mates(RunCommand *r)
{
    Arena *arena = r->c->arena;
    int n = r->with.n, which = 0;
    if (n == 0)
        return true;
    Mates *s = r->run.mates = NEW(arena, Mates);
    s->at = NEW_ARRAY(arena, Mate, n);
    r->mate = NEW_ARRAY(arena, Compilation *, n);
    for (; s->n < n; s->n++) {
        if (!add_mate(r, r->with.at[s->n], &s->at[s->n], &r->mate[s->n]))
            return false;
        find_recorded(r, &s->at[s->n], r->mate[s->n]);
    }
    MateLink *link = NEW_ARRAY(arena, MateLink, r->connect.n + 1);
    s->link = link;
    for (; s->nlink < r->connect.n; s->nlink++)
        if (!add_link(r, r->connect.at[s->nlink], &link[s->nlink]))
            return false;
    int status = mates_start(s, r->model, &which);
    if (status >= 0)
        return true;
    return fail(r, "--with", r->with.at[which],
                s->at[which].m->call->status_text(status));
}

/* Columns of the file after those of the first model: "Controller.x". */
void run_add_mates(const RunCommand *r, ResultSignal *signal, int *n)
{
    const Mates *s = r->run.mates;
    for (int i = 0; s && i < s->n; i++)
        for (int k = 0; k < s->at[i].n; k++, ++*n) {
            const char *name = s->at[i].m->call->name(s->at[i].number[k]);
            signal[*n] = (ResultSignal){
                arena_printf(r->c->arena, "%s.%s", s->at[i].name, name), "", *n,
                1, 0};
        }
}

int run_count_mates(const RunCommand *r)
{
    int n = 0;
    for (int i = 0; r->run.mates && i < r->run.mates->n; i++)
        n += r->run.mates->at[i].n;
    return n;
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
