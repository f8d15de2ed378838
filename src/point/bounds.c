/* bounds.c - the attributes min and max of variables.
 *
 * They say where a model is meant to be used. As the plan's `bounds` says, they
 * are ignored, a variable that leaves them is reported once, or ends the run.
 * At initialisation parameters are looked at too. The first reports stand
 * alone; how many others there were is said at the end (SimStats.outside).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "point/point_parts.h"

enum { MOST_REPORTS = 5 };

static void say(Sim *s, const LoweredBound *b, bool is_below, double bound)
{
    const Sys *sys = s->low->inlined->sys;
    bool stops = s->options.stop_at_bounds;
    diag_report(s->diag, sys_var_place(sys, b->sys_var),
                stops ? DIAG_E1328 : DIAG_W1324,
                "'%s' = %.6g is %s its %s %.6g at time %g",
                sys->var[b->sys_var].name, s->exec->r[b->value],
                is_below ? "below" : "above", is_below ? "min" : "max", bound,
                s->exec->r[s->low->tape->time]);
}

bool sim_check_bounds(Sim *s)
{
    const double *r = s->exec->r;
    bool any = false;
    if (s->options.ignore_bounds)
        return true;
    if (!s->is_outside)
        s->is_outside = NEW_ARRAY(s->arena, bool, s->low->nbound + 1);
    for (int i = 0; i < s->low->nbound; i++) {
        const LoweredBound *b = &s->low->bound[i];
        double min = b->min == NONE ? -INFINITY : r[b->min];
        double max = b->max == NONE ? INFINITY : r[b->max];
        double x = r[b->value];
        bool is_below = x < min - SIM_SLACK * fmax(1, fabs(min));
        bool is_above = x > max + SIM_SLACK * fmax(1, fabs(max));
        any |= is_below || is_above;
        if (s->is_outside[i] || (!is_below && !is_above))
            continue;
        s->is_outside[i] = true;
        if (s->stats.outside++ < MOST_REPORTS)
            say(s, b, is_below, is_below ? min : max);
    }
    if (any)
        sim_note(s, CAUSE_OUT_OF_RANGE, NONE);
    return !any || !s->options.stop_at_bounds;
}
