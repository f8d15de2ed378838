/* cost.c - takt cost MODEL: the certificate of a step. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "cli/cost_sheet.h"
#include "cli/options.h"
#include "cli/verbs.h"

typedef struct CostRun {
    DriverOptions driver;
    TextList library, set, output;
    const char *scalar;
    bool all, json;
    Compilation *c;
} CostRun;

static bool cost(CostRun *r)
{
    RealtimeOptions options = {r->output.at, r->output.n, r->all, false};
    if (!driver_compile(r->c, &r->driver, PHASE_TAPE))
        return false;
    if (!strcmp(r->scalar, "float"))
        r->c->plan->scalar = PS_FLOAT;
    Realtime *rt = driver_realtime(r->c, &options);
    if (!rt)
        return false;
    CostSheet *k =
        sheet_make(r->c, rt, !strcmp(r->scalar, "float"), r->c->arena);
    if (r->json)
        sheet_json(k, stdout);
    else
        sheet_print(k, stdout);
    return true;
}

int cmd_cost(int argc, char **argv)
{
    Arena *arena = arena_new();
    CostRun run = {.driver = driver_defaults(NULL), .scalar = "double"};
    DriverOptions *d = &run.driver;
    const Option option[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &run.library},
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
        {"scalar", "TYPE", "double (default) or float", OPT_TEXT, &run.scalar},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &run.set},
        {"output", "NAME", "a variable to keep beside states and outputs",
         OPT_LIST, &run.output},
        {"all", NULL, "keep all variables", OPT_FLAG, &run.all},
        {"plan", "FILE", "obey a plan", OPT_TEXT, &d->plan},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &run.json},
        {0},
    };
    const Command command = {
        "cost", "MODEL", "Counts what a step of the generated C does.",
        "takt cost models/gallery/HeatDiffusion.mo", option};
    TextList args = {0};
    int code;
    if (!options_read(&command, argc, argv, &args, arena, &code)) {
        arena_free(arena);
        return code;
    }
    if (args.n != 1 ||
        (strcmp(run.scalar, "double") && strcmp(run.scalar, "float"))) {
        code = options_wrong(&command, args.n != 1
                                           ? "exactly one MODEL is needed"
                                           : "--scalar takes double or float");
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
    cost(&run);
    code = driver_end(run.c);
    arena_free(arena);
    return code;
}
