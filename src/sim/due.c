/* due.c - where states would be, had an event not been late.
 *
 * The grid sees an event tau after it was due. In the meantime states went on
 * as before: an inductor whose switch opens where its current is zero has one
 * beyond zero by then, and the slopes after the event at this point are those
 * of a spark that the model never makes. So the slopes after the event are not
 * taken there. States go back by tau on the chord of the step, to the place
 * where the event was due, and from there a part of a step of length tau is
 * made with the relations as they are after it: by the method of the run, which
 * brings what is stiff to rest as it does in the run. What states differ by
 * from its end is what the lateness costs them. Where there is a spark, the
 * slopes at its end are those with which the next step should begin.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

static const double SHORT = 1e-6; /* of a step: nothing is late */

/* The state's own way back per unit of time: the chord of the step, or, where
 * the event set it, what the slope before becomes. */
static double way_back(const Sim *s, const double *after, int k, double h,
                       double flow)
{
    const struct SimLate *l = s->late;
    int slot = l->state[k];
    return after[slot] == l->here[slot] ? (l->here[slot] - l->last[slot]) / h
                                        : flow;
}

/* The point where the event was due, after it. */
static bool go_back(Sim *s, const double *after, const double *flow, double tau)
{
    const struct SimLate *l = s->late;
    double *r = s->exec->r, to = after[s->low->tape->time];
    double h = to - l->last[s->low->tape->time];
    memcpy(r, after, (size_t)s->low->tape->nslot * sizeof *r);
    for (int k = 0; k < l->n; k++)
        r[l->state[k]] -= tau * way_back(s, after, k, h, flow[k]);
    r[s->low->tape->time] = to - tau;
    r[s->low->sampling] = 0;
    sim_set_inputs(s, to - h, to - tau);
    exec_reset_status(s->exec);
    bool fine =
        exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
    exec_reset_status(s->exec);
    return fine;
}

bool sim_go_on(Sim *s, double from, double to)
{
    Sim kept = *s;
    sim_set_left(s);
    exec_keep_branches(s->exec);
    s->since_break = 0;
    s->is_played = true;
    bool fine = sim_try_next(s, from, to, false);
    exec_return_branches(s->exec);
    exec_reset_status(s->exec);
    *s = kept;
    return fine;
}

/* Are the relations at the present point those that it was made with? Else
 * another event lies before it. */
static bool agrees(Sim *s)
{
    const Inlined *d = s->low->inlined;
    const double *r = s->exec->r;
    bool same = true;
    exec_run(s->exec, &s->low->relations);
    for (int i = 0; i < d->nrelation; i++)
        same &=
            r[s->low->relation_now[i]] == r[s->low->slot[d->relation[i].var]];
    return same;
}

/* Is a slope after the event one that was not there before it, and would not be
 * now? */
static bool is_spark(const Sim *s, const double *after, int slope)
{
    double due = s->exec->r[slope];
    return fabs(after[slope] - due) > fabs(due) + fabs(s->late->here[slope]);
}

bool sim_find_due(Sim *s, const double *after, const double *flow, double tau)
{
    struct SimLate *l = s->late;
    double *r = s->exec->r, to = after[s->low->tape->time];
    for (int k = 0; k < l->n; k++)
        l->mean[k] = l->slope[k] == NONE ? flow[k] : after[l->slope[k]];
    l->has_spark = false;
    if (!(tau > SHORT * s->options.step) || !go_back(s, after, flow, tau))
        return false;
    memcpy(l->due, r, (size_t)s->low->tape->nslot * sizeof *r);
    bool fine = sim_go_on(s, to - tau, to);
    for (int k = 0; k < l->n; k++)
        fine = fine && isfinite(r[l->state[k]]);
    for (int k = 0; fine && k < l->n; k++)
        if (l->slope[k] != NONE) {
            l->mean[k] = (r[l->state[k]] - l->due[l->state[k]]) / tau;
            l->has_spark |= is_spark(s, after, l->slope[k]);
        }
    l->is_due_same = l->has_spark && agrees(s);
    memcpy(l->due, r, (size_t)s->low->tape->nslot * sizeof *r);
    return fine;
}
