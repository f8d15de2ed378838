/* lag_error.c - how wrong are equations that the plan gives old values?
 *
 * A cut of kind "step" changes the equations: the iteration converges, but to
 * another point. Gustafsson 2021, section 8, asks whether it could be tested in
 * practice that the equations hold with new values there. They can be
 * evaluated: after each step, with the new values, before an event changes
 * them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

void sim_watch_lags(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (d->nlagged == 0)
        return;
    exec_run(s->exec, &s->low->lagged);
    for (int i = 0; i < d->nlagged; i++) {
        double residual = fabs(s->exec->r[s->low->lagged_now[i]]);
        SimLagError *u = &s->lag_error[i];
        u->squares += residual * residual;
        if (residual <= u->largest)
            continue;
        u->largest = residual;
        u->time = s->exec->r[s->low->tape->time];
    }
}
