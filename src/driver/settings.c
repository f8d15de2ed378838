/* settings.c - command line over plan over annotation over default. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "driver/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* --factor, --refine and --no-monitor speak of all blocks. */
static bool choose_factor(Compilation *c, const DriverOptions *o)
{
    static const struct {
        const char *word;
        PlanFactor kind;
        bool has_unroll, unroll;
    } known[] = {{"auto", PF_AUTO, false, false},
                 {"unroll", PF_LU, true, true},
                 {"table", PF_LU, true, false},
                 {"qr", PF_QR, false, false},
                 {"dense", PF_DENSE, false, false}};
    Plan *p = c->plan;
    if (!o->factor && !o->refine && !o->no_monitor)
        return true;
    PlanBlockFactor all = {
        .block = "*", .refine = o->refine, .no_monitor = o->no_monitor};
    bool found = !o->factor;
    for (int i = 0; o->factor && i < 5; i++)
        if (!strcmp(known[i].word, o->factor)) {
            all.factor = known[i].kind;
            all.has_unroll = known[i].has_unroll;
            all.unroll = known[i].unroll;
            found = true;
        }
    if (!found) {
        diag_report(c->diag, NO_SPAN, DIAG_E1204,
                    "--factor takes auto, unroll, table, qr or dense, not "
                    "'%s'",
                    o->factor);
        return false;
    }
    PlanBlockFactor *list =
        NEW_ARRAY(c->arena, PlanBlockFactor, p->nfactor + 1);
    for (int i = 0; i < p->nfactor; i++)
        list[i] = p->factor[i];
    list[p->nfactor++] = all;
    p->factor = list;
    return true;
}

bool settings_plan(Compilation *c, const DriverOptions *o)
{
    c->plan = o->plan ? plan_read_file(c->sources, o->plan, c->arena, c->diag)
                      : plan_default(c->arena);
    if (!c->plan)
        return false;
    if (o->method)
        c->plan->method = o->method;
    if (o->direct)
        c->plan->direct = true;
    if (o->newton > 0)
        c->plan->newton = o->newton;
    if (o->newton_tolerance > 0)
        c->plan->newton_tol = o->newton_tolerance;
    if (o->growth_bound > 0)
        c->plan->growth_bound = o->growth_bound;
    if (o->tearer)
        c->plan->tearer = !strcmp(o->tearer, "cellier") ? PT_CELLIER
                          : !strcmp(o->tearer, "exact") ? PT_EXACT
                                                        : PT_MODIFIED;
    if (o->algebraic &&
        !plan_find_algebraic(o->algebraic, &c->plan->algebraic)) {
        diag_report(
            c->diag, NO_SPAN, DIAG_E1204,
            "--algebraic takes auto, solve, keep-small, keep or tear, not "
            "'%s'",
            o->algebraic);
        return false;
    }
    if (o->scalar)
        c->plan->scalar = !strcmp(o->scalar, "float") ? PS_FLOAT : PS_DOUBLE;
    if (o->math)
        c->plan->math = !strcmp(o->math, "takt") ? PM_CONSTANT : PM_LIBM;
    if (!choose_factor(c, o))
        return false;
    c->method = method_read(c->plan->method, c->sources, c->arena, c->diag);
    return c->method != NULL;
}

/* DESIGN: without an annotation StopTime is 1 and the step StopTime / 500. */
void settings_times(Compilation *c, const DriverOptions *o)
{
    const FlatExperiment *e = &c->flat->experiment;
    c->start = e->has_start ? e->start : 0;
    c->stop = !isnan(o->stop) ? o->stop : e->has_stop ? e->stop : c->start + 1;
    c->size = !isnan(o->step)       ? o->step
              : c->plan->step > 0   ? c->plan->step
              : e->has_interval     ? e->interval
              : c->stop == c->start ? 1 /* there is no step to make */
                                    : (c->stop - c->start) / 500;
    c->plan->step = c->size;
}
