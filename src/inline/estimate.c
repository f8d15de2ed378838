/* estimate.c - the error of a step, and of the run so far, as equations.
 *
 * After a step, a system of its own is solved, over the values that the step
 * left. With e the formula of plan/estimator.h and J the Jacobian of the model
 * at the end of the step,
 *
 *     copy 0     (I - gamma h J) d = e, local(x) = d          the filter
 *     copies 1, 2  run(x)+ = R(h J) run(x) + share local(x)
 *
 * R is that of the implicit two-stage method of order 2 with the same gamma,
 * R = 1 + z (b1 + b2), so that one matrix serves all copies. An explicit method
 * has no filter, and its own polynomial for R. Errors are carried along the
 * computed solution by the flow of the linearised model, and each step adds its
 * own (Hairer, Norsett, Wanner I, II.3, "Lady Windermere's fan"). The model
 * takes part as it is, with its algebraic equations: linear.c.
 *
 * Where inputs may jump in every step, f_n of the old inputs is no slope of
 * this one. It is then F_j - J (X_j - x_n) - c_j h f_t; the product with J
 * comes out of the filter itself: with (I - gamma h J) d = e + k v,
 * d - k v = (I - gamma h J)^-1 (e + k gamma h J v).
 *
 * At last every error is compared with max(nominal, largest |x| so far). The
 * largest ratio of the step and of the run are entries too, so that who runs
 * the tape need not look at states one by one.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inline/inline_internal.h"
#include "plan/estimator.h"

typedef struct Estimate {
    Formulas b; /* the system in the making */
    Inliner *in;
    Dag *d;
    const Method *m;
    const Estimator *fresh, *history; /* the latter NULL: never used */
    LinearModel linear;
    double gamma; /* of the filter and of the past; 0: explicit */
} Estimate;

static Quantity derivative(Quantity q)
{
    q.order++;
    return q;
}

static Expr error_of(Formulas *b, Quantity q, int copy)
{
    Expr leaf = table_error(b->in, q, copy);
    b->in->var.at[table_index(b->in, leaf)].guess = expr_real(b->in->d->dag, 0);
    return leaf;
}

static Expr time_of(Formulas *b, int copy)
{
    return table_time_source(b->in, copy);
}

/* `leaf`, an unknown of the system, is `value`. */
static void define(Estimate *e, int state, int copy, Expr leaf, Expr value)
{
    formula_state(&e->b, state, copy, IE_ADVANCE, leaf, value);
    formula_unknown(&e->b, leaf);
}

static Expr times(Estimate *e, double factor, Expr x)
{
    return expr_mul(e->d, expr_real(e->d, factor), x);
}

static Expr by_step(Estimate *e, double factor, Expr x)
{
    return times(e, factor, expr_mul(e->d, table_step(e->in), x));
}

static Expr plus(Estimate *e, Expr sum, double factor, Expr x)
{
    return factor == 0 ? sum : formula_plus(&e->b, sum, factor, x);
}

/* ---- the formula ---- */

/* Slopes at grid points: f_{n+1}, and f_{n-i}. */
static Expr end_slope(Estimate *e, Quantity q)
{
    return table_value(e->in, derivative(q), DIFF_END, 1);
}

static Expr past_slope(Estimate *e, Quantity q, int i)
{
    return table_old(e->in, derivative(q), i + 1);
}

static Expr weighted_slopes(Estimate *e, Quantity q, const Estimator *w)
{
    Expr sum = plus(e, EXPR_NONE, w->end, end_slope(e, q));
    for (int i = 0; i < ESTIMATOR_PAST; i++)
        if (w->past[i] != 0)
            sum = plus(e, sum, w->past[i], past_slope(e, q, i));
    for (int j = 0; j < e->m->nstage; j++) {
        if (w->slope[j] != 0)
            sum = plus(e, sum, w->slope[j], formula_slope(&e->b, q, j));
        if (w->before[j] != 0)
            sum = plus(e, sum, w->before[j],
                       table_kept(e->in, formula_slope(&e->b, q, j)));
    }
    return sum;
}

static Expr weighted_values(Estimate *e, Quantity q, const Estimator *w,
                            Expr sum)
{
    Expr x = table_value(e->in, q, DIFF_END, 1), old = table_old(e->in, q, 1);
    if (w->change != 0)
        sum = plus(e, sum, w->change, expr_sub(e->d, x, old));
    for (int j = 0; j < e->m->nstage; j++)
        if (w->value[j] != 0 && e->m->kind == MK_ROSENBROCK)
            sum = plus(e, sum, w->value[j],
                       table_increment(e->in, q, j, e->m->c[j]));
        else if (w->value[j] != 0) /* of differences: less is rounded away */
            sum = plus(e, sum, w->value[j],
                       expr_sub(e->d, formula_value(&e->b, q, j), old));
    return sum;
}

/* Of the trapezoidal rule h/12 (f_{n+1} - 2 f_n + f_{n-1}), which needs a step
 * before; the first one has nothing to tell it by, and what its speed errs by
 * comes to it by the filter. */
static Expr trapezoid_error(Estimate *e, int state)
{
    Expr since = e->in->var.at[e->in->d->estimate.since].leaf;
    Expr sum = end_slope(e, e->in->model.state[state]);
    sum = plus(e, sum, -2, position_past_slope(&e->b, state, 0));
    sum = plus(e, sum, 1, position_past_slope(&e->b, state, 1));
    Expr first = expr_binary(e->d, EX_LT, since, expr_real(e->d, 1));
    return expr_if(e->d, first, expr_real(e->d, 0), by_step(e, 1.0 / 12, sum));
}

static Expr formula_of(Estimate *e, int state, const Estimator *w)
{
    Quantity q = e->in->model.state[state];
    if (formula_is_explicit(&e->b, state)) /* forward Euler */
        return by_step(e, 0.5,
                       expr_sub(e->d, past_slope(e, q, 0), end_slope(e, q)));
    Expr sum = weighted_slopes(e, q, w);
    if (sum != EXPR_NONE)
        sum = expr_mul(e->d, table_step(e->in), sum);
    return weighted_values(e, q, w, sum);
}

/* By one step alone while there are too few before it. */
static Expr raw_error(Estimate *e, int state)
{
    if (position_is_trapezoid(&e->b, state))
        return trapezoid_error(e, state);
    Expr fresh = formula_of(e, state, e->fresh);
    if (!e->history || e->history->need <= e->fresh->need)
        return e->history ? formula_of(e, state, e->history) : fresh;
    Expr since = e->in->var.at[e->in->d->estimate.since].leaf;
    Expr few =
        expr_binary(e->d, EX_LT, since, expr_real(e->d, e->history->need));
    return expr_if(e->d, few, fresh, formula_of(e, state, e->history));
}

/* The weights of a step of any length are entries that are set before it. */
static void add_weights(Inliner *in, const Method *m)
{
    InlinedEstimate *out = &in->d->estimate;
    out->nweight = (in->plan->control == PC_BDF3 ? 3 : 2) * m->nstage + 1;
    out->weight = NEW_ARRAY(in->arena, int, out->nweight);
    for (int i = 0; i < out->nweight; i++)
        out->weight[i] =
            table_add(in, IV_WEIGHT,
                      arena_printf(in->arena, "weight[%d]", i + 1), ET_REAL);
    out->filter = NONE;
    if (in->plan->control == PC_BLENDED || in->plan->control == PC_BDF3)
        out->filter = table_add(in, IV_WEIGHT, "filter", ET_REAL);
}

/* Slope number i of those that are weighed: of the stages of this step, of the
 * one before it, f_n, and of the one before that. */
static Expr weighed_slope(Estimate *e, Quantity q, int i)
{
    int s = e->m->nstage;
    if (i == 2 * s)
        return past_slope(e, q, 0);
    if (i > 2 * s)
        return table_kept(
            e->in, table_kept(e->in, formula_slope(&e->b, q, i - 2 * s - 1)));
    Expr slope = formula_slope(&e->b, q, i % s);
    return i < s ? slope : table_kept(e->in, slope);
}

static Expr controlled_error(Estimate *e, int state)
{
    Quantity q = e->in->model.state[state];
    const InlinedEstimate *out = &e->in->d->estimate;
    Expr sum = EXPR_NONE;
    if (!out->weight)
        return formula_of(e, state, e->fresh);
    for (int i = 0; i < out->nweight; i++) {
        Expr part = expr_mul(e->d, e->in->var.at[out->weight[i]].leaf,
                             weighed_slope(e, q, i));
        sum = sum == EXPR_NONE ? part : expr_add(e->d, sum, part);
    }
    return expr_mul(e->d, table_step(e->in), sum);
}

/* k v of the head of this file; EXPR_NONE: f_n counts. */
static Expr lost_part(Estimate *e, int state)
{
    const Estimator *w = e->fresh;
    Quantity q = e->in->model.state[state];
    if (w->stage == NONE || formula_is_explicit(&e->b, state) ||
        position_is_trapezoid(&e->b, state))
        return EXPR_NONE;
    Expr v = expr_sub(e->d, formula_value(&e->b, q, w->stage),
                      table_old(e->in, q, 1));
    return times(e, -w->lost / w->gamma, v);
}

/* ---- copies of the linearised model ---- */

/* gamma h x; gamma may be an entry. */
static Expr filtered(Estimate *e, Expr x)
{
    const InlinedEstimate *out = &e->in->d->estimate;
    if (out->mode != PE_CONTROL || !out->weight || out->filter == NONE)
        return by_step(e, e->gamma, x);
    return expr_mul(e->d, e->in->var.at[out->filter].leaf,
                    expr_mul(e->d, table_step(e->in), x));
}

/* err(x) = gamma h err(x') + source, source := value */
static void add_copy(Estimate *e, int copy, const Expr *source)
{
    const Model *m = &e->in->model;
    if (linear_has_time(&e->linear)) {
        const Estimator *w = e->fresh;
        double factor = copy == 0 && w->stage != NONE
                            ? -w->lost * e->m->c[w->stage] / w->gamma
                            : 0;
        define(e, 0, copy, time_of(&e->b, copy),
               times(e, factor, table_step(e->in)));
    }
    linear_add(&e->linear, copy);
    for (int k = 0; k < m->nstate; k++) {
        Quantity q = m->state[k];
        Expr x = error_of(&e->b, q, copy), s = table_source(e->in, q, copy);
        define(e, k, copy, s, source[k]);
        Expr value = s;
        if (e->gamma > 0)
            value = expr_add(
                e->d, filtered(e, error_of(&e->b, derivative(q), copy)), s);
        formula_state(&e->b, k, copy, IE_INTEGRATION, x, value);
        formula_unknown(&e->b, x);
    }
}

static Expr slope_in(Estimate *e, int state, int copy)
{
    return error_of(&e->b, derivative(e->in->model.state[state]), copy);
}

static Expr local_of(Estimate *e, int state)
{
    return table_error(e->in, e->in->model.state[state], COPY_LOCAL);
}

static Expr running_of(Estimate *e, int state)
{
    return table_error(e->in, e->in->model.state[state], COPY_RUNNING);
}

static bool is_filtered(const Estimate *e)
{
    return e->fresh->gamma > 0 || (e->history && e->history->gamma > 0);
}

static void add_local(Estimate *e)
{
    int n = e->in->model.nstate;
    Expr *raw = NEW_ARRAY(e->in->work, Expr, n + 1);
    Expr *lost = NEW_ARRAY(e->in->work, Expr, n + 1);
    for (int k = 0; k < n; k++) {
        raw[k] = e->in->d->estimate.mode == PE_CONTROL ? controlled_error(e, k)
                                                       : raw_error(e, k);
        lost[k] = is_filtered(e) ? lost_part(e, k) : EXPR_NONE;
        if (lost[k] != EXPR_NONE)
            raw[k] = expr_add(e->d, raw[k], lost[k]);
    }
    if (is_filtered(e))
        add_copy(e, 0, raw);
    for (int k = 0; k < n; k++) {
        Expr x =
            is_filtered(e) ? error_of(&e->b, e->in->model.state[k], 0) : raw[k];
        if (lost[k] != EXPR_NONE)
            x = expr_sub(e->d, x, lost[k]);
        define(e, k, COPY_LOCAL, local_of(e, k), x);
    }
}

/* ---- the past ---- */

/* Changes that are beyond all bounds stay there, and so do errors that are no
 * number. */
static Expr bounded(Estimate *e, Expr x, Expr scale)
{
    Expr most = times(e, 1e6, scale);
    Expr within = expr_binary(e->d, EX_LE, expr_unary(e->d, EX_ABS, x), most);
    return expr_if(e->d, within, x, most);
}

/* max(nominal, largest |x| so far): where x passes through 0 an error does not
 * become larger. */
static Expr scale_of(Estimate *e, int state)
{
    Quantity q = e->in->model.state[state];
    Expr nominal = e->in->d->sys->var[q.var].nominal;
    double x;
    if (nominal == EXPR_NONE || q.order > 0 ||
        (expr_is_const(e->d, nominal, &x) && x == 0))
        nominal = expr_real(e->d, 1);
    return expr_binary(e->d, EX_MAX, expr_unary(e->d, EX_ABS, nominal),
                       table_error(e->in, q, COPY_SIZE));
}

static void add_sizes(Estimate *e)
{
    for (int k = 0; k < e->in->model.nstate; k++) {
        Quantity q = e->in->model.state[k];
        Expr size = table_error(e->in, q, COPY_SIZE);
        Expr x = table_value(e->in, q, DIFF_END, 1);
        define(e, k, COPY_RUNNING, size,
               expr_binary(e->d, EX_MAX, table_kept(e->in, size),
                           expr_unary(e->d, EX_ABS, x)));
    }
}

static void end_running(Estimate *e, const Expr *carried)
{
    double share = e->fresh->share;
    for (int k = 0; k < e->in->model.nstate; k++) {
        Expr x = plus(e, carried[k], share, local_of(e, k));
        Quantity q = e->in->model.state[k];
        Expr all = table_error(e->in, q, COPY_RUNNING + 1);
        define(e, k, COPY_RUNNING, all, x);
        define(e, k, COPY_RUNNING, running_of(e, k),
               bounded(e, all, scale_of(e, k)));
    }
}

/* Two stages of the implicit method with this gamma. */
static void add_implicit_past(Estimate *e)
{
    int n = e->in->model.nstate, first = is_filtered(e) ? 1 : 0;
    Expr *value = NEW_ARRAY(e->in->work, Expr, n + 1);
    for (int k = 0; k < n; k++)
        value[k] = table_kept(e->in, running_of(e, k));
    add_copy(e, first, value);
    for (int k = 0; k < n; k++)
        value[k] =
            expr_add(e->d, table_kept(e->in, running_of(e, k)),
                     by_step(e, 1 - 2 * e->gamma, slope_in(e, k, first)));
    add_copy(e, first + 1, value);
    for (int k = 0; k < n; k++)
        value[k] = expr_add(e->d, table_kept(e->in, running_of(e, k)),
                            by_step(e, 0.5,
                                    expr_add(e->d, slope_in(e, k, first),
                                             slope_in(e, k, first + 1))));
    end_running(e, value);
}

/* 1 + z (r_1 + z (r_2 + ... z r_n)) */
static void add_explicit_past(Estimate *e, const double *r, int nr)
{
    int n = e->in->model.nstate;
    Expr *value = NEW_ARRAY(e->in->work, Expr, n + 1);
    for (int i = nr; i >= 0; i--) {
        for (int k = 0; k < n; k++) {
            Expr old = table_kept(e->in, running_of(e, k));
            value[k] = times(e, i == 0 ? 1 : r[i - 1], old);
            if (i < nr)
                value[k] = expr_add(e->d, value[k],
                                    by_step(e, 1, slope_in(e, k, nr - i - 1)));
        }
        if (i > 0)
            add_copy(e, nr - i, value);
    }
    end_running(e, value);
}

/* ---- figures ---- */

/* Entries of the table that are none of the model. */
static void add_entries(Inliner *in)
{
    InlinedEstimate *out = &in->d->estimate;
    int n = in->model.nstate;
    out->mode = in->plan->estimate;
    out->n = n;
    out->local = NEW_ARRAY(in->arena, int, n + 1);
    out->running =
        out->mode == PE_RUNNING ? NEW_ARRAY(in->arena, int, n + 1) : NULL;
    for (int k = 0; k < n; k++) {
        Quantity q = in->model.state[k];
        out->local[k] = table_index(in, table_error(in, q, COPY_LOCAL));
        if (out->running)
            out->running[k] = table_index(in, table_error(in, q, COPY_RUNNING));
    }
    out->since = table_add(in, IV_SINCE, "steps since a break", ET_REAL);
    out->worst = table_add(in, IV_ERROR, "error", ET_REAL);
    out->state = table_add(in, IV_ERROR, "error of state", ET_REAL);
    out->largest = table_add(in, IV_ERROR, "largest error", ET_REAL);
    out->largest_state =
        table_add(in, IV_ERROR, "largest error of state", ET_REAL);
    out->largest_time = table_add(in, IV_ERROR, "largest error at", ET_REAL);
}

static Expr leaf_of(const Estimate *e, int entry)
{
    return e->in->var.at[entry].leaf;
}

/* The largest ratio of this step and its state, by pairs of pairs: below the
 * last node of a chain all states would be, below the one before it all but
 * one, and derivatives of them all are looked at. */
static void add_worst(Estimate *e)
{
    const InlinedEstimate *out = &e->in->d->estimate;
    Dag *d = e->d;
    int n = out->n;
    Expr *worst = NEW_ARRAY(e->in->arena, Expr, n + 1);
    Expr *state = NEW_ARRAY(e->in->arena, Expr, n + 1);
    for (int k = 0; k < n; k++) {
        Expr x = out->running ? running_of(e, k) : local_of(e, k);
        worst[k] = expr_div(d, expr_unary(d, EX_ABS, x), scale_of(e, k));
        state[k] = expr_real(d, k);
    }
    for (; n > 1; n = (n + 1) / 2)
        for (int k = 0; 2 * k < n; k++) {
            int a = 2 * k, b = a + 1 < n ? a + 1 : a;
            Expr more = expr_binary(d, EX_GT, worst[b], worst[a]);
            state[k] = b == a ? state[a] : expr_if(d, more, state[b], state[a]);
            worst[k] = b == a ? worst[a] : expr_if(d, more, worst[b], worst[a]);
        }
    define(e, 0, COPY_RUNNING, leaf_of(e, out->worst), worst[0]);
    define(e, 0, COPY_RUNNING, leaf_of(e, out->state), state[0]);
}

static void add_log(Estimate *e)
{
    const InlinedEstimate *out = &e->in->d->estimate;
    Dag *d = e->d;
    Expr largest = leaf_of(e, out->largest), worst = leaf_of(e, out->worst);
    Expr more = expr_binary(d, EX_GT, worst, table_kept(e->in, largest));
    const int entry[] = {out->largest, out->largest_state, out->largest_time};
    const Expr now[] = {worst, leaf_of(e, out->state), expr_time(d)};
    for (int i = 0; i < 3; i++) {
        Expr leaf = leaf_of(e, entry[i]);
        define(e, 0, COPY_RUNNING, leaf,
               expr_if(d, more, now[i], table_kept(e->in, leaf)));
    }
}

/* ---- the system ---- */

static bool has_inputs(const Inliner *in)
{
    const Sys *sys = in->d->sys;
    for (int i = 0; i < sys->nvar; i++)
        if (sys->var[i].role == SR_INPUT)
            return true;
    return false;
}

static void choose_formulas(Estimate *e)
{
    Arena *work = e->in->work;
    if (e->in->plan->estimate == PE_CONTROL) { /* steps begin anew at jumps */
        e->fresh = estimator_make(e->m, EU_FRESH, work);
        return;
    }
    bool inputs = has_inputs(e->in);
    e->fresh = estimator_make(e->m, inputs ? EU_INPUTS : EU_FRESH, work);
    const Estimator *history = estimator_make(e->m, EU_HISTORY, work);
    if (!inputs || e->m->kind == MK_MULTISTEP || e->m->kind == MK_ONELEG)
        e->history = history;
}

static bool begin(Estimate *e, Inliner *in, const Method *m)
{
    *e = (Estimate){.b = {.in = in, .m = m}, .in = in, .d = in->d->dag, .m = m};
    choose_formulas(e);
    double r[ESTIMATOR_PAST];
    estimator_growth(m, &e->gamma, r);
    e->linear = (LinearModel){.b = &e->b,
                              .stage = DIFF_END,
                              .c = 1,
                              .unknown = error_of,
                              .time = e->fresh->stage != NONE ? time_of : NULL};
    if (linear_make(&e->linear, in->end))
        return true;
    in->d->estimate.opaque = e->linear.opaque;
    return false;
}

static void end(Estimate *e, int system)
{
    Inliner *in = e->in;
    InlinedSystem s = {.name = arena_printf(in->arena, "estimate.%s",
                                            in->system.at[system].name),
                       .eqn = e->b.eqn.at,
                       .neqn = e->b.eqn.n,
                       .unknown = e->b.unknown.at,
                       .nunknown = e->b.unknown.n,
                       .estimate = NONE,
                       .is_estimate = true};
    if (!in->options.keep_aliases)
        alias_remove(in, &s);
    vec_push(in->arena, &in->system, s);
    in->system.at[system].estimate = in->system.n - 1;
}

void estimate_add(Inliner *in, int system, const Method *m)
{
    if (in->plan->estimate == PE_OFF || !in->d->dae || in->failed ||
        in->model.nstate == 0 || in->d->estimate.opaque != NONE)
        return;
    bool controls = in->plan->estimate == PE_CONTROL;
    if (controls && !estimator_controls(m))
        return;
    Estimate e;
    double r[ESTIMATOR_PAST], gamma;
    if (!begin(&e, in, m))
        return;
    if (in->d->estimate.mode == PE_OFF)
        add_entries(in);
    if (controls && estimator_has_weights(m))
        add_weights(in, m);
    add_local(&e);
    if (controls) {
        in->d->estimate.order = e.fresh->order;
        end(&e, system);
        return;
    }
    add_sizes(&e);
    int n = estimator_growth(m, &gamma, r);
    if (in->d->estimate.running && n > 0)
        add_explicit_past(&e, r, n);
    else if (in->d->estimate.running)
        add_implicit_past(&e);
    add_worst(&e);
    add_log(&e);
    end(&e, system);
}
