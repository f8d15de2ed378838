/* discrete.c - discrete equations, and which discrete variables are late.
 *
 * A discrete variable is late if, with relations frozen, its equation still
 * mentions a continuous unknown, or a late variable: its new value can only be
 * known when the step has been solved. If the continuous equations saw that
 * value, sampling a signal would make every method implicit; they see the old
 * one, which is what sampling at the end of the step means.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>

#include "graph/match.h"
#include "inline/inline_internal.h"

static bool is_discrete_leaf(const Inliner *in, Expr e)
{
    int var = NONE, order = 0;
    return expr_is_var(in->d->dag, e, &var, &order) && var < in->d->sys->nvar &&
           in->d->sys->var[var].role == SR_DISCRETE;
}

/* ---- which equations are discrete ---- */

typedef struct LeafNumber {
    Expr leaf;
    int unknown;
} LeafNumber;

static int by_leaf(const void *a, const void *b)
{
    const LeafNumber *x = a, *y = b;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

static LeafNumber *number_leaves(const Inliner *in, Arena *work)
{
    const Model *m = &in->model;
    LeafNumber *list = NEW_ARRAY(work, LeafNumber, m->nunknown + 1);
    for (int j = 0; j < m->nunknown; j++) {
        Quantity q = m->unknown[j];
        list[j] =
            (LeafNumber){expr_var(in->d->dag, q.var, q.order,
                                  q.order ? ET_REAL : in->var.at[q.var].type),
                         j};
    }
    qsort(list, (size_t)m->nunknown, sizeof *list, by_leaf);
    return list;
}

/* Is the equation discrete for certain: between Booleans or Integers, or of a
 * when? (x = if b then 1 else 2 with a Real x is not.) */
static bool is_surely_discrete(const Inliner *in, const SysEqn *e)
{
    return (expr_type(in->d->dag, e->lhs) != ET_REAL &&
            expr_type(in->d->dag, e->rhs) != ET_REAL) ||
           e->origin.rule == RULE_WHEN || e->origin.rule == RULE_CONDITION;
}

static void add_edges(const Inliner *in, int eqn, const LeafNumber *number,
                      EdgeList *list)
{
    const SysEqn *e = &in->model.eqn[eqn];
    Expr side[] = {e->lhs, e->rhs}, *leaf;
    bool sure = is_surely_discrete(in, e);
    for (int s = 0; s < 2; s++) {
        int n = expr_leaves(in->d->dag, side[s], &leaf, list->arena);
        for (int i = 0; i < n; i++) {
            LeafNumber key = {leaf[i], 0};
            const LeafNumber *found = bsearch(
                &key, number, (size_t)in->model.nunknown, sizeof key, by_leaf);
            if (found && (!sure || is_discrete_leaf(in, leaf[i])))
                edges_add(list, eqn, found->unknown,
                          sure ? EDGE_CONSTANT : EDGE_NONLINEAR, 0);
        }
    }
}

/* An equation is discrete if it determines a discrete variable. A matching
 * tells which it determines; equations of when clauses and between Booleans
 * choose first, and can determine nothing else (b = s < 0 is not for s). */
static void find_equations(Inliner *in)
{
    Model *m = &in->model;
    bool any = false;
    for (int j = 0; j < m->nunknown; j++)
        any = any || m->sys->var[m->unknown[j].var].role == SR_DISCRETE;
    if (!any)
        return;
    Arena *work = arena_new();
    const LeafNumber *number = number_leaves(in, work);
    EdgeList list = edges_begin(work);
    for (int i = 0; i < m->neqn; i++)
        add_edges(in, i, number, &list);
    const Incidence *inc = edges_end(&list, m->neqn, m->nunknown, work);
    Match *match = match_new(inc, work);
    match_grow(inc, inc->cls, match);
    match_grow(inc, NULL, match);
    for (int i = 0; i < m->neqn; i++) {
        int j = match->var_of[i];
        m->is_discrete_eqn[i] =
            j != NONE && m->sys->var[m->unknown[j].var].role == SR_DISCRETE;
    }
    arena_free(work);
}

/* ---- which variables are late ---- */

/* Pairs "variable `from` being late makes `to` late". */
typedef struct Makes {
    int from, to;
} Makes;

typedef struct Search {
    Inliner *in;
    Arena *work;
    Vec(Makes) makes;
    Vec(int) todo;
} Search;

static void mark(Search *s, int var)
{
    if (s->in->model.is_late[var])
        return;
    s->in->model.is_late[var] = true;
    vec_push(s->work, &s->todo, var);
}

/* The equation determines its left side if that is a discrete variable, else
 * possibly any of its discrete variables. */
static void look_at(Search *s, const SysEqn *eqn)
{
    Inliner *in = s->in;
    Dag *d = in->d->dag;
    Expr *leaf;
    Expr rhs = stage_map(in->event, eqn->rhs);
    Expr lhs = stage_map(in->event, eqn->lhs);
    Expr both = expr_make_raw(d, EX_EQ, lhs, rhs, EXPR_NONE);
    int n = expr_leaves(d, both, &leaf, s->work);
    bool direct = false;
    for (int i = 0; i < n; i++) {
        InlinedVar *v = &in->var.at[table_index(in, leaf[i])];
        direct = direct || (v->kind == IV_VALUE && !v->is_discrete);
    }
    bool only_lhs = is_discrete_leaf(in, eqn->lhs);
    for (int i = 0; i < n; i++) {
        int to = table_index(in, leaf[i]);
        if (!is_discrete_leaf(in, leaf[i]) || (only_lhs && leaf[i] != eqn->lhs))
            continue;
        if (direct)
            mark(s, to);
        for (int k = 0; k < n; k++)
            if (k != i && is_discrete_leaf(in, leaf[k]))
                vec_push(s->work, &s->makes,
                         ((Makes){table_index(in, leaf[k]), to}));
    }
}

static void spread(Search *s)
{
    int nvar = s->in->d->sys->nvar;
    int *start = NEW_ARRAY(s->work, int, nvar + 2);
    int *to = NEW_ARRAY(s->work, int, s->makes.n + 1);
    for (int i = 0; i < s->makes.n; i++)
        start[s->makes.at[i].from + 2]++;
    for (int v = 1; v <= nvar + 1; v++)
        start[v] += start[v - 1];
    for (int i = 0; i < s->makes.n; i++)
        to[start[s->makes.at[i].from + 1]++] = s->makes.at[i].to;
    while (s->todo.n > 0) {
        int v = vec_pop(&s->todo);
        for (int k = start[v]; k < start[v + 1]; k++)
            mark(s, to[k]);
    }
}

void discrete_find(Inliner *in)
{
    find_equations(in);
    Search s = {.in = in, .work = arena_new()};
    for (int i = 0; i < in->model.neqn; i++)
        if (in->model.is_discrete_eqn[i])
            look_at(&s, &in->model.eqn[i]);
    spread(&s);
    arena_free(s.work);
}
