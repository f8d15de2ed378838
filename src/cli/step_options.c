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
         &o->scalar},
        {"math", "libm|takt",
         "libm (default), or takt: functions whose work does not depend on "
         "data",
         OPT_WORD, &o->math},
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
        {"all", NULL, "keep all variables", OPT_FLAG, &o->all},
        {"fixed", NULL, "parameters become numbers: less work, nothing to tune",
         OPT_FLAG, &o->fixed},
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
    o->init = o->init && !o->fixed ? o->init : o->fixed ? "values" : "solve";
    if (args->n != 1)
        return "exactly one MODEL is needed";
    d->model = args->at[0];
    d->library = o->library.at;
    d->nlibrary = o->library.n;
    d->set = o->set.at;
    d->nset = o->set.n;
    d->free_starts = true; /* the same choices, whatever --init says */
    if (!d->method && !d->plan)
        d->method = "lie";
    return NULL;
}

bool step_is_float(const StepOptions *o)
{
    return !strcmp(o->scalar, "float");
}

bool step_has_own_math(const StepOptions *o)
{
    return !strcmp(o->math, "takt");
}

/* The command line over the plan; from here on both say the same. */
static void choose_numbers(StepOptions *o, Plan *p)
{
    if (!o->scalar)
        o->scalar = p->scalar == PS_FLOAT ? "float" : "double";
    if (!o->math)
        o->math = p->math == PM_CONSTANT ? "takt" : "libm";
    p->scalar = step_is_float(o) ? PS_FLOAT : PS_DOUBLE;
    p->math = step_has_own_math(o) ? PM_CONSTANT : PM_LIBM;
}

Realtime *step_make(StepOptions *o, Compilation *c)
{
    RealtimeOptions options = {.output = o->output.at,
                               .noutput = o->output.n,
                               .all = o->all,
                               .fixed = o->fixed,
                               .values = !strcmp(o->init, "values")};
    if (!driver_compile(c, &o->driver, PHASE_TAPE))
        return NULL;
    choose_numbers(o, c->plan);
    return driver_realtime(c, &options);
}

/* "a.b.Model" -> "Model" */
static const char *prefix_of(const Compilation *c, const char *name)
{
    if (name)
        return c_prefix(name, c->arena);
    const char *dot = strrchr(c->flat->model, '.');
    return c_prefix(dot ? dot + 1 : c->flat->model, c->arena);
}

StepCode *step_code(const StepOptions *o, Compilation *c, const Realtime *rt,
                    const char *name, int undivided)
{
    StepCode *code = NEW(c->arena, StepCode);
    code->name = prefix_of(c, name);
    EmitOptions e = {.name = code->name,
                     .model = c->flat->model,
                     .method = c->method->title,
                     .value = rt->value,
                     .delay = rt->delay,
                     .step = c->step,
                     .is_float = step_is_float(o),
                     .own_math = step_has_own_math(o),
                     .undivided = undivided,
                     .sources = c->sources};
    code->out = emit_c(rt->fused, &e, c->arena);
    code->nfile = emit_files(code->out, &e, &code->file, c->arena);
    return code;
}
