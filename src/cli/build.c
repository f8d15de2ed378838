/* build.c - takt build MODEL: real-time C. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/cost_sheet.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "driver/realtime.h"
#include "emit/emit.h"

typedef struct BuildRun {
    DriverOptions driver;
    TextList library, set, output;
    const char *dir, *target, *scalar, *math, *init, *name;
    bool all, quiet;
    Compilation *c;
} BuildRun;

/* --- files
 * ----------------------------------------------------------------------- */

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
static bool write_certificate(BuildRun *r, const CostSheet *k,
                              const char *name)
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

/* DIR/firmware: what a bare Cortex-M4F needs. */
static bool write_firmware(BuildRun *r, const char *name)
{
    Arena *a = r->c->arena;
    const FirmwareFile *file;
    int n = emit_firmware(name, &file, a);
    if (!make_dir(r, arena_printf(a, "%s/firmware", r->dir)))
        return false;
    for (int i = 0; i < n; i++)
        if (!write_text(r, arena_printf(a, "firmware/%s", file[i].name),
                        file[i].text))
            return false;
    return true;
}

static bool write_all(BuildRun *r, const Emitted *out, const char *name)
{
    Arena *a = r->c->arena;
    bool own = !strcmp(r->math, "takt");
    return make_dir(r, r->dir) &&
           make_dir(r, arena_printf(a, "%s/example", r->dir)) &&
           write_text(r, arena_printf(a, "%s.h", name), out->header) &&
           write_text(r, arena_printf(a, "%s.c", name), out->code) &&
           write_text(r, "takt_rt.h", emit_runtime("takt_rt.h")) &&
           write_text(r, "takt_rt_start.h", emit_runtime("takt_rt_start.h")) &&
           (!out->has_tables || write_text(r, "takt_rt_factor.h",
                                           emit_runtime("takt_rt_factor.h"))) &&
           (!own ||
            (write_text(r, "takt_rt_math.h", emit_runtime("takt_rt_math.h")) &&
             (strcmp(r->scalar, "float") ||
              write_text(r, "takt_rt_mathf.h",
                         emit_runtime("takt_rt_mathf.h"))))) &&
           write_text(r, "CMakeLists.txt", out->cmake) &&
           write_text(r, "example/main.c", out->example);
}

/* --- the command
 * ------------------------------------------------------------------- */

/* "a.b.Model" -> "Model" */
static const char *prefix_of(const BuildRun *r)
{
    if (r->name)
        return emit_identifier(r->name, r->c->arena);
    const char *dot = strrchr(r->c->flat->model, '.');
    return emit_identifier(dot ? dot + 1 : r->c->flat->model, r->c->arena);
}

static bool build(BuildRun *r)
{
    Compilation *c = r->c;
    r->driver.free_starts = strcmp(r->init, "values") != 0;
    RealtimeOptions options = {r->output.at, r->output.n, r->all,
                               !strcmp(r->init, "values")};
    if (!driver_compile(c, &r->driver, PHASE_TAPE))
        return false;
    if (!strcmp(r->scalar, "float"))
        c->plan->scalar = PS_FLOAT;
    Realtime *rt = driver_realtime(c, &options);
    if (!rt)
        return false;
    EmitOptions o = {.name = prefix_of(r),
                     .model = c->flat->model,
                     .method = c->method->title,
                     .value = rt->value,
                     .delay = rt->delay,
                     .step = c->step,
                     .is_float = !strcmp(r->scalar, "float"),
                     .own_math = !strcmp(r->math, "takt"),
                     .sources = c->sources};
    Emitted *out = emit_c(rt->fused, &o, c->arena);
    CostSheet *cost = sheet_make(c, rt, o.is_float, c->arena);
    bool bare = !strcmp(r->target, "cortex-m");
    if (!write_all(r, out, o.name) || !write_certificate(r, cost, o.name) ||
        (bare && !write_firmware(r, o.name)))
        return false;
    if (!r->quiet)
        printf("%s: %s, step %g s\n"
               "  %s/%s.c: %d blocks, %d quantities, %zu bytes an instance\n"
               "  a step: %ld additions, %ld multiplications, %ld divisions, "
               "%ld calls\n"
               "  pivots fixed for %d blocks from %d points, the weakest "
               "%.2g\n",
               c->flat->model, c->method->title, c->step, r->dir, o.name,
               rt->fused->tape->block.n, out->nvar, out->data_bytes,
               cost->table->total.add, cost->table->total.mul,
               cost->table->total.div, cost->table->total.call,
               rt->pivots.nblock, rt->pivots.nsample, rt->pivots.weakest);
    if (!r->quiet && bare)
        printf("  make -C %s/firmware run: counts its instructions\n", r->dir);
    return true;
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return !strcmp(text, a) || !strcmp(text, b);
}

int cmd_build(int argc, char **argv)
{
    Arena *arena = arena_new();
    BuildRun run = {.driver = driver_defaults(NULL),
                    .target = "c",
                    .init = "solve"};
    DriverOptions *d = &run.driver;
    const Option option[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
        {"o", "DIR", "where the files go", OPT_TEXT, &run.dir},
        {"target", "NAME",
         "c (default), or cortex-m: C with firmware, float, takt's functions",
         OPT_TEXT, &run.target},
        {"scalar", "TYPE", "double (default) or float", OPT_TEXT, &run.scalar},
        {"math", "NAME",
         "libm (default), or takt: functions whose work does not depend on "
         "data",
         OPT_TEXT, &run.math},
        {"init", "WHAT",
         "solve (default): initial values follow parameters at run time; "
         "values: those found here, less code",
         OPT_TEXT, &run.init},
        {"name", "NAME", "prefix of the symbols (default: the model's name)",
         OPT_TEXT, &run.name},
        {"method", "NAME", "integration method (default lie)", OPT_TEXT,
         &d->method},
        {"step", "TIME", "step size, e.g. 1ms", OPT_TIME, &d->step},
        {"stop", "TIME", "end of the run that pivots are chosen from", OPT_TIME,
         &d->stop},
        {"algebraic", "HOW",
         "iterate on the states (solve), torn variables too (keep-small), all "
         "variables (keep), few (tear); default: auto",
         OPT_TEXT, &d->algebraic},
        {"factor", "KIND",
         "factorisation of all blocks: unroll, table, qr, dense; default: auto",
         OPT_TEXT, &d->factor},
        {"refine", NULL, "refine linear solutions once", OPT_FLAG, &d->refine},
        {"no-monitor", NULL, "do not watch the factors", OPT_FLAG,
         &d->no_monitor},
        {"newton", "N", "Newton iterations of nonlinear blocks", OPT_INT,
         &d->newton},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &run.set},
        {"output", "NAME", "a variable to keep beside states and outputs",
         OPT_LIST, &run.output},
        {"all", NULL, "keep all variables", OPT_FLAG, &run.all},
        {"plan", "FILE", "obey a plan", OPT_TEXT, &d->plan},
        {"quiet", NULL, "print errors only", OPT_FLAG, &run.quiet},
        {0},
    };
    const Command command = {
        "build", "MODEL", "Generates C that does the same work in every step.",
        "takt build models/gallery/HeatDiffusion.mo --step 1ms -o heat",
        option};
    TextList args = {0};
    int code;
    const char *wrong = NULL;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    bool bare = !strcmp(run.target, "cortex-m");
    if (!run.scalar)
        run.scalar = bare ? "float" : "double";
    if (!run.math)
        run.math = bare ? "takt" : "libm";
    if (args.n != 1)
        wrong = "exactly one MODEL is needed";
    else if (!run.dir)
        wrong = "-o DIR is needed";
    else if (!is_one_of(run.target, "c", "cortex-m"))
        wrong = "--target takes c or cortex-m";
    else if (!is_one_of(run.scalar, "double", "float"))
        wrong = "--scalar takes double or float";
    else if (!is_one_of(run.init, "solve", "values"))
        wrong = "--init takes solve or values";
    else if (!is_one_of(run.math, "libm", "takt") ||
             (!strcmp(run.math, "takt") && !emit_runtime("takt_rt_math.h")))
        wrong = "--math takes libm or takt";
    if (wrong) {
        code = options_wrong(&command, "%s", wrong);
        arena_free(arena);
        return code;
    }
    d->model = args.at[0];
    d->library = run.library.at;
    d->nlibrary = run.library.n;
    d->set = run.set.at;
    d->nset = run.set.n;
    if (!d->method && !d->plan)
        d->method = "lie";
    run.c = driver_new();
    build(&run);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
