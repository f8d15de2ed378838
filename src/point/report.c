/* report.c - what went wrong in a run, in the user's words. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "point/point_parts.h"

static const char *what_happened(Status code, Arena *arena)
{
    const StatusRow *row = status_find(code);
    return *row->hint ? arena_printf(arena, "%s (%s)", row->text, row->hint)
                      : row->text;
}

/* Equations of the block with their lines, the largest residual first. */
static void note_equations(Sim *s, const TapeBlock *b, int system)
{
    const Inlined *d = s->low->inlined;
    int worst = 0;
    for (int i = 1; i < b->n; i++)
        if (fabs(s->exec->r[b->residual[i]]) >
            fabs(s->exec->r[b->residual[worst]]))
            worst = i;
    (void)system;
    for (int i = 0; i < b->n && i < 4; i++) {
        int k = i == 0 ? worst : i == worst ? 0 : i;
        int eqn = b->residual_eqn ? b->residual_eqn[k] : NONE;
        if (eqn == NONE)
            continue;
        const InlinedEqn *e = &d->system[system].eqn[eqn];
        diag_note(s->diag, e->span, "residual %.3g in %s",
                  s->exec->r[b->residual[k]],
                  inlined_eqn_text(d, e, 200, s->arena));
    }
}

/* Has the block branches that no event changes (noEvent)? Their conditions are
 * computed in its iterations. */
static bool has_branches(const Tape *t, int block)
{
    for (int i = 0; i < t->code.n; i++) {
        if (t->code.at[i].op != TAPE_BLOCK || t->code.at[i].a != block)
            continue;
        for (int k = i + 1; k <= i + t->block.at[block].neval; k++)
            if (t->code.at[k].op == EX_LT || t->code.at[k].op == EX_LE ||
                t->code.at[k].op == EX_GT || t->code.at[k].op == EX_GE)
                return true;
    }
    return false;
}

void sim_report_block(Sim *s, int system, const char *when)
{
    const Exec *e = s->exec;
    const Inlined *d = s->low->inlined;
    double time = e->r[s->low->tape->time];
    if (e->block == NONE) {
        diag_report(s->diag, d->sys->flat->span, DIAG_E1322,
                    "the equations failed %s (time %g): %s", when, time,
                    what_happened(e->code, s->arena));
        return;
    }
    const TapeBlock *b = &s->low->tape->block.at[e->block];
    int eqn = b->residual_eqn ? b->residual_eqn[0] : NONE;
    Span span =
        eqn == NONE ? d->sys->flat->span : d->system[system].eqn[eqn].span;
    diag_report(s->diag, span, DIAG_E1322,
                "the block of %s failed %s (time %g): %s", b->name, when, time,
                what_happened(e->code, s->arena));
    if (e->code == STATUS_NO_SOLUTION && has_branches(s->low->tape, e->block))
        diag_note(
            s->diag, NO_SPAN,
            "it has branches without events (noEvent), which one "
            "iteration does not lead across; let them make events (strict "
            "= false of an amplifier), or try --method be --newton 10");
    note_equations(s, b, system);
    for (int i = 0; i < b->n && i < 6; i++)
        diag_note(s->diag, NO_SPAN, "%s = %.6g",
                  s->low->tape->slot_name[b->x[i]]
                      ? s->low->tape->slot_name[b->x[i]]
                      : "?",
                  e->r[b->x[i]]);
}

bool sim_show_progress(const Sim *s, double time)
{
    return !s->progress || s->progress(s->progress_context, time);
}

void sim_note(Sim *s, StatusCause cause, int block)
{
    SimCause *k = &s->stats.cause[cause];
    if (k->count++ == 0)
        k->first = s->exec->r[s->low->tape->time];
    k->block = block;
}

/* ---- values ---- */

/* Is the sum of absolute values within the bound? Then all of them are. */
static bool are_within(const double *r, const int *slot, int n, double bound)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(r[slot[i]]);
    return sum <= bound;
}

void sim_find_scales(Sim *s)
{
    const Inlined *d = s->low->inlined;
    s->scale = NEW_ARRAY(s->arena, double, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++)
        if (inlined_has_scale(d, i) && s->low->slot[i] != NONE) {
            s->scale[i] =
                inlined_state_scale(d, i, s->exec->r[s->low->slot[i]]);
            s->has_scale |= s->scale[i] > 0;
        }
}

static double bound_of(const Sim *s, int entry)
{
    double bound = s->options.bound > 0 ? s->options.bound : SIM_BOUND;
    if (!s->low->inlined->var[entry].is_state)
        return DBL_MAX;
    return s->scale && s->scale[entry] > 0
               ? fmin(bound, SIM_BEYOND * s->scale[entry])
               : bound;
}

static bool report_value(Sim *s, int entry, double x)
{
    const Inlined *d = s->low->inlined;
    const InlinedVar *v = &d->var[entry];
    Span span = v->sys_var == NONE ? NO_SPAN : d->sys->var[v->sys_var].span;
    diag_report(s->diag, span, DIAG_E1323,
                isfinite(x) ? "'%s' has left all bounds at time %g: %g"
                            : "'%s' is not finite at time %g: %g (a division "
                              "by zero, the root or logarithm of a negative "
                              "number?)",
                v->name, s->exec->r[s->low->tape->time], x);
    return false;
}

bool sim_check_values(Sim *s)
{
    const Inlined *d = s->low->inlined;
    const SimLists *l = s->lists;
    double bound = s->options.bound > 0 ? s->options.bound : SIM_BOUND;
    int largest = NONE;
    bool fine = are_within(s->exec->r, l->state, l->nstate, bound);
    s->part.far_out = NONE;
    if (fine && !s->has_scale &&
        are_within(s->exec->r, l->other, l->nother, DBL_MAX))
        return true;
    for (int i = 0; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind != IV_VALUE || v->stage != DIFF_END ||
            s->low->slot[i] == NONE)
            continue;
        double x = s->exec->r[s->low->slot[i]];
        if (!(fabs(x) <= bound_of(s, i)))
            return report_value(s, i, x);
        double far = v->is_state ? SIM_FAR : SIM_BEYOND;
        if (s->scale && s->scale[i] > 0 && fabs(x) > far * s->scale[i])
            s->part.far_out = i;
        if (v->is_state && (largest == NONE ||
                            fabs(x) > fabs(s->exec->r[s->low->slot[largest]])))
            largest = i;
    }
    /* each alone is within the bound, but not all together */
    return fine || largest == NONE ||
           report_value(s, largest, s->exec->r[s->low->slot[largest]]);
}
