/* orders.c - backward differences of orders 1 to 5 in steps of any length.
 *
 * The equations are those of backward Euler: x = old(x) + h x'. With another h
 * and another combination of past values in the place of old(x) they are those
 * of every BDF formula (Cellier, Kofman 8.5), so nothing is inlined anew. With
 * the last points (tau_0, x_0) ... (tau_{k-1}, x_{k-1}) before t, the slope at
 * t of the polynomial through them and x is
 *
 *     x' = a x + sum a_j x_j,   a = sum 1 / (t - tau_j)
 *     h := 1/a,  old(x) := - sum a_j x_j / a
 *
 * The polynomial through k + 1 past points is where iterations begin. With
 * x[t, tau_0, ...] the divided difference through m + 1 past points and x,
 *
 *     e_m = (t - tau_0) prod_{j<m} (t - tau_j) x[t, tau_0, ..., tau_m]
 *
 * is the share of a step of order m in the error of the run (its local error
 * times a (t - tau_0)). Orders k - 1, k and k + 1 are compared by the length
 * that each would allow; k + 1 after k + 1 steps of order k. At first, and
 * after an event, there is one point and its slope.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

enum { MOST_ORDER = SIM_MOST_ORDER, MOST_PAST = MOST_ORDER + 2 };

/* So much of the tolerance is for one step: a run has many, the more the
 * smaller it is, and their errors add up. */
double sim_orders_share(const Sim *s)
{
    return fmin(1.0 / 60, 63 * pow(s->options.rtol, 0.6));
}

struct SimOrders {
    int order;            /* of the next part */
    int since;            /* parts made with it */
    int shown;            /* order of the last part, for rows within it */
    int npast;            /* points that count */
    double t[MOST_PAST];  /* their times, newest first */
    double *x[MOST_PAST]; /* and values, [n] each */
    double *slope0;       /* at the newest point, if it is the only one */
    int n, nstate;        /* quantities with a past; states come first */
    int *slot, *slope, *old;
    double *bound; /* 1 / (rtol |x| + atol), of each state */
};

/* ---- beginning ---- */

static int slot_of(const Sim *s, int entry)
{
    return entry == NONE ? NONE : s->low->slot[entry];
}

static int find_old(const Inlined *d, const DaeState *x)
{
    for (int i = d->sys->nvar; i < d->nvar; i++) {
        const InlinedVar *v = &d->var[i];
        if (v->kind == IV_OLD && v->back == 1 && v->sys_var == x->var &&
            v->order == x->order)
            return i;
    }
    return NONE;
}

/* Iteration variables of the step that are no states. */
static void add_iterated(const Sim *s, SimOrders *o, bool *known)
{
    const TapeSegment *run = &s->low->system[s->low->inlined->cycle[0]].run;
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &s->low->tape->code.at[i];
        if (in->op != TAPE_BLOCK)
            continue;
        const TapeBlock *b = &s->low->tape->block.at[in->a];
        for (int k = 0; k < b->n; k++)
            if (!known[b->x[k]]) {
                known[b->x[k]] = true;
                o->slot[o->n++] = b->x[k];
            }
    }
}

SimOrders *sim_orders_new(Sim *s)
{
    const Inlined *d = s->low->inlined;
    int nslot = s->low->tape->nslot, n = d->dae->nstate;
    bool *known = NEW_ARRAY(s->scratch, bool, nslot);
    SimOrders *o = NEW(s->arena, SimOrders);
    o->nstate = o->n = n;
    o->slot = NEW_ARRAY(s->arena, int, nslot);
    o->slope = NEW_ARRAY(s->arena, int, n + 1);
    o->old = NEW_ARRAY(s->arena, int, n + 1);
    o->bound = NEW_ARRAY(s->arena, double, n + 1);
    for (int k = 0; k < n; k++) {
        const DaeState *x = &d->dae->state[k];
        o->slot[k] = slot_of(s, inlined_find(d, x->var, x->order));
        o->slope[k] = slot_of(s, inlined_find(d, x->var, x->order + 1));
        o->old[k] = slot_of(s, find_old(d, x));
        known[o->slot[k]] = true;
        if (o->slope[k] != NONE)
            known[o->slope[k]] = true;
    }
    add_iterated(s, o, known);
    for (int j = 0; j < MOST_PAST; j++)
        o->x[j] = NEW_ARRAY(s->arena, double, o->n + 1);
    o->slope0 = NEW_ARRAY(s->arena, double, n + 1);
    o->order = 1;
    return o;
}

void sim_orders_break(SimOrders *o)
{
    if (!o)
        return;
    o->npast = o->since = 0;
    o->order = 1;
}

/* ---- the past ---- */

void sim_orders_push(SimOrders *o, const double *r, double time)
{
    double *last = o->x[MOST_PAST - 1];
    for (int j = MOST_PAST - 1; j > 0; j--) {
        o->x[j] = o->x[j - 1];
        o->t[j] = o->t[j - 1];
    }
    o->x[0] = last;
    o->t[0] = time;
    for (int k = 0; k < o->n; k++)
        last[k] = r[o->slot[k]];
    o->npast = o->npast < MOST_PAST ? o->npast + 1 : MOST_PAST;
}

/* The only point and its slope are two points, so far apart as the step is
 * long. */
static void make_second(SimOrders *o, double h)
{
    o->t[1] = o->t[0] - h;
    for (int k = 0; k < o->n; k++)
        o->x[1][k] = o->x[0][k] - (k < o->nstate ? h * o->slope0[k] : 0);
}

static void begin(Sim *s, SimOrders *o, double from)
{
    sim_orders_push(o, s->exec->r, from);
    for (int k = 0; k < o->nstate; k++) {
        double f = o->slope[k] == NONE ? 0 : s->exec->r[o->slope[k]];
        o->slope0[k] = isfinite(f) ? f : 0;
    }
}

/* ---- a step ---- */

/* a_j of the head of this file; returns a. */
static double slopes_at(const SimOrders *o, double t, int k, double *a)
{
    double sum = 0;
    for (int j = 0; j < k; j++) {
        sum += 1 / (t - o->t[j]);
        a[j] = 1 / (o->t[j] - t);
        for (int i = 0; i < k; i++)
            if (i != j)
                a[j] *= (t - o->t[i]) / (o->t[j] - o->t[i]);
    }
    return sum;
}

/* Weights at time t of the polynomial through the first n points. */
static void values_at(const SimOrders *o, double t, int n, double *w)
{
    for (int j = 0; j < n; j++) {
        w[j] = 1;
        for (int i = 0; i < n; i++)
            if (i != j)
                w[j] *= (t - o->t[i]) / (o->t[j] - o->t[i]);
    }
}

static double sum_of(const SimOrders *o, const double *w, int n, int k)
{
    double sum = 0;
    for (int j = 0; j < n; j++)
        sum += w[j] * o->x[j][k];
    return sum;
}

double sim_orders_prepare(Sim *s, SimOrders *o, double from, double to)
{
    double a[MOST_PAST], w[MOST_PAST], *r = s->exec->r;
    int k = o->order;
    if (o->npast == 0)
        begin(s, o, from);
    if (o->npast == 1)
        make_second(o, to - from);
    double lead = slopes_at(o, to, k, a);
    values_at(o, to, k + 1, w);
    for (int i = 0; i < o->n; i++) {
        double x = sum_of(o, w, k + 1, i);
        r[o->slot[i]] = x;
        if (i >= o->nstate)
            continue;
        double old = -sum_of(o, a, k, i) / lead;
        r[o->old[i]] = old;
        if (o->slope[i] != NONE)
            r[o->slope[i]] = lead * (x - old);
    }
    return 1 / lead;
}

/* e_m = sum weight_j v_j over v = x, x_0, ..., x_m: a divided difference
 * through t, tau_0, ..., tau_m times its factor. */
static void error_weights(const SimOrders *o, double t, int m, double *weight)
{
    double factor = t - o->t[0];
    for (int j = 0; j < m; j++)
        factor *= t - o->t[j];
    for (int j = -1; j <= m; j++) {
        double at = j < 0 ? t : o->t[j], w = factor;
        for (int i = -1; i <= m; i++)
            if (i != j)
                w /= at - (i < 0 ? t : o->t[i]);
        weight[j + 1] = w;
    }
}

/* Largest |e_m| over the bound for m = k - 1 .. most. */
static void errors_at(const Sim *s, const SimOrders *o, double t, int most,
                      double *error)
{
    double share = sim_orders_share(s), w[MOST_PAST + 1];
    for (int m = o->order > 1 ? o->order - 1 : 1; m <= most; m++) {
        double largest = 0;
        error_weights(o, t, m, w);
        for (int k = 0; k < o->nstate; k++) {
            double e = w[0] * s->exec->r[o->slot[k]];
            for (int j = 0; j <= m; j++)
                e += w[j + 1] * o->x[j][k];
            e = fabs(e) * o->bound[k];
            largest = e <= largest ? largest : e;
        }
        error[m] = isnan(largest) ? INFINITY : largest / share;
    }
}

static double factor_for(double error, int order)
{
    return pow(2 * fmax(error, 1e-12), -1.0 / (order + 1));
}

/* Of orders k - 1, k, k + 1 the one that allows the longest part. */
static int best_order(const SimOrders *o, const double *error, int most,
                      double *factor)
{
    int k = o->order, best = k;
    *factor = factor_for(error[k], k);
    if (k > 1 && factor_for(error[k - 1], k - 1) >= *factor) {
        best = k - 1;
        *factor = factor_for(error[k - 1], k - 1);
    }
    if (most > k && o->since > k) {
        double more = factor_for(error[k + 1], k + 1);
        if (more > 1.1 * *factor) {
            best = k + 1;
            *factor = more;
        }
    }
    return best;
}

double sim_orders_judge(Sim *s, SimOrders *o, double to, const double *atol,
                        double *length)
{
    double error[MOST_ORDER + 1], factor, h = to - o->t[0];
    int most = o->npast > o->order + 1 && o->order < MOST_ORDER ? o->order + 1
                                                                : o->order;
    for (int k = 0; k < o->nstate; k++)
        o->bound[k] = 1 / (s->options.rtol * fmax(fabs(s->exec->r[o->slot[k]]),
                                                  fabs(o->x[0][k])) +
                           atol[k]);
    errors_at(s, o, to, most, error);
    double own = error[o->order];
    int best = best_order(o, error, own <= 1 ? most : o->order, &factor);
    o->shown = o->order;
    if (own <= 1) {
        s->stats.order_used[o->order]++;
        o->since = best == o->order ? o->since + 1 : 1;
        *length = factor >= 2     ? 2 * h
                  : factor >= 1.2 ? factor * h
                  : factor >= 1   ? h
                                  : fmax(factor, 0.5) * h;
    } else {
        best = best < o->order ? best : o->order;
        *length = fmin(0.9, fmax(factor, 0.2)) * h;
        o->since = 0;
    }
    o->order = best;
    return own;
}

void sim_orders_fail(SimOrders *o)
{
    if (o->order > 1)
        o->order--;
    o->since = 0;
}

void sim_orders_again(SimOrders *o)
{
    if (o)
        o->order = o->shown;
}

void sim_orders_pop(SimOrders *o)
{
    double *first = o->x[0];
    for (int j = 1; j < MOST_PAST; j++) {
        o->x[j - 1] = o->x[j];
        o->t[j - 1] = o->t[j];
    }
    o->x[MOST_PAST - 1] = first;
    o->npast--;
}

void sim_orders_show(const Sim *s, const SimOrders *o, double time, double *r)
{
    double w[MOST_PAST];
    int n = o->shown + 1;
    values_at(o, time, n, w);
    for (int k = 0; k < o->nstate; k++)
        r[o->slot[k]] = sum_of(o, w, n, k);
    (void)s;
}
