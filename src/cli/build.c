/* build.c - takt build MODEL: real-time C. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/cost_sheet.h"
#include "cli/step_options.h"
#include "cli/verbs.h"
#include "emit/target.h"

typedef struct BuildRun {
    StepOptions step;
    const char *dir, *target_name;
    const Target *target;
    bool quiet;
    Compilation *c;
} BuildRun;

/* ---- files ---- */

static bool write_text(BuildRun *r, const char *name, const char *text)
{
    const char *path = arena_printf(r->c->arena, "%s/%s", r->dir, name);
    OutFile f;
    bool fine = outfile_open(&f, path, r->c->arena);
    if (fine) {
        fputs(text, f.file);
        fine = outfile_close(&f);
    }
    if (!fine)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1405, "%s: %s", path,
                    strerror(errno));
    return fine;
}

/* NAME.cost.txt and NAME.cost.json. */
static bool write_certificate(BuildRun *r, const CostSheet *k, const char *name)
{
    static const char *const ending[2] = {"txt", "json"};
    for (int i = 0; i < 2; i++) {
        OutFile f;
        const char *path =
            arena_printf(r->c->arena, "%s/%s.cost.%s", r->dir, name, ending[i]);
        bool fine = outfile_open(&f, path, r->c->arena);
        if (fine) {
            (i ? sheet_json : sheet_print)(k, f.file);
            fine = outfile_close(&f);
        }
        if (!fine) {
            diag_report(r->c->diag, NO_SPAN, DIAG_E1405, "%s: %s", path,
                        strerror(errno));
            return false;
        }
    }
    return true;
}

static bool make_dir(BuildRun *r, const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_report(r->c->diag, NO_SPAN, DIAG_E1405, "%s: %s", path,
                strerror(errno));
    return false;
}

/* What the target has beside the C. */
static bool write_target(BuildRun *r, const char *prefix)
{
    Arena *a = r->c->arena;
    const Target *t = r->target;
    if (!t->files)
        return true;
    const EmitFile *file;
    int n = t->files(prefix, &file, a);
    if (!make_dir(r, arena_printf(a, "%s/%s", r->dir, t->folder)))
        return false;
    for (int i = 0; i < n; i++)
        if (!write_text(r, arena_printf(a, "%s/%s", t->folder, file[i].name),
                        file[i].text))
            return false;
    return true;
}

static bool write_all(BuildRun *r, const DriverCode *code)
{
    Arena *a = r->c->arena;
    if (!make_dir(r, r->dir) ||
        !make_dir(r, arena_printf(a, "%s/example", r->dir)))
        return false;
    for (int i = 0; i < code->nfile; i++)
        if (!write_text(r, code->file[i].name, code->file[i].text))
            return false;
    return true;
}

/* ---- the command ---- */

static bool build(BuildRun *r)
{
    Compilation *c = r->c;
    r->step.driver.undivided = r->target->undivided;
    if (!driver_compile(c, &r->step.driver, PHASE_CODE))
        return false;
    step_modes_warn(c);
    const DriverCode *code = c->code;
    const PivotReport *pivots = &c->step->pivots->report;
    CostSheet *cost = sheet_make(c, c->arena);
    if (!write_all(r, code) || !write_certificate(r, cost, code->name) ||
        !write_target(r, code->name))
        return false;
    if (!r->quiet)
        printf("%s: %s, step %g s\n"
               "  %s/%s.c: %d blocks, %d quantities, %zu bytes per instance\n"
               "  per step: %ld additions, %ld multiplications, %ld divisions, "
               "%ld calls\n"
               "  pivots fixed for %d blocks from %d points, the weakest "
               "%.2g\n",
               c->flat->model, c->method->title, c->size, r->dir, code->name,
               c->step->fused->tape->block.n, code->out->nvar,
               code->out->data_bytes, cost->table->total.add,
               cost->table->total.mul, cost->table->total.div,
               cost->table->total.call, pivots->nblock, pivots->nsample,
               pivots->weakest);
    if (!r->quiet && r->target->next)
        printf("  %s/%s: %s\n", r->dir, r->target->folder, r->target->next);
    return true;
}

/* What the target decides where the command line does not. */
static void decide(PlanEdits *edits, PlanField key, const char *text,
                   Arena *arena)
{
    if (text && !plan_has_edit(edits, key))
        plan_add_edit(edits, key, text, arena);
}

static void take_target(BuildRun *r, Arena *arena)
{
    PlanEdits *edits = &r->step.driver.edits;
    r->target = target_find(r->target_name);
    decide(edits, PLAN_SCALAR, r->target->scalar, arena);
    decide(edits, PLAN_MATH, r->target->math, arena);
}

int cmd_build(int argc, char **argv)
{
    Arena *arena = arena_new();
    BuildRun run = {.step = step_defaults(), .target_name = targets[0]->name};
    const Option own[] = {
        {"o", "DIR", "where the files go", OPT_TEXT, &run.dir},
        {"target", target_words(arena), target_help(arena), OPT_WORD,
         &run.target_name},
        {"name", "NAME", "prefix of the symbols (default: the model's name)",
         OPT_TEXT, &run.step.driver.name},
        {"quiet", NULL, "print errors only", OPT_FLAG, &run.quiet},
        {0},
    };
    const Command command = {
        "build", "MODEL", "Generates C that does the same work in every step.",
        "takt build models/gallery/HeatDiffusion.mo --step 1ms -o heat",
        step_table(&run.step, own, arena)};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    take_target(&run, arena);
    const char *wrong = step_take(&run.step, &args, arena);
    if (!wrong && !run.dir)
        wrong = "-o DIR is needed";
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    run.c = driver_new();
    build(&run);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
