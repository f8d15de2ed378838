/* static.c - from the host's tape to one that needs no pivoting. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/static.h"

#include <string.h>

#include "tape/exec.h"
#include "tape/fold.h"
#include "tape/hoist.h"

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

/* What a step computes of parameters alone is left to `param`. */
static void hoist_parameters(Compilation *c)
{
    const Inlined *d = c->inlined;
    Tape *t = c->lowered->tape;
    Exec *e = exec_new(t);
    e->r[t->step] = c->step;
    exec_run(e, tape_find_segment(t, "param"));
    double *value = NEW_ARRAY(c->arena, double, t->nslot);
    memcpy(value, e->r, (size_t)t->nslot * sizeof *value);
    exec_free(e);
    bool *done = NEW_ARRAY(c->arena, bool, d->nsystem + 1);
    TapeSegment *step =
        NEW_ARRAY(c->arena, TapeSegment, d->nstart + d->ncycle + 1);
    int n = 0;
    for (int i = 0; i < d->nstart + d->ncycle; i++) {
        int k = i < d->nstart ? d->start[i] : d->cycle[i - d->nstart];
        if (done[k])
            continue;
        done[k] = true;
        step[n] = c->lowered->system[k].run;
        tape_fold(t, &step[n++], NULL, 0);
    }
    tape_hoist(t, step, n, value);
}

bool driver_static(Compilation *c, PivotReport *report)
{
    SimOptions options = driver_static_options(c);
    PivotOptions pivots = {.plan = c->plan,
                           .is_float = c->plan->scalar == PS_FLOAT};
    Sim *sim = sim_new(c->lowered, &options, c->arena, c->diag);
    bool fine =
        sim && pivots_choose(sim, c->schedule, &pivots, report, c->arena);
    sim_free(sim);
    if (!fine)
        return false;
    LowerOptions lower_options = {.newton = c->plan->newton,
                                  .set = c->set,
                                  .nset = c->nset,
                                  .keep_guess = true};
    c->lowered = lower(c->inlined, c->schedule, &lower_options, c->arena);
    hoist_parameters(c);
    return true;
}
