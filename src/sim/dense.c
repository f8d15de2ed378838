/* dense.c - controlled steps that do not end at points of output.
 *
 * A part of a step may reach beyond the next point of the grid. What the slots
 * were at its end, before the event there, is kept; at a point of output within
 * it the states are interpolated, and all other variables follow from them by
 * the model itself, so that a row is consistent. Then the slots come back.
 *
 * The interpolation is the polynomial through x_n and the values of the stages,
 * that of the collocation (Hairer, Wanner II, IV.8): of the order of the stages
 * plus one. Slopes would give one order more, and spoil what is stiff. Methods
 * that are no collocation have the cubic through values and slopes of both
 * ends.
 *
 * Models that look at the grid keep it: events of states, delays, terminal(),
 * sample(), states that change on the way. So do extrapolation, whose steps are
 * too long for a cubic, and steps that are judged by halves.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>
#include <string.h>

#include "num/lagrange.h"
#include "plan/estimator.h"
#include "sim/sim_internal.h"

enum { MOST_NODES = 6 };

struct SimDense {
    double at;         /* where the run is */
    double from, to;   /* the last part */
    double *begin;     /* all slots where it begins */
    double *end;       /* and at its end */
    double *now;       /* and where the run is, while a row is shown */
    bool is_away;      /* the slots are those of a row */
    bool looks_within; /* for events of states */
    int nfollow;
    int *follow; /* slots of continuous variables, which begin an iteration
                    between what they are at both ends */
    int n;
    int *state;      /* slots */
    int *stage;      /* [n][nnode]: slots of values; of the first: NONE */
    int *slope;      /* of slopes at the end of a step */
    double *x0, *f0; /* of the states at `from` */
    int nnode;       /* x_n and stages; 2: both ends, with slopes */
    double node[MOST_NODES];
};

static int slot_of(const Sim *s, int entry)
{
    return entry == NONE ? NONE : s->low->slot[entry];
}

/* Slots of what is interpolated of state k; false: one has none. */
static bool find_values(const Sim *s, SimDense *d, int k)
{
    const Inlined *in = s->low->inlined;
    const Method *m = in->method;
    const DaeState *x = &in->dae->state[k];
    int end = inlined_find(in, x->var, x->order);
    int *stage = d->stage + k * MOST_NODES;
    d->state[k] = slot_of(s, end);
    d->slope[k] = slot_of(s, inlined_find(in, x->var, x->order + 1));
    stage[0] = NONE;
    for (int i = 1, j = 0; d->nnode > 2 && i < d->nnode; i++, j++) {
        if (m->c[j] == 0)
            j++;
        bool is_end = j == m->nstage - 1;
        stage[i] = slot_of(s, is_end ? end : inlined_find_stage(in, end, j));
        if (stage[i] == NONE)
            return false;
    }
    return d->state[k] != NONE && (d->nnode > 2 || d->slope[k] != NONE);
}

/* 0 and the nodes of a collocation method, or 0 and 1. */
static void choose_nodes(SimDense *d, const Method *m)
{
    d->nnode = 1;
    if (estimator_has_weights(m))
        for (int j = 0; j < m->nstage; j++)
            if (m->c[j] > 0)
                d->node[d->nnode++] = m->c[j];
    if (d->nnode < 3) {
        d->nnode = 2;
        d->node[1] = 1;
    }
}

bool sim_has_state_events(const Inlined *d)
{
    for (int i = 0; i < d->nrelation; i++)
        if (!d->relation[i].is_of_time)
            return true;
    return false;
}

/* A part that is made again in halves leaves the stages of the second alone. */
static bool is_halved(const Inlined *d)
{
    return d->system[d->cycle[0]].estimate == NONE &&
           d->plan->control != PC_ORDERS;
}

static bool may_pass(const Sim *s)
{
    const Inlined *d = s->low->inlined;
    return s->options.rtol > 0 && s->options.exact_events && d->dae &&
           !d->method->stage_weight && d->event != NONE && d->ncycle == 1 &&
           d->ndelay == 0 && d->dae->nstate > 0 && !is_halved(d);
}

static void find_followers(Sim *s, SimDense *d)
{
    const Inlined *in = s->low->inlined;
    d->follow = NEW_ARRAY(s->arena, int, in->nvar + 1);
    for (int i = 0; i < in->nvar; i++) {
        const InlinedVar *v = &in->var[i];
        if (v->kind == IV_VALUE && v->stage == DIFF_END && !v->is_discrete &&
            v->type == ET_REAL && s->low->slot[i] != NONE &&
            s->low->tape->region[s->low->slot[i]] != TR_CONST)
            d->follow[d->nfollow++] = s->low->slot[i];
    }
}

static SimDense *new_dense(Sim *s)
{
    const Inlined *in = s->low->inlined;
    SimDense *d = NEW(s->arena, SimDense);
    d->n = in->dae->nstate;
    d->begin = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    d->end = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    d->now = NEW_ARRAY(s->arena, double, s->low->tape->nslot);
    d->state = NEW_ARRAY(s->arena, int, d->n);
    d->stage = NEW_ARRAY(s->arena, int, d->n *MOST_NODES);
    d->slope = NEW_ARRAY(s->arena, int, d->n);
    d->x0 = NEW_ARRAY(s->arena, double, d->n);
    d->f0 = NEW_ARRAY(s->arena, double, d->n);
    d->node[1] = 1;
    d->nnode = 2;
    find_followers(s, d);
    return d;
}

static SimDense *begin(Sim *s)
{
    const Inlined *in = s->low->inlined;
    SimDense *d = new_dense(s);
    choose_nodes(d, in->method);
    for (int k = 0; k < d->n; k++)
        if (!find_values(s, d, k))
            return NULL;
    d->at = sim_time(s);
    d->looks_within = sim_has_state_events(in);
    return d;
}

bool sim_dense_possible(Sim *s)
{
    if (!s->dense && !s->is_clipped) {
        s->dense = s->look = may_pass(s) ? begin(s) : NULL;
        s->is_clipped = !s->dense;
    }
    return s->dense != NULL;
}

bool sim_look_possible(Sim *s)
{
    if (!s->look && s->low->inlined->dae->nstate > 0) {
        SimDense *d = new_dense(s);
        for (int k = 0; k < d->n; k++)
            if (!find_values(s, d, k) && d->state[k] == NONE)
                return false;
        s->look = d;
    }
    return s->look != NULL;
}

void sim_look_before(Sim *s, double from, const double *slope)
{
    SimDense *d = s->look;
    const double *r = s->exec->r;
    memcpy(d->begin, r, sizeof(double) * (size_t)s->low->tape->nslot);
    for (int k = 0; k < d->n; k++) {
        d->x0[k] = r[d->state[k]];
        d->f0[k] = isfinite(slope[k]) ? slope[k] : 0;
    }
    d->from = from;
}

double sim_dense_time(const Sim *s)
{
    return s->dense->at;
}

/* The clock of an event and that of a row may differ in their last digits. */
bool sim_dense_is_at(const Sim *s, double time)
{
    double near = fmax(1e-11 * s->options.step, 4 * DBL_EPSILON * fabs(time));
    return fabs(s->dense->at - time) <= near;
}

/* Slots are kept where a row, or an event, may lie within the part. */
void sim_dense_before(Sim *s, double to, double row)
{
    SimDense *d = s->dense;
    const double *r = s->exec->r;
    if (to > row || d->looks_within)
        memcpy(d->begin, r, sizeof(double) * (size_t)s->low->tape->nslot);
    for (int k = 0; k < d->n; k++) {
        d->x0[k] = r[d->state[k]];
        d->f0[k] = d->slope[k] == NONE ? 0 : r[d->slope[k]];
    }
    d->from = d->at;
}

void sim_dense_after(Sim *s, double reached, double row)
{
    SimDense *d = s->dense;
    if (reached > row)
        memcpy(d->end, s->exec->r,
               sizeof(double) * (size_t)s->low->tape->nslot);
    d->to = d->at = reached;
}

static void interpolate(const SimDense *d, double x, double *r)
{
    double h = d->to - d->from, w[MOST_NODES], slope[MOST_NODES];
    double rise = x * x * (3 - 2 * x), y = 1 - x;
    lagrange_weights(d->node, d->nnode, x, w, slope);
    for (int k = 0; k < d->n; k++) {
        double change = 0, whole = d->end[d->state[k]] - d->x0[k];
        if (d->nnode == 2 && d->slope[k] != NONE)
            change = rise * whole +
                     h * x * y * (y * d->f0[k] - x * d->end[d->slope[k]]);
        else if (d->nnode == 2)
            change = x * whole;
        for (int i = 1; d->nnode > 2 && i < d->nnode; i++)
            change += w[i] * (d->end[d->stage[k * MOST_NODES + i]] - d->x0[k]);
        r[d->state[k]] = d->x0[k] + change;
    }
}

/* Variables where the model begins to iterate: a fold at one end may have
 * another solution nearby. */
static void set_between(const SimDense *d, double x, double *r)
{
    for (int i = 0; i < d->nfollow; i++) {
        int k = d->follow[i];
        double y = d->begin[k] + x * (d->end[k] - d->begin[k]);
        if (isfinite(y))
            r[k] = y;
    }
}

/* All variables from the states that are set. False: it has been said. */
static bool follow(Sim *s)
{
    int event = s->low->inlined->event;
    exec_reset_status(s->exec);
    if (exec_run(s->exec, &s->low->system[event].run) < 0) {
        sim_report_block(s, event, "at a point of output");
        return false;
    }
    return sim_check_values(s);
}

/* The polynomial may leave where the model is defined (the root of what goes to
 * 0), between ends that do not; the line between them does not. */
static bool follow_line(Sim *s, double time)
{
    const SimDense *d = s->dense;
    double x = (time - d->from) / (d->to - d->from);
    memcpy(s->exec->r, d->end, sizeof(double) * (size_t)s->low->tape->nslot);
    set_between(d, x, s->exec->r);
    s->exec->r[s->low->tape->time] = time;
    sim_set_inputs(s, d->from, time);
    return follow(s);
}

/* The slots of the end of the part, with the states of a point within it. */
static bool go_to(Sim *s, double time)
{
    SimDense *d = s->look;
    memcpy(s->exec->r, d->end, sizeof(double) * (size_t)s->low->tape->nslot);
    set_between(d, (time - d->from) / (d->to - d->from), s->exec->r);
    if (s->orders)
        bdf_show(s->orders, time, s->exec->r);
    else
        interpolate(d, (time - d->from) / (d->to - d->from), s->exec->r);
    s->exec->r[s->low->tape->time] = time;
    sim_set_inputs(s, d->from, time);
    diag_mute(s->diag);
    bool fine = follow(s);
    diag_unmute(s->diag);
    return fine;
}

bool sim_dense_show(Sim *s, double time)
{
    SimDense *d = s->dense;
    if (time >= d->at || sim_dense_is_at(s, time))
        return true; /* the run is there */
    memcpy(d->now, s->exec->r, sizeof(double) * (size_t)s->low->tape->nslot);
    d->is_away = true;
    return go_to(s, time) || follow_line(s, time);
}

void sim_dense_hold(Sim *s, double from, double to)
{
    SimDense *d = s->look;
    memcpy(d->end, s->exec->r, sizeof(double) * (size_t)s->low->tape->nslot);
    d->from = from;
    d->to = to;
}

bool sim_dense_place(Sim *s, double time)
{
    bdf_keep(s->orders);
    if (s->orders)
        bdf_push(s->orders, s->look->end, s->look->to);
    bool fine = go_to(s, time);
    bdf_return(s->orders);
    exec_reset_status(s->exec);
    return fine;
}

void sim_dense_release(Sim *s)
{
    memcpy(s->exec->r, s->look->end,
           sizeof(double) * (size_t)s->low->tape->nslot);
    exec_reset_status(s->exec);
}

void sim_dense_return(Sim *s)
{
    SimDense *d = s->dense;
    if (!d || !d->is_away)
        return;
    memcpy(s->exec->r, d->now, sizeof(double) * (size_t)s->low->tape->nslot);
    d->is_away = false;
    exec_reset_status(s->exec);
}
