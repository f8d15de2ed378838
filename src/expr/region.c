/* region.c - sums and products as they would be written in one line.
 *
 * (a + b) - (c + 2*d) is three nodes of operations in the DAG, but one sum of
 * four terms. A region is such a tree of nodes: its root, and below it the
 * nodes of the same kind that nobody else uses. What is used more than once
 * stays a term, so that a region is a tree and shared work is not done twice.
 *
 *   rank     number of a node reached from the roots, arguments first
 *   inner    the node belongs to the region of its only user
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr/region.h"

#include <math.h>

/* A constant that may be a factor: neither 0 nor infinite nor NaN. */
static bool is_factor(const Dag *d, Expr e)
{
    const ExprNode *n = node_of(d, e);
    return n->op == EX_CONST && isfinite(n->value) && n->value != 0;
}

bool region_is_sum(const Dag *d, const ExprNode *n)
{
    switch (n->op) {
    case EX_ADD:
    case EX_SUB:
    case EX_NEG: return n->type != ET_STRING;
    case EX_MUL: return is_factor(d, n->arg[0]);
    case EX_DIV: return is_factor(d, n->arg[1]);
    default: return false;
    }
}

bool region_is_product(const Dag *d, const ExprNode *n)
{
    return (n->op == EX_MUL || n->op == EX_DIV) && n->type == ET_REAL &&
           !region_is_sum(d, n);
}

static void count_use(Ranking *r, const ExprNode *user, Expr arg)
{
    const Dag *d = r->walk.d;
    Rank *a = &r->at[*walk_value(&r->walk, arg)];
    const ExprNode *n = node_of(d, arg);
    bool same =
        user && ((region_is_sum(d, user) && region_is_sum(d, n)) ||
                 (region_is_product(d, user) && region_is_product(d, n)));
    a->inner = same && a->uses == 0;
    a->uses++;
}

Ranking ranking_new(const Dag *d, const Expr *root, int nroot, uint64_t stop,
                    Arena *arena)
{
    Ranking r = {.walk = walk_begin(d)};
    Vec(Rank) at = {0};
    r.walk.stop = stop;
    for (int i = nroot - 1; i >= 0; i--) {
        if (root[i] != EXPR_NONE)
            walk_push(&r.walk, root[i]);
    }
    for (Expr e; (e = walk_next(&r.walk)) != EXPR_NONE;) {
        *walk_value(&r.walk, e) = at.n;
        vec_push(arena, &at, ((Rank){.e = e}));
    }
    r.at = at.at;
    r.n = at.n;
    for (int k = 0; k < r.n; k++) {
        const ExprNode *n = node_of(d, r.at[k].e);
        if (stop & OP_BIT(n->op))
            continue;
        for (int i = 0; i < n->narg; i++)
            count_use(&r, n, args_of(n)[i]);
    }
    for (int i = 0; i < nroot; i++) {
        if (root[i] != EXPR_NONE)
            count_use(&r, NULL, root[i]);
    }
    return r;
}

void ranking_end(Ranking *r)
{
    walk_end(&r->walk);
}

static void push_term(TermVec *v, Arena *arena, Expr e, double factor)
{
    vec_push(arena, v, ((Term){e, factor}));
}

/* Replaces the term on top of `todo` by its parts. */
static void split_sum(const Dag *d, TermVec *todo, Arena *arena, Term t)
{
    const ExprNode *n = node_of(d, t.e);
    switch (n->op) {
    case EX_NEG: push_term(todo, arena, n->arg[0], -t.factor); return;
    case EX_MUL:
        push_term(todo, arena, n->arg[1],
                  t.factor * node_of(d, n->arg[0])->value);
        return;
    case EX_DIV:
        push_term(todo, arena, n->arg[0],
                  t.factor / node_of(d, n->arg[1])->value);
        return;
    default:
        push_term(todo, arena, n->arg[1],
                  n->op == EX_SUB ? -t.factor : t.factor);
        push_term(todo, arena, n->arg[0], t.factor);
    }
}

static void split_product(const Dag *d, TermVec *todo, Arena *arena, Term t)
{
    const ExprNode *n = node_of(d, t.e);
    push_term(todo, arena, n->arg[1], n->op == EX_DIV ? -t.factor : t.factor);
    push_term(todo, arena, n->arg[0], t.factor);
}

void region_terms(Ranking *r, int k, TermVec *todo, TermVec *term, Arena *arena)
{
    const Dag *d = r->walk.d;
    bool sum = region_is_sum(d, node_of(d, r->at[k].e));
    vec_clear(todo);
    vec_clear(term);
    push_term(todo, arena, r->at[k].e, 1);
    while (todo->n > 0) {
        Term t = vec_pop(todo);
        if (t.e != r->at[k].e && !ranking_of(r, t.e)->inner)
            vec_push(arena, term, t);
        else if (sum)
            split_sum(d, todo, arena, t);
        else
            split_product(d, todo, arena, t);
    }
}
