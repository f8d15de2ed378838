/* model.c - models, decisions and messages of the library. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "base/die.h"
#include "base/number.h"
#include "base/paths.h"
#include "plan/keys.h"

/* ---- messages ---- */

static void say(TaktModel *m, TaktMessage message)
{
    message.text = arena_strdup(m->said, message.text);
    message.file = message.file ? arena_strdup(m->said, message.file) : NULL;
    vec_push(m->said, &m->message, message);
}

static void keep_messages(TaktModel *m, const Diag *diag)
{
    for (int i = 0; i < diag_nmessage(diag); i++) {
        DiagMessage d = diag_message(diag, i);
        say(m, (TaktMessage){(int)d.kind, d.code, d.text, d.place.path,
                             d.place.line, d.place.column});
    }
}

static void begin(TaktModel *m)
{
    arena_free(m->said);
    m->said = NULL;
    memset(&m->message, 0, sizeof m->message);
    m->status = EXIT_FINE;
}

/* The last words: no arena is needed for them. */
static void say_death(TaktModel *m, DieCatch *c)
{
    DieCatch again;
    m->status = EXIT_TAKT;
    die_catch(&again);
    if (setjmp(again.there) == 0) {
        if (!m->said) {
            m->said = arena_new();
            arena_keep(m->said);
        }
        say(m, (TaktMessage){3, "", c->message, NULL, 0, 0});
    } else {
        memset(&m->message, 0, sizeof m->message);
        m->said = NULL;
    }
    die_release(&again);
}

typedef struct Call {
    TaktModel *m;
    ApiWork *work;
    void *context;
} Call;

static void run(const Call *call)
{
    TaktModel *m = call->m;
    Compilation *c = driver_new();
    bool fine = call->work(m, c, call->context);
    m->status = diag_exit_code(c->diag);
    if (!fine && m->status == EXIT_FINE)
        m->status = EXIT_MODEL;
    Arena *said = arena_new();
    m->said = said;
    keep_messages(m, c->diag);
    arena_keep(said);
    arena_free(c->arena);
}

bool api_refuse(TaktModel *m, Compilation *c, void *context)
{
    (void)m, (void)context;
    diag_report(c->diag, NO_SPAN, DIAG_E1204, "a name is missing: it is NULL");
    return false;
}

int api_call(TaktModel *m, ApiWork *work, void *context)
{
    if (!m)
        return EXIT_USAGE;
    const Call call = {m, work, context};
    Plain plain = plain_begin();
    DieCatch c;
    begin(m);
    die_catch(&c);
    if (setjmp(c.there) == 0) {
        run(&call);
        die_release(&c);
    } else {
        m->said = NULL; /* it was freed with the rest */
        memset(&m->message, 0, sizeof m->message);
        die_release(&c);
        say_death(m, &c);
    }
    plain_end(plain);
    return m->status;
}

DriverOptions api_options(TaktModel *m)
{
    DriverOptions o = driver_defaults(m->name);
    o.library = m->library.at;
    o.nlibrary = m->library.n;
    o.set = m->set.at;
    o.nset = m->set.n;
    o.plan = m->plan;
    o.edits = m->edits;
    return o;
}

/* ---- opening ---- */

static bool flatten(TaktModel *m, Compilation *c, void *context)
{
    (void)context;
    DriverOptions o = api_options(m);
    return driver_compile(c, &o, PHASE_FLAT);
}

typedef struct Opening {
    const char *name;
    const char *const *library;
    int nlibrary;
} Opening;

static void fill(TaktModel *m, const Opening *o)
{
    m->arena = arena_new();
    m->name = arena_strdup(m->arena, o->name);
    for (int i = 0; i < o->nlibrary; i++)
        vec_push(m->arena, &m->library, arena_strdup(m->arena, o->library[i]));
    arena_keep(m->arena);
}

static bool try_to_fill(TaktModel *m, const Opening *o)
{
    DieCatch c;
    die_catch(&c);
    bool died = setjmp(c.there) != 0;
    if (!died)
        fill(m, o);
    die_release(&c);
    return !died;
}

TaktModel *takt_open(const char *name, const char *const *library, int nlibrary)
{
    const Opening o = {name ? name : "", library, library ? nlibrary : 0};
    TaktModel *m = calloc(1, sizeof *m);
    if (!m || !try_to_fill(m, &o)) {
        free(m);
        return NULL;
    }
    api_call(m, flatten, NULL);
    return m;
}

/* A text becomes a file of its own until the model is closed. */
TaktModel *takt_open_text(const char *text)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/takt-text-XXXXXX.mo", temp_dir());
    int fd = n > 0 && n < (int)sizeof path ? mkstemps(path, 3) : -1;
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    if (!f)
        return NULL;
    bool fine = fputs(text ? text : "", f) >= 0;
    fine = fclose(f) == 0 && fine;
    TaktModel *m = fine ? takt_open(path, NULL, 0) : NULL;
    if (m)
        m->own = strdup(path);
    if (!m || !m->own)
        unlink(path);
    return m;
}

void takt_close(TaktModel *m)
{
    if (!m)
        return;
    if (m->own)
        unlink(m->own);
    free(m->own);
    arena_free(m->said);
    arena_free(m->arena);
    free(m);
}

int takt_status(const TaktModel *m)
{
    return m ? m->status : EXIT_USAGE;
}

int takt_nmessage(const TaktModel *m)
{
    return m ? m->message.n : 0;
}

const TaktMessage *takt_message(const TaktModel *m, int number)
{
    return number >= 0 && number < takt_nmessage(m) ? &m->message.at[number]
                                                    : NULL;
}

/* ---- decisions ---- */

typedef struct Wish {
    const char *name, *text;
    double value;
} Wish;

static bool add_set(TaktModel *m, Compilation *c, void *context)
{
    const Wish *w = context;
    char number[40];
    (void)c;
    number_text(w->value, number);
    vec_push(m->arena, &m->set,
             arena_printf(m->arena, "%s=%s", w->name, number));
    return true;
}

int takt_set(TaktModel *m, const char *name, double value)
{
    Wish w = {.name = name, .value = value};
    return api_call(m, name ? add_set : api_refuse, &w);
}

static bool add_decision(TaktModel *m, Compilation *c, void *context)
{
    const Wish *w = context;
    const char *text = w->text ? arena_strdup(m->arena, w->text) : NULL;
    if (!strcmp(w->name, "plan")) {
        m->plan = text;
        return true;
    }
    PlanField key = plan_find_option(w->name);
    if ((int)key == NONE || (int)key >= PLAN_NFIELD) {
        diag_report(c->diag, NO_SPAN, DIAG_E1204,
                    "there is no decision '%s' in a plan", w->name);
        return false;
    }
    if (!text) {
        plan_drop_edits(&m->edits, key);
        return true;
    }
    plan_add_edit(&m->edits, key, text, m->arena);
    const char *wrong = plan_edit_wrong(&m->edits.at[m->edits.n - 1], c->arena);
    if (!wrong)
        return true;
    m->edits.n--;
    diag_report(c->diag, NO_SPAN, DIAG_E1204, "%s", wrong);
    return false;
}

int takt_decide(TaktModel *m, const char *option, const char *value)
{
    Wish w = {.name = option, .text = value};
    return api_call(m, option ? add_decision : api_refuse, &w);
}
