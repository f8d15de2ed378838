/* invariants.c - what ought to stay 0, beyond the equations.
 *
 * Invariants come from the model's annotation and from the plan, with weights.
 * Two ways to keep them (plan, invariant_by):
 *
 *   join     the system of a step has them beside its equations, and
 *            schedule/invariants.c makes its iteration one of least squares;
 *   project  the step is made as it is, with its end at a stage of its own,
 *            x^; then x = x^ + sum_k mu_k dg_k/dx(x), g_k(x) = 0: the nearest
 *            point that has the invariants, and the model there.
 *
 * The gradient is taken over the states: algebraic variables are put in by the
 * equations that define them. That is possible for any method.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "inline/inline_internal.h"

/* ---- which ---- */

/* Length of the first item: up to a comma outside of brackets. */
static size_t item_length(const char *text)
{
    size_t n = 0;
    for (int depth = 0; text[n]; n++) {
        depth += (text[n] == '[') - (text[n] == ']');
        if (text[n] == ',' && depth <= 0)
            break;
    }
    return n;
}

static void bad_item(Inliner *in, const char *item)
{
    in->failed = true;
    diag_report(in->diag, in->plan->where[PLAN_INVARIANT], DIAG_E1204,
                "invariant: a variable or a variable and its positive weight "
                "is expected (Ef, Ef:0.1), not '%s'",
                item);
}

/* "x" or "x:0.1" as an expression over Sys; EXPR_NONE after a report. */
static Expr read_item(Inliner *in, const char *item)
{
    const Sys *sys = in->d->sys;
    const char *colon = strrchr(item, ':');
    char *end = NULL;
    double weight = colon ? number_read(colon + 1, &end) : 1;
    if (*item == '\0' || (end && *end) || !(weight > 0 && weight < 1e300)) {
        bad_item(in, item);
        return EXPR_NONE;
    }
    const char *name =
        colon ? arena_strndup(in->work, item, (size_t)(colon - item)) : item;
    int order, sign, var = sys_find_quantity(sys, name, &order);
    if (var == NONE || order > 0 || sys->var[var].type != FT_REAL) {
        in->failed = true;
        diag_report(in->diag, in->plan->where[PLAN_INVARIANT], DIAG_E1205,
                    "invariant: the model has no Real variable '%s'", name);
        const char **known = NEW_ARRAY(in->work, const char *, sys->nvar + 1);
        for (int i = 0; i < sys->nvar; i++)
            known[i] = sys->var[i].name;
        diag_suggest(in->diag, name, known, sys->nvar);
        return EXPR_NONE;
    }
    var = sys_resolve(sys, var, &sign);
    const SysVar *v = &sys->var[var];
    Expr e = v->role == SR_COMPUTED && v->expr != EXPR_NONE
                 ? v->expr
                 : expr_var(in->d->dag, var, 0, ET_REAL);
    return expr_mul(in->d->dag, expr_real(in->d->dag, sign * weight), e);
}

void invariants_find(Inliner *in)
{
    const Sys *sys = in->d->sys;
    if (in->plan->invariant_by == PV_OFF)
        return;
    for (int k = 0; k < sys->ninvariant; k++)
        vec_push(in->work, &in->invariant, sys->invariant[k]);
    for (const char *at = in->plan->invariant; *at && !in->failed;) {
        size_t n = item_length(at);
        const char *item = arena_strndup(in->work, at, n);
        while (*item == ' ')
            item++;
        Expr e = read_item(in, item);
        if (e != EXPR_NONE)
            vec_push(in->work, &in->invariant, e);
        at += n + (at[n] == ',');
    }
}

/* ---- join ---- */

/* The stages of these methods are linear equations of increments, or solved
 * with the Jacobian of another point: no place for another residual. */
static bool can_join(Inliner *in, const Method *m)
{
    if (m->kind != MK_ROSENBROCK && !m->one_jacobian)
        return true;
    in->failed = true;
    diag_report(in->diag, in->plan->where[PLAN_INVARIANT_BY], DIAG_E1208,
                "invariants cannot join the stages of %s, which are linear "
                "equations; '--invariant-by project' corrects the end of each "
                "step instead",
                m->name);
    return false;
}

static void join(Inliner *in, InlinedSystem *s)
{
    s->ninvariant = in->invariant.n;
    s->invariant = NEW_ARRAY(in->arena, Expr, s->ninvariant);
    for (int k = 0; k < s->ninvariant; k++)
        s->invariant[k] = stage_map_noevent(in->event, in->invariant.at[k]);
}

/* ---- project ---- */

enum { STAGE_FREE = 900 }; /* where the step ends without the invariants */
enum { MOST_PASSES = 200 };

typedef struct Project {
    Inliner *in;
    Formulas b;
    ExprMap *map; /* end of the step -> x^ */
} Project;

static bool is_continuous_end(const Inliner *in, int entry)
{
    const InlinedVar *v = &in->var.at[entry];
    return v->kind == IV_VALUE && v->stage == DIFF_END && !v->is_discrete &&
           v->sys_var != NONE;
}

static Expr mapped(const Project *p, Expr e)
{
    return e == EXPR_NONE ? EXPR_NONE : expr_map(p->map, e);
}

/* The end of the step gets a twin, from which its own iteration begins. */
static void add_twin(Project *p, int entry)
{
    Inliner *in = p->in;
    InlinedVar v = in->var.at[entry];
    Expr twin = table_value(in, (Quantity){v.sys_var, v.order}, STAGE_FREE, 1);
    expr_map_fix(p->map, v.leaf, twin);
    int to = table_index(in, twin);
    in->var.at[to].is_state = v.is_state;
}

static void move_guess(Project *p, int entry)
{
    Inliner *in = p->in;
    InlinedVar *v = &in->var.at[entry];
    Expr twin = mapped(p, v->leaf);
    InlinedVar *t = &in->var.at[table_index(in, twin)];
    t->guess = mapped(p, v->guess);
    t->frozen = mapped(p, v->frozen);
    t->correction = mapped(p, v->correction);
    v->guess = twin;
    v->frozen = v->correction = EXPR_NONE;
}

static void move_end(Project *p, InlinedSystem *s)
{
    Inliner *in = p->in;
    for (int i = 0; i < s->nunknown; i++)
        if (is_continuous_end(in, s->unknown[i]))
            add_twin(p, s->unknown[i]);
    for (int i = 0; i < s->nunknown; i++)
        if (is_continuous_end(in, s->unknown[i]))
            move_guess(p, s->unknown[i]);
    for (int i = 0; i < s->neqn; i++) {
        InlinedEqn e = s->eqn[i];
        if (!e.is_discrete) {
            e.lhs = mapped(p, e.lhs);
            e.rhs = mapped(p, e.rhs);
            e.stage = e.stage == DIFF_END ? STAGE_FREE : e.stage;
        }
        vec_push(in->arena, &p->b.eqn, e);
    }
    for (int i = 0; i < s->nunknown; i++) {
        Expr leaf = in->var.at[s->unknown[i]].leaf;
        bool moves = is_continuous_end(in, s->unknown[i]);
        formula_unknown(&p->b, moves ? mapped(p, leaf) : leaf);
    }
}

static bool is_state(const Inliner *in, int var, int order)
{
    for (int i = 0; i < in->model.nstate; i++)
        if (in->model.state[i].var == var && in->model.state[i].order == order)
            return true;
    return false;
}

/* Leaves that the model defines by an equation leaf = expression. */
static ExprMap *definitions(Inliner *in)
{
    const Model *m = &in->model;
    Dag *d = in->d->dag;
    ExprMap *map = expr_map_new(d, NULL, NULL, in->work);
    for (int i = 0; i < m->neqn; i++)
        for (int side = 0; side < 2; side++) {
            Expr leaf = side ? m->eqn[i].rhs : m->eqn[i].lhs;
            Expr other = side ? m->eqn[i].lhs : m->eqn[i].rhs;
            int var, order;
            if (m->is_discrete_eqn[i] || !expr_is_var(d, leaf, &var, &order) ||
                !sys_is_unknown(m->sys, var) || is_state(in, var, order) ||
                expr_dependence(d, other, leaf, NULL, NULL) != DEP_NONE)
                continue;
            expr_map_fix(map, leaf, other);
            break;
        }
    return map;
}

/* The first unknown in e that is no state, EXPR_NONE: there is none. */
static Expr algebraic_leaf(const Inliner *in, Expr e)
{
    Expr *leaf;
    int n = expr_leaves(in->d->dag, e, &leaf, in->work);
    for (int k = 0; k < n; k++) {
        int var, order;
        if (expr_is_var(in->d->dag, leaf[k], &var, &order) &&
            sys_is_unknown(in->model.sys, var) && !is_state(in, var, order))
            return leaf[k];
    }
    return EXPR_NONE;
}

/* The invariant over the states; EXPR_NONE after a report. */
static Expr over_states(Inliner *in, Expr g)
{
    Expr left = algebraic_leaf(in, g), before = EXPR_NONE;
    for (int k = 0; left != EXPR_NONE && g != before && k < MOST_PASSES; k++) {
        before = g;
        g = expr_map(definitions(in), g);
        left = algebraic_leaf(in, g);
    }
    if (left == EXPR_NONE)
        return g;
    int var, order;
    expr_is_var(in->d->dag, left, &var, &order);
    in->failed = true;
    diag_report(in->diag, in->plan->where[PLAN_INVARIANT_BY], DIAG_E1206,
                "an invariant cannot be projected: it depends on '%s', which "
                "does not follow from the states without solving for it",
                in->d->sys->var[var].name);
    return EXPR_NONE;
}

/* x = x^ + sum_k mu_k dg_k/dx */
static void add_nearest(Project *p, const Expr *g, const Expr *mu, int n)
{
    Inliner *in = p->in;
    Dag *d = in->d->dag;
    for (int i = 0; i < in->model.nstate; i++) {
        Quantity q = in->model.state[i];
        Expr x = table_value(in, q, DIFF_END, 1);
        Expr leaf = expr_var(d, q.var, q.order, ET_REAL);
        Expr sum = table_value(in, q, STAGE_FREE, 1);
        for (int k = 0; k < n; k++) {
            Expr slope = expr_diff(d, g[k], leaf);
            slope = slope == EXPR_NONE ? EXPR_NONE
                                       : stage_map_noevent(in->event, slope);
            if (slope == EXPR_NONE) {
                in->failed = true;
                diag_report(in->diag, NO_SPAN, DIAG_U1202,
                            "an invariant cannot be projected: a function in "
                            "it has no derivative");
                return;
            }
            sum = expr_add(d, sum, expr_mul(d, mu[k], slope));
        }
        formula_state(&p->b, i, DIFF_END, IE_ADVANCE, x, sum);
        formula_unknown(&p->b, x);
    }
}

static void add_conditions(Project *p, const Expr *g, const Expr *mu, int n)
{
    Inliner *in = p->in;
    for (int k = 0; k < n; k++) {
        InlinedEqn e = {.lhs = stage_map_noevent(in->event, g[k]),
                        .rhs = expr_real(in->d->dag, 0),
                        .kind = IE_ADVANCE,
                        .from = NONE,
                        .state = NONE,
                        .stage = DIFF_END,
                        .span = NO_SPAN};
        vec_push(in->arena, &p->b.eqn, e);
        formula_unknown(&p->b, mu[k]);
    }
}

/* mu_k, one entry for all systems. */
static Expr multiplier(Inliner *in, int k)
{
    while (in->multiplier.n <= k) {
        int n = in->multiplier.n;
        const char *name = arena_printf(in->arena, "multiplier %d", n + 1);
        int entry = table_add(in, IV_ERROR, name, ET_REAL);
        in->var.at[entry].guess = expr_real(in->d->dag, 0);
        vec_push(in->work, &in->multiplier, in->var.at[entry].leaf);
    }
    return in->multiplier.at[k];
}

static void project(Inliner *in, const Method *m, InlinedSystem *s)
{
    int n = in->invariant.n;
    Expr *g = NEW_ARRAY(in->work, Expr, n), *mu = NEW_ARRAY(in->work, Expr, n);
    Project p = {.in = in,
                 .b = {.in = in, .m = m},
                 .map = expr_map_new(in->d->dag, NULL, NULL, in->work)};
    for (int k = 0; k < n; k++) {
        g[k] = over_states(in, in->invariant.at[k]);
        mu[k] = multiplier(in, k);
        if (g[k] == EXPR_NONE)
            return;
    }
    move_end(&p, s);
    add_nearest(&p, g, mu, n);
    add_conditions(&p, g, mu, n);
    formula_model(&p.b, in->end, DIFF_END, 1);
    s->eqn = p.b.eqn.at;
    s->neqn = p.b.eqn.n;
    s->unknown = p.b.unknown.at;
    s->nunknown = p.b.unknown.n;
}

void invariants_add(Inliner *in, const Method *m, InlinedSystem *s)
{
    if (in->invariant.n == 0 || in->failed)
        return;
    if (in->plan->invariant_by == PV_PROJECT)
        project(in, m, s);
    else if (can_join(in, m))
        join(in, s);
}
