/* late.c - how late do events on the grid act, and what may that cost?
 *
 * A relation that changes within a step is seen at its end. Between the ends
 * lhs - rhs is taken to be a line; where it is 0 the event was due, tau before
 * the grid point. Since then the states should have followed their new slopes,
 * so that state x is off by tau (x'_after - x'_before); a state that is
 * reinitialised by tau (|x'_after| + |x'_before|), as it went on from a wrong
 * value. Events of time alone act in the whole step in which they are due, so
 * that their steps begin too early: by h - tau, with the slope at the end of
 * the step before. Samples are due at their ticks. The sum over a run is what
 * late events may have cost: phases that are lost are not found again.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

struct SimLate {
    double *last; /* slots at the end of the step before */
    double *here; /* slots before the events of this one */
    int n;
    int *state, *slope; /* slots, NONE: the slope is no unknown */
    double *cost;       /* of each state */
    double most;        /* largest tau */
    double *value;      /* entries, for expressions */
};

static struct SimLate *begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    int n = d->dae->nstate, nslot = s->low->tape->nslot;
    struct SimLate *l = NEW(s->arena, struct SimLate);
    l->last = NEW_ARRAY(s->arena, double, nslot + 1);
    l->here = NEW_ARRAY(s->arena, double, nslot + 1);
    l->state = NEW_ARRAY(s->arena, int, n + 1);
    l->slope = NEW_ARRAY(s->arena, int, n + 1);
    l->cost = NEW_ARRAY(s->arena, double, n + 1);
    l->value = NEW_ARRAY(s->arena, double, d->nvar + 1);
    l->n = n;
    for (int k = 0; k < n; k++) {
        const DaeState *x = &d->dae->state[k];
        int slope = inlined_find(d, x->var, x->order + 1);
        l->state[k] = s->low->slot[inlined_find(d, x->var, x->order)];
        l->slope[k] = slope == NONE ? NONE : s->low->slot[slope];
    }
    return l;
}

static void keep(const Sim *s, double *to)
{
    memcpy(to, s->exec->r, (size_t)s->low->tape->nslot * sizeof *to);
}

void sim_late_begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (s->late || !s->estimate || d->event == NONE ||
        (d->nrelation == 0 && s->low->nsample == 0))
        return;
    s->late = begin(s);
    keep(s, s->late->last);
}

void sim_late_before(Sim *s)
{
    if (!s->late)
        return;
    keep(s, s->late->here);
}

/* lhs - rhs of a relation with the slots `r`; NAN: it is none. */
static double distance(const Sim *s, Expr now, const double *r)
{
    const Inlined *d = s->low->inlined;
    ExprOp op = expr_op(d->dag, now);
    if (op != EX_LT && op != EX_LE && op != EX_GT && op != EX_GE)
        return NAN;
    double *value = s->late->value;
    for (int i = 0; i < d->nvar; i++)
        value[i] = s->low->slot[i] == NONE ? 0 : r[s->low->slot[i]];
    InlinedPoint at = {value, r[s->low->tape->time]};
    return expr_eval(d->dag, expr_arg(d->dag, now, 0), inlined_leaf_value,
                     &at) -
           expr_eval(d->dag, expr_arg(d->dag, now, 1), inlined_leaf_value, &at);
}

/* The part of a step that lies after the crossing. */
static double part_after(const Sim *s, Expr now)
{
    double a = distance(s, now, s->late->last);
    double b = distance(s, now, s->late->here);
    double part = b / (b - a);
    return part >= 0 && part <= 1 ? part : 0.5;
}

static double since_relations(const Sim *s, double h, bool of_time)
{
    const Inlined *d = s->low->inlined;
    double most = 0;
    for (int i = 0; i < d->nrelation; i++) {
        const InlinedRelation *r = &d->relation[i];
        int slot = s->low->slot[r->var];
        if (r->is_of_time != of_time || s->exec->r[slot] == s->late->here[slot])
            continue;
        double part = part_after(s, r->now);
        if (of_time) /* what is on the grid is neither early nor late */
            part = part > INLINED_EDGE ? 1 - part : 0;
        most = fmax(most, h * part);
    }
    return most;
}

static double since_samples(const Sim *s, double h)
{
    const double *r = s->exec->r;
    double most = 0, time = r[s->low->tape->time];
    for (int i = 0; i < s->low->nsample; i++) {
        double interval = r[s->low->sample[i].interval];
        double passed = time - r[s->low->sample[i].start] + 1e-9 * h;
        if (passed >= 0 && interval > 0 && fmod(passed, interval) < h)
            most = fmax(most, fmod(passed, interval) - 1e-9 * h);
    }
    return most;
}

/* `old`: slots with the slopes before. */
static void add_cost(const Sim *s, struct SimLate *l, double tau,
                     const double *old)
{
    const double *r = s->exec->r;
    for (int k = 0; k < l->n; k++) {
        if (l->slope[k] == NONE)
            continue;
        double before = old[l->slope[k]], after = r[l->slope[k]];
        bool jumps = r[l->state[k]] != l->here[l->state[k]];
        double off = jumps ? fabs(after) + fabs(before) : fabs(after - before);
        if (isfinite(off))
            l->cost[k] += tau * off;
    }
}

void sim_late_after(Sim *s, bool at_event)
{
    struct SimLate *l = s->late;
    if (!l)
        return;
    double h = s->exec->r[s->low->tape->time] - l->last[s->low->tape->time];
    if (at_event && h > 0 && !s->options.exact_events) {
        double tau = fmax(since_relations(s, h, false), since_samples(s, h));
        double early = since_relations(s, h, true);
        l->most = fmax(l->most, fmax(tau, early));
        add_cost(s, l, tau, l->here);
        add_cost(s, l, early, l->last);
    }
    keep(s, l->last);
}

double sim_late_cost(const Sim *s, int state)
{
    return s->late ? s->late->cost[state] : 0;
}

double sim_late_most(const Sim *s)
{
    return s->late ? s->late->most : 0;
}
