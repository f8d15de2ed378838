/* sim_options.c - the options of takt sim, and what they mean together. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "cli/model_options.h"
#include "result/outputs.h"
#include "cli/plan_options.h"
#include "cli/sim_run.h"
#include "plan/keys.h"

SimRun sim_defaults(void)
{
    return (SimRun){.driver = driver_defaults(NULL),
                    .tube = 2e-3,
                    .change_atol = 1e-6,
                    .adaptive = {ADAPTIVE_IDA, NAN, 0},
                    .every = 1};
}

const Option *sim_table(SimRun *r, Arena *arena)
{
    DriverOptions *d = &r->driver;
    const Option own[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &r->library},
        {"external", NULL, "run external functions (foreign code) of the model",
         OPT_FLAG, &d->external},
        {"method",
         "NAME|bdf|liex|ida|cvode|completion|completion-adams|partition",
         "integration method (chosen if not given); bdf of orders 1 to 5, liex "
         "of orders up to 6; ida, cvode as a reference; the last three for "
         "models of any index",
         OPT_METHOD | OPT_DECISION, &d->edits},
        {"stop", "TIME", "stop time", OPT_TIME, &d->stop},
        {"tolerance", "X",
         "relative tolerance of ida and cvode (1e-6); with a Runge-Kutta "
         "method: its steps follow the error",
         OPT_NUMBER, &r->adaptive.rtol},
        {"atol", "X", "absolute tolerance (1e-3 of --tolerance times nominal)",
         OPT_NUMBER, &r->adaptive.atol},
        {"reuse", "on|off",
         "factors of derivative arrays are used again while they contract",
         OPT_WORD, &r->reuse},
        {"rows", "needed|all",
         "partition: equations are differentiated as needed, or all alike",
         OPT_WORD, &r->array_rows},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &r->set},
        {"input", "FILE", "CSV file with the inputs over time", OPT_TEXT,
         &r->input},
        {"o", "FILE", "write the trajectories (.csv, .mat or .h5)", OPT_TEXT,
         &r->out},
        {"filter", "PATTERN", "only variables like 'motor.*'", OPT_TEXT,
         &r->filter},
        {"every", "N", "write every N-th step", OPT_INT, &r->every},
        {"plot", "FILE",
         "draw as .svg, .png or .html (states, or those of --var)", OPT_TEXT,
         &r->plot},
        {"var", "NAME", "a variable to draw", OPT_LIST, &r->plot_vars},
        {"compare", "FILE", "compare with a reference CSV", OPT_TEXT,
         &r->compare},
        {"events", "exact|grid",
         "exact: steps end at events (ida, cvode: always); grid: seen there",
         OPT_WORD, &r->events},
        {"estimates", "FILE",
         "write the estimated errors of each step (.csv or .mat)", OPT_TEXT,
         &r->estimates},
        {"verify", NULL,
         "run with half the step and a quarter of it too (with step-size "
         "control: other tolerances): what changes, which order that shows",
         OPT_FLAG, &r->verify},
        {"once", NULL, "no other run to tell how far to trust this one",
         OPT_FLAG, &r->once},
        {"time", NULL, "say how much processor time the run took", OPT_FLAG,
         &r->is_timed},
        {"change", "X",
         "warn where a state changes in a step by more than X |x|", OPT_NUMBER,
         &r->change},
        {"change-atol", "X", "and by more than X (default 1e-6)", OPT_NUMBER,
         &r->change_atol},
        {"change-stop", NULL, "end the run there", OPT_FLAG, &r->change_stops},
        {"save-state", "FILE", "write the state at the end, to go on from",
         OPT_TEXT, &r->save_state},
        {"from-state", "FILE", "go on from a saved state", OPT_TEXT,
         &r->from_state},
        {"tube", "X", "tolerance of --compare (default 0.002)", OPT_NUMBER,
         &r->tube},
        {"plan", "FILE", "obey a plan", OPT_TEXT, &d->plan},
        {"static", NULL,
         "compute as generated code does: fixed pivots, fixed work", OPT_FLAG,
         &r->is_static},
        {"dump", "flat|sys|dae|inlined|schedule|tape",
         "print the result of a phase", OPT_WORD, &d->dump},
        {"json", NULL, "print JSON for machines", OPT_FLAG, &r->json},
        {"quiet", NULL, "print errors only", OPT_FLAG, &r->quiet},
        {0},
    };
    return plan_options(own, PLAN_SIM, &d->edits, arena);
}

/* ida and cvode take the model as it is. */
static void choose_reference(SimRun *r)
{
    const char *m = plan_find_edit(&r->driver.edits, PLAN_METHOD);
    int which = 0;
    while (m && which < ADAPTIVE_COUNT && strcmp(m, adaptive_row[which].key))
        which++;
    if (!m || which == ADAPTIVE_COUNT)
        return;
    r->is_reference = true;
    r->adaptive.solver = (AdaptiveSolver)which;
    r->driver.with_array = adaptive_row[which].on_array;
    plan_drop_edits(&r->driver.edits, PLAN_METHOD);
}

/* The formulas of backward Euler with the past of other orders, and the rows of
 * an extrapolation table as far as they pay. */
static void choose_orders(SimRun *r, Arena *arena)
{
    const char *m = plan_find_edit(&r->driver.edits, PLAN_METHOD);
    bool is_bdf = m && !strcmp(m, "bdf");
    if (!is_bdf && !(m && !strcmp(m, "liex")))
        return;
    plan_drop_edits(&r->driver.edits, PLAN_METHOD);
    plan_add_edit(&r->driver.edits, PLAN_METHOD, is_bdf ? "be" : "liex6",
                  arena);
    plan_add_edit(&r->driver.edits, PLAN_CONTROL, "orders", arena);
    if (isnan(r->adaptive.rtol))
        r->adaptive.rtol = 1e-6;
}

static const char *choose_reuse(SimRun *r)
{
    if (r->array_rows && r->adaptive.solver != ADAPTIVE_PARTITION)
        return "--rows needs --method partition";
    r->adaptive.all_rows = r->array_rows && !strcmp(r->array_rows, "all");
    if (!r->reuse)
        return NULL;
    r->adaptive.no_reuse = !strcmp(r->reuse, "off");
    return r->driver.with_array ? NULL
                                : "--reuse needs --method completion, "
                                  "completion-adams or partition";
}

/* What is wrong about events, or NULL. */
static const char *choose_events(SimRun *r)
{
    if (!r->events)
        return NULL;
    r->exact = !strcmp(r->events, "exact");
    if (r->exact && r->is_static)
        return "--events exact cannot be combined with --static: generated "
               "code sees events at grid points";
    if (!r->exact && r->is_reference)
        return "--events grid needs a method with a fixed step, not ida or "
               "cvode";
    return NULL;
}

/* Decisions on a step that ida and cvode do not make, or NULL. */
static const char *wrong_reference(const SimRun *r, Arena *arena)
{
    static const PlanField of_step[] = {
        PLAN_ALGEBRAIC, PLAN_ONE_BLOCK, PLAN_ORDER_BUILDUP, PLAN_DAMPING,
        PLAN_DIRECT,    PLAN_ESTIMATE,  PLAN_INVARIANT,     PLAN_INVARIANT_BY};
    if (!r->is_reference)
        return NULL;
    if (r->is_static)
        return "--static needs a method with a fixed step, not ida or cvode";
    for (size_t i = 0; i < sizeof of_step / sizeof *of_step; i++)
        if (plan_has_edit(&r->driver.edits, of_step[i]))
            return arena_printf(arena,
                                "--%s needs a method with a fixed step, not "
                                "ida or cvode",
                                plan_keys[of_step[i]].option);
    return NULL;
}

static const char *wrong_numbers(const SimRun *r)
{
    if (r->adaptive.rtol <= 0 || r->adaptive.atol < 0)
        return "--tolerance and --atol are positive";
    if (r->adaptive.rtol >= 1)
        return "--tolerance is relative: below 1";
    if (r->change < 0 || !(r->change_atol > 0))
        return "tolerances must be positive";
    if (!(r->tube > 0))
        return "--tube takes a positive number";
    return r->every < 1 ? "--every takes a number from 1" : NULL;
}

/* Half a step is half of a fixed one, and points on the array have no other
 * tolerance. */
static const char *wrong_verify(const SimRun *r)
{
    if (!r->verify)
        return NULL;
    if (r->once)
        return "--verify makes other runs, --once none";
    if (r->driver.with_array)
        return "--verify needs a fixed step, ida, cvode or --tolerance, not a "
               "method on derivative arrays";
    return r->from_state ? "--verify cannot go on from a saved state" : NULL;
}

static const char *wrong_files(const SimRun *r, Arena *arena)
{
    const char *wrong = output_wrong("-o", r->out, "csv|mat|h5", arena);
    if (!wrong)
        wrong = output_wrong("--plot", r->plot, "svg|png|html", arena);
    if (!wrong)
        wrong = output_wrong("--estimates", r->estimates, "csv|mat", arena);
    if (!wrong && r->plot_vars.n > 0 && !r->plot && !r->filter)
        wrong = "--var is a variable to draw: it needs --plot";
    return wrong;
}

const char *sim_take(SimRun *r, const TextList *args, Arena *arena)
{
    DriverOptions *d = &r->driver;
    choose_reference(r);
    choose_orders(r, arena);
    const char *wrong =
        args->n != 1 ? "exactly one MODEL is needed" : wrong_numbers(r);
    if (!wrong)
        wrong = choose_events(r);
    if (!wrong)
        wrong = choose_reuse(r);
    if (!wrong)
        wrong = wrong_reference(r, arena);
    if (!wrong)
        wrong = wrong_verify(r);
    if (!wrong)
        wrong = wrong_files(r, arena);
    if (!wrong)
        wrong = plan_edits_wrong(
            &d->edits, r->is_static ? PLAN_REALTIME : PLAN_DESK, arena);
    if (wrong)
        return wrong;
    model_options(d, args, &r->library, &r->set);
    return NULL;
}
