/* symbolic.c - small linear blocks in closed form.
 *
 * A linear block is J t = -r0 with r0 the residuals at t = 0. For up to three
 * iteration variables Cramer's rule gives t as expressions, and the block
 * becomes plain assignments: (8.83) of Cellier and Kofman. It is done where the
 * expressions need fewer operations than evaluating the chain twice, the
 * residuals, the matrix and its solution. Where corrections of t are read (the
 * stages of an extrapolation), J (g - t) = r(g) from the guess g.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "schedule/schedule_internal.h"

enum { MOST = 3 };

typedef struct Small {
    Maker *m;
    const SchedBlock *b;
    int n;
    bool from_guess;
    Expr a[MOST][MOST]; /* J */
    Expr r[MOST];       /* -r0, or r at the guess */
} Small;

static Expr replace_none(void *context, Dag *d, Expr leaf)
{
    (void)context;
    (void)d;
    (void)leaf;
    return EXPR_NONE;
}

/* Is a correction of an iteration variable read, and has each a guess? */
static bool starts_from_guess(const Maker *m, const SchedBlock *b)
{
    bool is_read = false;
    for (int k = 0; k < b->ntorn; k++) {
        const InlinedVar *v = &m->d->var[b->torn[k]];
        if (v->guess == EXPR_NONE)
            return false;
        is_read = is_read || v->correction != EXPR_NONE;
    }
    return is_read;
}

static void set_up(Small *s, Arena *work)
{
    Maker *m = s->m;
    const SchedBlock *b = s->b;
    Expr zero = expr_real(m->dag, 0);
    ExprMap *map = expr_map_new(m->dag, replace_none, NULL, work);
    for (int k = 0; k < b->ntorn; k++)
        expr_map_fix(map, m->d->var[b->torn[k]].leaf,
                     s->from_guess ? m->d->var[b->torn[k]].guess : zero);
    for (int k = 0; k < b->nchain; k++)
        expr_map_fix(map, m->d->var[b->chain[k].var].leaf,
                     expr_map(map, b->chain[k].value));
    s->n = b->ntorn;
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++)
            s->a[i][j] = zero;
        s->r[i] = expr_map(map, b->residual[i]);
        if (!s->from_guess)
            s->r[i] = expr_neg(m->dag, s->r[i]);
    }
    for (int j = 0; j < s->n; j++)
        for (int k = b->jac.start[j]; k < b->jac.start[j + 1]; k++)
            s->a[b->jac.row[k]][j] = b->jac.value[k];
}

static Expr det2(Dag *d, Expr a, Expr b, Expr c, Expr e)
{
    return expr_sub(d, expr_mul(d, a, e), expr_mul(d, b, c));
}

static Expr determinant(Dag *d, int n, Expr a[MOST][MOST])
{
    if (n == 1)
        return a[0][0];
    if (n == 2)
        return det2(d, a[0][0], a[0][1], a[1][0], a[1][1]);
    Expr x = det2(d, a[1][1], a[1][2], a[2][1], a[2][2]);
    Expr y = det2(d, a[1][0], a[1][2], a[2][0], a[2][2]);
    Expr z = det2(d, a[1][0], a[1][1], a[2][0], a[2][1]);
    Expr sum = expr_sub(d, expr_mul(d, a[0][0], x), expr_mul(d, a[0][1], y));
    return expr_add(d, sum, expr_mul(d, a[0][2], z));
}

static void cramer(Small *s, Expr *solution)
{
    Dag *d = s->m->dag;
    Expr det = determinant(d, s->n, s->a);
    for (int j = 0; j < s->n; j++) {
        Expr with[MOST][MOST];
        for (int i = 0; i < s->n; i++)
            for (int k = 0; k < s->n; k++)
                with[i][k] = k == j ? s->r[i] : s->a[i][k];
        solution[j] = expr_div(d, determinant(d, s->n, with), det);
        if (s->from_guess)
            solution[j] =
                expr_sub(d, s->m->d->var[s->b->torn[j]].guess, solution[j]);
    }
}

typedef struct Count {
    Maker *m;
    int n;
} Count;

static void count_node(void *context, const Dag *d, Expr e)
{
    Count *c = context;
    if (expr_node(d, e)->narg > 0 &&
        variance_of(c->m->signs, e, 0) > SV_PARAMETER)
        c->n++;
}

/* Operations a step, shared ones once: those of parameters only are done
 * before the first. */
static int operations(Maker *m, const Expr *root, int n)
{
    Count c = {m, 0};
    if (n > 0)
        expr_walk(m->dag, root, n, count_node, &c);
    return c.n;
}

static int cost_of_iteration(Maker *m, const SchedBlock *b, Arena *work)
{
    int n = b->ntorn, nvarying = 0;
    Expr *root = NEW_ARRAY(work, Expr, b->nchain + n + b->jac.nnz + 1);
    for (int k = 0; k < b->nchain; k++)
        root[k] = b->chain[k].value;
    int chain = operations(m, root, b->nchain);
    for (int k = 0; k < n; k++)
        root[k] = b->residual[k];
    int residual = operations(m, root, n);
    for (int k = 0; k < b->jac.nnz; k++)
        if (b->jac.variance[k] > SV_PARAMETER)
            root[nvarying++] = b->jac.value[k];
    int matrix = operations(m, root, nvarying);
    int solve = 2 * n * n + (nvarying ? 2 * n * n * n / 3 + n : 0);
    return 2 * chain + residual + matrix + solve;
}

static int cost_of_solution(Maker *m, const SchedBlock *b, const Expr *solution,
                            Arena *work)
{
    Expr *root = NEW_ARRAY(work, Expr, b->nchain + b->ntorn + 1);
    int n = 0;
    for (int k = 0; k < b->nchain; k++)
        root[n++] = b->chain[k].value;
    for (int k = 0; k < b->ntorn; k++)
        root[n++] = solution[k];
    return operations(m, root, n);
}

bool symbolic_solve(Maker *m, SchedBlock *b)
{
    if (!m->options.solve_symbolic || b->ntorn > MOST || b->nchain > 200 ||
        (b->kind != SK_CONSTANT && b->kind != SK_LINEAR))
        return true;
    Arena *work = arena_new();
    Small s = {.m = m, .b = b, .from_guess = starts_from_guess(m, b)};
    set_up(&s, work);
    Expr det = determinant(m->dag, s.n, s.a);
    if (edges_may_vanish(m, det)) {
        arena_free(work);
        return !edges_cancel(m, det);
    }
    if (b->may_be_undetermined) {
        arena_free(work);
        return true;
    }
    Expr *solution = NEW_ARRAY(m->arena, Expr, b->ntorn);
    cramer(&s, solution);
    if (b->size == 1 || cost_of_solution(m, b, solution, work) <
                            cost_of_iteration(m, b, work)) {
        b->solution = solution;
        b->kind = SK_SOLVED;
    }
    arena_free(work);
    return true;
}
