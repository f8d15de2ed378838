/* change.c - how much do states change in a step? (Schiela, 5.6)
 *
 * The crude measure: the lower method is x_{n+1} = x_n, so that its error is
 * |x_{n+1} - x_n|. A change is too large if it is above both tolerances, the
 * relative one (times |x_n|) and the absolute one. That is a warning or the end
 * of the run. Errors are estimated by estimate.c.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

struct SimChange {
    int *state;  /* slot of each state */
    double *old; /* its value at t_n */
};

void sim_change_before(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (!(s->options.change > 0) || !d->dae)
        return;
    if (!s->change) {
        SimChange *c = s->change = NEW(s->arena, SimChange);
        c->state = NEW_ARRAY(s->arena, int, d->dae->nstate + 1);
        c->old = NEW_ARRAY(s->arena, double, d->dae->nstate + 1);
        for (int k = 0; k < d->dae->nstate; k++)
            c->state[k] = s->low->slot[inlined_find(d, d->dae->state[k].var,
                                                    d->dae->state[k].order)];
    }
    for (int k = 0; k < d->dae->nstate; k++)
        s->change->old[k] = s->exec->r[s->change->state[k]];
}

bool sim_change_after(Sim *s)
{
    SimStats *stats = &s->stats;
    const Dae *dae = s->low->inlined->dae;
    int bad = NONE;
    for (int k = 0; s->change && k < dae->nstate; k++) {
        double old = s->change->old[k];
        double bound =
            fmax(s->options.change * fabs(old), s->options.change_atol);
        double ratio = fabs(s->exec->r[s->change->state[k]] - old) / bound;
        if (ratio > 1 && bad == NONE)
            bad = k;
        if (!(ratio > stats->change))
            continue;
        stats->change = ratio;
        stats->change_state = k;
        stats->change_time = s->exec->r[s->low->tape->time];
    }
    stats->change_bad += bad != NONE;
    if (bad == NONE || !s->options.change_stops)
        return true;
    diag_report(
        s->diag, s->low->inlined->sys->flat->span, DIAG_E1371,
        "%s changes by %.3g times its tolerance in the step to %g",
        dae_leaf_text(dae, dae_state_shown(dae, stats->change_state), s->arena),
        stats->change, s->exec->r[s->low->tape->time]);
    return false;
}
