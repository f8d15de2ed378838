/* explain.c - why a system has no complete matching, by name.
 *
 * The parts of Dulmage and Mendelsohn (graph/dm.h): the equations of the
 * over-determined part compete for too few unknowns, the unknowns of the
 * under-determined part lack an equation.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "graph/dm.h"
#include "schedule/schedule_internal.h"

enum { MOST_NAMED = 8 };

static const char *name_list(Maker *m, const int *unknown, int n)
{
    const char *text = "";
    for (int i = 0; i < n && i < MOST_NAMED; i++)
        text = arena_printf(m->work, "%s%s'%s'", text, i ? ", " : "",
                            m->d->var[m->system->unknown[unknown[i]]].name);
    if (n > MOST_NAMED)
        text = arena_printf(m->work, "%s and %d more", text, n - MOST_NAMED);
    return text;
}

static void note_equations(Maker *m, const DmList *part)
{
    for (int i = 0; i < part->neqn && i < MOST_NAMED; i++) {
        const InlinedEqn *e = &m->system->eqn[part->eqn[i]];
        diag_note(m->diag, e->span, "%s",
                  inlined_eqn_text(m->d, e, 200, m->work));
    }
}

void explain_singular(Maker *m)
{
    const Dm *dm = dm_split(m->inc, m->work);
    const DmList *over = &dm->part[DM_OVER], *under = &dm->part[DM_UNDER];
    m->failed = true;
    if (over->neqn > 0) {
        Span span = m->system->eqn[over->eqn[0]].span;
        diag_report(m->diag, span, DIAG_E1207,
                    "in the system '%s', %d equations have only %d unknowns "
                    "to determine: %s",
                    m->system->name, over->neqn, over->nvar,
                    name_list(m, over->var, over->nvar));
        note_equations(m, over);
    }
    if (under->nvar > 0) {
        Span span =
            under->neqn > 0 ? m->system->eqn[under->eqn[0]].span : NO_SPAN;
        diag_report(m->diag, span, DIAG_E1207,
                    "in the system '%s', %d unknowns have only %d equations: "
                    "%s",
                    m->system->name, under->nvar, under->neqn,
                    name_list(m, under->var, under->nvar));
        note_equations(m, under);
    }
    if (!m->d->dae)
        diag_note(m->diag, NO_SPAN,
                  "without --direct, takt reduces the index "
                  "first");
}
