/* build.c - takt build MODEL: real-time C. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "takt/takt.h"

#include "base/ctext.h"
#include "base/die.h"
#include "base/file.h"
#include "pages/cost_sheet.h"
#include "cli/build_inner.h"
#include "result/outputs.h"
#include "cli/step_options.h"
#include "cli/verbs.h"
#include "target/a2l.h"
#include "target/archive.h"
#include "target/foreign.h"

typedef struct BuildRun {
    StepOptions step;
    const char *out, *target_name, *a2l; /* -o, --target, --a2l */
    const char *interface;
    const Target *target;
    TextList cross;
    bool quiet;
    Compilation *c;
    const DriverCode *code;
    const TargetInner *inner; /* code of others; NULL: none */
    int ninner;
    const TargetForeign *foreign;
} BuildRun;

/* ---- files ---- */

static bool write_bytes(BuildRun *r, const char *path, const TargetFile *file,
                        mode_t mode)
{
    OutFile f;
    bool fine = outfile_open(&f, path, r->c->arena);
    if (fine) {
        fwrite(file->data, 1, file->size, f.file);
        fine = (mode == 0 || fchmod(fileno(f.file), mode) == 0);
        fine = outfile_close(&f) && fine;
    }
    if (!fine)
        diag_report(r->c->diag, NO_SPAN, DIAG_E1405, "%s: %s", path,
                    strerror(errno));
    return fine;
}

static const char *path_of(const BuildRun *r, const char *name)
{
    return arena_printf(r->c->arena, "%s/%s", r->out, name);
}

/* The certificate as text or as JSON. */
static TargetFile certificate(BuildRun *r, const CostSheet *k, bool json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        die("out of memory");
    (json ? sheet_json : sheet_print)(k, f);
    if (fclose(f) != 0)
        die("out of memory");
    TargetFile file = {.name = arena_printf(r->c->arena, "%s.cost.%s",
                                            r->c->code->name,
                                            json ? "json" : "txt"),
                       .data = arena_strndup(r->c->arena, text, size),
                       .size = size};
    free(text);
    return file;
}

static bool make_dir(BuildRun *r, const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    diag_report(r->c->diag, NO_SPAN, DIAG_E1405, "%s: %s", path,
                strerror(errno));
    return false;
}

static const char interface_words[] = "both|cosim|exchange|scheduled";

static TargetInterface interface_of(const BuildRun *r)
{
    return !r->interface || !strcmp(r->interface, "both") ? TARGET_BOTH
           : !strcmp(r->interface, "cosim")               ? TARGET_COSIM
           : !strcmp(r->interface, "exchange")            ? TARGET_EXCHANGE
                                                          : TARGET_SCHEDULED;
}

static TargetInput target_input(const BuildRun *r)
{
    const Compilation *c = r->c;
    return (TargetInput){.name = r->code->name,
                         .model = c->flat->model,
                         .version = takt_version(),
                         .out = r->code->out,
                         .file = r->code->file,
                         .nfile = r->code->nfile,
                         .step = c->step,
                         .flat = c->flat,
                         .start = c->start,
                         .stop = c->stop,
                         .size = c->size,
                         .cross = r->cross.at,
                         .ncross = r->cross.n,
                         .interface = c->fmu ? TARGET_COSIM : interface_of(r),
                         .inner = r->inner,
                         .ninner = r->ninner,
                         .foreign = r->foreign};
}

/* What the target has: its number of files, -1 after a report. */
static int target_files(BuildRun *r, const TargetFile **file)
{
    TargetInput in = target_input(r);
    return r->target->files
               ? r->target->files(&in, file, r->c->arena, r->c->diag)
               : 0;
}

static bool write_inner(BuildRun *r)
{
    Arena *a = r->c->arena;
    if (!make_dir(r, path_of(r, TARGET_INNER)))
        return false;
    for (int i = 0; i < r->ninner; i++) {
        TargetFile f = target_text(r->inner[i].name, r->inner[i].text);
        const char *name = arena_printf(a, "%s%s", TARGET_INNER, f.name);
        if (!write_bytes(r, path_of(r, name), &f, 0))
            return false;
    }
    return true;
}

static bool write_folder(BuildRun *r, const CostSheet *cost)
{
    Arena *a = r->c->arena;
    const DriverCode *code = r->code;
    const Target *t = r->target;
    const TargetFile *own;
    int n = target_files(r, &own);
    if (n < 0 || !make_dir(r, r->out) || !make_dir(r, path_of(r, "example")))
        return false;
    for (int i = 0; i < code->nfile; i++) {
        TargetFile f = target_text(code->file[i].name, code->file[i].text);
        if (!write_bytes(r, path_of(r, f.name), &f, 0))
            return false;
    }
    for (int json = 0; json < 2; json++) {
        TargetFile f = certificate(r, cost, json);
        if (!write_bytes(r, path_of(r, f.name), &f, 0))
            return false;
    }
    if (r->inner && !write_inner(r))
        return false;
    if (n > 0 && !make_dir(r, path_of(r, t->folder)))
        return false;
    for (int i = 0; i < n; i++)
        if (!write_bytes(
                r, path_of(r, arena_printf(a, "%s/%s", t->folder, own[i].name)),
                &own[i], 0))
            return false;
    return true;
}

/* An archive says what its step costs, too. */
static bool write_archive(BuildRun *r, const CostSheet *cost)
{
    Arena *a = r->c->arena;
    const TargetFile *own;
    int n = target_files(r, &own);
    if (n < 0)
        return false;
    TargetFile *all = NEW_ARRAY(a, TargetFile, n + 1), whole;
    memcpy(all, own, (size_t)n * sizeof *all);
    all[n] = certificate(r, cost, false);
    all[n].name = arena_printf(a, "documentation/%s", all[n].name);
    return archive_make(all, n + 1, &whole, a, r->c->diag) &&
           write_bytes(r, r->out, &whole, 0);
}

static bool write_program(BuildRun *r)
{
    const TargetFile *own;
    return target_files(r, &own) == 1 && write_bytes(r, r->out, own, 0777);
}

static bool write_all(BuildRun *r, const CostSheet *cost)
{
    switch (r->target->form) {
    case TARGET_ARCHIVE: return write_archive(r, cost);
    case TARGET_PROGRAM: return write_program(r);
    default: return write_folder(r, cost);
    }
}

static bool write_a2l(BuildRun *r)
{
    if (!r->a2l)
        return true;
    TargetInput in = target_input(r);
    A2lModel model = {in.flat, in.out, ""};
    TargetFile f = target_text(
        r->a2l, target_a2l(in.name, in.version, &model, 1, r->c->arena));
    return write_bytes(r, r->a2l, &f, 0);
}

/* ---- the command ---- */

/* Blocks of the events that modes may leave open, whether the run that was made
 * for the pivots came to such modes or not. */
static void print_open(const Step *s)
{
    const Lowered *low = s->lowered;
    if (s->inlined->event == NONE)
        return;
    const TapeSegment *run = &low->system[s->inlined->event].run;
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &low->tape->code.at[i];
        if (in->op == TAPE_BLOCK && low->tape->block.at[in->a].is_open)
            printf("  some modes do not determine %s: the nearest of many "
                   "solutions is taken\n",
                   low->tape->block.at[in->a].name);
    }
}

static void print_summary(const BuildRun *r, const CostSheet *cost)
{
    const Compilation *c = r->c;
    const DriverCode *code = r->code;
    const PivotReport *pivots = &c->step->pivots->report;
    const char *path =
        r->target->form == TARGET_FOLDER
            ? arena_printf(c->arena, "%s/%s.c", r->out, code->name)
            : r->out;
    printf("%s: %s, step %g s\n"
           "  %s: %d blocks, %d quantities, %zu bytes per instance\n"
           "  per step: %ld additions, %ld multiplications, %ld divisions, "
           "%ld calls\n"
           "  pivots fixed for %d blocks from %d points, the weakest %.2g\n",
           c->flat->model, c->method->title, c->size, path,
           c->step->fused->tape->block.n, code->out->nvar,
           code->out->data_bytes, cost->table->total.add,
           cost->table->total.mul, cost->table->total.div,
           cost->table->total.call, pivots->nblock, pivots->nsample,
           pivots->weakest);
    print_open(c->step);
    if (pivots->nblock > 0 && pivots->until < c->stop - c->size)
        printf(
            "  they are from a run to time %g of %g: takt sim --static tells "
            "what comes later\n",
            pivots->until, c->stop);
    if (r->target->next)
        printf("  %s/%s: %s\n", r->out, r->target->folder, r->target->next);
}

/* "VanDerPol_rt" of path/VanDerPol.fmu: the FMU inside has its own names. */
static const char *name_around(const char *model, Arena *arena)
{
    const char *slash = strrchr(model, '/'), *from = slash ? slash + 1 : model;
    const char *stem = arena_strndup(arena, from, strcspn(from, "."));
    return arena_printf(arena, "%s_rt", c_identifier(stem, arena));
}

/* External C goes into an FMU with all that it needs. */
static bool take_foreign(BuildRun *r)
{
    if (r->c->fmu || !r->target->exchanges || !r->code->out->foreign)
        return true;
    TargetInput in = target_input(r);
    r->foreign = target_foreign(&in, r->c->arena, r->c->diag);
    if (!r->foreign)
        return false;
    r->inner = r->foreign->inner;
    r->ninner = r->foreign->ninner;
    return true;
}

static bool build(BuildRun *r)
{
    Compilation *c = r->c;
    r->step.driver.undivided = r->target->undivided;
    bool is_fmu = fmu_is_name(r->step.driver.model);
    r->step.driver.exchange =
        r->target->exchanges && interface_of(r) < TARGET_COSIM && !is_fmu;
    r->step.driver.parts = interface_of(r) == TARGET_SCHEDULED && !is_fmu;
    if (is_fmu && !r->step.driver.name)
        r->step.driver.name = name_around(r->step.driver.model, c->arena);
    if (!driver_compile(c, &r->step.driver, PHASE_CODE))
        return false;
    r->code = c->fmu ? build_inner(c, &r->inner, &r->ninner) : c->code;
    if (!r->code || !take_foreign(r))
        return false;
    if (!step_trial_warn(c, &r->step.driver, NULL))
        step_modes_warn(c);
    CostSheet *cost = sheet_make(c, c->arena);
    if (!write_all(r, cost) || !write_a2l(r))
        return false;
    if (!r->quiet)
        print_summary(r, cost);
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
        {"o", "PATH", "the folder for the files; the file of an FMU", OPT_TEXT,
         &run.out},
        {"target", target_words(arena), target_help(arena), OPT_WORD,
         &run.target_name},
        {"name", "NAME", "prefix of the symbols (default: the model's name)",
         OPT_TEXT, &run.step.driver.name},
        {"cross", "COMPILER",
         "a further C compiler that makes a binary for another machine, as "
         "aarch64-linux-gnu-gcc",
         OPT_LIST, &run.cross},
        {"interface", interface_words,
         "what an FMU is for: co-simulation, model exchange (default: both, if "
         "the model can be exchanged), or scheduled execution of its clocks",
         OPT_WORD, &run.interface},
        {"a2l", "FILE",
         "an ASAP2 description of all quantities, for XCP (.a2l)", OPT_TEXT,
         &run.a2l},
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
    if (!wrong && !run.out)
        wrong = "-o PATH is needed";
    if (!wrong)
        wrong = output_wrong("--a2l", run.a2l, "a2l", arena);
    if (!wrong && run.cross.n > 0 && !run.target->compiles)
        wrong = "--cross is for targets that have binaries";
    if (!wrong && run.interface && !run.target->exchanges)
        wrong = "--interface is for FMUs";
    if (!wrong && interface_of(&run) != TARGET_BOTH &&
        interface_of(&run) != TARGET_COSIM &&
        fmu_is_name(run.step.driver.model))
        wrong = "--interface: an FMU around another one is for co-simulation";
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
