/* edges.c - which unknown occurs in which equation, and can it be solved for?
 *
 * An equation can be solved for an unknown if it is linear in it with a slope
 * that cannot vanish. The slope is the derivative of lhs - rhs, from one sparse
 * symbolic Jacobian of the whole system. An equation between Booleans or
 * Integers can be solved for a side that is a variable.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/schedule_internal.h"

/* lhs - rhs. In a formula x = guess + rest it is (x - guess) - rest: at the
 * guess, where linearly implicit methods take it, nothing is lost. */
static Expr residual_of(Maker *m, const InlinedEqn *e)
{
    Dag *dag = m->dag;
    int var = NONE, order = 0;
    if (e->kind == IE_INTEGRATION && expr_is_var(dag, e->lhs, &var, &order) &&
        m->d->var[var].guess != EXPR_NONE && expr_op(dag, e->rhs) == EX_ADD) {
        Expr guess = m->d->var[var].guess;
        for (int i = 0; i < 2; i++)
            if (expr_arg(dag, e->rhs, i) == guess)
                return expr_sub(dag, expr_sub(dag, e->lhs, guess),
                                expr_arg(dag, e->rhs, 1 - i));
    }
    return expr_sub(dag, e->lhs, e->rhs);
}

static void make_residuals(Maker *m)
{
    const InlinedSystem *s = m->system;
    m->residual = NEW_ARRAY(m->work, Expr, s->neqn + 1);
    for (int i = 0; i < s->neqn; i++) {
        const InlinedEqn *e = &s->eqn[i];
        bool real = expr_type(m->dag, e->lhs) == ET_REAL ||
                    expr_type(m->dag, e->rhs) == ET_REAL;
        m->residual[i] = real ? residual_of(m, e) : EXPR_NONE;
    }
}

static void number_unknowns(Maker *m)
{
    m->column = NEW_ARRAY(m->work, int, m->d->nvar + 1);
    memset(m->column, 0xff, sizeof *m->column * (size_t)(m->d->nvar + 1));
    for (int j = 0; j < m->system->nunknown; j++)
        m->column[m->system->unknown[j]] = j;
}

static Expr leaf_of(const Maker *m, int unknown)
{
    return m->d->var[m->system->unknown[unknown]].leaf;
}

/* Does the side consist of the leaf, or of its negation, alone? */
static bool is_side(const Maker *m, Expr side, Expr leaf)
{
    return side == leaf || (expr_op(m->dag, side) == EX_NOT &&
                            expr_arg(m->dag, side, 0) == leaf);
}

static bool is_discrete_solvable(const Maker *m, const InlinedEqn *e, Expr x)
{
    return (is_side(m, e->lhs, x) && !expr_contains(m->dag, e->rhs, x)) ||
           (is_side(m, e->rhs, x) && !expr_contains(m->dag, e->lhs, x));
}

/* Class and weight of an edge with the given slope. */
static void classify(Maker *m, int eqn, int unknown, Expr slope, int *cls,
                     int *weight)
{
    const InlinedEqn *e = &m->system->eqn[eqn];
    Expr x = leaf_of(m, unknown);
    *cls = EDGE_NONLINEAR;
    *weight = 0;
    if (m->residual[eqn] == EXPR_NONE) {
        if (is_discrete_solvable(m, e, x))
            *cls = EDGE_CONSTANT;
        return;
    }
    if (slope == EXPR_NONE || expr_type(m->dag, x) != ET_REAL ||
        expr_contains(m->dag, slope, x) || !sign_nonzero(m->signs, slope))
        return;
    *cls = EDGE_CONSTANT;
    *weight = sign_vanishes_with_step(m->signs, slope);
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Adds the unknowns of an equation to a list, each once, in their order. From
 * the leaves, as a derivative can be 0 where an unknown occurs (floor,
 * relations). seen[j] == eqn: unknown j is in the list. */
static int add_unknowns(Maker *m, int eqn, int *seen, int *list)
{
    const InlinedEqn *e = &m->system->eqn[eqn];
    Expr both[] = {e->lhs, e->rhs};
    Arena *work = arena_new();
    int found = 0;
    for (int side = 0; side < 2; side++) {
        Expr *leaf;
        int n = expr_leaves(m->dag, both[side], &leaf, work);
        for (int k = 0; k < n; k++) {
            int var = NONE, order = 0;
            expr_is_var(m->dag, leaf[k], &var, &order);
            int j = m->column[var];
            if (j == NONE || seen[j] == eqn)
                continue;
            seen[j] = eqn;
            list[found++] = j;
        }
    }
    arena_free(work);
    qsort(list, (size_t)found, sizeof *list, by_number);
    return found;
}

/* All edges of the system, not classified yet. */
static Incidence *collect(Maker *m)
{
    const InlinedSystem *s = m->system;
    Arena *work = arena_new();
    Vec(int) var = {0};
    int *start = NEW_ARRAY(m->work, int, s->neqn + 1);
    int *seen = NEW_ARRAY(work, int, s->nunknown + 1);
    memset(seen, 0xff, sizeof *seen * (size_t)(s->nunknown + 1));
    for (int i = 0; i < s->neqn; i++) {
        vec_reserve(work, &var, var.n + s->nunknown);
        var.n += add_unknowns(m, i, seen, var.at + var.n);
        start[i + 1] = var.n;
    }
    int *kept = NEW_ARRAY(m->work, int, var.n + 1);
    if (var.n > 0)
        memcpy(kept, var.at, sizeof *kept * (size_t)var.n);
    arena_free(work);
    Incidence *inc = NEW(m->work, Incidence);
    *inc = (Incidence){.neqn = s->neqn,
                       .nvar = s->nunknown,
                       .nedge = start[s->neqn],
                       .start = start,
                       .var = kept};
    return inc;
}

/* The edges with their slopes, classes and weights. */
static void judge(Maker *m, const ExprJacobian *jac)
{
    Incidence *inc = collect(m);
    unsigned char *cls = NEW_ARRAY(m->work, unsigned char, inc->nedge + 1);
    int *weight = NEW_ARRAY(m->work, int, inc->nedge + 1);
    m->slope = NEW_ARRAY(m->work, Expr, inc->nedge + 1);
    for (int i = 0; i < inc->neqn; i++) {
        int at = jac->start[i];
        for (int k = inc->start[i]; k < inc->start[i + 1]; k++) {
            while (at < jac->start[i + 1] && jac->col[at] < inc->var[k])
                at++;
            Expr d = at < jac->start[i + 1] && jac->col[at] == inc->var[k]
                         ? jac->value[at]
                         : EXPR_NONE;
            int c;
            classify(m, i, inc->var[k], d, &c, &weight[k]);
            cls[k] = (unsigned char)c;
            m->slope[k] = d;
        }
    }
    inc->cls = cls;
    inc->weight = weight;
    m->inc = inc;
}

/* ---- jumps ---- */

typedef struct Jumps {
    Arena *work;
    Vec(Expr) found;
} Jumps;

/* Those whose derivative is 0 though they change. */
static void see_jump(void *context, const Dag *d, Expr e)
{
    Jumps *j = context;
    if (op_has(expr_op(d, e), OP_JUMPS))
        vec_push(j->work, &j->found, e);
}

static void mark_jumps(Maker *m)
{
    Arena *work = arena_new();
    m->jumps = NEW_ARRAY(m->work, bool, m->inc->nedge + 1);
    for (int i = 0; i < m->system->neqn; i++) {
        Jumps j = {.work = work};
        if (m->residual[i] == EXPR_NONE)
            continue;
        expr_walk(m->dag, &m->residual[i], 1, see_jump, &j);
        for (int k = 0; k < j.found.n; k++) {
            Expr *leaf;
            int n = expr_leaves(m->dag, j.found.at[k], &leaf, work);
            for (int l = 0; l < n; l++) {
                int var = NONE, order = 0;
                expr_is_var(m->dag, leaf[l], &var, &order);
                if (m->column[var] == NONE)
                    continue;
                int edge = incidence_find(m->inc, i, m->column[var]);
                if (edge != NONE)
                    m->jumps[edge] = true;
            }
        }
    }
    arena_free(work);
}

bool edges_bend(const Maker *m, int edge)
{
    return m->slope[edge] == EXPR_NONE || m->jumps[edge];
}

/* ---- numbers ---- */

double edges_value(const Maker *m, Expr e)
{
    if (!m->samples || m->samples->nsample == 0)
        return NAN;
    InlinedPoint p = {m->samples->value[0], 0};
    return expr_eval(m->dag, e, inlined_leaf_value, &p);
}

void edges_evaluate(const Maker *m, const Expr *root, int n,
                    const double *point, double *out)
{
    Arena *work = arena_new();
    double *node = NEW_ARRAY(work, double, dag_count(m->dag) + 1);
    InlinedPoint p = {point, 0};
    expr_eval_all(m->dag, root, n, inlined_leaf_value, &p, node);
    for (int k = 0; k < n; k++)
        out[k] = node[root[k]];
    arena_free(work);
}

EdgesValues edges_values(const Maker *m, const Expr *root, int n, Arena *arena)
{
    EdgesValues v = {.m = m, .root = root, .n = n};
    v.norder = expr_order(m->dag, root, n, &v.order, arena);
    v.node = NEW_ARRAY(arena, double, dag_count(m->dag) + 1);
    return v;
}

void edges_values_at(const EdgesValues *v, const double *point, double *out)
{
    InlinedPoint p = {point, 0};
    expr_eval_order(v->m->dag, v->order, v->norder, inlined_leaf_value, &p,
                    v->node);
    for (int k = 0; k < v->n; k++)
        out[k] = v->node[v->root[k]];
}

double edges_value_at(const Maker *m, Expr e, const double *point)
{
    InlinedPoint p = {point, 0};
    return expr_eval(m->dag, e, inlined_leaf_value, &p);
}

void edges_shake(const Maker *m, unsigned long long *random, double *point)
{
    for (int i = 0; i < m->d->nvar; i++) {
        const InlinedVar *v = &m->d->var[i];
        double x = point[i] = m->samples->value[0][i];
        /* parameters take no number, so that more of them change nothing */
        if (v->type != ET_REAL || v->kind == IV_PARAMETER ||
            v->kind == IV_STEP || v->kind == IV_UNUSED)
            continue;
        *random = *random * 6364136223846793005ULL + 1442695040888963407ULL;
        double r = (double)(*random >> 33) / (double)(1ULL << 30) - 1;
        point[i] = x + r * fmax(1, fabs(x));
    }
}

static double nominal_of(const Maker *m, int unknown)
{
    const InlinedVar *v = &m->d->var[m->system->unknown[unknown]];
    double x = 1;
    if (v->sys_var == NONE || v->order > 0)
        return 1;
    Expr e = m->d->sys->var[v->sys_var].nominal;
    if (e == EXPR_NONE || !expr_is_const(m->dag, e, &x) || x == 0)
        return 1;
    return fabs(x);
}

/* The edges between an equation and an unknown of the same block. */
static int number_inside(Maker *m)
{
    const Blt *blt = m->blt;
    int n = 0;
    m->inside = NEW_ARRAY(m->work, int, m->inc->nedge + 1);
    for (int at = 0; at < blt->n; at++) {
        int eqn = blt->eqn[at], block = m->block_of[blt->var[at]];
        for (int k = m->inc->start[eqn]; k < m->inc->start[eqn + 1]; k++)
            m->inside[k] = m->block_of[m->inc->var[k]] == block ? n++ : NONE;
    }
    return n;
}

/* Does some slope change by more than that between the first samples? An ideal
 * diode that conducts has 1e-5 where it has 1 if it does not. */
static bool is_spread(const Maker *m, int few)
{
    const double FACTOR = 100;
    size_t n = (size_t)m->ninside;
    for (size_t k = 0; k < n; k++) {
        double least = INFINITY, most = 0;
        for (int s = 0; s < few; s++) {
            double a = fabs(m->value[(size_t)s * n + k]);
            least = a > 0 ? fmin(least, a) : least;
            most = fmax(most, a);
        }
        if (most > FACTOR * least)
            return true;
    }
    return false;
}

/* The first samples only. */
static void take_few(Maker *m)
{
    SchedSamples *few = NEW(m->work, SchedSamples);
    *few = *m->samples;
    few->nsample = few->nfew;
    m->samples = few;
}

void edges_sample(Maker *m)
{
    int nedge = m->inc->nedge, ns = m->samples ? m->samples->nsample : 0;
    if (ns == 0)
        return;
    int few = m->samples->nfew;
    Arena *work = arena_new();
    size_t n = (size_t)(m->ninside = number_inside(m));
    double *node = NEW_ARRAY(work, double, dag_count(m->dag) + 1);
    Expr *root = NEW_ARRAY(work, Expr, n + 1), *order;
    int nroot = 0;
    for (int k = 0; k < nedge; k++)
        if (m->inside[k] != NONE && m->slope[k] != EXPR_NONE)
            root[nroot++] = m->slope[k];
    int norder = expr_order(m->dag, root, nroot, &order, work);
    m->value = NEW_ARRAY(m->work, double, (size_t)ns *n + 1);
    for (int s = 0; s < ns; s++) {
        if (s == few && !is_spread(m, few)) {
            take_few(m);
            break;
        }
        InlinedPoint p = {m->samples->value[s], 0};
        double *value = m->value + (size_t)s * n;
        expr_eval_order(m->dag, order, norder, inlined_leaf_value, &p, node);
        for (int k = 0; k < nedge; k++)
            if (m->inside[k] != NONE && m->slope[k] != EXPR_NONE)
                value[m->inside[k]] =
                    node[m->slope[k]] * nominal_of(m, m->inc->var[k]);
    }
    arena_free(work);
}

void edges_find(Maker *m)
{
    const InlinedSystem *s = m->system;
    make_residuals(m);
    number_unknowns(m);
    m->signs = signs_new(m);
    Expr *x = NEW_ARRAY(m->work, Expr, s->nunknown + 1);
    for (int j = 0; j < s->nunknown; j++)
        x[j] = leaf_of(m, j);
    Arena *work = arena_new();
    const ExprJacobian *jac =
        expr_jacobian(m->dag, m->residual, s->neqn, x, s->nunknown, work);
    judge(m, jac);
    arena_free(work);
    mark_jumps(m);
}

/* ---- solving ---- */

/* What `e` would be if nothing in it cancelled, given the values of all nodes
 * below it. */
static double size_of(const Dag *d, Expr e, const double *value,
                      const double *size)
{
    const ExprNode *node = expr_node(d, e);
    switch (expr_op(d, e)) {
    case EX_ADD:
    case EX_SUB: {
        double sum = 0;
        for (int k = 0; k < node->narg; k++)
            sum += size[expr_arg(d, e, k)];
        return sum;
    }
    case EX_NEG: return size[expr_arg(d, e, 0)];
    case EX_MUL: {
        double product = 1;
        for (int k = 0; k < node->narg; k++)
            product *= size[expr_arg(d, e, k)];
        return product;
    }
    case EX_DIV:
        return size[expr_arg(d, e, 0)] / fabs(value[expr_arg(d, e, 1)]);
    default: return fabs(value[e]);
    }
}

typedef struct Cancel {
    double *value, *size; /* by handle */
} Cancel;

static void see_size(void *context, const Dag *d, Expr e)
{
    Cancel *c = context;
    c->size[e] = size_of(d, e, c->value, c->size);
}

/* Places for a value and a size of every handle; what was there stays. */
static Cancel cancel_places(Maker *m)
{
    int n = dag_count(m->dag) + 1;
    if (n > m->ncancel) {
        m->ncancel = 2 * n;
        m->cancel = NEW_ARRAY(m->work, double, 2 * (size_t)m->ncancel);
    }
    return (Cancel){m->cancel, m->cancel + m->ncancel};
}

bool edges_cancel(Maker *m, Expr factor)
{
    const Inlined *d = m->d;
    if (d->init == NONE || m->system != &d->system[d->init])
        return false;
    if (!m->samples || m->samples->nsample == 0)
        return true;
    InlinedPoint p = {m->samples->value[0], 0};
    Cancel c = cancel_places(m);
    expr_eval_all(m->dag, &factor, 1, inlined_leaf_value, &p, c.value);
    expr_walk(m->dag, &factor, 1, see_size, &c);
    return !(fabs(c.value[factor]) > 1e-13 * c.size[factor]);
}

bool edges_may_vanish(Maker *m, Expr factor)
{
    const Inlined *d = m->d;
    bool is_start = d->init != NONE && m->system == &d->system[d->init];
    bool is_event = d->event != NONE && m->system == &d->system[d->event];
    if ((!is_start && !is_event) || sign_nonzero(m->signs, factor))
        return false;
    return expr_has_op(m->dag, factor, EX_IF) || edges_cancel(m, factor);
}

static Expr solve_discrete(Maker *m, const InlinedEqn *e, Expr x)
{
    Expr side = e->lhs, other = e->rhs;
    if (!is_side(m, side, x) || expr_contains(m->dag, other, x)) {
        side = e->rhs;
        other = e->lhs;
    }
    if (!is_side(m, side, x) || expr_contains(m->dag, other, x))
        return EXPR_NONE;
    return side == x ? other : expr_unary(m->dag, EX_NOT, other);
}

Expr edges_solve(Maker *m, int eqn, int unknown, bool linear_only)
{
    const InlinedEqn *e = &m->system->eqn[eqn];
    Expr x = leaf_of(m, unknown);
    if (m->residual[eqn] == EXPR_NONE)
        return solve_discrete(m, e, x);
    int k = incidence_find(m->inc, eqn, unknown);
    assert(k != NONE);
    if (linear_only && m->inc->cls[k] == EDGE_NONLINEAR)
        return EXPR_NONE;
    Expr value =
        expr_solve(m->dag, e->lhs, e->rhs, x, sign_is_nonzero, m->signs);
    if (value != EXPR_NONE || m->inc->cls[k] == EDGE_NONLINEAR)
        return value;
    Expr slope, rest;
    if (expr_dependence(m->dag, m->residual[eqn], x, &slope, &rest) !=
        DEP_LINEAR)
        return EXPR_NONE;
    return expr_neg(m->dag, expr_div(m->dag, rest, slope));
}
