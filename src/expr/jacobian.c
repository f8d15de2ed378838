/* jacobian.c - all derivatives of many expressions by many leaves.
 *
 * Every node gets its gradient: the list of columns it depends on with the
 * derivatives, made from the gradients of its arguments by the rule of diff.c.
 * This is the forward mode with sparse vectors; unlike the backward mode it
 * never multiplies the derivative of a branch that is not taken, which may be
 * infinite, by zero.
 *
 * A sum of n terms would copy growing lists, n^2/2 entries in all; so the inner
 * nodes of a sum get no gradient of their own, and its root adds the gradients
 * of all terms at once (region.h).
 *
 * A gradient that nobody asks for any more is dropped. They lie one after the
 * other, and arguments come first, so the last ones are mostly those that were
 * used last: what is dropped is taken from the end, and the new one moves to
 * its place.
 *
 *     entry  [ row 1 | row 2 | a | b | a*b ]  ->  [ row 1 | row 2 | a*b ]
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/region.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Entry {
    int col;
    Expr value;
} Entry;

typedef struct Gradient {
    int start, n; /* in Pass.entry */
} Gradient;

typedef struct Pass {
    Dag *d;
    Arena *local;
    Ranking rank;
    Memo column;        /* leaf -> column */
    Gradient *gradient; /* of each rank */
    Vec(Entry) entry;
    Vec(int) placed; /* ranks whose gradients are in `entry`, in their order */
    TermVec todo, term;
    /* the row being added up: value[c] counts if c is one of touched[] */
    Expr *value;  /* size ncol */
    char *is_set; /* size ncol */
    Vec(int) touched;
} Pass;

/* ---- adding up ---- */
static void add_entry(Pass *p, int col, Expr g)
{
    if (!p->is_set[col]) {
        p->is_set[col] = 1;
        p->value[col] = g;
        vec_push(p->local, &p->touched, col);
        return;
    }
    if (g == EXPR_NONE || p->value[col] == EXPR_NONE)
        p->value[col] = EXPR_NONE;
    else
        p->value[col] = expr_add(p->d, p->value[col], g);
}

static int by_column(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* The gradient added up, without its zeros. */
static Gradient take_gradient(Pass *p)
{
    Gradient g = {p->entry.n, 0};
    if (p->touched.n)
        qsort(p->touched.at, (size_t)p->touched.n, sizeof(int), by_column);
    for (int i = 0; i < p->touched.n; i++) {
        int col = p->touched.at[i];
        p->is_set[col] = 0;
        if (!expr_is_zero(p->d, p->value[col]))
            vec_push(p->local, &p->entry, ((Entry){col, p->value[col]}));
    }
    vec_clear(&p->touched);
    g.n = p->entry.n - g.start;
    return g;
}

/* ---- gradients ---- */
static Gradient gradient_of(Pass *p, Expr e)
{
    return p->gradient[*walk_value(&p->rank.walk, e)];
}

/* The same, for one of its users: after the last it may be dropped. */
static Gradient use_gradient(Pass *p, Expr e)
{
    Rank *r = ranking_of(&p->rank, e);
    r->uses--;
    assert(r->uses >= 0);
    return p->gradient[r - p->rank.at];
}

/* The gradient of rank k moves to where those end that are still asked for. */
static Gradient drop_used(Pass *p, int k, Gradient g)
{
    int low = g.start;
    if (g.n == 0)
        return g;
    while (p->placed.n > 0 && p->rank.at[vec_last(&p->placed)].uses == 0)
        low = p->gradient[vec_pop(&p->placed)].start;
    memmove(p->entry.at + low, p->entry.at + g.start,
            (size_t)g.n * sizeof *p->entry.at);
    p->entry.n = low + g.n;
    vec_push(p->local, &p->placed, k);
    return (Gradient){low, g.n};
}

static Gradient sum_gradient(Pass *p, int k)
{
    region_terms(&p->rank, k, &p->todo, &p->term, p->local);
    for (int i = 0; i < p->term.n; i++) {
        Term t = p->term.at[i];
        Gradient g = use_gradient(p, t.e);
        Expr factor = expr_real(p->d, t.factor);
        for (int j = 0; j < g.n; j++) {
            Entry at = p->entry.at[g.start + j];
            add_entry(p, at.col,
                      at.value == EXPR_NONE ? EXPR_NONE
                                            : expr_mul(p->d, factor, at.value));
        }
    }
    return take_gradient(p);
}

/* The columns of up to three gradients are merged; the rule is applied to
 * each column. */
static Gradient node_gradient(Pass *p, Expr e, const ExprNode *n)
{
    Gradient g[3], result = {p->entry.n, 0};
    int next[3] = {0, 0, 0};
    Expr zero = expr_real(p->d, 0);
    for (int i = 0; i < n->narg; i++)
        g[i] = use_gradient(p, n->arg[i]);
    for (;;) {
        int col = -1;
        for (int i = 0; i < n->narg; i++) {
            if (next[i] == g[i].n)
                continue;
            int c = p->entry.at[g[i].start + next[i]].col;
            col = col < 0 || c < col ? c : col;
        }
        if (col < 0)
            break;
        Expr da[3] = {zero, zero, zero};
        for (int i = 0; i < n->narg; i++) {
            Entry *at = p->entry.at + g[i].start + next[i];
            if (next[i] < g[i].n && at->col == col) {
                da[i] = at->value;
                next[i]++;
            }
        }
        Expr value = diff_rule(p->d, e, da);
        if (!expr_is_zero(p->d, value))
            vec_push(p->local, &p->entry, ((Entry){col, value}));
    }
    result.n = p->entry.n - result.start;
    return result;
}

static Gradient call_gradient(Pass *p, Expr e, const ExprNode *n)
{
    for (int i = 0; i < n->narg; i++) {
        Gradient g = use_gradient(p, n->args[i]);
        if (g.n == 0)
            continue;
        Expr by = function_derivative(p->d, e, i);
        for (int j = 0; j < g.n; j++) {
            Entry at = p->entry.at[g.start + j];
            bool known = by != EXPR_NONE && at.value != EXPR_NONE;
            add_entry(p, at.col,
                      known ? expr_mul(p->d, by, at.value) : EXPR_NONE);
        }
    }
    return take_gradient(p);
}

static Gradient rank_gradient(Pass *p, int k)
{
    Expr e = p->rank.at[k].e, col;
    const ExprNode *n = node_of(p->d, e);
    if (memo_find(&p->column, e, &col)) {
        vec_push(p->local, &p->entry, ((Entry){col, expr_real(p->d, 1)}));
        return (Gradient){p->entry.n - 1, 1};
    }
    if (n->narg == 0 || p->rank.walk.stop & OP_BIT(n->op))
        return (Gradient){0, 0};
    if (n->op == EX_CALL)
        return call_gradient(p, e, n);
    if (!region_is_sum(p->d, n))
        return node_gradient(p, e, n);
    if (p->rank.at[k].inner)
        return (Gradient){0, 0}; /* nobody asks for it */
    return sum_gradient(p, k);
}

/* ---- the matrix ---- */
static const ExprJacobian *matrix(Pass *p, const Expr *e, int nrow, int ncol,
                                  Arena *arena)
{
    ExprJacobian *jac = NEW(arena, ExprJacobian);
    int *start = NEW_ARRAY(arena, int, nrow + 1);
    for (int i = 0; i < nrow; i++)
        start[i + 1] =
            start[i] + (e[i] == EXPR_NONE ? 0 : gradient_of(p, e[i]).n);
    int *col = NEW_ARRAY(arena, int, start[nrow]);
    Expr *value = NEW_ARRAY(arena, Expr, start[nrow]);
    for (int i = 0; i < nrow; i++) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            int at = gradient_of(p, e[i]).start + k - start[i];
            col[k] = p->entry.at[at].col;
            value[k] = p->entry.at[at].value;
        }
    }
    *jac = (ExprJacobian){nrow, ncol, start, col, value};
    return jac;
}

const ExprJacobian *expr_jacobian(Dag *d, const Expr *e, int nrow,
                                  const Expr *x, int ncol, Arena *arena)
{
    Pass p = {.d = d, .local = arena_new()};
    memo_init(&p.column, p.local);
    for (int j = 0; j < ncol; j++)
        memo_set(&p.column, x[j], j);
    p.rank = ranking_new(d, e, nrow, expr_flat_ops | OP_BIT(EX_DELAY), p.local);
    p.gradient = NEW_ARRAY(p.local, Gradient, p.rank.n);
    p.value = NEW_ARRAY(p.local, Expr, ncol);
    p.is_set = NEW_ARRAY(p.local, char, ncol);
    for (int k = 0; k < p.rank.n; k++)
        p.gradient[k] = drop_used(&p, k, rank_gradient(&p, k));
    const ExprJacobian *jac = matrix(&p, e, nrow, ncol, arena);
    ranking_end(&p.rank);
    arena_free(p.local);
    return jac;
}
