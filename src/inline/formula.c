/* formula.c - the stages of a method and its integration formulas.
 *
 * See inline.h for the formulas. A Runge-Kutta stage i is one of three:
 *
 *   FIRST   row i of A is zero: the values at t_n, nothing to solve
 *   END     the last stage of a stiffly accurate method: the end of the step
 *   INNER   any other
 *
 * A method without END stage gets the formula x_{n+1} and the model once more.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "inline/inline_internal.h"
#include "plan/estimator.h"

typedef Formulas Build;

static Dag *dag(const Build *b)
{
    return b->in->d->dag;
}

static Quantity derivative(Quantity q)
{
    q.order++;
    return q;
}

static Expr scaled(Dag *d, double factor, Expr e)
{
    return factor == 1 ? e : expr_mul(d, expr_real(d, factor), e);
}

/* sum + factor * e; `sum` may be EXPR_NONE. */
static Expr plus(Dag *d, Expr sum, double factor, Expr e)
{
    if (factor == 0)
        return sum;
    if (sum == EXPR_NONE)
        return scaled(d, factor, e);
    if (factor < 0)
        return expr_sub(d, sum, scaled(d, -factor, e));
    return expr_add(d, sum, scaled(d, factor, e));
}

Expr formula_plus(Build *b, Expr sum, double factor, Expr e)
{
    return plus(dag(b), sum, factor, e);
}

static Expr plus_step(Build *b, Expr sum, Expr slope)
{
    if (slope == EXPR_NONE)
        return sum;
    Expr term = expr_mul(dag(b), table_step(b->in), slope);
    return sum == EXPR_NONE ? term : expr_add(dag(b), sum, term);
}

/* ---- equations and unknowns ---- */

void formula_unknown(Build *b, Expr leaf)
{
    vec_push(b->in->arena, &b->unknown, table_index(b->in, leaf));
}

static bool is_discrete(const Build *b, Quantity q)
{
    return b->in->d->sys->var[q.var].role == SR_DISCRETE;
}

void formula_state(Build *b, int state, int stage, InlinedEqnKind kind,
                   Expr lhs, Expr rhs)
{
    const SysVar *v = &b->in->d->sys->var[b->in->model.state[state].var];
    InlinedEqn e = {.lhs = lhs,
                    .rhs = rhs,
                    .kind = kind,
                    .from = NONE,
                    .state = state,
                    .stage = stage,
                    .component = v->component,
                    .ordinal = 0,
                    .span = v->span};
    vec_push(b->in->arena, &b->eqn, e);
}

/* The continuous equations of the model at a stage. */
void formula_model(Build *b, Stage *stage, int number, double c)
{
    const Model *m = &b->in->model;
    for (int i = 0; i < m->neqn; i++) {
        if (m->is_discrete_eqn[i])
            continue;
        const SysEqn *from = &m->eqn[i];
        InlinedEqn e = {.lhs = stage_map(stage, from->lhs),
                        .rhs = stage_map(stage, from->rhs),
                        .kind = IE_MODEL,
                        .from = i,
                        .state = NONE,
                        .stage = number,
                        .component = from->component,
                        .ordinal = from->ordinal,
                        .span = from->span};
        vec_push(b->in->arena, &b->eqn, e);
    }
    for (int i = 0; i < m->nunknown; i++)
        if (!is_discrete(b, m->unknown[i]))
            formula_unknown(b, table_value(b->in, m->unknown[i], number, c));
}

/* The discrete ones, once, at the end of the step. */
static void add_discrete(Build *b)
{
    const Model *m = &b->in->model;
    for (int i = 0; i < m->neqn; i++) {
        if (!m->is_discrete_eqn[i])
            continue;
        const SysEqn *from = &m->eqn[i];
        InlinedEqn e = {.lhs = stage_map(b->in->event, from->lhs),
                        .rhs = stage_map(b->in->event, from->rhs),
                        .kind = IE_MODEL,
                        .from = i,
                        .state = NONE,
                        .stage = DIFF_END,
                        .component = from->component,
                        .ordinal = from->ordinal,
                        .span = from->span,
                        .is_discrete = true};
        vec_push(b->in->arena, &b->eqn, e);
    }
    for (int i = 0; i < m->nunknown; i++)
        if (is_discrete(b, m->unknown[i]))
            formula_unknown(b, table_value(b->in, m->unknown[i], DIFF_END, 1));
}

/* By "modes", or by a cut of its integration formula. */
bool formula_is_explicit(Build *b, int state)
{
    Quantity q = b->in->model.state[state];
    const char *name = b->in->d->sys->var[q.var].name;
    if (q.order != 0)
        return false;
    PlanMode mode = plan_mode(b->in->plan, name);
    return mode == MODE_EXPLICIT || mode == MODE_EXPLICIT_BOTH ||
           lagged_is_explicit(b->in, q);
}

/* x_n + c h x'_n */
static Expr explicit_value(Build *b, Quantity q, double c)
{
    Expr slope = plus(dag(b), EXPR_NONE, c, table_old(b->in, derivative(q), 1));
    return plus_step(b, table_old(b->in, q, 1), slope);
}

/* ---- Runge-Kutta ---- */

typedef enum StageKind { ST_FIRST, ST_END, ST_INNER } StageKind;

static StageKind stage_kind(const Method *m, int i)
{
    bool zero = true;
    for (int j = 0; j < m->nstage; j++)
        zero = zero && m->a[i * m->nstage + j] == 0;
    if (zero)
        return ST_FIRST;
    return m->is_stiffly_accurate && i == m->nstage - 1 ? ST_END : ST_INNER;
}

static int stage_number(const Method *m, int i)
{
    return stage_kind(m, i) == ST_END ? DIFF_END : i;
}

/* X'_j of a state */
static Expr stage_slope(Build *b, Quantity q, int j)
{
    if (stage_kind(b->m, j) == ST_FIRST)
        return table_old(b->in, derivative(q), 1);
    return table_value(b->in, derivative(q), stage_number(b->m, j), b->m->c[j]);
}

Expr formula_slope(Build *b, Quantity q, int j)
{
    return stage_slope(b, q, j);
}

Expr formula_value(Build *b, Quantity q, int j)
{
    if (stage_kind(b->m, j) == ST_FIRST)
        return table_old(b->in, q, 1);
    return table_value(b->in, q, stage_number(b->m, j), b->m->c[j]);
}

/* sum_j row_j X'_j */
static Expr weighted_slopes(Build *b, Quantity q, const double *row)
{
    Expr sum = EXPR_NONE;
    for (int j = 0; j < b->m->nstage; j++)
        if (row[j] != 0)
            sum = plus(dag(b), sum, row[j], stage_slope(b, q, j));
    return sum;
}

/* X_i = x_n + h sum a_ij X'_j; where the stage continues another one, p, from
 * there: X_i = X_p + h sum (a_ij - a_pj) X'_j. */
static Expr stage_value(Build *b, Quantity q, int i)
{
    const Method *m = b->m;
    int n = m->nstage, from = m->stage_guess ? m->stage_guess[i] : NONE;
    if (from == NONE)
        return plus_step(b, table_old(b->in, q, 1),
                         weighted_slopes(b, q, m->a + i * n));
    double *row = NEW_ARRAY(b->in->work, double, n);
    for (int j = 0; j < n; j++)
        row[j] = m->a[i * n + j] - m->a[from * n + j];
    return plus_step(b,
                     table_value(b->in, q, stage_number(m, from), m->c[from]),
                     weighted_slopes(b, q, row));
}

/* x_n - X_i, added up from the stages that lead there. */
static Expr stage_fall(Build *b, Quantity q, int i)
{
    Inliner *in = b->in;
    Expr sum = EXPR_NONE;
    for (int from; i != NONE; i = from) {
        from = b->m->stage_guess[i];
        Expr x = table_value(in, q, stage_number(b->m, i), b->m->c[i]);
        Expr guess = from == NONE ? table_old(in, q, 1)
                                  : table_value(in, q, stage_number(b->m, from),
                                                b->m->c[from]);
        Expr fall = expr_sub(dag(b), guess, x);
        in->var.at[table_index(in, x)].correction = fall;
        sum = plus(dag(b), sum, 1, fall);
    }
    return sum;
}

/* x_n - sum_j w_j (x_n - X_j), j the last stages of the rows. The weights of an
 * extrapolation are large and of both signs: of values they would multiply the
 * rounding, of differences it is that of the differences. The last weight is
 * positive, with which the sum begins. */
static Expr extrapolated_state(Build *b, Quantity q)
{
    Expr sum = EXPR_NONE;
    for (int i = b->m->nstage - 1; i >= 0; i--)
        if (b->m->stage_weight[i] != 0)
            sum = plus(dag(b), sum, b->m->stage_weight[i], stage_fall(b, q, i));
    return expr_sub(dag(b), table_old(b->in, q, 1), sum);
}

/* x_{n+1} from the slopes or from the values of the stages */
static Expr end_value(Build *b, Quantity q, bool is_state)
{
    const Method *m = b->m;
    if (!m->stage_weight)
        return plus_step(b, table_old(b->in, q, 1),
                         weighted_slopes(b, q, m->b));
    if (is_state && m->weighs_changes)
        return extrapolated_state(b, q);
    Expr sum = EXPR_NONE;
    for (int i = 0; i < m->nstage; i++)
        if (m->stage_weight[i] != 0)
            sum = plus(dag(b), sum, m->stage_weight[i],
                       table_value(b->in, q, stage_number(m, i), m->c[i]));
    return sum;
}

/* The formula of every state at stage i, or at the end of the step. */
static void add_rk_formulas(Build *b, int i, InlinedEqnKind kind)
{
    const Model *m = &b->in->model;
    bool at_end = kind == IE_ADVANCE;
    int stage = at_end ? DIFF_END : stage_number(b->m, i);
    double c = at_end ? 1 : b->m->c[i];
    for (int k = 0; k < m->nstate; k++) {
        Quantity q = m->state[k];
        Expr x = table_value(b->in, q, stage, c);
        Expr value = formula_is_explicit(b, k)     ? explicit_value(b, q, c)
                     : position_is_trapezoid(b, k) ? position_value(b, k)
                     : at_end                      ? end_value(b, q, true)
                                                   : stage_value(b, q, i);
        formula_state(b, k, stage, kind, x, value);
        formula_unknown(b, x);
        if (b->in->by_mean && !formula_is_explicit(b, k))
            b->in->by_mean[k] = position_is_trapezoid(b, k);
    }
}

static void set_guess(Build *b, Expr leaf, Expr guess)
{
    int var = table_index(b->in, leaf);
    if (guess != leaf)
        b->in->var.at[var].guess = guess;
}

/* The Jacobian of t_n for stage i: values, derivatives and inputs there. (Time
 * is seen to in schedule/jacobian.c.) */
static void freeze_stage(Build *b, int i)
{
    Inliner *in = b->in;
    const Model *m = &in->model;
    int stage = stage_number(b->m, i);
    double c = b->m->c[i];
    for (int k = 0; k < m->nunknown + 2 * m->nstate; k++) {
        int s = (k - m->nunknown) / 2;
        Quantity q = k < m->nunknown ? m->unknown[k] : m->state[s];
        if (k >= m->nunknown && (k - m->nunknown) % 2)
            q = derivative(q);
        if (is_discrete(b, q))
            continue;
        int var = table_index(in, table_value(in, q, stage, c));
        Expr old = table_old(in, q, 1);
        in->var.at[var].frozen = old;
    }
    int n = in->var.n;
    for (int v = 0; v < n; v++) {
        const InlinedVar *u = &in->var.at[v];
        if (u->kind != IV_INPUT || u->c != c)
            continue;
        Expr old = table_input(in, (Quantity){u->sys_var, u->order}, 0);
        in->var.at[v].frozen = old;
    }
}

/* Where the only Newton iteration of stage i starts: at the values of the
 * stage before, or of t_n, derivatives too. Where x' is given by an explicit
 * equation, as in (3.4) of Schiela, its guess does not matter; where it is an
 * unknown of a nonlinear loop, 0 would be the wrong place to linearise. */
static void add_guesses(Build *b, int i)
{
    const Model *m = &b->in->model;
    int stage = stage_number(b->m, i), from = b->m->stage_guess[i];
    double c = b->m->c[i];
    bool at_end = stage == DIFF_END && from == NONE;
    for (int k = 0; k < m->nunknown; k++) {
        Quantity q = m->unknown[k];
        if (is_discrete(b, q) || at_end)
            continue; /* what the entry has is the value at t_n */
        Expr guess = from == NONE ? table_old(b->in, q, 1)
                                  : table_value(b->in, q, from, b->m->c[from]);
        set_guess(b, table_value(b->in, q, stage, c), guess);
    }
    for (int k = 0; k < m->nstate && !at_end; k++) {
        Quantity q = derivative(m->state[k]);
        Expr guess = from == NONE ? table_old(b->in, q, 1)
                                  : table_value(b->in, q, from, b->m->c[from]);
        set_guess(b, table_value(b->in, q, stage, c), guess);
    }
    for (int k = 0; k < m->nstate; k++) {
        Quantity q = m->state[k];
        Expr guess = from == NONE ? table_old(b->in, q, 1)
                                  : table_value(b->in, q, from, b->m->c[from]);
        set_guess(b, table_value(b->in, q, stage, c), guess);
    }
}

/* The model at the end of the step is solved by one Newton iteration too; it
 * starts from the extrapolated values. */
static void add_end_guesses(Build *b)
{
    const Model *m = &b->in->model;
    for (int k = 0; k < m->nunknown; k++) {
        Quantity q = m->unknown[k];
        if (!is_discrete(b, q))
            set_guess(b, table_value(b->in, q, DIFF_END, 1),
                      end_value(b, q, false));
    }
}

static void add_end(Build *b)
{
    formula_model(b, b->in->end, DIFF_END, 1);
}

static void add_rk(Build *b)
{
    const Method *m = b->m;
    for (int i = 0; i < m->nstage; i++) {
        StageKind kind = stage_kind(m, i);
        if (kind == ST_FIRST)
            continue;
        int number = stage_number(m, i);
        Stage *stage = kind == ST_END
                           ? b->in->end
                           : stage_new(b->in, i, m->c[i], false, false);
        formula_model(b, stage, number, m->c[i]);
        add_rk_formulas(b, i, IE_INTEGRATION);
        if (m->stage_guess)
            add_guesses(b, i);
        if (m->one_jacobian)
            freeze_stage(b, i);
    }
    if (!m->is_stiffly_accurate) {
        add_rk_formulas(b, NONE, IE_ADVANCE);
        add_end(b);
        if (m->stage_weight)
            add_end_guesses(b);
    }
}

/* ---- multistep and one-leg ---- */

/* sum_{k >= 1} factor * coefficient_k * old_k(q) */
static Expr weighted_old(Build *b, Expr sum, Quantity q, const double *weight,
                         double factor)
{
    for (int k = 1; k <= b->m->nback; k++)
        if (weight[k] != 0)
            sum = plus(dag(b), sum, factor * weight[k], table_old(b->in, q, k));
    return sum;
}

static void add_multistep(Build *b)
{
    const Model *m = &b->in->model;
    int stage = b->m->reevaluate ? 0 : DIFF_END;
    formula_model(
        b, b->m->reevaluate ? stage_new(b->in, 0, 1, false, false) : b->in->end,
        stage, 1);
    for (int i = 0; i < m->nstate; i++) {
        Quantity q = m->state[i], dq = derivative(q);
        Expr x = table_value(b->in, q, stage, 1);
        Expr slope = plus(dag(b), EXPR_NONE, b->m->beta[0],
                          table_value(b->in, dq, stage, 1));
        slope = weighted_old(b, slope, dq, b->m->beta, 1);
        Expr value = weighted_old(b, EXPR_NONE, q, b->m->alpha, -1);
        if (formula_is_explicit(b, i))
            value = explicit_value(b, q, 1);
        else
            value = plus_step(b, value, slope);
        formula_state(b, i, stage, IE_INTEGRATION, x, value);
        formula_unknown(b, x);
    }
    if (!b->m->reevaluate)
        return;
    for (int i = 0; i < m->nstate; i++) {
        Expr x = table_value(b->in, m->state[i], DIFF_END, 1);
        formula_state(b, i, DIFF_END, IE_ADVANCE, x,
                      table_value(b->in, m->state[i], 0, 1));
        formula_unknown(b, x);
    }
    add_end(b);
}

static void add_oneleg(Build *b)
{
    const Model *m = &b->in->model;
    double c = 1;
    for (int k = 1; k <= b->m->nback; k++)
        c -= k * b->m->beta[k];
    formula_model(b, stage_new(b->in, 0, c, false, false), 0, c);
    for (int i = 0; i < m->nstate; i++) {
        Quantity q = m->state[i];
        Expr x = table_value(b->in, q, DIFF_END, 1);
        Expr inner = table_value(b->in, q, 0, c);
        Expr slope = table_value(b->in, derivative(q), 0, c);
        Expr leg = plus(dag(b), EXPR_NONE, b->m->beta[0], x);
        leg = weighted_old(b, leg, q, b->m->beta, 1);
        double first = b->m->alpha[0];
        Expr value = weighted_old(b, EXPR_NONE, q, b->m->alpha, -1 / first);
        value = formula_is_explicit(b, i)
                    ? explicit_value(b, q, 1)
                    : plus_step(b, value, scaled(dag(b), 1 / first, slope));
        formula_state(b, i, 0, IE_INTEGRATION, inner, leg);
        formula_state(b, i, DIFF_END, IE_ADVANCE, x, value);
        formula_unknown(b, inner);
        formula_unknown(b, x);
    }
    add_end(b);
}

/* Extrapolation with one iteration in each stage: what its last column has
 * changed. (With the full defect each stage has its own.) */
static void add_defect(Build *b)
{
    const Method *m = b->m;
    const Plan *plan = b->in->plan;
    if (!m->stage_weight || m->order < 3 || !plan || plan->defect != PD_CHEAP)
        return;
    const Estimator *w = estimator_make(m, EU_FRESH, b->in->work);
    int n = b->in->model.nstate;
    b->defect = NEW_ARRAY(b->in->arena, Expr, n + 1);
    for (int k = 0; k < n; k++) {
        Quantity q = b->in->model.state[k];
        Expr sum = EXPR_NONE, old = table_old(b->in, q, 1);
        for (int j = 0; j < m->nstage; j++)
            if (w->value[j] != 0)
                sum = formula_plus(
                    b, sum, w->value[j],
                    expr_sub(b->in->d->dag, formula_value(b, q, j), old));
        b->defect[k] = sum == EXPR_NONE ? expr_real(b->in->d->dag, 0) : sum;
    }
}

void formula_add(Inliner *in, const Method *m, InlinedSystem *s)
{
    Build b = {.in = in, .m = m};
    add_discrete(&b);
    switch (m->kind) {
    case MK_RK:
        add_rk(&b);
        add_defect(&b);
        break;
    case MK_MULTISTEP: add_multistep(&b); break;
    case MK_ONELEG: add_oneleg(&b); break;
    case MK_ROSENBROCK: rosenbrock_add(&b); break;
    case MK_NONE:
    case MK_CYCLE: break;
    }
    s->method = m;
    s->newton = m->newton;
    s->eqn = b.eqn.at;
    s->neqn = b.eqn.n;
    s->unknown = b.unknown.at;
    s->nunknown = b.unknown.n;
    s->defect = b.defect;
    s->beyond = b.beyond;
}
