/* saltation.c - what events and other states do to the error of the run so far.
 *
 * The flow of the linearised model carries errors between events. At an event
 * g = 0 a run that is off by e sees it dt = (g_x e) / g' too early, and for so
 * long its slopes are those after the event instead of those before; what
 * reinit() sets follows the values that it is computed from:
 *
 *     e+ = R e + (f+ - R f-) dt,     R = I where nothing is reinitialised
 *
 * (the saltation matrix: Aizerman, Gantmakher, Quart. J. Mech. Appl. Math. 11,
 * 1958). Derivatives along e and along (f-, 1) are differences of the model at
 * the point before the event, states displaced a little. Of several relations
 * that change in a step the first one counts. Where the grid sees an event tau
 * too late, dt - tau stands for dt: the errors that lateness brings are carried
 * apart from those of the integration (late.c). No event moves by more than the
 * time since its relation changed before: where a switch chatters on the grid
 * the formula would multiply errors without end, which the chattering does not.
 *
 * Discrete Reals are states that stand still: an event that computes one from
 * states, or from the time (next = time + f(x)), leaves it off by what it is
 * computed from, and later events that read it come too early or too late. What
 * an event computes is found by playing it with states displaced.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

struct SimSaltation {
    int n, nheld;             /* states, and after them discrete Reals */
    const int *state, *slope; /* slots, as SimLate */
    double *after;            /* slots after the event */
    double *base;             /* and before it, evaluated once more */
    double *e, *flow;         /* of each state before the event, */
    double *error_after, *flow_after; /* R e, R f- */
    double since; /* the relation changed before: dt is no more */
    bool is_pure; /* the model may be evaluated once more */
};

typedef struct SimSaltation Saltation;

static Saltation *begin(Sim *s)
{
    Saltation *x = NEW(s->arena, Saltation);
    int n = s->late->n + s->late->nheld;
    x->n = s->late->n;
    x->nheld = s->late->nheld;
    x->is_pure = !dag_has_impure(s->low->inlined->dag);
    x->state = s->late->state;
    x->slope = s->late->slope;
    x->after = NEW_ARRAY(s->arena, double, s->low->tape->nslot + 1);
    x->base = NEW_ARRAY(s->arena, double, s->low->tape->nslot + 1);
    x->error_after = NEW_ARRAY(s->arena, double, n + 1);
    x->flow_after = NEW_ARRAY(s->arena, double, n + 1);
    x->e = NEW_ARRAY(s->arena, double, n + 1);
    x->flow = NEW_ARRAY(s->arena, double, n + 1);
    return x;
}

/* ---- the model near the point before the event ---- */

static void copy_slots(const Sim *s, double *to, const double *from)
{
    memcpy(to, from, (size_t)s->low->tape->nslot * sizeof *to);
}

static void move_to(const Sim *s, const SimHeld *x, double value)
{
    s->exec->r[x->now] = s->exec->r[x->pre] = value;
    if (x->old != NONE)
        s->exec->r[x->old] = value;
}

/* The model at the slots `from` with states moved by `size` along `way`,
 * relations as they were.
 * Returns false where it has no solution, or must not be evaluated again. */
static bool displace_from(Sim *s, const double *from, const double *way,
                          double size, double time)
{
    double *r = s->exec->r;
    if (!s->saltation->is_pure)
        return false;
    copy_slots(s, r, from);
    for (int k = 0; k < s->late->n; k++)
        r[s->late->state[k]] += size * way[k];
    for (int k = 0; k < s->late->nheld; k++)
        move_to(s, &s->late->held[k],
                r[s->late->held[k].now] + size * way[s->late->n + k]);
    r[s->low->tape->time] += size * time;
    exec_reset_status(s->exec);
    bool fine =
        exec_run(s->exec, &s->low->system[s->low->inlined->event].run) >= 0;
    exec_reset_status(s->exec);
    sim_set_left(s);
    if (s->low->inlined->sys->naction > 0)
        exec_run(s->exec, &s->low->actions);
    return fine;
}

static bool displace(Sim *s, const double *way, double size, double time)
{
    return displace_from(s, s->late->here, way, size, time);
}

/* So small that the model is linear, so large that rounding does no harm. */
static double size_of(const Sim *s, const double *way, double time)
{
    const double *r = s->late->here;
    double largest = time == 0 ? 0 : time / s->options.step;
    for (int k = 0; k < s->late->n; k++)
        largest = fmax(largest,
                       fabs(way[k]) / fmax(1e-3, fabs(r[s->late->state[k]])));
    for (int k = 0; k < s->late->nheld; k++)
        largest = fmax(largest, fabs(way[s->late->n + k]) /
                                    fmax(1e-3, fabs(r[s->late->held[k].now])));
    return largest > 0 ? 1e-5 / largest : 0;
}

/* The action that reinitialised state k, of those that set it the one with the
 * value it got; NONE: it went on. */
static int action_of(const Sim *s, const Saltation *x, int k)
{
    const Sys *sys = s->low->inlined->sys;
    double after = x->after[x->state[k]], best = INFINITY;
    int found = NONE;
    if (after == s->late->here[x->state[k]])
        return NONE;
    for (int i = 0; i < sys->naction; i++) {
        const LoweredAction *a = &s->low->action[i];
        double far =
            sys->action[i].kind == FA_REINIT && a->target == x->state[k]
                ? fabs(x->base[a->value] - after)
                : INFINITY;
        if (far < best) {
            best = far;
            found = i;
        }
    }
    return found;
}

/* The same of what the event computes: it is played at the displaced point.
 * Where other things happen then, nothing is known of it. */
static void move_held(Sim *s, const Saltation *x, double size, double *result)
{
    const double *r = s->exec->r, *here = s->late->here;
    bool changed = false, is_known = x->nheld > 0;
    if (is_known && s->late->is_sampling) {
        s->exec->r[s->low->sampling] = 1;
        is_known = sim_evaluate_event(s, "");
    }
    is_known = is_known && sim_play(s, &changed) && changed;
    for (int i = 0; is_known && i < s->lists->ndiscrete; i++) {
        int slot = s->lists->discrete[i].from;
        is_known = (r[slot] != here[slot]) == (x->after[slot] != here[slot]);
    }
    for (int k = 0; k < x->nheld; k++) {
        int slot = s->late->held[k].now;
        double d = (r[slot] - x->after[slot]) / size;
        if (x->after[slot] != here[slot])
            result[x->n + k] = is_known && isfinite(d) ? d : 0;
    }
}

/* What a move along `way` leads to after the event, of each state and per unit
 * of the move; returns the same of the relation's distance. */
static double move_along(Sim *s, const Saltation *x, const double *way,
                         double time, Expr relation, double *result)
{
    double size = size_of(s, way, time);
    memcpy(result, way, (size_t)(x->n + x->nheld) * sizeof *result);
    if (!(size > 0) || !isfinite(size) || !displace(s, way, size, time))
        return 0;
    for (int k = 0; k < x->n; k++) {
        int action = action_of(s, x, k);
        int slot = action == NONE ? NONE : s->low->action[action].value;
        double d =
            slot == NONE ? way[k] : (s->exec->r[slot] - x->base[slot]) / size;
        result[k] = isfinite(d) ? d : 0;
    }
    double moved = relation == EXPR_NONE
                       ? 0
                       : sides_distance(s->low, relation, s->exec->r) -
                             sides_distance(s->low, relation, x->base);
    move_held(s, x, size, result);
    return moved / size;
}

/* ---- the event ---- */

/* e+ of an error e of which `tau` more comes with it: the run sees the event
 * that late. Returns how much too early e makes it. */
static double carry(Sim *s, Saltation *x, Expr relation, double rate,
                    double tau, double *e)
{
    double lead = move_along(s, x, e, 0, relation, x->error_after) / rate;
    lead = isfinite(lead) ? fmin(fmax(lead, -x->since), x->since) : 0;
    for (int k = 0; k < x->n + x->nheld; k++) {
        double after = k >= x->n ? 0 : s->late->mean[k];
        bool is_due = k < x->n && s->late->has_due && tau > 0;
        double next = x->error_after[k] +
                      (after - x->flow_after[k]) * (is_due ? lead : lead - tau);
        if (is_due)
            next += x->after[x->state[k]] - s->late->due[x->state[k]];
        e[k] = isfinite(next) ? next : e[k];
    }
    return lead;
}

/* Errors of the run so far that the next step reads. */
static double carry_running(Sim *s, Saltation *x, Expr relation, double rate)
{
    const int *kept = s->late->kept;
    if (!kept)
        return 0;
    size_t held = (size_t)x->nheld * sizeof *x->e;
    for (int k = 0; k < x->n; k++)
        x->e[k] = x->after[kept[k]];
    memcpy(x->e + x->n, s->late->held_error, held);
    double lead = carry(s, x, relation, rate, 0, x->e);
    for (int k = 0; k < x->n; k++)
        x->after[kept[k]] = x->e[k];
    memcpy(s->late->held_error, x->e + x->n, held);
    return lead;
}

/* Those that delay() has brought, of states alone. */
static double carry_delayed(Sim *s, Saltation *x, Expr relation, double rate)
{
    double *off = sim_delay_off(s);
    if (!off)
        return 0;
    memcpy(x->e, off, (size_t)x->n * sizeof *off);
    memset(x->e + x->n, 0, (size_t)x->nheld * sizeof *off);
    double lead = carry(s, x, relation, rate, 0, x->e);
    memcpy(off, x->e, (size_t)x->n * sizeof *off);
    return lead;
}

/* What discrete Reals that are off by error[] do to slopes from now on: of two
 * evaluations, as relations may have changed after that of the event. */
static void find_pushes(Sim *s, const Saltation *x, const double *error,
                        double *push)
{
    double *way = x->error_after;
    memset(push, 0, (size_t)x->n * sizeof *push);
    memset(way, 0, (size_t)x->n * sizeof *way);
    memcpy(way + x->n, error, (size_t)x->nheld * sizeof *way);
    double size = size_of(s, way, 0);
    if (!(size > 0) || !isfinite(size) ||
        !displace_from(s, x->after, way, 0, 0))
        return;
    for (int k = 0; k < x->n; k++)
        x->flow[k] = x->slope[k] == NONE ? 0 : s->exec->r[x->slope[k]];
    bool fine = displace_from(s, x->after, way, size, 0);
    for (int k = 0; fine && k < x->n; k++) {
        int slot = x->slope[k];
        double d = slot == NONE ? 0 : (s->exec->r[slot] - x->flow[k]) / size;
        push[k] = isfinite(d) ? d : 0;
    }
}

double sim_carry_error(Sim *s, double tau)
{
    if (!s->saltation)
        s->saltation = begin(s);
    Saltation *x = s->saltation;
    double *r = s->exec->r;
    copy_slots(s, x->after, r);
    for (int k = 0; k < x->n; k++)
        x->flow[k] = x->slope[k] == NONE ? 0 : s->late->here[x->slope[k]];
    Expr relation = sim_late_first(s, &x->since);
    double lead = 0;
    s->late->has_due = s->late->has_spark = false;
    if (displace(s, x->flow, 0, 0)) {
        copy_slots(s, x->base, r);
        double rate = move_along(s, x, x->flow, 1, relation, x->flow_after);
        s->late->has_due = sim_find_due(s, x->after, x->flow_after, tau);
        lead = carry_running(s, x, relation, rate) +
               carry(s, x, relation, rate, tau, s->late->off) +
               carry_delayed(s, x, relation, rate);
        find_pushes(s, x, s->late->held_error, s->late->push_error);
        find_pushes(s, x, s->late->off + x->n, s->late->push);
    }
    copy_slots(s, r, x->after);
    return lead;
}

/* ---- other states ---- */

/* An error e of the old states as one of those in use now. */
static void choose(Sim *s, const Saltation *x, double *e)
{
    double *way = x->error_after;
    memcpy(way, e, (size_t)x->n * sizeof *way);
    memset(way + x->n, 0, (size_t)x->nheld * sizeof *way);
    double size = size_of(s, way, 0);
    if (!(size > 0) || !isfinite(size) || !displace(s, way, size, 0))
        return;
    for (int k = 0; k < x->n; k++) {
        int slot = sim_chosen_slot(s, k);
        double next =
            slot == NONE ? e[k] : (s->exec->r[slot] - x->base[slot]) / size;
        e[k] = isfinite(next) ? next : e[k];
    }
}

void sim_carry_choice(Sim *s)
{
    if (!s->late || !s->late->kept)
        return;
    if (!s->saltation)
        s->saltation = begin(s);
    Saltation *x = s->saltation;
    double *r = s->exec->r;
    copy_slots(s, x->after, r);
    for (int k = 0; k < x->n; k++)
        x->e[k] = r[s->late->kept[k]];
    if (displace(s, x->e, 0, 0)) {
        copy_slots(s, x->base, r);
        choose(s, x, x->e);
        choose(s, x, s->late->off);
        if (sim_delay_off(s))
            choose(s, x, sim_delay_off(s));
    }
    copy_slots(s, r, x->after);
    for (int k = 0; k < x->n; k++)
        r[s->late->kept[k]] = x->e[k];
}
