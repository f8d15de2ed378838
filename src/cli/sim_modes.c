/* sim_modes.c - warnings before damage: what the method makes of the modes. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/sim_run.h"

void sim_modes_look(SimRun *r, const Sim *sim, double time)
{
    Compilation *c = r->c;
    bool is_fixed = !r->is_reference && !(sim->options.rtol > 0);
    if (r->rows == 0 && is_fixed) {
        ModeWatchOptions o = {.method = c->method,
                              .step = c->size,
                              .start = c->start,
                              .length = c->stop - c->start,
                              .span = c->flat->span};
        r->watch = mode_watch_new(sim, c->step->host, &o, c->arena, c->diag);
    }
    if (r->watch)
        mode_watch_see(r->watch, sim, time);
    if (!r->is_other && is_fixed)
        follow_row(&r->follow, sim, r->rows, time, c->arena);
    if (!r->is_other && !r->driver.with_array) /* it has other equations */
        rounding_row(&r->rounding, sim, r->rows, time, c->arena);
}
