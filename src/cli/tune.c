/* tune.c - takt tune MODEL: find what a step does not need. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/model_options.h"
#include "result/outputs.h"
#include "cli/plan_options.h"
#include "cli/verbs.h"
#include "pages/report.h"
#include "pages/tune_text.h"
#include "plan/compare.h"
#include "plan/keys.h"
#include "tuning/groups.h"

enum { NOT_GIVEN = INT_MIN };

typedef struct TuneRun {
    DriverOptions driver;
    TuneOptions tune;
    TextList library, set, output, keep, input, spread, rho, range;
    int attack; /* NOT_GIVEN, or their number */
    const char *out, *html, *only, *algebraic;
    SampleWish samples;
    int budget;
    bool json, compare, quiet;
    Compilation *c;
    TuneProgress progress;
} TuneRun;

static void say(void *context, const char *what, int done, int total)
{
    const TuneRun *r = context;
    if (r->json || r->quiet || !isatty(2))
        return;
    fprintf(stderr, "\r\033[K%s", what);
    if (total > 1)
        fprintf(stderr, " %d of %d", done, total);
    fflush(stderr);
}

/* ---- options ---- */

/* The command line's samples take the place of those of the plan. */
static void choose_samples(TuneRun *r)
{
    SampleWish *w = &r->samples;
    w->input = r->input.at;
    w->ninput = r->input.n;
    if (w->count > 0 || w->seed > 0 || w->ninput > 0 || w->nvary > 0)
        r->tune.samples = w;
}

/* What the matrix has: the command line, else the plan, else the states. */
static void choose_view(TuneRun *r)
{
    r->tune.view = PA_SOLVE;
    if (r->c->plan->has[PLAN_ALGEBRAIC] && r->c->plan->algebraic != PA_AUTO)
        r->tune.view = r->c->plan->algebraic;
    if (r->algebraic)
        plan_find_algebraic(r->algebraic, &r->tune.view);
}

/* ---- results ---- */

static bool write_file(TuneRun *r, const char *path, const Tuning *t,
                       bool (*write)(const Tuning *, FILE *))
{
    OutFile f;
    if (outfile_open(&f, path, r->c->arena)) {
        if (!write(t, f.file)) {
            outfile_drop(&f);
            diag_report(r->c->diag, r->c->flat->span, DIAG_E1509,
                        "%s was not written: there is no step to show", path);
            return false;
        }
        if (outfile_close(&f))
            return true;
    }
    diag_report(r->c->diag, NO_SPAN, DIAG_E1508, "%s: %s", path,
                strerror(errno));
    return false;
}

/* The report of the recommended plan; of the full step where there is none. */
static bool write_page(const Tuning *t, FILE *out)
{
    int shown = t->chosen != NONE ? t->chosen : t->full;
    if (shown == NONE)
        return false;
    Compilation made = *t->c;
    Plan *plan = t->candidate.at[shown].plan;
    made.plan = plan;
    made.step = tuning_step(t->c, plan, STEP_REALTIME, made.arena, made.diag);
    if (!made.step)
        return false;
    made.method = made.step->method;
    Report report = {.c = &made, .tuning = t, .shown = shown};
    report_write(&report, out);
    return true;
}

static bool tune(TuneRun *r)
{
    if (!output_possible(r->out, r->c->arena, r->c->diag) ||
        !output_possible(r->html, r->c->arena, r->c->diag))
        return false;
    if (!driver_compile(r->c, &r->driver, PHASE_DAE))
        return false;
    if (!r->c->dae) {
        diag_report(r->c->diag, r->c->flat->span, DIAG_E1503,
                    "a plan with \"direct\" cannot be tuned");
        return false;
    }
    const Plan *p = r->c->plan;
    if ((r->c->flat->ninvariant > 0 || p->invariant[0]) &&
        p->invariant_by != PV_OFF) {
        diag_report(r->c->diag, r->c->flat->span, DIAG_E1503,
                    "a step that keeps an invariant cannot be tuned; "
                    "'--invariant-by off' tunes it without");
        return false;
    }
    choose_samples(r);
    choose_view(r);
    Tuning *t = tuning_make(r->c, &r->tune);
    if (!r->json && !r->quiet && isatty(2))
        fprintf(stderr, "\r\033[K");
    if (!t)
        return false;
    bool has_page = r->html != NULL, has_plan = r->out && t->chosen != NONE;
    bool page_fine = !has_page || write_file(r, r->html, t, write_page);
    bool plan_fine = !has_plan || write_file(r, r->out, t, tune_write_plan);
    if (r->json) {
        tune_print_json(t, stdout);
    } else if (!r->quiet) {
        printf("%s, step %g s\n", r->c->flat->model, r->c->size);
        tune_print_spectrum(t, stdout);
        tune_print_table(t, stdout);
        if (plan_fine && has_plan)
            printf("plan: %s\n", r->out);
        else if (t->chosen != NONE && !has_plan)
            puts("nothing was written: -o FILE keeps the plan");
        if (page_fine && has_page)
            printf("report: %s\n", r->html);
    }
    if (t->chosen == NONE && !diag_failed(r->c->diag))
        diag_report(r->c->diag, r->c->flat->span, DIAG_E1509,
                    "no plan was written: %s", t->why);
    return page_fine && plan_fine;
}

/* ---- takt tune --compare A B ---- */

static int compare(TuneRun *r, const TextList *args)
{
    Compilation *c = r->c;
    const Plan *a = plan_read_file(c->sources, args->at[0], c->arena, c->diag);
    const Plan *b = plan_read_file(c->sources, args->at[1], c->arena, c->diag);
    if (a && b)
        plan_compare(a, b, args->at[0], args->at[1], stdout);
    return driver_end(c);
}

/* ---- the command ---- */

static bool read_rho(TuneRun *r, Arena *arena)
{
    double *rho = NEW_ARRAY(arena, double, r->rho.n + 1);
    for (int i = 0; i < r->rho.n; i++) {
        char *end;
        rho[i] = number_read(r->rho.at[i], &end);
        if (*end || !(rho[i] > 0))
            return false;
    }
    r->tune.rho = r->rho.n > 0 ? rho : NULL;
    r->tune.nrho = r->rho.n;
    return true;
}

static bool read_spread(TuneRun *r, Arena *arena)
{
    SampleVary *vary = NEW_ARRAY(arena, SampleVary, r->spread.n + 1);
    for (int i = 0; i < r->spread.n; i++) {
        const char *text = r->spread.at[i], *equal = strrchr(text, '=');
        char *end;
        if (!equal || equal == text)
            return false;
        vary[i].name = arena_strndup(arena, text, (size_t)(equal - text));
        vary[i].relative = number_read(equal + 1, &end);
        if (*end || !(vary[i].relative > 0))
            return false;
    }
    r->samples.vary = vary;
    r->samples.nvary = r->spread.n;
    return true;
}

/* --range NAME=a:b */
static bool read_range(TuneRun *r, Arena *arena)
{
    AttackRange *range = NEW_ARRAY(arena, AttackRange, r->range.n + 1);
    for (int i = 0; i < r->range.n; i++) {
        const char *text = r->range.at[i], *equal = strrchr(text, '=');
        char *end;
        if (!equal || equal == text)
            return false;
        range[i].name = arena_strndup(arena, text, (size_t)(equal - text));
        range[i].low = number_read(equal + 1, &end);
        if (end == equal + 1 || *end != ':')
            return false;
        const char *second = end + 1;
        range[i].high = number_read(second, &end);
        if (end == second || *end || !(range[i].low < range[i].high) ||
            !isfinite(range[i].low) || !isfinite(range[i].high))
            return false;
    }
    r->tune.range = range;
    r->tune.nrange = r->range.n;
    return true;
}

static const char *wrong_use(TuneRun *r, const TextList *args, Arena *arena)
{
    if (r->compare)
        return args->n == 2 ? NULL : "--compare takes two plans";
    if (args->n != 1)
        return "exactly one MODEL is needed";
    if (!tune_read_groups(r->only, &r->tune.groups))
        return TUNE_GROUPS_WRONG;
    if (!read_rho(r, arena))
        return "--rho takes a positive number";
    if (!read_spread(r, arena))
        return "--spread takes NAME=PART, for example load.m=0.1";
    if (!read_range(r, arena))
        return "--range takes NAME=a:b with a below b, both finite, for "
               "example F=0:20";
    if (r->attack != NOT_GIVEN && r->attack < 0)
        return "--attack takes a whole number of 0 or more";
    r->tune.attack = r->attack == NOT_GIVEN ? NONE : r->attack;
    if (r->samples.count < 0 || r->samples.count == 1)
        return "--samples takes a whole number of at least 2";
    if (r->samples.seed < 0)
        return "--seed takes a positive number";
    return NULL;
}

static void fill_driver(TuneRun *r, const TextList *args)
{
    DriverOptions *d = &r->driver;
    model_options(d, args, &r->library, &r->set);
    if (!d->plan) /* a plan that is given is judged with its own */
        plan_add_edit(&d->edits, PLAN_METHOD, "lie", r->c->arena);
    r->tune.watch = r->output.at;
    r->tune.nwatch = r->output.n;
    r->tune.keep = r->keep.at;
    r->tune.nkeep = r->keep.n;
    r->tune.budget = r->budget;
    r->progress = (TuneProgress){say, r};
    r->tune.progress = &r->progress;
}

static int act(TuneRun *r, TextList *args)
{
    r->c = driver_new();
    if (r->compare)
        return compare(r, args);
    fill_driver(r, args);
    tune(r);
    return driver_end(r->c);
}

int cmd_tune(int argc, char **argv)
{
    Arena *arena = arena_new();
    TuneRun run = {.driver = driver_defaults(NULL), .attack = NOT_GIVEN};
    DriverOptions *d = &run.driver;
    TuneOptions *t = &run.tune;
    const Option own[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
        {"external", NULL, "run foreign code", OPT_FLAG, &d->external},
        {"stop", "TIME", "end of the reference run", OPT_TIME, &d->stop},
        {"budget", "N", "instructions per step at most", OPT_INT, &run.budget},
        {"deviation", "PERCENT",
         "how far outputs may stray, of their range (default 5)", OPT_NUMBER,
         &t->deviation},
        {"only", "GROUPS",
         "a list of "
         "given,sparsing,mixed,delay,extrapolated,combined,positions, "
         "or all",
         OPT_TEXT, &run.only},
        {"algebraic", "solve|keep-small|keep",
         "solve (default), keep-small or keep: what the matrix has", OPT_WORD,
         &run.algebraic},
        {"rho", "R", "how far eigenvalues may move (may be repeated)", OPT_LIST,
         &run.rho},
        {"rho-min", "R", "and those near the unit circle (default: rho / 100)",
         OPT_NUMBER, &t->rho_min},
        {"output", "NAME", "an output to judge by (default: the model's)",
         OPT_LIST, &run.output},
        {"keep", "EQN,VAR", "an entry that is never dropped", OPT_LIST,
         &run.keep},
        {"input", "FILE", "inputs from CSV, one scenario each", OPT_LIST,
         &run.input},
        {"spread", "NAME=PART", "vary a parameter by this part of its value",
         OPT_LIST, &run.spread},
        {"attack", "N",
         "attacks that the recommendation must survive (default: 10 to 60, as "
         "work allows; 0: none)",
         OPT_INT, &run.attack},
        {"range", "NAME=a:b",
         "attacks vary an input, parameter or start value from a to b",
         OPT_LIST, &run.range},
        {"samples", "N", "points per run (default 20)", OPT_INT,
         &run.samples.count},
        {"seed", "N", "of the random choices (default 1)", OPT_INT,
         &run.samples.seed},
        {"choose", "NAME", "take this candidate", OPT_TEXT, &t->choose},
        {"force", NULL, "even if it is not certified", OPT_FLAG, &t->force},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &run.set},
        {"plan", "FILE", "start from a plan", OPT_TEXT, &d->plan},
        {"o", "FILE", "where the plan goes (default: nowhere)", OPT_TEXT,
         &run.out},
        {"html", "FILE", "where the report goes (default: nowhere)", OPT_TEXT,
         &run.html},
        {"compare", NULL, "print what two plans decide differently", OPT_FLAG,
         &run.compare},
        {"quiet", NULL, "print nothing", OPT_FLAG, &run.quiet},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &run.json},
        {0},
    };
    const Command command = {
        "tune", "MODEL",
        "Finds what a step does not need, and writes a plan with its "
        "evidence.",
        "takt tune models/gallery/SixAxisRobot.mo --step 1ms\n"
        "takt tune --compare a.plan.json b.plan.json",
        plan_options(own, PLAN_TUNE, &d->edits, arena)};
    TextList args = {0};
    int code;
    if (options_read(&command, argc, argv, &args, arena, &code)) {
        const char *wrong = wrong_use(&run, &args, arena);
        if (wrong) {
            code = options_wrong(&command, "%s", wrong);
        } else {
            code = act(&run, &args);
        }
    }
    arena_free(arena);
    return code;
}
