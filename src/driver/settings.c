/* settings.c - command line over plan over annotation over default. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/settings.h"

#include <math.h>

/* Equations and structure are looked at for the sake of the step that is
 * built. */
static PlanGoal plan_goal(StepGoal goal)
{
    return goal == STEP_HOST || goal == STEP_REFERENCE ? PLAN_DESK
                                                       : PLAN_REALTIME;
}

/* DESIGN: without an annotation StopTime is 1 and the step StopTime / 500. */
static void decide_times(Compilation *c, const DriverOptions *o, Plan *p)
{
    const FlatExperiment *e = &c->flat->experiment;
    c->start = e->has_start ? e->start : 0;
    c->stop = !isnan(o->stop) ? o->stop : e->has_stop ? e->stop : c->start + 1;
    if (!p->has[PLAN_STEP])
        p->step = e->has_interval       ? e->interval
                  : c->stop == c->start ? 1 /* there is no step to make */
                                        : (c->stop - c->start) / 500;
    c->size = p->step;
}

bool settings_decide(Compilation *c, const DriverOptions *o)
{
    Plan *p = o->plan ? plan_read_file(c->sources, o->plan, c->arena, c->diag)
                      : plan_default(c->arena);
    if (!p || !plan_apply(p, &o->edits, c->arena, c->diag) ||
        !plan_settle(p, plan_goal(o->goal), c->diag))
        return false;
    decide_times(c, o, p);
    c->plan = p;
    c->method = method_read(p->method, c->sources, c->arena, c->diag);
    return c->method != NULL;
}
