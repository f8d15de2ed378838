/* levels.c - extrapolation in steps of any length and of any order.
 *
 * Row j of the table makes j substeps of the linearly implicit Euler method;
 * with k rows the order is k. The tape has a system of each order from 2 on
 * (Inlined.level): the stages of a lower one are the first of a higher one. The
 * error of a step of order k is told by the estimate of its system,
 * T_kk - T_k,k-1, that of order k - 1 by the ends of the same rows.
 *
 * With A_k the work of k rows (a Jacobian, and for each row a factorisation and
 * j evaluations and solutions) and H_k the length that the error of order k
 * would allow, the order is next that has the least work A_k / H_k per unit of
 * time (Deuflhard, Numer. Math. 41, 1983; Hairer, Wanner II, IV.9). Order k + 1
 * is tried where k is cheaper than k - 1. Where a solution is stiff, estimates
 * of neighbouring orders are much alike, and low orders would be kept although
 * high ones are cheaper: the least order follows the tolerance.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

enum { LEAST = 2, MOST = SIM_MOST_LEVEL };

struct SimLevels {
    int order;  /* of the next part */
    int least;  /* that serves this tolerance, */
    int most;   /* and that there is */
    int since;  /* parts made with it */
    int n;      /* states, */
    int *state; /* their slots, */
    int *row;   /* [n][MOST]: and those where rows end */
};

SimLevels *sim_levels_new(Sim *s)
{
    const Inlined *d = s->low->inlined;
    SimLevels *l = NEW(s->arena, SimLevels);
    l->n = d->dae->nstate;
    l->most = d->nlevel + LEAST - 1;
    l->state = NEW_ARRAY(s->arena, int, l->n + 1);
    l->row = NEW_ARRAY(s->arena, int, l->n *MOST + 1);
    for (int k = 0; k < l->n; k++) {
        const DaeState *x = &d->dae->state[k];
        int end = inlined_find(d, x->var, x->order);
        l->state[k] = s->low->slot[end];
        for (int j = 1; j < l->most; j++) {
            int at = inlined_find_stage(d, end, j * (j + 1) / 2 - 1);
            if (at == NONE || s->low->slot[at] == NONE)
                return NULL; /* the highest order then serves alone */
            l->row[k * MOST + j - 1] = s->low->slot[at];
        }
    }
    int order = (int)(1.5 - 0.6 * log10(s->options.rtol));
    l->order = order < LEAST ? LEAST : order > l->most ? l->most : order;
    l->least = l->order;
    return l;
}

int sim_levels_system(const Sim *s)
{
    return s->low->inlined->level[s->levels->order - LEAST];
}

/* ---- the error of one order less ---- */

/* The weight of row j in T_kk if `from` is 1, in T_k,k-1 if it is 2. */
static double weight_of(int k, int j, int from)
{
    double w = j >= from;
    for (int i = from; i <= k; i++)
        if (i != j)
            w *= (double)j / (j - i);
    return w;
}

static double lower_error(const Sim *s, const SimLevels *l, const double *old,
                          const double *atol)
{
    int k = l->order - 1;
    double largest = 0, w[MOST];
    for (int j = 1; j <= k; j++)
        w[j - 1] = weight_of(k, j, 1) - weight_of(k, j, 2);
    for (int i = 0; i < l->n; i++) {
        double e = 0, x = s->exec->r[l->state[i]];
        for (int j = 0; j < k; j++)
            e += w[j] * (s->exec->r[l->row[i * MOST + j]] - old[i]);
        double bound = s->options.rtol * fmax(fabs(x), fabs(old[i])) + atol[i];
        bound *= SIM_EXTRAPOLATED;
        largest = fmax(largest, fabs(e) / bound);
    }
    return largest;
}

/* ---- the next part ---- */

static double work_of(int k)
{
    enum { JACOBIAN = 5 };
    return JACOBIAN + k + k * (k + 1);
}

/* The factor that an error of this order allows, and how far one may go. */
static const double LONGER = 6;

static double factor_for(double error, int order)
{
    return 0.9 * pow(fmax(error, 1e-30), -1.0 / order);
}

double sim_levels_next(Sim *s, SimLevels *l, double error, double own,
                       const double *old, const double *atol)
{
    int k = l->order;
    bool is_kept = error <= 1;
    double free = factor_for(error, k), less = 0, lower = INFINITY;
    if (k > l->least) {
        less = factor_for(lower_error(s, l, old, atol), k - 1);
        lower = work_of(k - 1) / less;
    }
    double work = work_of(k) / free;
    s->stats.order_used[k] += is_kept;
    l->since = is_kept ? l->since + 1 : 0;
    /* errors far below the tolerance say nothing of orders */
    if (free < LONGER && lower < 0.9 * work) {
        l->order = k - 1;
        own = fmin(less, is_kept ? LONGER : 1);
    } else if (l->since > 1 && k < l->most && work < 0.9 * lower) {
        l->order = k + 1;
    }
    if (l->order != k)
        l->since = 0;
    return fmax(0.1, is_kept ? own : fmin(own, 0.5));
}

bool sim_levels_is_new(const SimLevels *l)
{
    return l->since == 0;
}

void sim_levels_fail(SimLevels *l)
{
    l->order = l->order > l->least ? l->order - 1 : l->least;
    l->since = 0;
}
