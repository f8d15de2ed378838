/* undelayed.c - how wrong are equations that the plan gives old values?
 *
 * A cut of kind "step" changes the equations: the iteration converges, but to
 * another point. Gustafsson 2021, section 8, asks whether it could be tested in
 * practice that the undelayed equations hold there. They can be evaluated:
 * after each step, with the new values, before an event changes them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

void sim_look_undelayed(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (d->ndelayed == 0)
        return;
    exec_run(s->exec, &s->low->delayed);
    for (int i = 0; i < d->ndelayed; i++) {
        double residual = fabs(s->exec->r[s->low->delayed_now[i]]);
        SimUndelayed *u = &s->undelayed[i];
        u->squares += residual * residual;
        if (residual <= u->largest)
            continue;
        u->largest = residual;
        u->time = s->exec->r[s->low->tape->time];
    }
}
