/* given.c - the user's plan, judged as it is (Loderer, Heuveline 2017,
 * algorithm 1).
 *
 * Beside its trial and its proof, a plan whose cuts are places of the pencil
 * gets Loderer's indicators in every sample. A delay between steps, or a cut in
 * a matrix of other variables, has no place there.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "tuning/tuning_internal.h"

static bool set_mode(const PencilSet *p, const PlanStateMode *m, bool *keep)
{
    bool found = false;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            bool row = i < p->nx && !strcmp(p->var[i], m->var);
            bool column = !strcmp(p->var[j], m->var);
            found |= column;
            if ((row && m->mode != MODE_EXPLICIT_COLUMN) ||
                (column && m->mode != MODE_EXPLICIT))
                keep[e] = false;
        }
    return found;
}

static bool set_cut(const Tuner *t, const PlanCut *c, bool *keep,
                    double *frozen)
{
    const PencilSet *p = t->r->pencil;
    if (c->kind == CUT_STEP || (c->kind == CUT_FROZEN && isnan(c->value)))
        return false;
    for (int j = 0; j < p->n; j++)
        for (int e = p->start[j]; e < p->start[j + 1]; e++) {
            int i = p->row[e];
            if (strcmp(p->var[j], c->var) || strcmp(p->eqn[i], c->eqn))
                continue;
            if (c->kind == CUT_FROZEN)
                frozen[e] = i < p->nx ? c->value : -c->value / t->c->size;
            else
                keep[e] = false;
            return true;
        }
    return false;
}

/* The plan's cuts as places of the pencil; false if they are none. */
static bool find_places(const Tuner *t, const Plan *plan, bool *keep,
                        double *frozen)
{
    const PencilSet *p = t->r->pencil;
    bool fine = true;
    for (int e = 0; e < p->nnz; e++) {
        keep[e] = true;
        frozen[e] = NAN;
    }
    for (int i = 0; i < plan->nmode && fine; i++)
        fine = plan->mode[i].mode == MODE_IMPLICIT ||
               set_mode(p, &plan->mode[i], keep);
    for (int i = 0; i < plan->ncut && fine; i++)
        fine = set_cut(t, &plan->cut[i], keep, frozen);
    return fine;
}

static const Indicators *indicators_of(const Tuner *t, const bool *keep,
                                       const double *frozen)
{
    const PencilSet *p = t->r->pencil;
    Indicators *row = NEW_ARRAY(t->c->arena, Indicators, p->nsample + 1);
    for (int s = 0; s < p->nsample; s++) {
        tune_say(t->o->progress, "indicators of the plan given", s, p->nsample);
        int same = p->sample[s].same;
        row[s] = same < s
                     ? row[same]
                     : loderer_indicators(p, t->r->spectrum[s], keep, frozen);
    }
    return row;
}

/* A matrix that is not exact costs most methods their order. */
static const char *order_text(const Tuner *t, const Plan *plan)
{
    const Method *m = method_find(plan->method, t->c->arena);
    if (!m || !plan_cuts(plan, CUT_IN_MATRIX) || m->order <= 1 ||
        !m->one_jacobian)
        return "";
    return arena_printf(t->c->arena, "; of order %d %d is left", m->order,
                        m->order_any > 0 ? m->order_any : 1);
}

void tuner_given(Tuner *t)
{
    const Plan *from = t->c->plan;
    Plan *p = tuner_plan(t, from->has[PLAN_METHOD] ? from->method : "lie");
    p->cut = from->cut;
    p->ncut = from->ncut;
    p->mode = from->mode;
    p->nmode = from->nmode;
    p->has[PLAN_CUTS] = p->ncut > 0;
    p->has[PLAN_MODES] = p->nmode > 0;
    p->positions = from->positions;
    p->has[PLAN_POSITIONS] = from->has[PLAN_POSITIONS];
    t->r->given = t->r->candidate.n;
    TuneCandidate *k = tuner_add(t, "given", TUNE_BASE, p);
    k->modes = arena_printf(t->c->arena, "%d modes and %d cuts as given%s",
                            p->nmode, p->ncut, order_text(t, p));
    bool *keep = NEW_ARRAY(t->c->arena, bool, t->r->pencil->nnz + 1);
    double *frozen = NEW_ARRAY(t->c->arena, double, t->r->pencil->nnz + 1);
    if (!tuner_has_cuts(from)) {
        t->r->no_indicators = "it cuts nothing";
        return;
    }
    if (p->positions != PP_METHOD) {
        t->r->no_indicators = "its positions are by the trapezoidal rule";
        return;
    }
    if (!find_places(t, p, keep, frozen)) {
        t->r->no_indicators = "it has a delay, or a cut that is no place of "
                              "the matrix over the states";
        return;
    }
    k->keep = keep;
    k->frozen = frozen;
    if (t->r->pencil->n > TUNER_MOST_INDICATED)
        t->r->no_indicators =
            arena_printf(t->c->arena, "more than %d iteration variables",
                         TUNER_MOST_INDICATED);
    else
        t->r->indicators = indicators_of(t, keep, frozen);
}
