/* bdf.c - backward differences of orders 1 to 5 in steps of any length.
 *
 * The equations are those of backward Euler: x = old(x) + h x'. With another h
 * and another combination of past values in the place of old(x) they are those
 * of every BDF formula (Cellier, Kofman 8.5), so nothing is inlined anew.
 *
 * The past is kept as divided differences d_j = x[tau_0, ..., tau_j] of the
 * points before t, newest first. With pi_j = prod_{i<j} (t - tau_i) and
 * s_j = sum_{i<j} 1 / (t - tau_i) the polynomial through k points and x has at
 * t the slope
 *
 *     x' = s_k (x - old),   old = sum_{j<k} pi_j (1 - s_j / s_k) d_j
 *     h := 1 / s_k,  old(x) := old
 *
 * P_k = sum_{j<=k} pi_j d_j, through k + 1 past points, is where iterations
 * begin. What x is off from P_m tells the divided difference with x, and
 *
 *     e_m = (x - P_m) (t - tau_0) / (t - tau_m)
 *
 * is the share of a step of order m in the error of the run (its local error
 * times s_m (t - tau_0)). Orders k - 1, k and k + 1 are compared by the length
 * that each would allow; k + 1 after k + 1 steps of order k. At first, and
 * after an event, there is one point and its slope, which is d_1.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "bdf/bdf.h"

#include <math.h>
#include <string.h>

enum { MOST_ORDER = BDF_MOST_ORDER, MOST_PAST = MOST_ORDER + 1 };

/* What rounding leaves of a difference of order 5, with room. */
static const double ROUNDING = 2e-14;

/* So much of the tolerance is for one step: a run has many, the more the
 * smaller it is, and their errors add up. */
double bdf_share(double rtol)
{
    double share = fmin(1.0 / 60, 63 * pow(rtol, 0.6));
    return fmin(1, fmax(share, ROUNDING / rtol));
}

typedef struct PastPoint {
    int n;               /* points that count */
    double t[MOST_PAST]; /* their times, newest first */
    double *d;           /* differences, MOST_PAST of each quantity */
} PastPoint;

struct Bdf {
    int order; /* of the next part */
    int since; /* parts made with it */
    int shown; /* order of the last part, for rows within it */
    PastPoint past, kept;
    double pi[MOST_PAST + 1]; /* at the end of the part */
    double *guess;            /* P_k there, of each state */
    int n, nstate;            /* quantities with a past; states come first */
    int *slot, *slope, *old;
    double rtol;
};

/* ---- beginning ---- */

static int slot_of(const Lowered *l, int entry)
{
    return entry == NONE ? NONE : l->slot[entry];
}

/* Iteration variables of the step that are no states. */
static void add_iterated(const Lowered *l, Bdf *o, bool *known)
{
    const TapeSegment *run = &l->system[l->inlined->cycle[0]].run;
    for (int i = run->first; i < run->first + run->count; i++) {
        const TapeInstr *in = &l->tape->code.at[i];
        if (in->op != TAPE_BLOCK)
            continue;
        const TapeBlock *b = &l->tape->block.at[in->a];
        for (int k = 0; k < b->n; k++)
            if (!known[b->x[k]]) {
                known[b->x[k]] = true;
                o->slot[o->n++] = b->x[k];
            }
    }
}

Bdf *bdf_new(const Lowered *l, double rtol, Arena *arena)
{
    const Inlined *d = l->inlined;
    int nslot = l->tape->nslot, n = d->dae->nstate;
    bool *known = NEW_ARRAY(arena, bool, nslot);
    Bdf *o = NEW(arena, Bdf);
    o->rtol = rtol;
    o->nstate = o->n = n;
    o->slot = NEW_ARRAY(arena, int, nslot);
    o->slope = NEW_ARRAY(arena, int, n + 1);
    o->old = NEW_ARRAY(arena, int, n + 1);
    o->guess = NEW_ARRAY(arena, double, n + 1);
    for (int k = 0; k < n; k++) {
        const DaeState *x = &d->dae->state[k];
        o->slot[k] = slot_of(l, inlined_find(d, x->var, x->order));
        o->slope[k] = slot_of(l, inlined_find(d, x->var, x->order + 1));
        o->old[k] = slot_of(l, inlined_find_old(d, x->var, x->order, 1));
        known[o->slot[k]] = true;
        if (o->slope[k] != NONE)
            known[o->slope[k]] = true;
    }
    add_iterated(l, o, known);
    o->past.d = NEW_ARRAY(arena, double, o->n *MOST_PAST + 1);
    o->kept.d = NEW_ARRAY(arena, double, o->n *MOST_PAST + 1);
    o->order = 1;
    return o;
}

void bdf_break(Bdf *o)
{
    if (!o)
        return;
    o->past.n = o->since = 0;
    o->order = 1;
}

/* ---- the past ---- */

/* x[t, tau_0, ...] = (x[t, ...] - x[tau_0, ...]) / (t - tau_j), one after the
 * other. */
void bdf_push(Bdf *o, const double *r, double time)
{
    PastPoint *p = &o->past;
    double over[MOST_PAST];
    int n = p->n < MOST_PAST ? p->n : MOST_PAST - 1;
    for (int j = 0; j < n; j++)
        over[j] = 1 / (time - p->t[j]);
    for (int k = 0; k < o->n; k++) {
        double *d = p->d + k * MOST_PAST, now = r[o->slot[k]];
        for (int j = 0; j < n; j++) {
            double before = d[j];
            d[j] = now;
            now = (now - before) * over[j];
        }
        d[n] = now;
    }
    for (int j = n; j > 0; j--)
        p->t[j] = p->t[j - 1];
    p->t[0] = time;
    p->n = n + 1;
}

static void copy_past(const Bdf *o, PastPoint *to, const PastPoint *from)
{
    double *d = to->d;
    memcpy(d, from->d, (size_t)(o->n * MOST_PAST) * sizeof(double));
    *to = *from;
    to->d = d;
}

void bdf_keep(Bdf *o)
{
    if (o)
        copy_past(o, &o->kept, &o->past);
}

void bdf_return(Bdf *o)
{
    if (o)
        copy_past(o, &o->past, &o->kept);
}

/* One point and its slope. */
static void begin(Bdf *o, const double *r, double from)
{
    bdf_push(o, r, from);
    for (int k = 0; k < o->n; k++) {
        double f = k >= o->nstate || o->slope[k] == NONE ? 0 : r[o->slope[k]];
        o->past.d[k * MOST_PAST + 1] = isfinite(f) ? f : 0;
    }
}

/* ---- a step ---- */

/* pi_0 .. pi_n at time t. */
static void products_at(const PastPoint *p, double t, int n, double *pi)
{
    pi[0] = 1;
    for (int j = 0; j < n; j++)
        pi[j + 1] = pi[j] * (t - p->t[j]);
}

/* Weights of d_0 .. d_{k-1} in old; returns s_k. */
static double weights_at(const Bdf *o, double t, int k, double *w)
{
    double sum = 0, s[MOST_PAST];
    for (int j = 0; j < k; j++) {
        s[j] = sum;
        sum += 1 / (t - o->past.t[j]);
    }
    for (int j = 0; j < k; j++)
        w[j] = o->pi[j] * (1 - s[j] / sum);
    return sum;
}

static double sum_of(const double *w, const double *d, int n)
{
    double sum = w[0] * d[0];
    for (int j = 1; j < n; j++)
        sum += w[j] * d[j];
    return sum;
}

double bdf_prepare(Bdf *o, double from, double to, double *r)
{
    double w[MOST_PAST];
    int k = o->order;
    if (o->past.n == 0)
        begin(o, r, from);
    if (o->past.n == 1)
        o->past.t[1] = from - (to - from);
    products_at(&o->past, to, k < MOST_ORDER ? k + 1 : k, o->pi);
    double lead = weights_at(o, to, k, w);
    const double *d = o->past.d;
    for (int i = 0; i < o->nstate; i++, d += MOST_PAST) {
        double old = sum_of(w, d, k);
        double x = o->guess[i] = sum_of(o->pi, d, k + 1);
        r[o->slot[i]] = x;
        r[o->old[i]] = old;
        if (o->slope[i] != NONE)
            r[o->slope[i]] = lead * (x - old);
    }
    for (int i = o->nstate; i < o->n; i++, d += MOST_PAST)
        r[o->slot[i]] = sum_of(o->pi, d, k + 1);
    return 1 / lead;
}

/* Largest |e_m| over the bound for m = k - 1, k, k + 1. NaN counts as more than
 * all. */
static void errors_at(const Bdf *o, double t, const double *r,
                      const double *atol, double *error)
{
    const PastPoint *p = &o->past;
    int k = o->order;
    double less = 0, own = 0, more = 0, rtol = o->rtol;
    double back = o->pi[k], on = k < MOST_ORDER ? o->pi[k + 1] : 0;
    const double *d = p->d;
    for (int i = 0; i < o->nstate; i++, d += MOST_PAST) {
        double x = r[o->slot[i]], off = x - o->guess[i];
        double size = fabs(x) > fabs(d[0]) ? fabs(x) : fabs(d[0]);
        double bound = 1 / (rtol * size + atol[i]);
        double a = fabs(off + back * d[k]) * bound, b = fabs(off) * bound;
        double c = k < MOST_ORDER ? fabs(off - on * d[k + 1]) * bound : 0;
        less = a <= less ? less : a;
        own = b <= own ? own : b;
        more = c <= more ? more : c;
    }
    double h = (t - p->t[0]) / bdf_share(rtol);
    error[k] = isnan(own) ? INFINITY : own * h / (t - p->t[k]);
    if (k > 1)
        error[k - 1] = isnan(less) ? INFINITY : less * h / (t - p->t[k - 1]);
    if (k < MOST_ORDER && p->n > k + 1)
        error[k + 1] = isnan(more) ? INFINITY : more * h / (t - p->t[k + 1]);
}

static double factor_for(double error, int order)
{
    return pow(2 * fmax(error, 1e-12), -1.0 / (order + 1));
}

/* Of orders k - 1, k, k + 1 the one that allows the longest part. */
static int best_order(const Bdf *o, const double *error, int most,
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

double bdf_judge(Bdf *o, double to, const double *r, const double *atol,
                 double *length)
{
    double error[MOST_ORDER + 1], factor, h = to - o->past.t[0];
    int most = o->past.n > o->order + 1 && o->order < MOST_ORDER ? o->order + 1
                                                                 : o->order;
    errors_at(o, to, r, atol, error);
    double own = error[o->order];
    int best = best_order(o, error, own <= 1 ? most : o->order, &factor);
    o->shown = o->order;
    if (own <= 1) {
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

int bdf_order(const Bdf *o)
{
    return o->shown;
}

void bdf_fail(Bdf *o)
{
    if (o->order > 1)
        o->order--;
    o->since = 0;
}

void bdf_again(Bdf *o)
{
    if (o)
        o->order = o->shown;
}

void bdf_show(const Bdf *o, double time, double *r)
{
    double pi[MOST_PAST + 1];
    products_at(&o->past, time, o->shown, pi);
    for (int k = 0; k < o->nstate; k++)
        r[o->slot[k]] = sum_of(pi, o->past.d + k * MOST_PAST, o->shown + 1);
}
