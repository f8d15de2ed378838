/* report.c - takt report MODEL: one page that says all of a model and a plan.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "result/outputs.h"
#include "cli/step_options.h"
#include "cli/verbs.h"
#include "pages/report.h"
#include "plan/keys.h"
#include "tuning/groups.h"

typedef struct ReportRun {
    StepOptions step;
    TuneOptions tune;
    const char *out, *only;
    TextList watch;
    bool quiet;
    Compilation *c;
    TuneProgress progress;
} ReportRun;

static void say(void *context, const char *what, int done, int total)
{
    const ReportRun *r = context;
    if (r->quiet || !isatty(2))
        return;
    fprintf(stderr, "\r\033[K%s", what);
    if (total > 1)
        fprintf(stderr, " %d of %d", done, total);
    fflush(stderr);
}

/* The candidate that is the plan of the command line. */
static int find_shown(const Compilation *c, const Tuning *t)
{
    if (!t || t->given != NONE)
        return t ? t->given : NONE;
    if (t->full == NONE || c->plan->ncut > 0 || c->plan->nmode > 0)
        return NONE;
    const Plan *full = t->candidate.at[t->full].plan;
    bool same = c->plan->method && full->method &&
                !strcmp(c->plan->method, full->method);
    return same ? t->full : NONE;
}

/* Candidates are tried out with messages of their own: what cannot be tuned can
 * be reported all the same. */
static void try_out(ReportRun *r, Report *report)
{
    Compilation *c = r->c;
    Diag *before = c->diag;
    if (!c->dae) {
        report->why_none = "A plan with \"direct\" cannot be tried out.";
        return;
    }
    c->diag = diag_new(c->sources, c->arena);
    report->tuning = tuning_make(c, &r->tune);
    if (!r->quiet && isatty(2))
        fprintf(stderr, "\r\033[K");
    const char *first = diag_first(c->diag, c->arena);
    report->why_none =
        arena_printf(c->arena, "No candidates were tried out: %s.",
                     first ? first : "the reference run failed");
    c->diag = before;
    report->shown = find_shown(c, report->tuning);
}

static bool write_report(const ReportRun *r, const Report *report)
{
    OutFile f;
    Compilation *c = r->c;
    const char *path = r->out ? r->out : "-";
    if (outfile_open(&f, path, c->arena)) {
        report_write(report, f.file);
        if (outfile_close(&f))
            return true;
    }
    diag_report(c->diag, NO_SPAN, DIAG_E1308, "%s: %s", path, strerror(errno));
    return false;
}

static void report(ReportRun *r)
{
    Compilation *c = r->c;
    StepTrust trust = {0};
    if (!output_possible(r->out, c->arena, c->diag) ||
        !driver_compile(c, &r->step.driver, PHASE_STEP))
        return;
    Report page = {.c = c, .plan = r->step.driver.plan, .shown = NONE};
    page.has_trust = step_trial_warn(c, &r->step.driver, &trust);
    if (!page.has_trust)
        step_modes_warn(c);
    page.trust = trust.trust;
    page.trust_name = trust.state;
    page.late_name = trust.late_one;
    page.ran_to = trust.time;
    try_out(r, &page);
    write_report(r, &page);
}

static const char *take_options(ReportRun *r, const TextList *args,
                                Arena *arena)
{
    const char *wrong = step_take(&r->step, args, arena);
    if (wrong)
        return wrong;
    if (!tune_read_groups(r->only, &r->tune.groups))
        return TUNE_GROUPS_WRONG;
    if (!r->out && isatty(1))
        return "the page is long: give -o FILE.html, or send it somewhere";
    if (r->watch.n == 0)
        r->watch = r->step.output;
    r->tune.watch = r->watch.at;
    r->tune.nwatch = r->watch.n;
    r->progress = (TuneProgress){say, r};
    r->tune.progress = &r->progress;
    return output_wrong("-o", r->out, "html", arena);
}

int cmd_report(int argc, char **argv)
{
    Arena *arena = arena_new();
    ReportRun r = {.step = step_defaults(), .only = "given"};
    const Option own[] = {
        {"o", "FILE", "where the page goes (.html; default: standard output)",
         OPT_TEXT, &r.out},
        {"stop", "TIME", "end of the reference run", OPT_TIME,
         &r.step.driver.stop},
        {"only", "GROUPS",
         "candidates that are tried out beside the plan: a list of "
         "given,sparsing,mixed,delay,extrapolated,combined, or all (default "
         "given)",
         OPT_TEXT, &r.only},
        {"deviation", "PERCENT",
         "how far outputs may stray, of their range (default 5)", OPT_NUMBER,
         &r.tune.deviation},
        {"quiet", NULL, "show no progress", OPT_FLAG, &r.quiet},
        {0},
    };
    const Command command = {
        "report", "MODEL",
        "Writes one interactive page: structure, plan, evidence, cost, "
        "spectra, trajectories.",
        "takt report models/gallery/MotorDrive.mo --step 1ms -o motor.html\n"
        "takt report models/gallery/SixAxisRobot.mo --plan robot.plan.json -o "
        "robot.html",
        step_table(&r.step, own, arena)};
    TextList args = {0};
    int code;
    if (options_read(&command, argc, argv, &args, arena, &code)) {
        const char *wrong = take_options(&r, &args, arena);
        if (wrong) {
            code = options_wrong(&command, "%s", wrong);
        } else {
            r.c = driver_new();
            report(&r);
            code = driver_end(r.c);
        }
    }
    arena_free(arena);
    return code;
}
