/* samples.c - instants of sample() and changes of inputs that the grid loses.
 *
 * On the grid several instants in one step are one event, and an input has the
 * values of its table at grid points (docs/methods/events.md).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

/* Where it stands; *path: "in 'COMPONENT' ". */
static Span place_of(const Sim *s, const LoweredSample *sample,
                     const char **path)
{
    const Inlined *d = s->low->inlined;
    const InlinedEqn *e = inlined_find_reader(d, sample->e);
    const char *at =
        e ? flat_component_path(d->sys->flat, e->component, s->arena) : "";
    *path = *at ? arena_printf(s->arena, "in '%s' ", at) : "";
    return e ? e->span : d->sys->flat->span;
}

void sim_warn_samples(Sim *s)
{
    for (int i = 0; i < s->low->nsample; i++) {
        const LoweredSample *sample = &s->low->sample[i];
        double interval = s->exec->r[sample->interval];
        const char *path;
        if (interval > 0)
            continue;
        Span span = place_of(s, sample, &path);
        diag_report(s->diag, span, DIAG_W1335,
                    "%sthe interval of sample(%g, %g) is not above 0: it is "
                    "never true",
                    path, s->exec->r[sample->start], interval);
    }
}

static void warn(Sim *s, const LoweredSample *sample, double interval)
{
    const char *path;
    Span span = place_of(s, sample, &path);
    double lost = 1 - interval / s->options.step;
    diag_report(s->diag, span, DIAG_W1335,
                "%sthe instants of sample(%g, %g) are nearer to each other "
                "than the step of %g: %.3g of 100 are lost",
                path, s->exec->r[sample->start], interval, s->options.step,
                100 * lost);
}

/* Of an input so much of its range may lie between points of the grid. */
#define UNSEEN 0.1

static void warn_input(Sim *s, const SimInput *in)
{
    const Inlined *d = s->low->inlined;
    double when = 0;
    double part = table_unseen(s->options.input, &in->from, s->options.start,
                               s->options.step, &when);
    if (part <= UNSEEN)
        return;
    const char *what = in->from.is_held ? "a value" : "a peak";
    for (int i = 0; i < d->nvar; i++) {
        if (s->low->slot[i] != in->slot || d->var[i].kind != IV_INPUT)
            continue;
        const SysVar *v = &d->sys->var[d->var[i].sys_var];
        diag_report(s->diag, v->span, DIAG_W1336,
                    "the input file has %s of '%s' at time %g that ends "
                    "before the next point of the grid, with a step of %g: "
                    "the run does not see it",
                    what, v->name, when, s->options.step);
        return;
    }
}

void sim_warn_grid(Sim *s)
{
    sim_warn_often(s);
    for (int i = 0; !s->is_exact && s->options.input && i < s->ninput; i++) {
        const SimInput *in = &s->input[i];
        if (in->is_given && in->c == 1 && in->order + in->from.order == 0)
            warn_input(s, in);
    }
    for (int i = 0; !s->is_exact && i < s->low->nsample; i++) {
        const LoweredSample *sample = &s->low->sample[i];
        double interval = s->exec->r[sample->interval];
        if (interval > 0 && interval < (1 - 1e-6) * s->options.step)
            warn(s, sample, interval);
    }
}
