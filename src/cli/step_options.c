/* step_options.c - options of takt build, takt cost and takt run. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/model_options.h"
#include "cli/step_options.h"

#include <string.h>

#include "cli/plan_options.h"
#include "plan/keys.h"

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
        {"external", NULL, "run external functions (foreign code) of the model",
         OPT_FLAG, &d->external},
        {"stop", "TIME", "end of the run that pivots are chosen from", OPT_TIME,
         &d->stop},
        {"set", "NAME=VALUE", "value of a parameter or start value", OPT_LIST,
         &o->set},
        {"output", "NAME", "a variable to keep besides states and outputs",
         OPT_LIST, &o->output},
        {"all", NULL, "keep all variables", OPT_FLAG, &d->all},
        {"plan", "FILE", "obey a plan", OPT_TEXT, &d->plan},
    };
    const int ncommon = (int)(sizeof common / sizeof common[0]);
    int n = 0;
    while (own[n].name)
        n++;
    Option *table = NEW_ARRAY(arena, Option, n + ncommon + 1);
    for (int i = 0; i < n; i++)
        table[i] = own[i];
    for (int i = 0; i < ncommon; i++)
        if (!has_option(own, common[i].name))
            table[n++] = common[i];
    return plan_options(table, PLAN_STEP_VERBS, &d->edits, arena);
}

const char *step_take(StepOptions *o, const TextList *args, Arena *arena)
{
    DriverOptions *d = &o->driver;
    if (args->n != 1)
        return "exactly one MODEL is needed";
    model_options(d, args, &o->library, &o->set);
    d->goal = STEP_REALTIME;
    d->modes = true;
    d->output = o->output.at;
    d->noutput = o->output.n;
    return plan_edits_wrong(&d->edits, PLAN_REALTIME, arena);
}
