/* tune.c - plans of the library: takt tune with somebody who watches. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "api/api.h"
#include "base/die.h"
#include "base/file.h"
#include "pages/tune_text.h"
#include "tuning/groups.h"
#include "tuning/tuning.h"

typedef struct Wish {
    const TaktTuning *tuning;
    const char *plan;
    bool is_cancelled;
} Wish;

/* Leaves as a failure does: everything that was allocated is freed. */
static void say(void *context, const char *what, int done, int total)
{
    Wish *w = context;
    if (w->tuning->progress(w->tuning->context, what, done, total) == 0)
        return;
    w->is_cancelled = true;
    die("cancelled");
}

static bool keep_plan(const Tuning *t, const char *path, Compilation *c)
{
    OutFile f;
    if (t->chosen == NONE) {
        diag_report(c->diag, c->flat->span, DIAG_E1509,
                    "no plan was written: %s", t->why);
        return false;
    }
    if (outfile_open(&f, path, c->arena)) {
        tune_write_plan(t, f.file);
        if (outfile_close(&f))
            return true;
    }
    diag_report(c->diag, NO_SPAN, DIAG_E1508, "%s: %s", path, strerror(errno));
    return false;
}

static bool tune(TaktModel *m, Compilation *c, void *context)
{
    Wish *w = context;
    const TaktTuning *wishes = w->tuning;
    DriverOptions o = api_options(m);
    TuneProgress progress = {say, w};
    TuneOptions t = {.deviation = wishes->deviation,
                     .budget = wishes->budget,
                     .attack = wishes->attacks < 0 ? NONE : wishes->attacks,
                     .progress = wishes->progress ? &progress : NULL};
    o.stop = wishes->stop;
    if (!tune_read_groups(wishes->only, &t.groups)) {
        diag_report(c->diag, NO_SPAN, DIAG_E1204, "%s", TUNE_GROUPS_WRONG);
        return false;
    }
    if (!o.plan && !plan_has_edit(&o.edits, PLAN_METHOD))
        plan_add_edit(&o.edits, PLAN_METHOD, "lie", c->arena);
    if (!driver_compile(c, &o, PHASE_DAE))
        return false;
    if (!c->dae) {
        diag_report(c->diag, c->flat->span, DIAG_E1503,
                    "a plan with \"direct\" cannot be tuned");
        return false;
    }
    const Tuning *made = tuning_make(c, &t);
    if (!made || !keep_plan(made, w->plan, c))
        return false;
    m->plan = arena_strdup(m->arena, w->plan);
    return true;
}

int takt_tune(TaktModel *m, const TaktTuning *wishes, const char *plan)
{
    static const TaktTuning usual = {.attacks = -1, .stop = NAN};
    Wish w = {.tuning = wishes ? wishes : &usual, .plan = plan};
    int status = api_call(m, plan ? tune : api_refuse, &w);
    if (w.is_cancelled)
        status = m->status = TAKT_CANCELLED;
    return status;
}
