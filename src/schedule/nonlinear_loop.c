/* nonlinear_loop.c - a small nonlinear loop inside a chain, iterated on
 * handles.
 *
 * With the torn variables T of the loop and its residuals r(T), through the
 * loop's own chain, a fixed number of Newton iterations from the values of the
 * last step is plain code,
 *
 *     T_0 = old(T),    T_{k+1} = T_k - J(T_k)^-1 r(T_k),
 *
 * so that a step need not iterate on T itself. It is done only where a few
 * iterations are enough from all of some points around the samples: not for
 * exponentials. The derivatives of the loop's
 * variables by those of the step come from its equations at the last T
 * (jacobian.c), as if they were solved exactly.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "num/static_lu.h"
#include "schedule/schedule_internal.h"

/* Larger loops are left to the iteration of the step. */
enum { MOST_TORN = 3, MOST_SIZE = 30, MOST_ITERATIONS = 4 };
/* Iterations that count as the solution, and points to see it from. */
enum { LONGEST = 9, POINTS = 12 };
#define TOLERANCE 1e-7

typedef struct NonlinearLoop {
    Part *p; /* in the order of evaluation: torn ones, then the chain */
    int ntorn;
    SchedBlock b; /* the loop as a block of its own */
    const StaticLu *lu;
} NonlinearLoop;

static int iterations_of(const Maker *m)
{
    if (m->system->newton > 0)
        return m->system->newton + 1;
    return m->d->plan ? plan_newton(m->d->plan) : PLAN_NEWTON_ITERATIONS;
}

/* The value in the last step, EXPR_NONE if nobody has kept it. */
static Expr old_value(const Maker *m, int entry)
{
    const InlinedVar *v = &m->d->var[entry];
    if (v->sys_var == NONE || v->type != ET_REAL)
        return EXPR_NONE;
    int old = inlined_find_old(m->d, v->sys_var, v->order, 1);
    return old == NONE ? EXPR_NONE : m->d->var[old].leaf;
}

/* The loop as a block: false if a variable cannot be solved for or has no old
 * value. */
static bool fill_block(NonlinearLoop *x)
{
    Part *p = x->p;
    Maker *m = p->m;
    SchedBlock *b = &x->b;
    int n = x->ntorn;
    b->ntorn = n;
    b->nchain = p->n - n;
    b->torn = NEW_ARRAY(m->work, int, n + 1);
    b->residual_eqn = NEW_ARRAY(m->work, int, n + 1);
    b->residual = NEW_ARRAY(m->work, Expr, n + 1);
    b->chain = NEW_ARRAY(m->work, SchedAssign, b->nchain + 1);
    for (int k = 0; k < p->n; k++) {
        int entry = m->system->unknown[p->var[k]];
        if (m->residual[p->eqn[k]] == EXPR_NONE)
            return false;
        if (k < n) {
            b->torn[k] = entry;
            b->residual_eqn[k] = p->eqn[k];
            b->residual[k] = m->residual[p->eqn[k]];
            if (old_value(m, entry) == EXPR_NONE)
                return false;
            continue;
        }
        Expr value = edges_solve(m, p->eqn[k], p->var[k], true);
        if (value == EXPR_NONE)
            return false;
        b->chain[k - n] = (SchedAssign){entry, p->eqn[k], value};
    }
    return true;
}

/* Pivots of the small matrix, from the first sample or by structure. */
static bool choose_pivots(NonlinearLoop *x)
{
    Maker *m = x->p->m;
    const SchedJacobian *j = &x->b.jac;
    int *col = NEW_ARRAY(m->work, int, j->nnz + 1);
    double *value = NEW_ARRAY(m->work, double, j->nnz + 1);
    for (int k = 0; k < j->n; k++)
        for (int i = j->start[k]; i < j->start[k + 1]; i++)
            col[i] = k;
    edges_evaluate(m, j->value, j->nnz, m->samples->value[0], value);
    int ns = 1;
    for (int k = 0; k < j->nnz; k++)
        if (!isfinite(value[k]))
            ns = 0;
    x->lu = static_lu_new(j->n, j->nnz, j->row, col, value, ns, 1e-3, m->work);
    return x->lu != NULL;
}

/* One iteration: t, the values of the torn variables, are changed. */
static void iterate(const NonlinearLoop *x, Expr *t)
{
    Maker *m = x->p->m;
    const SchedBlock *b = &x->b;
    Arena *work = arena_new();
    ExprMap *map = expr_map_new(m->dag, NULL, NULL, work);
    for (int k = 0; k < b->ntorn; k++)
        expr_map_fix(map, m->d->var[b->torn[k]].leaf, t[k]);
    for (int k = 0; k < b->nchain; k++)
        expr_map_fix(map, m->d->var[b->chain[k].var].leaf,
                     expr_map(map, b->chain[k].value));
    Expr *entry = NEW_ARRAY(work, Expr, b->jac.nnz + 1);
    Expr *r = NEW_ARRAY(work, Expr, b->ntorn + 1);
    Expr *d = NEW_ARRAY(work, Expr, b->ntorn + 1);
    for (int k = 0; k < b->jac.nnz; k++)
        entry[k] = expr_map(map, b->jac.value[k]);
    for (int k = 0; k < b->ntorn; k++)
        r[k] = expr_map(map, b->residual[k]);
    SchedLoop small = {.n = b->ntorn};
    eliminate_factor(m->dag, x->lu, entry, &small, work);
    eliminate_apply(m->dag, &small, r, d);
    for (int k = 0; k < b->ntorn; k++)
        t[k] = expr_sub(m->dag, t[k], d[k]);
    arena_free(work);
}

/* How many iterations solve the loop from points around the samples: where as
 * many as MOST_ITERATIONS do not, NONE. */
static int enough(const NonlinearLoop *x, Expr t[LONGEST + 1][MOST_TORN])
{
    Maker *m = x->p->m;
    Arena *work = arena_new();
    double *point = NEW_ARRAY(work, double, m->d->nvar + 1);
    unsigned long long random = 1;
    int need = iterations_of(m);
    for (int s = 0; s < POINTS && need != NONE; s++) {
        double last[MOST_TORN], at[MOST_TORN];
        edges_shake(m, &random, point);
        edges_evaluate(m, t[LONGEST], x->ntorn, point, last);
        bool close = false;
        while (!close && need <= MOST_ITERATIONS) {
            edges_evaluate(m, t[need], x->ntorn, point, at);
            close = true;
            for (int k = 0; k < x->ntorn; k++)
                close = close && fabs(at[k] - last[k]) <=
                                     TOLERANCE * (1 + fabs(last[k]));
            need += !close;
        }
        if (!close)
            need = NONE;
    }
    arena_free(work);
    return need;
}

bool nonlinear_loop_solve(Part *p, int ntorn, SchedLoop *loop, Expr *value)
{
    Maker *m = p->m;
    NonlinearLoop x = {.p = p, .ntorn = ntorn};
    if (ntorn > MOST_TORN || p->n > MOST_SIZE || !m->samples ||
        m->samples->nsample == 0 || !fill_block(&x) ||
        !eliminate_slopes(p, loop))
        return false;
    if (!jacobian_make(m, p->block, &x.b) || m->failed || !choose_pivots(&x))
        return false;
    Expr t[LONGEST + 1][MOST_TORN];
    for (int k = 0; k < ntorn; k++)
        t[0][k] = old_value(m, x.b.torn[k]);
    for (int i = 0; i < LONGEST; i++) {
        memcpy(t[i + 1], t[i], sizeof t[i]);
        iterate(&x, t[i + 1]);
    }
    loop->niteration = enough(&x, t);
    if (loop->niteration == NONE)
        return false;
    memcpy(value, t[loop->niteration], (size_t)ntorn * sizeof *value);
    for (int k = 0; k < x.b.nchain; k++)
        value[ntorn + k] = x.b.chain[k].value;
    return true;
}
