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
 *
 * The defect of a step. Where the last increment leads from the last point to
 * the end, it solves W u = G there: it is the correction that is asked for.
 * Else (ros2) the last point p is held against the linearised model,
 *
 *     W eta = rho = h (x'@p - x'@1 - sum_j a_pj inc(x')@j)
 *
 * by a stage more without a point: the products with J, and with f_t since
 * sum_j a_pj gamma_j = alpha_p, are in the slopes of the increments. With the
 * cheap defect rho is left to lower/cheap.c, and nothing is solved.
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

/* That of the defect, after the last stage, has no point. */
static double time_of(const Formulas *b, int i)
{
    return i < b->m->nstage ? b->m->c[i] : 1;
}

static Expr increment(Formulas *b, Quantity q, int i)
{
    Expr leaf = table_increment(b->in, q, i, time_of(b, i));
    b->in->var.at[table_index(b->in, leaf)].guess = expr_real(dag(b), 0);
    return leaf;
}

static Expr time_increment(Formulas *b, int i)
{
    return table_time_increment(b->in, i, time_of(b, i));
}

/* inc(x)@i from what drives it. An explicit state has no row in the
 * Jacobian. */
static void add_increment(Formulas *b, int state, int i, Expr sum)
{
    Dag *d = dag(b);
    Quantity q = b->in->model.state[state];
    Expr step = expr_mul(d, expr_real(d, b->m->gamma), table_step(b->in));
    Expr drive = table_forcing(b->in, q, i, time_of(b, i));
    Expr x = increment(b, q, i), change = drive;
    formula_state(b, state, i, IE_ADVANCE, drive, sum);
    formula_unknown(b, drive);
    if (!formula_is_explicit(b, state))
        change = expr_add(d, expr_mul(d, step, increment(b, derivative(q), i)),
                          change);
    formula_state(b, state, i, IE_INTEGRATION, x, change);
    formula_unknown(b, x);
}

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
    add_increment(b, state, i, sum);
}

/* inc(time) = gamma_i h, where the model mentions time. */
static void add_time(const LinearModel *l, int i)
{
    Formulas *b = l->b;
    Dag *d = dag(b);
    if (!linear_has_time(l) || b->in->model.nstate == 0)
        return;
    Expr time = time_increment(b, i);
    double weight = i < b->m->nstage ? b->m->time_weight[i] : 0;
    formula_state(b, 0, i, IE_ADVANCE, time,
                  expr_mul(d, expr_real(d, weight), table_step(b->in)));
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

/* ---- the defect ---- */

/* Does the last increment alone lead from the last point to the end? */
static bool ends_beside_last(const Method *m)
{
    int last = m->nstage - 1;
    bool beside = m->c[last] == 1;
    for (int j = 0; j < last; j++)
        beside &= beyond(m, m->end_weight, last, j) == 0;
    return beside;
}

/* rho of a state; (inc(x)@j - drive(x)@j) / gamma is h inc(x')@j. */
static Expr beyond_linear(Formulas *b, Quantity q, int p)
{
    Dag *d = dag(b);
    const Method *m = b->m;
    Quantity dq = derivative(q);
    Expr sum = expr_sub(d, table_value(b->in, dq, p, m->c[p]),
                        table_value(b->in, dq, 0, m->c[0]));
    sum = expr_mul(d, table_step(b->in), sum);
    for (int j = 0; j < p; j++) {
        double w = m->value_weight[p * m->nstage + j] / m->gamma;
        if (w == 0)
            continue;
        sum = formula_plus(b, sum, -w, increment(b, q, j));
        sum = formula_plus(b, sum, w, table_forcing(b->in, q, j, m->c[j]));
    }
    return sum;
}

static void add_stage_of_defect(const LinearModel *l)
{
    Formulas *b = l->b;
    const Model *m = &b->in->model;
    int i = b->m->nstage, p = point_of(b->m, i - 1);
    add_time(l, i);
    linear_add(l, i);
    for (int k = 0; k < m->nstate; k++)
        add_increment(b, k, i,
                      formula_is_explicit(b, k)
                          ? expr_real(dag(b), 0)
                          : beyond_linear(b, m->state[k], p));
}

/* The same, term by term: drive(x)@1 is gamma h x'@1. */
static InlinedBeyond *list_beyond(Formulas *b, int p)
{
    Dag *d = dag(b);
    const Model *model = &b->in->model;
    const Method *m = b->m;
    const double *weight = m->value_weight + p * m->nstage;
    InlinedBeyond *out = NEW(b->in->arena, InlinedBeyond);
    int most = 2 + 2 * p, n = model->nstate;
    out->factor = NEW_ARRAY(b->in->arena, Expr, most);
    out->term = NEW_ARRAY(b->in->arena, Expr, most * n + 1);
    out->drive = NEW_ARRAY(b->in->arena, Expr, n + 1);
    out->increment = NEW_ARRAY(b->in->arena, Expr, n + 1);
    out->nterm = most;
    out->factor[0] = table_step(b->in);
    out->factor[1] = expr_mul(d, expr_real(d, weight[0] - 1), out->factor[0]);
    for (int j = 0; j < p; j++) {
        out->factor[2 + 2 * j] = expr_real(d, -weight[j] / m->gamma);
        out->factor[3 + 2 * j] = expr_real(d, j > 0 ? weight[j] / m->gamma : 0);
    }
    for (int k = 0; k < n; k++) {
        Quantity q = model->state[k], dq = derivative(q);
        Expr *term = out->term + k * most;
        out->drive[k] = table_forcing(b->in, q, 0, m->c[0]);
        out->increment[k] = increment(b, q, 0);
        for (int i = 0; i < most; i++)
            term[i] = EXPR_NONE;
        if (formula_is_explicit(b, k))
            continue;
        term[0] = table_value(b->in, dq, p, m->c[p]);
        term[1] = table_value(b->in, dq, 0, m->c[0]);
        for (int j = 0; j < p; j++) {
            term[2 + 2 * j] = increment(b, q, j);
            term[3 + 2 * j] = table_forcing(b->in, q, j, m->c[j]);
        }
    }
    return out;
}

static void add_defect(const LinearModel *l)
{
    Formulas *b = l->b;
    const Model *model = &b->in->model;
    const Plan *plan = b->in->plan;
    int last = b->m->nstage - 1;
    bool is_beside = ends_beside_last(b->m);
    if (!plan || plan->defect == PD_OFF || model->nstate == 0 ||
        (linear_is_affine(l) && !plan_cuts(plan, CUT_IN_MATRIX)))
        return;
    if (!is_beside && plan->defect == PD_CHEAP) {
        b->beyond = list_beyond(b, point_of(b->m, last));
        return;
    }
    if (!is_beside)
        add_stage_of_defect(l);
    b->defect = NEW_ARRAY(b->in->arena, Expr, model->nstate + 1);
    for (int k = 0; k < model->nstate; k++) {
        double w = is_beside ? beyond(b->m, b->m->end_weight, last, last) : 1;
        Expr eta = increment(b, model->state[k], is_beside ? last : last + 1);
        b->defect[k] = expr_mul(dag(b), expr_real(dag(b), w), eta);
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
    add_defect(&l);
    add_values(b, m->end_weight, m->nstage);
    formula_model(b, b->in->end, DIFF_END, 1);
}
