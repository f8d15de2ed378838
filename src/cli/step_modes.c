/* step_modes.c - what a step that is built makes of the modes at the start. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/step_options.h"
#include "linear/linear.h"

void step_modes_warn(Compilation *c)
{
    SimOptions o = step_sim_options(c->step);
    ModeWatchOptions w = {.method = c->method,
                          .step = c->size,
                          .start = c->start,
                          .length = c->stop - c->start,
                          .span = c->flat->span};
    if (!c->step->host->reference || !(w.length > 0))
        return;
    diag_mute(c->diag); /* what goes wrong here was said */
    Sim *sim = sim_new(c->step->host, &o, c->arena, c->diag);
    bool fine = sim && sim_init(sim);
    diag_unmute(c->diag);
    ModeWatch *watch =
        fine ? mode_watch_new(sim, c->step->host, &w, c->arena, c->diag) : NULL;
    if (watch)
        mode_watch_see(watch, sim, c->start);
    mode_watch_free(watch);
    sim_free(sim);
}
