/* samples.c - instants of sample() that the grid loses.
 *
 * On the grid several instants in one step are one event
 * (docs/methods/events.md).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

typedef struct Search {
    Expr wanted;
    bool found;
} Search;

static void compare(void *context, const Dag *d, Expr e)
{
    Search *s = context;
    (void)d;
    s->found |= e == s->wanted;
}

/* The equation of the event system that has the expression, or NULL. */
static const InlinedEqn *find_equation(const Inlined *d, Expr e)
{
    const InlinedSystem *system = &d->system[d->event];
    for (int i = 0; i < system->neqn; i++) {
        Expr side[2] = {system->eqn[i].lhs, system->eqn[i].rhs};
        Search s = {e, false};
        expr_walk(d->dag, side, 2, compare, &s);
        if (s.found)
            return &system->eqn[i];
    }
    return NULL;
}

static void warn(Sim *s, const LoweredSample *sample, double interval)
{
    const Inlined *d = s->low->inlined;
    const InlinedEqn *e = find_equation(d, sample->e);
    const char *path =
        e ? flat_component_path(d->sys->flat, e->component, s->arena) : "";
    double lost = 1 - interval / s->options.step;
    diag_report(s->diag, e ? e->span : d->sys->flat->span, DIAG_W1335,
                "%s%s%sthe instants of sample(%g, %g) are nearer to each other "
                "than the step of %g: %.3g of 100 are lost",
                *path ? "in '" : "", path, *path ? "' " : "",
                s->exec->r[sample->start], interval, s->options.step,
                100 * lost);
}

void sim_warn_samples(Sim *s)
{
    for (int i = 0; !s->is_exact && i < s->low->nsample; i++) {
        const LoweredSample *sample = &s->low->sample[i];
        double interval = s->exec->r[sample->interval];
        if (interval > 0 && interval < (1 - 1e-6) * s->options.step)
            warn(s, sample, interval);
    }
}
