/* rosenbrock.c - the stages of a Rosenbrock method.
 *
 * A stage has two parts (method.h, Hairer and Wanner II, IV.7). The model is
 * evaluated at a known point, as in an explicit method,
 *
 *     x@i = x_n + sum_j a_ij inc(x)@j          IE_ADVANCE, from the nearest
 *                                              point there is
 *     x'@i, y@i from the model                 IE_MODEL
 *
 * and the increments solve linear equations: the model linearised at the point
 * of stage 1, which is t_n, with one formula for each state,
 *
 *     F_x' inc(x')@i + F_x inc(x)@i + F_y inc(y)@i + F_t inc(time)@i = 0
 *                                              IE_LINEAR, all F at stage 1
 *     inc(x)@i = gamma h inc(x')@i + drive(x)@i
 *                                              IE_INTEGRATION
 *     drive(x)@i = gamma (h x'@i + sum_j c_ij inc(x)@j), inc(time)@i = gamma_i
 * h IE_ADVANCE
 *
 * These are the same equations in all stages but for the numbers of stages, so
 * schedule/later_stages.c solves them alike, and the matrix is factorised once
 * per step. Algebraic variables follow from the states at each point, and the
 * method is that of the ODE x' = f(t, x): a DAE of index 1 costs no order. F_t
 * has the slopes of inputs in it. Stages with equal points share them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "inline/inline_internal.h"

static Dag *dag(const Formulas *b)
{
    return b->in->d->dag;
}

static Quantity derivative(Quantity q)
{
    q.order++;
    return q;
}

static Expr increment(Formulas *b, Quantity q, int i)
{
    Expr leaf = table_increment(b->in, q, i, b->m->c[i]);
    b->in->var.at[table_index(b->in, leaf)].guess = expr_real(dag(b), 0);
    return leaf;
}

static Expr time_increment(Formulas *b, int i)
{
    return table_time_increment(b->in, i, b->m->c[i]);
}

/* An explicit state has no row in the Jacobian. */
static void add_state(Formulas *b, int state, int i, int point)
{
    Dag *d = dag(b);
    const Method *m = b->m;
    Quantity q = b->in->model.state[state], dq = derivative(q);
    Expr step = expr_mul(d, expr_real(d, m->gamma), table_step(b->in));
    Expr sum = expr_mul(d, step, table_value(b->in, dq, point, m->c[point]));
    for (int j = 0; j < i; j++)
        sum =
            formula_plus(b, sum, m->gamma * m->slope_weight[i * m->nstage + j],
                         increment(b, q, j));
    Expr drive = table_forcing(b->in, q, i, m->c[i]), x = increment(b, q, i);
    formula_state(b, state, i, IE_ADVANCE, drive, sum);
    formula_unknown(b, drive);
    Expr change = drive;
    if (!formula_is_explicit(b, state))
        change = expr_add(d, expr_mul(d, step, increment(b, dq, i)), change);
    formula_state(b, state, i, IE_INTEGRATION, x, change);
    formula_unknown(b, x);
}

/* inc(time) = gamma_i h, where the model mentions time. */
static void add_time(const LinearModel *l, int i)
{
    Formulas *b = l->b;
    Dag *d = dag(b);
    if (!linear_has_time(l) || b->in->model.nstate == 0)
        return;
    Expr time = time_increment(b, i);
    formula_state(
        b, 0, i, IE_ADVANCE, time,
        expr_mul(d, expr_real(d, b->m->time_weight[i]), table_step(b->in)));
    formula_unknown(b, time);
}

static void add_increments(const LinearModel *l, int i, int point)
{
    Formulas *b = l->b;
    const Model *m = &b->in->model;
    add_time(l, i);
    linear_add(l, i);
    for (int k = 0; k < m->nstate; k++)
        add_state(b, k, i, point);
}

static void report_opaque(const LinearModel *l)
{
    Inliner *in = l->b->in;
    in->failed = true;
    diag_report(in->diag, in->model.eqn[l->opaque].span, DIAG_U1202,
                "this equation takes part in the linear equations of a "
                "Rosenbrock method, but a function in it has no derivative");
}

/* ---- points ---- */

/* The first stage with the same point as stage i. */
static int point_of(const Method *m, int i)
{
    for (int k = 0; k < i; k++) {
        bool same = m->c[k] == m->c[i];
        for (int j = 0; j < m->nstage && same; j++)
            same = m->value_weight[k * m->nstage + j] ==
                   m->value_weight[i * m->nstage + j];
        if (same)
            return k;
    }
    return i;
}

/* weight_j - value_weight_kj; NONE is t_n, with the weights 0. */
static double beyond(const Method *m, const double *weight, int k, int j)
{
    double w = k == NONE ? 0 : m->value_weight[k * m->nstage + j];
    return fabs(weight[j] - w) < 1e-13 ? 0 : weight[j] - w;
}

/* The point before stage n from which the fewest increments lead to the one
 * with these weights: in RODAS each of the last is one further than the one
 * before it. */
static int nearest(const Method *m, const double *weight, int n)
{
    int best = NONE, least = 0;
    for (int k = NONE; k < n; k++) {
        int count = 0;
        for (int j = 0; j < m->nstage; j++)
            count += beyond(m, weight, k, j) != 0;
        if (k == NONE || (count < least && point_of(m, k) == k)) {
            best = k;
            least = count;
        }
    }
    return best;
}

/* x_n + sum weight_j inc(x)@j, at stage number n or at the end (nstage) */
static void add_values(Formulas *b, const double *weight, int n)
{
    const Model *m = &b->in->model;
    bool at_end = n == b->m->nstage;
    int stage = at_end ? DIFF_END : n, from = nearest(b->m, weight, n);
    double c = at_end ? 1 : b->m->c[n];
    for (int k = 0; k < m->nstate; k++) {
        Quantity q = m->state[k];
        Expr sum = from == NONE ? table_old(b->in, q, 1)
                                : table_value(b->in, q, from, b->m->c[from]);
        for (int j = 0; j < b->m->nstage; j++)
            sum = formula_plus(b, sum, beyond(b->m, weight, from, j),
                               increment(b, q, j));
        Expr x = table_value(b->in, q, stage, c);
        formula_state(b, k, stage, IE_ADVANCE, x, sum);
        formula_unknown(b, x);
    }
}

/* Loops of the model start from the point before; at the first point from the
 * last one of the step before, whose values are still there and which is at t_n
 * too, if it can be: then nobody needs the model at the end of the step. */
static void add_guesses(Formulas *b, int point, int before)
{
    const Model *m = &b->in->model;
    int last = b->m->nstage - 1;
    if (before == NONE && b->m->c[last] == 1 && point_of(b->m, last) == last)
        before = last;
    for (int k = 0; k < m->nunknown; k++) {
        Quantity q = m->unknown[k];
        if (!linear_is_real(b, q))
            continue;
        Expr leaf = table_value(b->in, q, point, b->m->c[point]);
        Expr guess = before == NONE
                         ? table_old(b->in, q, 1)
                         : table_value(b->in, q, before, b->m->c[before]);
        b->in->var.at[table_index(b->in, leaf)].guess = guess;
    }
}

void rosenbrock_add(Formulas *b)
{
    const Method *m = b->m;
    LinearModel l = {.b = b,
                     .stage = 0,
                     .c = 0,
                     .unknown = increment,
                     .time = time_increment};
    for (int i = 0, before = NONE; i < m->nstage; i++) {
        int point = point_of(m, i);
        if (point == i) {
            Stage *stage = stage_new(b->in, i, m->c[i], false, false);
            formula_model(b, stage, i, m->c[i]);
            add_values(b, m->value_weight + i * m->nstage, i);
            add_guesses(b, i, before);
            before = i;
            if (i == 0 && !linear_make(&l, stage)) {
                report_opaque(&l);
                return;
            }
        }
        add_increments(&l, i, point);
    }
    add_values(b, m->end_weight, m->nstage);
    formula_model(b, b->in->end, DIFF_END, 1);
}
