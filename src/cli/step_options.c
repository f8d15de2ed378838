/* step_options.c - options of takt build, takt cost and takt run. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/step_options.h"

#include <assert.h>
#include <string.h>

#include "base/ctext.h"

StepOptions step_defaults(void)
{
    return (StepOptions){.driver = driver_defaults(NULL)};
}

static bool has_option(const Option *table, const char *name)
{
    for (; table->name; table++)
        if (!strcmp(table->name, name))
            return true;
    return false;
}

const Option *step_table(StepOptions *o, const Option *own, Arena *arena)
{
    DriverOptions *d = &o->driver;
    const Option common[] = {
        {"L", "DIR", "look for libraries in DIR", OPT_LIST, &o->library},
        {"scalar", "double|float", "type of numbers (default double)", OPT_WORD,
         &d->scalar},
        {"math", "libm|takt",
         "libm (default), or takt: functions whose work does not depend on "
         "data",
         OPT_WORD, &d->math},
        {"init", "solve|values",
         "solve (default): initial values follow parameters at run time; "
         "values: those found here, less code",
         OPT_WORD, &o->init},
        {"method", "NAME", "integration method (default lie)", OPT_METHOD,
         &d->method},
        {"step", "TIME", "step size, e.g. 1ms", OPT_TIME, &d->step},
        {"stop", "TIME", "end of the run that pivots are chosen from", OPT_TIME,
         &d->stop},
        {"algebraic", "auto|solve|keep-small|keep|tear",
         "iterate on the states (solve), torn variables too (keep-small), all "
         "variables (keep), few (tear); default: auto",
         OPT_WORD, &d->algebraic},
        {"factor", "auto|unroll|table|qr|dense",
         "factorisation of all blocks; default: auto", OPT_WORD, &d->factor},
        {"refine", NULL, "refine linear solutions once", OPT_FLAG, &d->refine},
        {"no-monitor", NULL, "do not watch the factors", OPT_FLAG,
         &d->no_monitor},
        {"newton", "N", "Newton iterations of nonlinear blocks", OPT_INT,
         &d->newton},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &o->set},
        {"output", "NAME", "a variable to keep beside states and outputs",
         OPT_LIST, &o->output},
        {"all", NULL, "keep all variables", OPT_FLAG, &d->all},
        {"fixed", NULL, "parameters become numbers: less work, nothing to tune",
         OPT_FLAG, &d->fixed},
        {"plan", "FILE", "obey a plan", OPT_TEXT, &d->plan},
    };
    Option *table = NEW_ARRAY(arena, Option, STEP_MOST_OPTIONS);
    int n = 0;
    for (; own[n].name; n++)
        table[n] = own[n];
    int ncommon = (int)(sizeof common / sizeof common[0]);
    assert(n + ncommon < STEP_MOST_OPTIONS);
    for (int i = 0; i < ncommon; i++)
        if (!has_option(own, common[i].name))
            table[n++] = common[i];
    return table;
}

const char *step_take(StepOptions *o, const TextList *args)
{
    DriverOptions *d = &o->driver;
    o->init = o->init && !d->fixed ? o->init : d->fixed ? "values" : "solve";
    if (args->n != 1)
        return "exactly one MODEL is needed";
    d->model = args->at[0];
    d->library = o->library.at;
    d->nlibrary = o->library.n;
    d->set = o->set.at;
    d->nset = o->set.n;
    d->goal = STEP_REALTIME;
    d->output = o->output.at;
    d->noutput = o->output.n;
    d->values = !strcmp(o->init, "values");
    if (!d->method && !d->plan)
        d->method = "lie";
    return NULL;
}
