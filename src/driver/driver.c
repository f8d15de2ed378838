/* driver.c - the phases in their order. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/driver.h"

#include <string.h>

#include "driver/settings.h"

/* Is `phase` the one whose result is to be printed? */
static bool is_dump(Compilation *c, const DriverOptions *o, const char *phase)
{
    if (!o->dump || strcmp(o->dump, phase))
        return false;
    c->dumped = true;
    return true;
}

static bool inline_method(Compilation *c, const DriverOptions *o)
{
    InlineOptions options = {.keep_aliases = o->keep_aliases,
                             .order_buildup = o->order_buildup};
    c->inlined = c->plan->direct ? inline_sys(c->sys, c->plan, c->method,
                                              &options, c->arena, c->diag)
                                 : inline_dae(c->dae, c->plan, c->method,
                                              &options, c->arena, c->diag);
    return c->inlined != NULL;
}

/* Every system of the Inlined gets a schedule. */
static bool make_schedules(Compilation *c, const DriverOptions *o)
{
    SchedOptions options = schedule_options(c->plan);
    options.jacobian = !o->no_jacobian;
    options.one_block |= o->one_block;
    options.show_torn = o->show_torn;
    c->samples = schedule_start_samples(c->inlined, c->step, c->arena, c->diag);
    c->schedule = NEW_ARRAY(c->arena, Schedule *, c->inlined->nsystem + 1);
    for (int i = 0; i < c->inlined->nsystem; i++) {
        c->schedule[i] = schedule_make(c->inlined, &c->inlined->system[i],
                                       c->samples, &options, c->arena, c->diag);
        if (!c->schedule[i])
            return false;
    }
    return true;
}

static bool is_for_modes(const Compilation *c, const DriverOptions *o)
{
    return o->modes && c->dae && c->dae->nstate <= DRIVER_MOST_MODES &&
           c->dae->nunknown <= 5000;
}

static bool make_tape(Compilation *c, const DriverOptions *o)
{
    LowerOptions options = {.newton = c->plan->newton,
                            .set = c->set,
                            .nset = c->nset,
                            .reference = c->method->kind == MK_NONE ||
                                         is_for_modes(c, o)};
    c->lowered = lower(c->inlined, c->schedule, &options, c->arena);
    return true;
}

static void dump_schedules(const Compilation *c)
{
    for (int i = 0; i < c->inlined->nsystem; i++)
        schedule_print(c->schedule[i], stdout);
}

bool driver_compile(Compilation *c, const DriverOptions *o, Phase until)
{
    /* text -> Ast -> Flat */
    if (!driver_flatten(c, o))
        return false;
    if (is_dump(c, o, "flat"))
        return flat_print(c->flat, stdout), false;
    if (!settings_plan(c, o))
        return false;
    settings_times(c, o);
    if (until == PHASE_FLAT)
        return true;
    /* Flat -> Sys */
    SimplifyOptions simplify_options = {o->keep_aliases, o->remove_unread};
    c->sys = simplify(c->flat, simplify_options, c->arena, c->diag);
    if (!c->sys || !settings_sets(c, o))
        return false;
    if (o->free_starts)
        settings_free_starts(c);
    if (is_dump(c, o, "sys"))
        return sys_print(c->sys, stdout), false;
    if (until == PHASE_SYS)
        return true;
    /* Sys -> Dae */
    ReduceOptions reduce_options = {.set = c->set,
                                    .nset = c->nset,
                                    .state = c->plan->state,
                                    .nwished = c->plan->nstate};
    if (!c->plan->direct) {
        c->dae = reduce(c->sys, reduce_options, c->arena, c->diag);
        if (!c->dae)
            return false;
        if (is_dump(c, o, "dae"))
            return dae_print(c->dae, stdout), false;
        if (is_dump(c, o, "init"))
            return dae_print_init(c->dae, stdout), false;
    }
    if (until == PHASE_DAE)
        return true;
    /* Dae + Plan -> Inlined */
    if (!inline_method(c, o))
        return false;
    if (is_dump(c, o, "inlined"))
        return inlined_print(c->inlined, stdout), false;
    if (until == PHASE_INLINED)
        return true;
    /* Inlined -> Schedule */
    if (!make_schedules(c, o))
        return false;
    if (is_dump(c, o, "schedule"))
        return dump_schedules(c), false;
    if (until == PHASE_SCHEDULE)
        return true;
    /* Schedule -> Tape */
    if (!make_tape(c, o))
        return false;
    if (is_dump(c, o, "tape"))
        return tape_print(c->lowered->tape, stdout), false;
    return true;
}

bool driver_finish(Compilation *c, const DriverOptions *o)
{
    return inline_method(c, o) && make_schedules(c, o) && make_tape(c, o);
}

bool driver_change_method(Compilation *c, const DriverOptions *o)
{
    if (!settings_plan(c, o))
        return false;
    settings_times(c, o);
    return driver_finish(c, o);
}
