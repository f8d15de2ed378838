/* domain.c - is what the user asks for where the plan was made for? Said before
 * anything runs. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "driver/settings.h"

enum { MOST_NAMES = 5 };

typedef struct Look {
    Compilation *c;
    int count; /* names that were outside */
} Look;

static void look(Look *l, const char *name, double low, double high)
{
    const PlanRange *r = plan_find_range(l->c->plan, name);
    bool below = r && low < r->low, above = r && high > r->high;
    if (!below && !above)
        return;
    if (l->count++ < MOST_NAMES)
        diag_report(l->c->diag, l->c->plan->where[PLAN_DOMAIN], DIAG_W1207,
                    "'%s' = %.6g is outside what the plan was made for: %.6g "
                    "to %.6g",
                    name, below ? low : high, r->low, r->high);
}

/* Parameters, and inputs that no table gives, as they will be. */
static void look_at_values(Look *l, const DriverOptions *o)
{
    const Sys *sys = l->c->sys;
    double *value = NEW_ARRAY(l->c->arena, double, sys->nvar + 1);
    sys_start_values(sys, sys->set, sys->nset, value, NULL);
    for (int i = 0; i < sys->nvar; i++) {
        const SysVar *v = &sys->var[i];
        if (v->role == SR_PARAMETER ||
            (v->role == SR_INPUT && !o->input && !o->live_inputs))
            look(l, v->name, value[i], value[i]);
    }
}

static void look_at_input(Look *l, const Table *t)
{
    int time = table_column(t, "time");
    for (int k = 0; k < t->ncol; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; time != NONE && i < t->nrow; i++) {
            double at = t->value[i * t->ncol + time];
            if (at > l->c->stop)
                break;
            low = fmin(low, t->value[i * t->ncol + k]);
            high = fmax(high, t->value[i * t->ncol + k]);
        }
        if (k != time && low <= high)
            look(l, t->name[k], low, high);
    }
}

/* Names of a plan that was edited, or made for an earlier state of the model.
 */
static void look_for_strangers(const Compilation *c)
{
    const PlanDomain *d = &c->plan->domain;
    int order, count = 0;
    for (int i = 0; i < d->nrange; i++) {
        if (sys_find_quantity(c->sys, d->range[i].name, &order) != NONE ||
            count++ >= MOST_NAMES)
            continue;
        diag_report(c->diag, c->plan->where[PLAN_DOMAIN], DIAG_W1207,
                    "the plan has a range of '%s', which the model does not "
                    "have: nobody looks whether it is left",
                    d->range[i].name);
    }
}

/* Is the step the one with which the plan was shown to hold, and are the
 * equations still those that it names by their numbers? A smaller step leaves
 * less to what is cut. */
static void look_at_step(const Compilation *c)
{
    const Plan *p = c->plan;
    const PlanDomain *d = &p->domain;
    bool is_fixed = c->step && c->step->goal != STEP_REFERENCE;
    if (is_fixed && d->step > 0 && c->size > d->step * (1 + 1e-6))
        diag_report(c->diag, p->where[PLAN_DOMAIN], DIAG_W1207,
                    "the step of %g s is larger than the one the plan was made "
                    "for: %g s",
                    c->size, d->step);
    if (d->equations > 0 && d->equations != c->flat->neqn)
        diag_report(c->diag, p->where[PLAN_DOMAIN], DIAG_W1207,
                    "the plan was made for a model of %d equations, this has "
                    "%d: equations that it names by their numbers may be "
                    "others now",
                    d->equations, c->flat->neqn);
}

void settings_warn_domain(Compilation *c, const DriverOptions *o)
{
    const PlanDomain *d = &c->plan->domain;
    Look l = {c, 0};
    if (d->no_check)
        return;
    look_at_step(c);
    if (d->nrange == 0)
        return;
    look_for_strangers(c);
    look_at_values(&l, o);
    if (o->input)
        look_at_input(&l, o->input);
    if (l.count > MOST_NAMES)
        diag_report(c->diag, c->plan->where[PLAN_DOMAIN], DIAG_W1207,
                    "%d quantities in all are outside what the plan was made "
                    "for",
                    l.count);
    if (c->stop > d->stop + 1e-9 * fabs(d->stop))
        diag_report(c->diag, c->plan->where[PLAN_DOMAIN], DIAG_W1207,
                    "the run to %g s is longer than those the plan was made "
                    "for: %g s",
                    c->stop, d->stop);
}
