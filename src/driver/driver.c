/* driver.c - the phases in their order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include <string.h>

#include "base/ctext.h"
#include "driver/remodel.h"
#include "driver/settings.h"

/* Is `phase` the one whose result is to be printed? */
static bool is_dump(Compilation *c, const DriverOptions *o, const char *phase)
{
    if (!o->dump || strcmp(o->dump, phase))
        return false;
    c->dumped = true;
    return true;
}

StepInput driver_step_input(const Compilation *c, const DriverOptions *o)
{
    return (StepInput){.sys = c->sys,
                       .method = c->method,
                       .start = c->start,
                       .stop = c->stop,
                       .size = c->size,
                       .set = c->sys->set,
                       .nset = c->sys->nset,
                       .input = o->input,
                       .live_inputs = o->live_inputs,
                       .keep_aliases = o->keep_aliases,
                       .modes = o->modes,
                       .output = o->output,
                       .noutput = o->noutput,
                       .all = o->all,
                       .exchange = o->exchange,
                       .parts = o->parts};
}

/* Dumps show what is there; they need no more. */
static StepGoal goal_of(const DriverOptions *o)
{
    const char *dump = o->dump ? o->dump : "";
    return !strcmp(dump, "inlined")    ? STEP_EQUATIONS
           : !strcmp(dump, "schedule") ? STEP_STRUCTURE
                                       : o->goal;
}

static bool make_step(Compilation *c, const DriverOptions *o)
{
    StepInput input = driver_step_input(c, o);
    c->step = step_make(c->dae, c->plan, &input, goal_of(o), c->arena, c->diag);
    if (c->step)
        c->method = c->step->method;
    return c->step != NULL;
}

static void dump_schedules(const Step *s)
{
    for (int i = 0; i < s->inlined->nsystem; i++)
        schedule_print(s->schedule[i], stdout);
}

/* "a.b.Model" -> "Model" */
static const char *prefix_of(const Compilation *c, const DriverOptions *o)
{
    if (o->name)
        return c_prefix(o->name, c->arena);
    const char *dot = strrchr(c->flat->model, '.');
    return c_prefix(dot ? dot + 1 : c->flat->model, c->arena);
}

/* Can every function of the step be written with this scalar type? */
static bool check_calls(Compilation *c)
{
    const Tape *t = c->step->fused->tape;
    for (int i = 0; i < t->call.n; i++) {
        const ExprFunction *f = t->call.at[i].fn;
        if (!f->needs_double || c->plan->scalar != PS_FLOAT)
            continue;
        diag_report(c->diag, c->flat->span, DIAG_U1403,
                    "not supported: '%s' with --scalar float, which cannot "
                    "hold its numbers",
                    f->name);
        return false;
    }
    return true;
}

static bool make_code(Compilation *c, const DriverOptions *o)
{
    if (!check_calls(c))
        return false;
    DriverCode *code = NEW(c->arena, DriverCode);
    code->name = prefix_of(c, o);
    EmitOptions e = {.name = code->name,
                     .model = c->flat->model,
                     .method = c->method->title,
                     .value = c->step->value,
                     .delay = c->step->delay,
                     .step = c->size,
                     .is_float = c->plan->scalar == PS_FLOAT,
                     .own_math = c->plan->math == PM_TAKT,
                     .turns = c->plan->turns,
                     .undivided = o->undivided,
                     .sources = c->sources,
                     .domain = &c->plan->domain};
    Emitted *out = emit_c(c->step->fused, &e, c->arena);
    code->nfile = emit_files(out, &e, &code->file, c->arena);
    code->out = out;
    c->code = code;
    return true;
}

/* of the search for parameters that are 0 and structure */
enum { MOST_ROUNDS = 20 };

/* The network whose formulation the plan asks for; NULL: it asks for none. */
static const Network *network_of(Compilation *c)
{
    if (c->plan->formulation == PN_TEARING)
        return NULL;
    const Network *net = network_find(c->flat, c->arena);
    if (net->npin == 0)
        diag_report(c->diag, c->flat->span, DIAG_E1209,
                    "--formulation: %s has no network: no connector of its "
                    "components has one flow and one potential",
                    c->flat->model);
    return net;
}

static bool make_sys(Compilation *c, const DriverOptions *o,
                     const ParameterNames *z)
{
    const Network *net = network_of(c);
    if (net && net->npin == 0)
        return false;
    SimplifyOptions options = {.keep_aliases = o->keep_aliases,
                               .network = net,
                               .set = o->set,
                               .nset = o->nset,
                               .tunable = c->plan->tunable,
                               .zero = z ? z->at : NULL,
                               .nzero = z ? z->n : 0,
                               .free_starts =
                                   o->free_starts || o->goal >= STEP_STATIC};
    c->sys = simplify(c->flat, options, c->arena, c->diag);
    return c->sys != NULL;
}

/* Rows of parts that are differentiated oftener than MOST_INDEX times need what
 * is around them. */
enum { MOST_ORDER = 9, MOST_RINGS = 4, MOST_INDEX = 12 };

static bool make_array(Compilation *c)
{
    c->array = array_new(c->sys, c->start, MOST_ORDER, c->arena, c->diag);
    if (c->array)
        c->index =
            array_index(c->array, c->start, c->stop - c->start, c->arena);
    return c->array != NULL;
}

/* Derivatives of inputs become inputs where the index is reduced. */
static bool can_be_direct(Compilation *c)
{
    for (int i = 0; i < c->sys->nvar; i++) {
        const SysVar *v = &c->sys->var[i];
        if (v->role != SR_INPUT || v->derivatives == 0)
            continue;
        diag_report(c->diag, v->span, DIAG_E1010,
                    "--direct: the model uses the derivative of its input "
                    "'%s', which is an input of its own only where the index "
                    "is reduced",
                    v->name);
        return false;
    }
    return true;
}

/* Rows of the derivative array in c->sys; parameters that decide the index are
 * numbers from then on. Returns false after an error. */
static bool make_rows(Compilation *c, const DriverOptions *o, int rings,
                      ParameterNames *numbers, RemodelNews *news,
                      RemodelResult *result)
{
    int before = numbers->n;
    const char *names = "";
    while ((*result = remodel(c, rings, numbers, news)) == REMODEL_AGAIN)
        if (!make_sys(c, o, numbers))
            return false;
    for (int i = before; i < numbers->n; i++)
        names = arena_printf(c->arena, "%s%s'%s'", names,
                             i > before ? ", " : "", numbers->at[i]);
    if (numbers->n > before)
        diag_report(c->diag, c->flat->span, DIAG_W1708,
                    "with other values of %s the index would be another one: "
                    "%s in what is made of the model, not tunable",
                    names,
                    numbers->n > before + 1 ? "these parameters are numbers"
                                            : "this parameter is a number");
    return *result != REMODEL_BROKEN || make_sys(c, o, numbers);
}

/* A plan that says `direct` leaves the index as it is. Where parameters that
 * are 0 turn out to be structure, Sys is made again with them as numbers; where
 * structure is wrong, with rows of its derivative array. */
static bool make_dae(Compilation *c, const DriverOptions *o)
{
    ParameterNames zeros = {0};
    bool asks = true, is_wrong = false;
    int rings = 0;
    RemodelNews news = {0};
    RemodelResult result = REMODEL_REFUSED;
    if (c->plan->direct)
        return can_be_direct(c);
    for (int round = 0;; round++) {
        ReduceOptions options = {.set = c->sys->set,
                                 .nset = c->sys->nset,
                                 .state = c->plan->state,
                                 .nwished = c->plan->nstate,
                                 .given = c->set,
                                 .ngiven = c->nset,
                                 .keep_zeros = round >= MOST_ROUNDS,
                                 .most_index = c->parts ? MOST_INDEX : 0,
                                 .asks_numbers =
                                     asks && c->plan->remodel == PR_AUTO};
        c->dae = reduce(c->sys, options, c->arena, c->diag);
        bool is_deceived = c->dae && c->dae->is_deceived;
        if (!c->dae || (c->dae->nzero == 0 && !is_deceived))
            break;
        is_wrong |= is_deceived;
        for (int i = 0; i < c->dae->nzero; i++)
            vec_push(c->arena, &zeros, c->dae->zero[i]);
        result = REMODEL_REFUSED;
        if (!make_sys(c, o, &zeros) ||
            (is_wrong && !make_rows(c, o, rings, &zeros, &news, &result)))
            return false;
        rings += is_deceived;
        asks = !is_wrong || (result == REMODEL_PARTS && rings < MOST_RINGS);
        if (!asks) { /* that was the last word */
            remodel_tell(c, &news);
            news = (RemodelNews){0};
        }
    }
    remodel_tell(c, &news);
    if (result == REMODEL_REFUSED)
        remodel_suggest(c);
    return c->dae && settings_check_states(c);
}

bool driver_compile(Compilation *c, const DriverOptions *o, Phase until)
{
    /* text -> Ast -> Flat */
    if (!driver_flatten(c, o))
        return false;
    if (is_dump(c, o, "flat"))
        return flat_print(c->flat, stdout), false;
    if (!settings_decide(c, o))
        return false;
    if (until == PHASE_FLAT)
        return true;
    /* Flat -> Sys */
    if (!make_sys(c, o, NULL))
        return false;
    if (is_dump(c, o, "sys"))
        return sys_print(c->sys, stdout), false;
    if (o->with_array && !make_array(c))
        return false;
    if (until == PHASE_SYS)
        return true;
    /* Sys -> Dae */
    if (!make_dae(c, o))
        return false;
    if (c->dae && is_dump(c, o, "dae"))
        return dae_print(c->dae, stdout), false;
    if (c->dae && is_dump(c, o, "init"))
        return dae_print_init(c->dae, stdout), false;
    if (until == PHASE_DAE)
        return true;
    /* Dae + Plan -> Step */
    if (o->goal > STEP_STRUCTURE && !remodel_check_run(c))
        return false;
    if (!make_step(c, o))
        return false;
    if (is_dump(c, o, "inlined"))
        return inlined_print(c->step->inlined, stdout), false;
    if (is_dump(c, o, "schedule"))
        return dump_schedules(c->step), false;
    if (is_dump(c, o, "tape"))
        return tape_print(c->step->lowered->tape, stdout), false;
    settings_warn_domain(c, o);
    if (until == PHASE_STEP)
        return true;
    /* Step -> C */
    return make_code(c, o);
}

bool driver_change_step(Compilation *c, const DriverOptions *o)
{
    return settings_decide(c, o) && make_step(c, o);
}
