/* static.c - from the host's tape to one that needs no pivoting. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/static.h"

SimOptions driver_static_options(const Compilation *c)
{
    int max = c->plan->has[PLAN_EVENTS] ? c->plan->events_max : 0;
    return (SimOptions){.start = c->start,
                        .stop = c->stop,
                        .step = c->step,
                        .input = c->input,
                        .live_inputs = c->live_inputs,
                        .events_max = max > 0 ? max : 3,
                        .fixed_states = false};
}

bool driver_static(Compilation *c, PivotReport *report)
{
    SimOptions options = driver_static_options(c);
    PivotOptions pivots = {.plan = c->plan,
                           .is_float = c->plan->scalar == PS_FLOAT};
    Sim *sim = sim_new(c->lowered, &options, c->arena, c->diag);
    bool fine = sim && pivots_choose(sim, c->schedule, &pivots, report, c->arena);
    sim_free(sim);
    if (!fine)
        return false;
    LowerOptions lower_options = {
        .newton = c->plan->newton,
        .set = c->set,
        .nset = c->nset,
        .keep_guess = true};
    c->lowered = lower(c->diff, c->schedule, &lower_options, c->arena);
    return true;
}
