/* domain.c - the ranges of a plan along a run: which was left first, when, and
 * how many steps were outside of some. Generated code does the same
 * (emit/domain.c). */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_internal.h"

void sim_find_ranges(Sim *s)
{
    const PlanDomain *d = s->options.domain;
    if (!d || d->no_check || d->nrange == 0)
        return;
    s->ranged = NEW_ARRAY(s->arena, const TapeSymbol *, d->nrange);
    for (int i = 0; i < d->nrange; i++)
        s->ranged[i] = tape_find_symbol(s->low->tape, d->range[i].name);
}

void sim_check_ranges(Sim *s)
{
    const PlanDomain *d = s->options.domain;
    bool is_outside = false;
    for (int i = 0; s->ranged && i < d->nrange; i++) {
        if (!s->ranged[i])
            continue;
        double x = exec_value(s->exec, s->ranged[i]);
        if (x >= d->range[i].low && x <= d->range[i].high)
            continue;
        is_outside = true;
        if (s->stats.outside_range)
            continue;
        s->stats.outside_range = &d->range[i];
        s->stats.outside_value = x;
        s->stats.outside_time = s->stats.time;
    }
    if (is_outside)
        sim_note(s, CAUSE_OUTSIDE, NONE);
}
