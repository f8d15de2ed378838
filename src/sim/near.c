/* near.c - crests that come so near to a limit that errors decide.
 *
 * The sides of a relation come together, turn and part again. Where they come
 * nearer than the run is off, whether the relation changes is no property of
 * the model but of the errors; if a `when` acts on it or a state is
 * reinitialised, all that follows hangs on them. On a grid the error of every
 * state is known (estimate.c, late.c, delay_error.c), and the difference that
 * it makes to a relation follows from the model with states displaced by it.
 *
 * - It did not change: the vertex of the parabola through the last three points
 *   lies in the step. There the events are played with displaced states. If
 *   they leave others behind than the run has, it is said.
 *
 * - It has changed: the same parabola tells how far beyond equality the sides
 *   would have come. If that is less than the error, and the event has left
 *   something, it is said. A ball that falls to the ground would have come far.
 *
 * Exact events end steps where sides are equal: the parabola is that of points
 * that are not as far apart from each other.
 *
 * Sides that were never farther apart than the error are at rest, and nothing
 * is said of them; of each relation it is said once.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/within_internal.h"

static const double AT_REST = 3;   /* times the error: sides that were no more
                                      apart */
static const double FAR_OFF = 0.2; /* of what they were: not near */
static const double SHORT = 1e-2;  /* of the step before: rounding bends it */

struct SimNear {
    double *most; /* of each relation: how far its sides were apart, */
    double *side; /* with this sign */
    bool *is_said;
    double *error; /* of each state */
    long n;        /* so often, */
    double time;   /* first at this time, */
    const char *what;
    bool has_changed; /* it did, and should perhaps not have */
};

static SimNear *begin(const Step *p)
{
    int n = p->s->low->inlined->nrelation;
    SimNear *x = NEW(p->s->arena, SimNear);
    x->most = NEW_ARRAY(p->s->arena, double, n + 1);
    x->side = NEW_ARRAY(p->s->arena, double, n + 1);
    x->is_said = NEW_ARRAY(p->s->arena, bool, n + 1);
    x->error = NEW_ARRAY(p->s->arena, double, p->s->late->n + 1);
    return x;
}

/* What each state is off by at the end of the step. */
static void find_errors(const Step *p)
{
    const struct SimLate *l = p->s->late;
    const double *delayed = sim_delay_off(p->s);
    for (int k = 0; k < l->n; k++) {
        double error = l->off[k] + (delayed ? delayed[k] : 0);
        if (l->kept && l->kept[k] != NONE)
            error += p->w->after[l->kept[k]];
        p->w->near->error[k] = isfinite(error) ? error : 0;
    }
}

/* The distance of the sides at `time` with states displaced; NAN: there is
 * none. */
static double displaced(const Step *p, int i, double time, double way)
{
    const struct SimLate *l = p->s->late;
    if (!within_go_to(p, time))
        return NAN;
    for (int k = 0; way != 0 && k < l->n; k++)
        p->s->exec->r[l->state[k]] += way * p->w->near->error[k];
    if (way != 0 && !within_evaluate(p->s))
        return NAN;
    return sides_distance(p->s->low, p->s->low->inlined->relation[i].now,
                          p->s->exec->r);
}

/* Has an event moved a state that stood at old[]? */
static bool is_set(const Step *p, const double *old)
{
    const struct SimLate *l = p->s->late;
    bool is = false;
    for (int k = 0; k < l->n; k++) {
        double x = old[k], y = p->s->exec->r[l->state[k]];
        is |= fabs(y - x) > 1e-9 * fmax(fabs(x), fabs(y));
    }
    return is;
}

bool sim_play(Sim *s, bool *changed)
{
    Sim kept = *s;
    size_t n = (size_t)s->low->inlined->nrelation;
    memcpy(s->late->played, s->changes, n * sizeof *s->changes);
    s->is_played = true;
    s->band = NULL;
    diag_mute(s->diag);
    bool fine = sim_settle(s, changed);
    diag_unmute(s->diag);
    kept.late->ends = s->stats.terminated;
    *s = kept;
    memcpy(s->changes, s->late->played, n * sizeof *s->changes);
    return fine;
}

bool near_leaves(const Step *p)
{
    Sim *s = p->s;
    const struct SimLate *l = s->late;
    bool changed = false, is = false;
    double *old = NEW_ARRAY(s->scratch, double, l->n + 1);
    if (l->is_sampling)
        return false;
    for (int k = 0; k < l->n; k++)
        old[k] = s->exec->r[l->state[k]];
    if (sim_play(s, &changed) && changed)
        is = l->ends || is_set(p, old) || within_ends_otherwise(p);
    return is;
}

/* Have the events of the step left something in the run? */
static bool has_left(const Step *p)
{
    const Sim *s = p->s;
    const struct SimLate *l = s->late;
    if (l->is_sampling)
        return false; /* that may be what was sampled */
    for (int i = 0; i < s->lists->ndiscrete; i++) {
        int slot = s->lists->discrete[i].from;
        if (p->w->after[slot] != l->here[slot])
            return true;
    }
    for (int k = 0; k < l->n; k++)
        if (p->w->after[l->state[k]] != l->here[l->state[k]])
            return true;
    return false;
}

static void note(const Step *p, int i, double time, bool has_changed)
{
    SimNear *x = p->w->near;
    x->is_said[i] = true;
    if (x->n++ > 0)
        return;
    x->time = time;
    x->what = within_text(p->s, p->s->low->inlined->relation[i].now);
    x->has_changed = has_changed;
}

/* A vertex at `time` on the side of `sign`. */
static void see_miss(const Step *p, int i, double sign, double time)
{
    SimNear *x = p->w->near;
    double here = displaced(p, i, time, 0);
    for (int way = -1; way <= 1; way += 2) {
        double there = displaced(p, i, time, way);
        if (!(sign * here > 0) || !(sign * there < 0) ||
            x->most[i] < AT_REST * fabs(there - here))
            continue;
        if (near_leaves(p)) {
            note(p, i, time, false);
            return;
        }
    }
}

/* Its sides would have come so far beyond equality. */
static void see_crossing(const Step *p, int i, double depth)
{
    double error = fabs(displaced(p, i, p->to, 1) - displaced(p, i, p->to, 0));
    if (depth < error && p->w->near->most[i] > AT_REST * error && has_left(p))
        note(p, i, p->to, true);
}

void near_see(const Step *p, int i, double now)
{
    Within *w = p->w;
    if (!w->near)
        w->near = begin(p);
    SimNear *x = w->near;
    double before = w->before[i], last = w->last[i], h = p->to - p->from;
    double rise = (now - last) / h, rose = (last - before) / w->length;
    double bend = 2 * (rise - rose) / (h + w->length);
    double slope = rise - bend * h / 2; /* at the point in the middle */
    double vertex = last - slope * slope / (2 * bend), at = -slope / bend / h;
    double sign = last > 0 ? 1 : -1;
    if (x->side[i] != sign)
        x->most[i] = 0;
    x->side[i] = sign;
    x->most[i] = fmax(x->most[i], isfinite(last) ? fabs(last) : 0);
    if (x->is_said[i] || !isfinite(vertex) || !(bend * last > 0) ||
        h < SHORT * w->length || !(fabs(vertex) < FAR_OFF * x->most[i]))
        return;
    find_errors(p);
    if (now * last > 0 && vertex * last >= 0 && at > 0 && at <= 1)
        see_miss(p, i, sign, p->from + at * (p->to - p->from));
    else if (now * last < 0 && vertex * last < 0)
        see_crossing(p, i, fabs(vertex));
}

void near_trust(const SimNear *n, SimTrust *t)
{
    if (!n)
        return;
    t->near = n->n;
    t->near_time = n->time;
    t->near_what = n->what;
    t->near_changed = n->has_changed;
}
