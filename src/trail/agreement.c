/* agreement.c - what is said of runs that do not agree. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "trail/agreement.h"

#include <math.h>
#include <stdio.h>

SimShift agreement_shift(const Sim *s, const Crest *x)
{
    const LoweredSides *side = &s->low->side[x->relation];
    double a = side->lhs == NONE ? 0 : s->exec->r[side->lhs];
    double b = side->rhs == NONE ? 0 : s->exec->r[side->rhs];
    double band = SIM_BAND * (1 + fmax(fabs(a), fabs(b)));
    double by = 1.5 * x->depth + copysign(4 * band, x->depth);
    return (SimShift){.relation = x->relation, .by = x->side * by};
}

const char *agreement_percent(double share, Arena *arena)
{
    return share > 1       ? "more than 100 %"
           : share > 0.995 ? "100 %"
                           : arena_printf(arena, "%.2g %%", 100 * share);
}

static void note_cause(const SimAgreement *a, Diag *diag, double rtol,
                       double tolerance)
{
    if (a->is_faint)
        diag_note(diag, NO_SPAN,
                  a->differs.follows
                      ? "'%s' follows from states that are small: give them a "
                        "`nominal` in the model, or choose --atol %g"
                      : "'%s' is small: give it a `nominal` in the model, or "
                        "choose --atol %g",
                  a->differs.name, a->tolerance);
    else if (a->differs.follows)
        diag_note(diag, NO_SPAN,
                  "the states agree, but '%s' makes much of their errors (a "
                  "difference of large values, a quotient of small ones, a "
                  "slope where the model is stiff): choose --tolerance %g or "
                  "less if it matters",
                  a->differs.name, tolerance);
    else if (a->differs.size < rtol * a->differs.beside)
        diag_note(diag, NO_SPAN,
                  "'%s' is at most %.2g, less than the tolerance of others "
                  "like it, which reach %.2g: nothing is wrong if it should be "
                  "0; if it matters, choose --tolerance %g or less",
                  a->differs.name, a->differs.size, a->differs.beside,
                  tolerance);
    else
        diag_note(diag, NO_SPAN,
                  "small errors grow in this model (a long oscillation, an "
                  "unstable or chaotic motion), or events lie between the "
                  "steps: choose --tolerance %g or less, or trust the time "
                  "before only",
                  tolerance);
}

static void warn_near(const SimAgreement *a, const Sim *s, double tolerance,
                      Arena *arena)
{
    const Inlined *d = s->low->inlined;
    diag_report(s->diag, d->sys->flat->span, DIAG_W1382,
                "at time %.6g %s %s by %.2g, less than the run may be off "
                "there (%.2g), and an event hangs on it%s: choose --tolerance "
                "%g or less",
                a->near.time,
                expr_text(d->dag, d->relation[a->near.relation].now,
                          inlined_var_name, (void *)d, 120, arena),
                a->near.depth > 0 ? "has changed" : "has not changed",
                fabs(a->near.depth), a->near.error,
                a->nnear == 1 ? "" : ", and more such later", tolerance);
}

static void warn_failed(const Sim *s, double rtol)
{
    diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_W1378,
                "the result may depend on the tolerance: runs with %g and %g "
                "fail, and there is nothing to compare this one with",
                10 * rtol, rtol / 10);
    diag_note(s->diag, NO_SPAN,
              "--tolerance %g or less may tell more, or steps that solve all "
              "equations to the end, as --method radau5 --events exact",
              rtol / 100);
}

void agreement_warn(const SimAgreement *a, const Sim *s, double rtol,
                    Arena *arena)
{
    double tolerance = fmax(rtol / 1000, AGREEMENT_LEAST);
    if (a->nnear > 0)
        warn_near(a, s, tolerance, arena);
    if (a->failed && !a->is_known)
        warn_failed(s, rtol);
    if (!a->is_known || a->differs.share <= TRAIL_DIFFERS)
        return;
    diag_report(s->diag, s->low->inlined->sys->flat->span, DIAG_W1378,
                "the result depends on the %stolerance: from time %g on '%s' "
                "differs from a run with %g, by %s of its range",
                a->is_faint ? "absolute " : "", a->differs.time,
                a->differs.name, a->tolerance,
                agreement_percent(a->differs.share, arena));
    note_cause(a, s->diag, rtol, tolerance);
}

void agreement_print(const SimAgreement *a, Arena *arena)
{
    if (a->reason)
        printf("  trust: not compared with another tolerance: %s\n", a->reason);
    if (a->is_known)
        printf("  trust: differs by at most %s of the range of %s from a run "
               "with %s tolerance of %g\n",
               agreement_percent(a->differs.share, arena), a->differs.name,
               a->is_faint ? "an absolute" : "a", a->tolerance);
}

void agreement_put(JsonOut *j, const SimAgreement *a)
{
    if (!a->is_known)
        return;
    json_begin_object(j, "trust");
    json_put_text(j, "kind", "tolerance");
    json_put_number(j, "error", a->differs.share);
    json_put_text(j, "state", a->differs.name);
    json_put_number(j, "time", a->differs.time);
    json_put_number(j, "tolerance", a->tolerance);
    json_end(j);
}
