/* newton.c - the one Newton iteration of a method, written as equations.
 *
 * Linearly implicit methods are implicit ones with one iteration, F(v) = 0:
 *
 *     F(g) + F_v(m) (v - g) = 0
 *
 * g is where the iteration starts (InlinedVar.guess, else the value at t_n),
 * m the point of its matrix (InlinedVar.frozen, else g). Usually whoever solves
 * the system makes that iteration. Where it is not known who will (a clocked
 * partition becomes a part of another model), the equations themselves are
 * changed; those that are linear stay as they are.
 *
 * A state that an explicit formula gives (IE_ADVANCE) is not iterated.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "inline/inline_internal.h"

typedef struct Newton {
    Inliner *in;
    bool *iterated; /* size in->var.n when it was made */
    int n;
    const Method *method;
    ExprMap *guess, *matrix;
} Newton;

static bool is_iterated(const Newton *w, Expr leaf)
{
    int var, order;
    return expr_is_var(w->in->d->dag, leaf, &var, &order) && var < w->n &&
           w->iterated[var];
}

static Expr guess_of(Newton *w, int var)
{
    const InlinedVar *v = &w->in->var.at[var];
    if (v->guess != EXPR_NONE || v->kind != IV_VALUE)
        return v->guess;
    return table_old(w->in, (Quantity){v->sys_var, v->order}, 1);
}

static Expr at_guess(void *newton, Dag *d, Expr leaf)
{
    Newton *w = newton;
    int var, order;
    bool is = is_iterated(w, leaf) && expr_is_var(d, leaf, &var, &order);
    return is ? guess_of(w, var) : EXPR_NONE;
}

static Expr at_matrix(void *newton, Dag *d, Expr leaf)
{
    Newton *w = newton;
    int var, order;
    if (!expr_is_var(d, leaf, &var, &order) || order != 0)
        return EXPR_NONE;
    Expr frozen = w->in->var.at[var].frozen;
    return frozen != EXPR_NONE ? frozen : at_guess(newton, d, leaf);
}

/* The time of a stage is time - (1 - c) h in its equations, that of a frozen
 * matrix is t_n. */
static ExprMap *frozen_map(Newton *w, double c)
{
    Dag *d = w->in->d->dag;
    ExprMap *map = expr_map_new(d, at_matrix, w, w->in->work);
    Expr back = expr_mul(d, expr_real(d, c), table_step(w->in));
    expr_map_fix(map, expr_time(d), expr_sub(d, expr_time(d), back));
    return map;
}

/* Is it x' of a state? The matrix of a frozen stage has it as it is. */
static bool is_slope(const Newton *w, int var)
{
    const InlinedVar *v = &w->in->var.at[var];
    for (int k = 0; k < w->in->model.nstate; k++)
        if (w->in->model.state[k].var == v->sys_var &&
            w->in->model.state[k].order + 1 == v->order)
            return true;
    return false;
}

/* The sum over the iterated leaves; *bends: it is not the equation itself.
 * EXPR_NONE: a function has no derivative. */
static Expr changes(Newton *w, Expr r, bool *bends)
{
    Inliner *in = w->in;
    Dag *d = in->d->dag;
    Expr *leaf, sum = expr_real(d, 0);
    int n = expr_leaves(d, r, &leaf, in->work);
    *bends = false;
    for (int k = 0; k < n; k++) {
        if (!is_iterated(w, leaf[k]))
            continue;
        int var = table_index(in, leaf[k]);
        if (in->var.at[var].type != ET_REAL) {
            *bends = true; /* it takes the value of the guess */
            continue;
        }
        Expr slope = expr_diff(d, r, leaf[k]);
        if (slope == EXPR_NONE)
            return EXPR_NONE;
        Expr there = expr_map(is_slope(w, var) ? w->guess : w->matrix, slope);
        *bends = *bends || there != slope;
        Expr step = expr_sub(d, leaf[k], guess_of(w, var));
        sum = expr_add(d, sum, expr_mul(d, there, step));
    }
    return sum;
}

static void write_equation(Newton *w, InlinedEqn *e)
{
    Inliner *in = w->in;
    Dag *d = in->d->dag;
    if (e->kind != IE_MODEL || e->is_discrete ||
        expr_type(d, e->lhs) == ET_BOOLEAN)
        return;
    w->matrix = w->guess;
    if (w->method->one_jacobian && e->stage != DIFF_END)
        w->matrix = frozen_map(w, w->method->c[e->stage]);
    Expr r = expr_sub(d, e->lhs, e->rhs);
    bool bends;
    Expr sum = changes(w, r, &bends);
    if (sum == EXPR_NONE) {
        in->failed = true;
        diag_report(in->diag, e->span, DIAG_U1202,
                    "this equation takes part in the linear equations of a "
                    "linearly implicit method, but a function in it has no "
                    "derivative");
    } else if (bends) {
        e->lhs = expr_add(d, expr_map(w->guess, r), sum);
        e->rhs = expr_real(d, 0);
        e->is_linearised = true;
    }
}

void newton_write(Inliner *in, InlinedSystem *s)
{
    if (s->newton != 1)
        return;
    Newton w = {.in = in, .n = in->var.n, .method = s->method};
    w.iterated = NEW_ARRAY(in->work, bool, w.n + 1);
    for (int i = 0; i < s->nunknown; i++)
        w.iterated[s->unknown[i]] = true;
    for (int i = 0; i < s->neqn; i++)
        if (s->eqn[i].kind == IE_ADVANCE)
            w.iterated[table_index(in, s->eqn[i].lhs)] = false;
    w.guess = expr_map_new(in->d->dag, at_guess, &w, in->work);
    for (int i = 0; i < s->neqn && !in->failed; i++)
        write_equation(&w, &s->eqn[i]);
}
