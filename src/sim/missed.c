/* missed.c - what a step of the length that it likes passes over.
 *
 * An error estimate is made of the points that a step has looked at. What is
 * narrow in a state lies between them (pulse/narrow.c). Does it matter? Slopes
 * there that differ from those of the cubics through both ends by more than the
 * tolerance would let them are not what the step was made of. Then it ends
 * before, and the next ones are short until that place is behind.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

/* So many tolerances, and such a part of what the state moves in the step. */
static const double MATTERS = 10, OF_CHANGE = 1e-3;

struct SimMissed {
    int n;
    int *state, *slope; /* slots */
    double *nominal;
    double *begin, *end; /* all slots */
    double *kept;        /* the same, of the run */
    double until;        /* steps are short, nothing is passed over */
    double length;       /* so long at most */
};

static struct SimMissed *begin(Sim *s)
{
    const Inlined *d = s->low->inlined;
    int n = d->dae->nstate, nslot = s->low->tape->nslot;
    struct SimMissed *m = NEW(s->arena, struct SimMissed);
    m->state = NEW_ARRAY(s->arena, int, n + 1);
    m->slope = NEW_ARRAY(s->arena, int, n + 1);
    m->nominal = NEW_ARRAY(s->arena, double, n + 1);
    m->begin = NEW_ARRAY(s->arena, double, nslot + 1);
    m->end = NEW_ARRAY(s->arena, double, nslot + 1);
    m->kept = NEW_ARRAY(s->arena, double, nslot + 1);
    m->until = -INFINITY;
    for (int k = 0; k < n; k++) {
        const DaeState *x = &d->dae->state[k];
        int at = inlined_find(d, x->var, x->order);
        int slope = inlined_find(d, x->var, x->order + 1);
        if (at == NONE || slope == NONE || s->low->slot[at] == NONE ||
            s->low->slot[slope] == NONE)
            continue;
        m->state[m->n] = s->low->slot[at];
        m->slope[m->n] = s->low->slot[slope];
        m->nominal[m->n++] = inlined_nominal(d, at);
    }
    return m;
}

void sim_missed_before(Sim *s)
{
    if (!sim_narrow(s))
        return;
    if (!s->missed)
        s->missed = begin(s);
    memcpy(s->missed->begin, s->exec->r, sizeof(double) * s->low->tape->nslot);
}

/* State k on its cubic, at part x of the step of length h; *slope: there. */
static double state_at(const struct SimMissed *m, int k, double x, double h,
                       double *slope)
{
    int at = m->state[k], f = m->slope[k];
    double y = narrow_cubic(m->begin[at], m->end[at], h * m->begin[f],
                            h * m->end[f], x, slope);
    *slope /= h;
    return y;
}

/* The slots become those of a point of the step. */
static bool go_to(Sim *s, double from, double to, double time)
{
    const struct SimMissed *m = s->missed;
    double *r = s->exec->r, slope;
    for (int k = 0; k < m->n; k++)
        r[m->state[k]] =
            state_at(m, k, (time - from) / (to - from), to - from, &slope);
    r[s->low->tape->time] = time;
    sim_set_inputs(s, from, time);
    exec_reset_status(s->exec);
    return exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
}

static bool matters(Sim *s, double from, double to, double rtol, double atol,
                    const NarrowFound *f)
{
    const struct SimMissed *m = s->missed;
    double x = (f->peak - from) / (to - from), length = f->to - f->from;
    bool is_large = !go_to(s, from, to, f->peak); /* steps will find out */
    for (int k = 0; k < m->n; k++) {
        double slope, at = state_at(m, k, x, to - from, &slope);
        double a = m->begin[m->state[k]], b = m->end[m->state[k]];
        double bound =
            rtol * fabs(at) + (atol > 0 ? atol : 1e-3 * rtol * m->nominal[k]);
        double off = length * fabs(s->exec->r[m->slope[k]] - slope);
        is_large |= off > fmax(MATTERS * bound, OF_CHANGE * fabs(b - a));
    }
    return is_large;
}

/* The step ends before a piece that it passes over, unless before another. */
static void end_before(struct SimMissed *m, const NarrowFound *f, double from,
                       double whole, SimMiss *miss)
{
    double least = 64 * DBL_EPSILON * fabs(f->to); /* else no step ends */
    double length = fmax(f->to - f->from, fmax(least, 1e-9 * whole));
    double end = fmax(from, f->from - length);
    if (miss->end <= end)
        return;
    miss->end = end;
    m->until = f->to + length;
    m->length = length / 8;
}

void sim_has_missed(Sim *s, double from, double to, double rtol, double atol,
                    SimMiss *miss)
{
    struct SimMissed *m = s->missed;
    size_t size = (size_t)s->low->tape->nslot * sizeof(double);
    NarrowFound found[8];
    *miss = (SimMiss){NAN, NAN};
    if (!m || !(to > from) || from < m->until)
        return;
    memcpy(m->end, s->exec->r, size);
    NarrowStep step = {from, to, m->begin, m->end};
    int n = narrow_look(sim_narrow(s), &step, found, 8);
    for (int i = 0; i < n; i++) {
        if (found[i].relation != NONE)
            miss->turn = fmin(miss->turn, found[i].peak);
        else if (matters(s, from, to, rtol, atol, &found[i]))
            end_before(m, &found[i], from, to - from, miss);
        else
            narrow_in_vain(sim_narrow(s), &found[i]);
        memcpy(s->exec->r, m->end, size);
    }
    exec_reset_status(s->exec);
}

double sim_turn_within(Sim *s, double from, double to)
{
    struct SimMissed *m = s->missed;
    size_t size = (size_t)s->low->tape->nslot * sizeof(double);
    NarrowFound found[8];
    double first = NAN;
    if (!m || !(to > from))
        return NAN;
    memcpy(m->kept, s->exec->r, size);
    exec_run(s->exec, &s->low->system[s->low->inlined->event].run);
    memcpy(m->end, s->exec->r, size);
    memcpy(s->exec->r, m->kept, size);
    exec_reset_status(s->exec);
    NarrowStep step = {from, to, m->begin, m->end};
    int n = narrow_look(sim_narrow(s), &step, found, 8);
    for (int i = 0; i < n; i++)
        if (found[i].relation != NONE)
            first = fmin(first, found[i].peak);
    return first;
}

double sim_miss_length(const Sim *s, double from)
{
    return s->missed && from < s->missed->until ? s->missed->length : INFINITY;
}
