/* sim_rounding.c - what rounding leaves of a model's variables, said once. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "cli/sim_run.h"

void rounding_row(SimRun *r, const Sim *sim, double time)
{
    if (r->is_other || r->driver.with_array)
        return; /* the run itself says it; the array has other equations */
    if (r->rows == 0) {
        sim_rounding_free(r->rounding);
        r->rounding = sim_rounding_new(sim, r->c->arena);
    }
    if (r->rounding)
        sim_rounding_see(r->rounding, sim, time);
}

static const char *digits(const SimRun *r, const SimRounded *x)
{
    double left = floor(log10(x->size / x->error));
    if (!(left >= 1))
        return "no digit";
    return left < 2 ? "1 digit" : arena_printf(r->c->arena, "%g digits", left);
}

void rounding_warn(SimRun *r)
{
    SimRounded x;
    if (!r->rounding || !sim_rounding_worst(r->rounding, &x))
        return;
    Span span = x.span.source != NONE ? x.span : r->c->flat->span;
    if (x.is_relation)
        diag_report(r->c->diag, span, DIAG_W1381,
                    "rounding leaves %s of the difference that decides on %s: "
                    "it is %.3g at most, and off by %.2g at time %g",
                    digits(r, &x), x.name, x.size, x.error, x.time);
    else
        diag_report(r->c->diag, span, DIAG_W1381,
                    "rounding leaves %s of '%s': it is %.3g at most, and off "
                    "by %.2g at time %g",
                    digits(r, &x), x.name, x.size, x.error, x.time);
    diag_note(r->c->diag, NO_SPAN,
              "it follows from differences of numbers that are much larger, or "
              "from a choice that rounding makes: take out what the numbers "
              "have in common, or choose another origin; no step and no "
              "tolerance helps");
}
