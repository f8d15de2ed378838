/* position.c - states that are integrated by the trapezoidal rule.
 *
 * A position is a state whose derivative is a state too, its speed, der(phi) =
 * w, or a function of time alone, as that of a path which a controller follows:
 * by different rules the two would drift apart. Euler's x_{n+1} = x_n + h
 * w_{n+1} is ahead of it by h/2 times what the speed has gained, the largest
 * error of a mechanism in a step of order 1. The mean of both speeds,
 *
 *     x_{n+1} = x_n + h (w_n + w_{n+1})/2
 *
 * costs one addition, and w_n is at hand. Forces and currents keep the method:
 * together it is Newmark's family with beta = gamma/2, gamma = 1 on the speed.
 * See docs/methods/mixed-mode.md.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "inline/inline_internal.h"

typedef Vec(Quantity) QuantityList;
typedef Vec(int) NumberList;

typedef struct Finder {
    Inliner *in;
    int *first; /* by variable: one of its states, or NONE */
    int *next;  /* by state: another one of the same variable */
    /* what time alone decides: */
    QuantityList *reads; /* by equation, its unknowns that are not known yet */
    NumberList *readers; /* by variable, equations */
    NumberList ready;    /* equations with one such unknown */
} Finder;

static void index_states(Finder *f)
{
    const Model *m = &f->in->model;
    f->first = NEW_ARRAY(f->in->work, int, m->sys->nvar + 1);
    f->next = NEW_ARRAY(f->in->work, int, m->nstate + 1);
    for (int v = 0; v < m->sys->nvar; v++)
        f->first[v] = NONE;
    for (int i = 0; i < m->nstate; i++) {
        f->next[i] = f->first[m->state[i].var];
        f->first[m->state[i].var] = i;
    }
}

static int state_number(const Finder *f, Quantity q)
{
    int i = f->first[q.var];
    while (i != NONE && f->in->model.state[i].order != q.order)
        i = f->next[i];
    return i;
}

/* Is `e` plus or minus a variable or its derivative? */
static bool is_quantity(const Dag *d, Expr e, Quantity *q, int *sign)
{
    *sign = expr_op(d, e) == EX_NEG ? -1 : 1;
    if (*sign < 0)
        e = expr_arg(d, e, 0);
    return expr_is_var(d, e, &q->var, &q->order) && expr_type(d, e) == ET_REAL;
}

/* der(x) = +-w, in either order; der(x) = -x is no speed. */
static void see_equation(const Finder *f, Expr left, Expr right)
{
    const Dag *d = f->in->d->dag;
    Quantity rate, speed;
    int sr, ss;
    if (!is_quantity(d, left, &rate, &sr) ||
        !is_quantity(d, right, &speed, &ss) || rate.order == 0)
        return;
    int x = state_number(f, (Quantity){rate.var, rate.order - 1});
    int w = state_number(f, speed);
    if (x != NONE && w != NONE && w != x)
        f->in->model.speed[x] = (Speed){speed, sr * ss, false};
}

/* ---- functions of time ---- */

static bool is_read(const QuantityList *list, Quantity q)
{
    for (int i = 0; i < list->n; i++)
        if (list->at[i].var == q.var && list->at[i].order == q.order)
            return true;
    return false;
}

static void add_reads(Finder *f, int eqn, Expr side)
{
    const Dag *d = f->in->d->dag;
    Expr *leaf;
    int n = expr_leaves(d, side, &leaf, f->in->work);
    for (int i = 0; i < n; i++) {
        Quantity q = {NONE, 0};
        if (!expr_is_var(d, leaf[i], &q.var, &q.order) ||
            is_read(&f->reads[eqn], q))
            continue;
        SysRole role = f->in->d->sys->var[q.var].role;
        if (role == SR_PARAMETER || role == SR_CONSTANT || role == SR_FREE)
            continue;
        vec_push(f->in->work, &f->reads[eqn], q);
        vec_push(f->in->work, &f->readers[q.var], eqn);
    }
}

/* The unknown is known from now on: in which equations is one left? */
static void strike(Finder *f, Quantity q)
{
    for (int i = 0; i < f->readers[q.var].n; i++) {
        int eqn = f->readers[q.var].at[i], left = 0;
        QuantityList *reads = &f->reads[eqn];
        for (int k = 0; k < reads->n; k++)
            if (reads->at[k].var != q.var || reads->at[k].order != q.order)
                reads->at[left++] = reads->at[k];
        if (left < reads->n && left == 1)
            vec_push(f->in->work, &f->ready, eqn);
        reads->n = left;
    }
}

static void list_reads(Finder *f)
{
    const Model *m = &f->in->model;
    f->reads = NEW_ARRAY(f->in->work, QuantityList, m->neqn + 1);
    f->readers = NEW_ARRAY(f->in->work, NumberList, m->sys->nvar + 1);
    for (int i = 0; i < m->neqn; i++) {
        if (m->is_discrete_eqn[i])
            continue;
        add_reads(f, i, m->eqn[i].lhs);
        add_reads(f, i, m->eqn[i].rhs);
        if (f->reads[i].n == 1)
            vec_push(f->in->work, &f->ready, i);
    }
}

/* From equations with a single unknown on. States, inputs and what is discrete
 * are never known; a derivative that becomes known makes a position. (Inputs
 * may be held for a step: the mean with the old one would be late.) */
static void find_known(Finder *f)
{
    const Model *m = &f->in->model;
    list_reads(f);
    for (int i = 0; i < f->ready.n; i++) {
        const QuantityList *reads = &f->reads[f->ready.at[i]];
        if (reads->n != 1)
            continue;
        Quantity q = reads->at[0];
        if (m->sys->var[q.var].role != SR_UNKNOWN || state_number(f, q) != NONE)
            continue;
        Quantity below = {q.var, q.order - 1};
        int x = q.order > 0 ? state_number(f, below) : NONE;
        if (x != NONE)
            m->speed[x].is_of_time = true;
        strike(f, q);
    }
}

static void find_speeds(Inliner *in)
{
    Model *m = &in->model;
    Finder f = {.in = in};
    index_states(&f);
    for (int i = 0; i < m->neqn; i++)
        if (!m->is_discrete_eqn[i]) {
            see_equation(&f, m->eqn[i].lhs, m->eqn[i].rhs);
            see_equation(&f, m->eqn[i].rhs, m->eqn[i].lhs);
        }
    for (int i = 0; i < m->nstate; i++) {
        Quantity next = {m->state[i].var, m->state[i].order + 1};
        if (state_number(&f, next) != NONE)
            m->speed[i] = (Speed){next, 1, false};
    }
    find_known(&f);
}

static PlanMode mode_of(const Inliner *in, int state)
{
    Quantity q = in->model.state[state];
    return q.order == 0 ? plan_mode(in->plan, in->d->sys->var[q.var].name)
                        : MODE_IMPLICIT;
}

/* One implicit stage, at the end of the step: backward Euler in some form. */
static bool is_euler(const Method *m)
{
    return m->kind == MK_RK && m->nstage == 1 && m->is_stiffly_accurate &&
           m->a[0] == 1;
}

/* What asks for the rule must be able to have it. */
void position_find(Inliner *in, const Method *m)
{
    bool asked = in->plan->positions == PP_TRAPEZOID;
    Span span = NO_SPAN;
    in->model.speed = NEW_ARRAY(in->work, Speed, in->model.nstate + 1);
    for (int i = 0; i < in->plan->nmode; i++)
        if (in->plan->mode[i].mode == MODE_TRAPEZOID) {
            asked = true;
            span = in->plan->mode[i].span;
        }
    if (!asked || m->kind == MK_NONE)
        return;
    find_speeds(in);
    in->by_mean = NEW_ARRAY(in->arena, bool, in->model.nstate + 1);
    in->d->by_mean = in->by_mean;
    if (is_euler(m) && in->plan->estimate != PE_CONTROL)
        return;
    in->failed = true;
    diag_report(
        in->diag, span, DIAG_E1206,
        "states by the trapezoidal rule go with fixed steps of 'be' and "
        "'lie', not with %s'%s'",
        is_euler(m) ? "step-size control of " : "", m->name);
}

bool position_is_trapezoid(Formulas *b, int state)
{
    Inliner *in = b->in;
    PlanMode mode = mode_of(in, state);
    if (!is_euler(b->m) || formula_is_explicit(b, state))
        return false;
    return mode == MODE_TRAPEZOID ||
           (mode == MODE_IMPLICIT && in->plan->positions == PP_TRAPEZOID &&
            (in->model.speed[state].sign != 0 ||
             in->model.speed[state].is_of_time));
}

/* The slope of the state i steps before t_n: that of its speed, if it has one,
 * which is kept anyway. */
Expr position_past_slope(Formulas *b, int state, int i)
{
    Quantity q = b->in->model.state[state];
    Speed s = b->in->model.speed[state];
    q.order++;
    if (s.sign == 0)
        return table_old(b->in, q, i + 1);
    Expr w = table_old(b->in, s.of, i + 1);
    return s.sign > 0 ? w : expr_neg(b->in->d->dag, w);
}

/* x_n + h (x'_n + x'_{n+1})/2 */
Expr position_value(Formulas *b, int state)
{
    Inliner *in = b->in;
    Quantity q = in->model.state[state], dq = {q.var, q.order + 1};
    Expr mean =
        formula_plus(b, EXPR_NONE, 0.5,
                     expr_add(in->d->dag, position_past_slope(b, state, 0),
                              table_value(in, dq, DIFF_END, 1)));
    return expr_add(in->d->dag, table_old(in, q, 1),
                    expr_mul(in->d->dag, table_step(in), mean));
}
