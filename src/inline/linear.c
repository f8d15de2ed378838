/* linear.c - the model linearised at a point of the step.
 *
 *     F_x' dx' + F_x dx + F_y dy + F_t dt = 0
 *
 * with all F at the point. Several copies of these equations, each with
 * unknowns of its own, have the same matrices: schedule/later_stages.c solves
 * them alike, with one factorisation. F_t has the slopes of inputs in it, and
 * those of delayed values. These are read at several parts of the step, and the
 * slope is that of the polynomial through them: its error counts with h^2 in a
 * step, so that n points keep order n.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
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

bool linear_is_real(const Formulas *b, Quantity q)
{
    const SysVar *v = &b->in->d->sys->var[q.var];
    return v->role != SR_DISCRETE && (q.order > 0 || v->type == FT_REAL);
}

/* ---- the model linearised ---- */

/* Does entry v move by itself within the step: a Real input, or a continuous
 * value that is delayed? */
static bool is_moved(const LinearModel *l, int v)
{
    const Inliner *in = l->b->in;
    const InlinedVar *x = &in->var.at[v];
    if (x->c != l->c || x->type != ET_REAL)
        return false;
    if (x->kind != IV_DELAY)
        return x->kind == IV_INPUT;
    const InlinedDelay *d = &in->delay.at[x->relation];
    return d->past == IP_DELAY && !d->is_discrete;
}

/* States and unknowns, then the inputs and delayed values that the equations
 * mention. */
static Expr *find_columns(LinearModel *l, int *ncol)
{
    Inliner *in = l->b->in;
    const Model *m = &in->model;
    Vec(Expr) col = {0};
    l->quantity = NEW_ARRAY(in->work, Quantity, m->nstate + m->nunknown + 1);
    for (int k = 0; k < m->nstate + m->nunknown; k++) {
        Quantity q = k < m->nstate ? m->state[k] : m->unknown[k - m->nstate];
        if (!linear_is_real(l->b, q))
            continue;
        l->quantity[l->ncol++] = q;
        vec_push(in->work, &col, table_value(in, q, l->stage, l->c));
    }
    l->input = NEW_ARRAY(in->work, int, in->var.n + 1);
    for (int v = 0, n = in->var.n; v < n; v++)
        if (is_moved(l, v)) {
            l->input[col.n - l->ncol] = v;
            vec_push(in->work, &col, in->var.at[v].leaf);
        }
    *ncol = col.n;
    return col.at;
}

/* The derivative at part c of a step of length 1 of the polynomial through
 * points at parts k/(n-1), which is 1 at point i and 0 at the others. */
static double slope_weight(int i, int n, double c)
{
    double sum = 0, xi = (double)i / (n - 1);
    for (int k = 0; k < n; k++) {
        double product = 1 / (xi - (double)k / (n - 1));
        for (int j = 0; k != i && j < n; j++)
            if (j != i && j != k)
                product *=
                    (c - (double)j / (n - 1)) / (xi - (double)j / (n - 1));
        sum += k == i ? 0 : product;
    }
    return sum;
}

/* The slope of the delayed value in entry v. */
static Expr delay_slope(LinearModel *l, int v)
{
    enum { LEAST = 2, MOST = 4 };
    Inliner *in = l->b->in;
    Dag *d = dag(l->b);
    int relation = in->var.at[v].relation, n = l->b->m->order;
    n = n < LEAST ? LEAST : n > MOST ? MOST : n;
    Expr sum = expr_real(d, 0);
    for (int i = 0; i < n; i++) {
        double weight = slope_weight(i, n, l->c);
        Expr x = table_delayed(in, relation, (double)i / (n - 1));
        sum = expr_add(d, sum, expr_mul(d, expr_real(d, weight), x));
    }
    return expr_div(d, sum, table_step(in));
}

/* The slope of entry v, which moves by itself. */
static Expr slope_of(LinearModel *l, int v)
{
    Inliner *in = l->b->in;
    Quantity u = {in->var.at[v].sys_var, in->var.at[v].order};
    return in->var.at[v].kind == IV_DELAY
               ? delay_slope(l, v)
               : table_input(in, derivative(u), l->c);
}

/* F_t and, for inputs u, F_u u'. */
static void find_time_parts(LinearModel *l, const Expr *row)
{
    Inliner *in = l->b->in;
    Dag *d = dag(l->b);
    bool *varies = NEW_ARRAY(in->work, bool, in->var.n + 1); /* none does */
    ExprDiff *total = expr_diff_new_total(d, varies, in->var.n, in->work);
    l->by_time = NEW_ARRAY(in->work, Expr, l->neqn + 1);
    for (int i = 0; i < l->neqn; i++) {
        Expr sum = expr_diff_of(total, row[i]);
        if (sum == EXPR_NONE) {
            l->opaque = l->eqn[i];
            return;
        }
        for (int k = l->part->start[i]; k < l->part->start[i + 1]; k++) {
            if (l->part->col[k] < l->ncol)
                continue;
            Expr slope = slope_of(l, l->input[l->part->col[k] - l->ncol]);
            sum = expr_add(d, sum, expr_mul(d, l->part->value[k], slope));
        }
        l->by_time[i] = expr_is_zero(d, sum) ? EXPR_NONE : sum;
    }
}

bool linear_make(LinearModel *l, Stage *at)
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
        row[l->neqn++] = expr_sub(d, stage_map(at, m->eqn[i].lhs),
                                  stage_map(at, m->eqn[i].rhs));
    }
    l->eqn = eqn;
    l->opaque = NONE;
    Expr *col = find_columns(l, &ncol);
    l->part = expr_jacobian(d, row, l->neqn, col, ncol, in->work);
    for (int i = 0; i < l->neqn; i++)
        for (int k = l->part->start[i]; k < l->part->start[i + 1]; k++)
            if (l->part->value[k] == EXPR_NONE) {
                l->opaque = eqn[i];
                return false;
            }
    if (l->time)
        find_time_parts(l, row);
    return l->opaque == NONE;
}

/* ---- copies ---- */

bool linear_has_time(const LinearModel *l)
{
    for (int row = 0; l->by_time && row < l->neqn; row++)
        if (l->by_time[row] != EXPR_NONE)
            return true;
    return false;
}

/* Does `e` change from point to point? */
static bool moves(const LinearModel *l, Expr e)
{
    const Inliner *in = l->b->in;
    Expr *leaf;
    if (expr_has_op(dag(l->b), e, EX_TIME))
        return true;
    int n = expr_leaves(dag(l->b), e, &leaf, in->work);
    for (int k = 0; k < n; k++) {
        int var, order;
        expr_is_var(dag(l->b), leaf[k], &var, &order);
        InlinedKind kind = in->var.at[var].kind;
        if (kind != IV_PARAMETER && kind != IV_STEP)
            return true;
    }
    return false;
}

bool linear_is_affine(const LinearModel *l)
{
    for (int i = 0; i < l->neqn; i++) {
        if (l->by_time && l->by_time[i] != EXPR_NONE && moves(l, l->by_time[i]))
            return false;
        for (int k = l->part->start[i]; k < l->part->start[i + 1]; k++)
            if (moves(l, l->part->value[k]))
                return false;
    }
    return true;
}

static bool has_time(const LinearModel *l, int row)
{
    return l->by_time && l->by_time[row] != EXPR_NONE;
}

/* 1 or -1 times one increment and nothing of time: a second name, which is to
 * be seen as such (alias.c). */
static bool is_alias(const LinearModel *l, int row, int i, Expr *lhs, Expr *rhs)
{
    Dag *d = dag(l->b);
    const ExprJacobian *p = l->part;
    int at = p->start[row];
    double a, b;
    if (p->start[row + 1] - at != 2 || p->col[at + 1] >= l->ncol ||
        has_time(l, row) || !expr_is_const(d, p->value[at], &a) ||
        !expr_is_const(d, p->value[at + 1], &b) || (a != 1 && a != -1) ||
        (b != 1 && b != -1))
        return false;
    *lhs = l->unknown(l->b, l->quantity[p->col[at]], i);
    *rhs = l->unknown(l->b, l->quantity[p->col[at + 1]], i);
    if (a == b)
        *rhs = expr_neg(d, *rhs);
    return true;
}

static void add_linear(const LinearModel *l, int row, int i)
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
                lhs = expr_add(
                    d, lhs,
                    expr_mul(d, p->value[k],
                             l->unknown(b, l->quantity[p->col[k]], i)));
        if (has_time(l, row))
            rhs = expr_mul(d, l->time(b, i), expr_neg(d, l->by_time[row]));
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

void linear_add(const LinearModel *l, int copy)
{
    const Model *m = &l->b->in->model;
    for (int row = 0; row < l->neqn; row++)
        add_linear(l, row, copy);
    for (int k = 0; k < m->nunknown; k++)
        if (linear_is_real(l->b, m->unknown[k]))
            formula_unknown(l->b, l->unknown(l->b, m->unknown[k], copy));
}
