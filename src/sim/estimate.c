/* estimate.c - how large is the error of a step? (Schiela, 5.6)
 *
 * A method is compared with one of lower order. Runge-Kutta methods with an
 * embedded one have err = h sum (b_i - b^_i) X'_i, Rosenbrock methods
 * sum (m_i - m^_i) u_i with m^ Gamma = b^; for all others the lower
 * method is x_{n+1} = x_n, so err = |x_{n+1} - x_n|, the change in a step. An
 * estimate is too large if it is above both tolerances, the relative one (times
 * |x_n|) and the absolute one. Nothing of this changes the run.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "sim/sim_internal.h"

struct SimEstimate {
    int *state;  /* slot of each state */
    double *old; /* its value at t_n */
    int *stage;  /* slots of X'_i or u_i, nstage for each state; or NULL */
    const double *weight; /* of the stages, nstage */
    int nstage;
    bool by_step; /* times h */
};

static int find_stage(const Inlined *d, const DaeState *x, const Method *m,
                      int i)
{
    bool is_end = m->is_stiffly_accurate && i == m->nstage - 1;
    bool is_old = m->c[i] == 0;
    for (int j = 0; j <= i && is_old; j++)
        is_old = m->a[i * m->nstage + j] == 0;
    if (is_old)
        return inlined_find_old(d, x->var, x->order + 1, 1);
    if (is_end)
        return inlined_find(d, x->var, x->order + 1);
    for (int v = 0; v < d->nvar; v++)
        if (d->var[v].kind == IV_VALUE && d->var[v].stage == i &&
            d->var[v].sys_var == x->var && d->var[v].order == x->order + 1)
            return v;
    return NONE;
}

static int find_increment(const Inlined *d, const DaeState *x, int i)
{
    for (int v = 0; v < d->nvar; v++)
        if (d->var[v].kind == IV_INCREMENT && d->var[v].stage == i &&
            d->var[v].sys_var == x->var && d->var[v].order == x->order)
            return v;
    return NONE;
}

/* b - b^, for increments times Gamma^-1: the last unknown first. */
static const double *weights(const Method *m, Arena *arena)
{
    int n = m->nstage;
    double *w = NEW_ARRAY(arena, double, n);
    for (int i = n - 1; i >= 0; i--) {
        w[i] = m->b[i] - m->b_hat[i];
        if (m->kind != MK_ROSENBROCK)
            continue;
        for (int j = i + 1; j < n; j++)
            w[i] -= w[j] * m->gamma_ij[j * n + i];
        w[i] /= m->gamma;
    }
    return w;
}

static void find_stages(Sim *s, SimEstimate *e)
{
    const Inlined *d = s->low->inlined;
    const Method *m = d->method;
    if ((m->kind != MK_RK && m->kind != MK_ROSENBROCK) || !m->b_hat)
        return;
    int *stage = NEW_ARRAY(s->arena, int, d->dae->nstate * m->nstage + 1);
    for (int k = 0; k < d->dae->nstate; k++)
        for (int i = 0; i < m->nstage; i++) {
            int v = m->kind == MK_ROSENBROCK
                        ? find_increment(d, &d->dae->state[k], i)
                        : find_stage(d, &d->dae->state[k], m, i);
            if (v == NONE || s->low->slot[v] == NONE)
                return;
            stage[k * m->nstage + i] = s->low->slot[v];
        }
    e->stage = stage;
    e->nstage = m->nstage;
    e->weight = weights(m, s->arena);
    e->by_step = m->kind == MK_RK;
}

void sim_estimate_before(Sim *s)
{
    const Inlined *d = s->low->inlined;
    if (!(s->options.estimate > 0) || !d->dae)
        return;
    if (!s->estimate) {
        SimEstimate *e = s->estimate = NEW(s->arena, SimEstimate);
        e->state = NEW_ARRAY(s->arena, int, d->dae->nstate + 1);
        e->old = NEW_ARRAY(s->arena, double, d->dae->nstate + 1);
        for (int k = 0; k < d->dae->nstate; k++)
            e->state[k] = s->low->slot[inlined_find(d, d->dae->state[k].var,
                                                    d->dae->state[k].order)];
        find_stages(s, e);
    }
    for (int k = 0; k < d->dae->nstate; k++)
        s->estimate->old[k] = s->exec->r[s->estimate->state[k]];
}

static double estimate_of(const Sim *s, int k)
{
    const SimEstimate *e = s->estimate;
    const double *r = s->exec->r;
    if (!e->stage)
        return fabs(r[e->state[k]] - e->old[k]);
    double sum = 0;
    for (int i = 0; i < e->nstage; i++)
        sum += e->weight[i] * r[e->stage[k * e->nstage + i]];
    return fabs(e->by_step ? r[s->low->tape->step] * sum : sum);
}

void sim_estimate_after(Sim *s)
{
    SimStats *stats = &s->stats;
    bool is_bad = false;
    if (!s->estimate)
        return;
    for (int k = 0; k < s->low->inlined->dae->nstate; k++) {
        double bound = fmax(s->options.estimate * fabs(s->estimate->old[k]),
                            s->options.estimate_atol);
        double ratio = estimate_of(s, k) / bound;
        is_bad |= ratio > 1;
        if (!(ratio > stats->estimate))
            continue;
        stats->estimate = ratio;
        stats->estimate_state = k;
        stats->estimate_time = s->exec->r[s->low->tape->time];
    }
    stats->estimate_bad += is_bad;
}

bool sim_has_embedded(const Sim *s)
{
    return s->estimate && s->estimate->stage;
}
