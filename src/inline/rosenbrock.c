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

/* The derivatives of the model at the point of the first stage. */
typedef struct Linear {
    Formulas *b;
    int neqn;
    const int *eqn;     /* numbers of the model's equations */
    Quantity *quantity; /* of the columns: states, unknowns */
    int ncol;
    int *input; /* entries of the columns behind them */
    const ExprJacobian *part;
    Expr *by_time; /* by row, with the slopes of inputs; EXPR_NONE: 0 */
} Linear;

static Dag *dag(const Formulas *b)
{
    return b->in->d->dag;
}

static Quantity derivative(Quantity q)
{
    q.order++;
    return q;
}

static bool is_real(const Formulas *b, Quantity q)
{
    const SysVar *v = &b->in->d->sys->var[q.var];
    return v->role != SR_DISCRETE && (q.order > 0 || v->type == FT_REAL);
}

/* ---- the model linearised ---- */

/* States and unknowns, then the inputs that the equations mention. */
static Expr *find_columns(Linear *l, int *ncol)
{
    Inliner *in = l->b->in;
    const Model *m = &in->model;
    Vec(Expr) col = {0};
    l->quantity = NEW_ARRAY(in->work, Quantity, m->nstate + m->nunknown + 1);
    for (int k = 0; k < m->nstate + m->nunknown; k++) {
        Quantity q = k < m->nstate ? m->state[k] : m->unknown[k - m->nstate];
        if (!is_real(l->b, q))
            continue;
        l->quantity[l->ncol++] = q;
        vec_push(in->work, &col, table_value(in, q, 0, 0));
    }
    l->input = NEW_ARRAY(in->work, int, in->var.n + 1);
    for (int v = 0, n = in->var.n; v < n; v++)
        if (in->var.at[v].kind == IV_INPUT && in->var.at[v].c == 0 &&
            in->var.at[v].type == ET_REAL) {
            l->input[col.n - l->ncol] = v;
            vec_push(in->work, &col, in->var.at[v].leaf);
        }
    *ncol = col.n;
    return col.at;
}

static void report_opaque(Linear *l, int eqn)
{
    Inliner *in = l->b->in;
    in->failed = true;
    diag_report(in->diag, in->model.eqn[eqn].span, DIAG_U1202,
                "this equation takes part in the linear equations of a "
                "Rosenbrock method, but a function in it has no derivative");
}

/* F_t and, for inputs u, F_u u'. */
static void find_time_parts(Linear *l, const Expr *row)
{
    Inliner *in = l->b->in;
    Dag *d = dag(l->b);
    bool *varies = NEW_ARRAY(in->work, bool, in->var.n + 1); /* none does */
    ExprDiff *total = expr_diff_new_total(d, varies, in->var.n, in->work);
    l->by_time = NEW_ARRAY(in->work, Expr, l->neqn + 1);
    for (int i = 0; i < l->neqn; i++) {
        Expr sum = expr_diff_of(total, row[i]);
        if (sum == EXPR_NONE) {
            report_opaque(l, l->eqn[i]);
            return;
        }
        for (int k = l->part->start[i]; k < l->part->start[i + 1]; k++) {
            if (l->part->col[k] < l->ncol)
                continue;
            int v = l->input[l->part->col[k] - l->ncol];
            Quantity u = {in->var.at[v].sys_var, in->var.at[v].order};
            Expr slope = table_input(in, derivative(u), 0);
            sum = expr_add(d, sum, expr_mul(d, l->part->value[k], slope));
        }
        l->by_time[i] = expr_is_zero(d, sum) ? EXPR_NONE : sum;
    }
}

static bool linearise(Linear *l, Stage *first)
{
    Inliner *in = l->b->in;
    const Model *m = &in->model;
    Dag *d = dag(l->b);
    int *eqn = NEW_ARRAY(in->work, int, m->neqn + 1), ncol;
    Expr *row = NEW_ARRAY(in->work, Expr, m->neqn + 1);
    for (int i = 0; i < m->neqn; i++) {
        if (m->is_discrete_eqn[i] || expr_type(d, m->eqn[i].lhs) == ET_BOOLEAN)
            continue;
        eqn[l->neqn] = i;
        row[l->neqn++] = expr_sub(d, stage_map(first, m->eqn[i].lhs),
                                  stage_map(first, m->eqn[i].rhs));
    }
    l->eqn = eqn;
    Expr *col = find_columns(l, &ncol);
    l->part = expr_jacobian(d, row, l->neqn, col, ncol, in->work);
    for (int i = 0; i < l->neqn; i++)
        for (int k = l->part->start[i]; k < l->part->start[i + 1]; k++)
            if (l->part->value[k] == EXPR_NONE) {
                report_opaque(l, eqn[i]);
                return false;
            }
    find_time_parts(l, row);
    return !in->failed;
}

/* ---- equations of the increments ---- */

static Expr increment(Formulas *b, Quantity q, int i)
{
    Expr leaf = table_increment(b->in, q, i, b->m->c[i]);
    b->in->var.at[table_index(b->in, leaf)].guess = expr_real(dag(b), 0);
    return leaf;
}

/* 1 or -1 times one increment and nothing of time: a second name, which is to
 * be seen as such (alias.c). */
static bool is_alias(const Linear *l, int row, int i, Expr *lhs, Expr *rhs)
{
    Dag *d = dag(l->b);
    const ExprJacobian *p = l->part;
    int at = p->start[row];
    double a, b;
    if (p->start[row + 1] - at != 2 || p->col[at + 1] >= l->ncol ||
        l->by_time[row] != EXPR_NONE || !expr_is_const(d, p->value[at], &a) ||
        !expr_is_const(d, p->value[at + 1], &b) || (a != 1 && a != -1) ||
        (b != 1 && b != -1))
        return false;
    *lhs = increment(l->b, l->quantity[p->col[at]], i);
    *rhs = increment(l->b, l->quantity[p->col[at + 1]], i);
    if (a == b)
        *rhs = expr_neg(d, *rhs);
    return true;
}

static void add_linear(const Linear *l, int row, int i)
{
    Formulas *b = l->b;
    Inliner *in = b->in;
    Dag *d = dag(b);
    const SysEqn *from = &in->model.eqn[l->eqn[row]];
    Expr lhs = expr_real(d, 0), rhs = expr_real(d, 0);
    if (!is_alias(l, row, i, &lhs, &rhs)) {
        const ExprJacobian *p = l->part;
        for (int k = p->start[row]; k < p->start[row + 1]; k++)
            if (p->col[k] < l->ncol)
                lhs =
                    expr_add(d, lhs,
                             expr_mul(d, p->value[k],
                                      increment(b, l->quantity[p->col[k]], i)));
        if (l->by_time[row] != EXPR_NONE)
            rhs = expr_mul(d, table_time_increment(in, i, b->m->c[i]),
                           expr_neg(d, l->by_time[row]));
    }
    InlinedEqn e = {.lhs = lhs,
                    .rhs = rhs,
                    .kind = IE_LINEAR,
                    .from = l->eqn[row],
                    .state = NONE,
                    .stage = i,
                    .component = from->component,
                    .ordinal = from->ordinal,
                    .span = from->span};
    vec_push(in->arena, &b->eqn, e);
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
static void add_time(const Linear *l, int i)
{
    Formulas *b = l->b;
    Dag *d = dag(b);
    bool any = false;
    for (int row = 0; row < l->neqn; row++)
        any = any || l->by_time[row] != EXPR_NONE;
    if (!any || b->in->model.nstate == 0)
        return;
    Expr time = table_time_increment(b->in, i, b->m->c[i]);
    formula_state(
        b, 0, i, IE_ADVANCE, time,
        expr_mul(d, expr_real(d, b->m->time_weight[i]), table_step(b->in)));
    formula_unknown(b, time);
}

static void add_increments(const Linear *l, int i, int point)
{
    Formulas *b = l->b;
    const Model *m = &b->in->model;
    add_time(l, i);
    for (int row = 0; row < l->neqn; row++)
        add_linear(l, row, i);
    for (int k = 0; k < m->nunknown; k++)
        if (is_real(b, m->unknown[k]))
            formula_unknown(b, increment(b, m->unknown[k], i));
    for (int k = 0; k < m->nstate; k++)
        add_state(b, k, i, point);
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
        if (!is_real(b, q))
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
    Linear l = {.b = b};
    for (int i = 0, before = NONE; i < m->nstage; i++) {
        int point = point_of(m, i);
        if (point == i) {
            Stage *stage = stage_new(b->in, i, m->c[i], false, false);
            formula_model(b, stage, i, m->c[i]);
            add_values(b, m->value_weight + i * m->nstage, i);
            add_guesses(b, i, before);
            before = i;
            if (i == 0 && !linearise(&l, stage))
                return;
        }
        add_increments(&l, i, point);
    }
    add_values(b, m->end_weight, m->nstage);
    formula_model(b, b->in->end, DIFF_END, 1);
}
