/* predict.c - where the iterations of a controlled step begin.
 *
 * The polynomial through x at the begin of the part before, the values of its
 * stages and x_n is followed into the new part (Hairer, Wanner II, IV.8): its
 * values and slopes are those of the stages at first. Everything else begins
 * with what it had.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "num/lagrange.h"
#include "plan/estimator.h"
#include "sim/sim_internal.h"

enum { MOST_STAGES = 4 };

struct SimPredictor {
    int n, nstage;
    int *value, *slope; /* [n][nstage]: slots */
    double *begin;      /* x where the last kept part began */
};

static int slot_of(const Sim *s, int entry)
{
    return entry == NONE ? NONE : s->low->slot[entry];
}

/* The entry of a quantity at stage j, or NONE. */
static int stage_entry(const Sim *s, int end, int j)
{
    const Method *m = s->low->inlined->method;
    if (end == NONE || j == m->nstage - 1)
        return end;
    return inlined_find_stage(s->low->inlined, end, j);
}

SimPredictor *sim_predictor_new(Sim *s)
{
    const Inlined *d = s->low->inlined;
    const Method *m = d->method;
    if (!estimator_has_weights(m) || m->nstage > MOST_STAGES || d->ncycle != 1)
        return NULL;
    SimPredictor *p = NEW(s->arena, SimPredictor);
    p->n = d->dae->nstate;
    p->nstage = m->nstage;
    p->value = NEW_ARRAY(s->arena, int, p->n * p->nstage + 1);
    p->slope = NEW_ARRAY(s->arena, int, p->n * p->nstage + 1);
    p->begin = NEW_ARRAY(s->arena, double, p->n + 1);
    for (int k = 0; k < p->n; k++) {
        const DaeState *x = &d->dae->state[k];
        int end = inlined_find(d, x->var, x->order);
        int der = inlined_find(d, x->var, x->order + 1);
        for (int j = 0; j < p->nstage; j++) {
            int i = k * p->nstage + j;
            p->value[i] = slot_of(s, stage_entry(s, end, j));
            p->slope[i] = slot_of(s, stage_entry(s, der, j));
            if (p->value[i] == NONE)
                return NULL;
        }
    }
    return p;
}

void sim_predictor_keep(SimPredictor *p, const double *old)
{
    for (int k = 0; p && k < p->n; k++)
        p->begin[k] = old[k];
}

void sim_predict(Sim *s, const SimPredictor *p, double ratio, double h)
{
    const Method *m = s->low->inlined->method;
    double node[MOST_STAGES + 1] = {-ratio}, *r = s->exec->r;
    double value[MOST_STAGES][MOST_STAGES + 1];
    double slope[MOST_STAGES][MOST_STAGES + 1];
    int first = m->c[0] == 0 ? 1 : 0, n = 1; /* Lobatto: x_n is X1 nearly */
    for (int j = first; j < p->nstage; j++)
        node[n++] = -ratio * (1 - m->c[j]);
    for (int j = 0; j < p->nstage; j++)
        lagrange_weights(node, n, m->c[j], value[j], slope[j]);
    for (int k = 0; k < p->n; k++) {
        const int *at = p->value + k * p->nstage,
                  *der = p->slope + k * p->nstage;
        double past[MOST_STAGES + 1] = {p->begin[k]};
        for (int i = 1; i < n; i++)
            past[i] = r[at[first + i - 1]];
        for (int j = 0; j < p->nstage; j++) {
            double x = 0, f = 0;
            for (int i = 0; i < n; i++) {
                x += value[j][i] * past[i];
                f += slope[j][i] * past[i];
            }
            r[at[j]] = x;
            if (der[j] != NONE)
                r[der[j]] = f / h;
        }
    }
}
