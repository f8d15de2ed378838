/* derivatives.c - derivatives that only initial equations have.
 *
 * An initial equation may speak of der(w) where no equation of the model does:
 * w = 2*x, initial equation der(w) = 4. Then der(w) is a further unknown of the
 * start, and the equation that determines w, differentiated, a further
 * equation: der(w) = 2*der(x). What that has of derivatives nobody knows is
 * treated likewise. Which equation determines w is said by a matching of the
 * equations of the Dae with its unknowns; in a loop all of its equations
 * follow.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

typedef struct Wanted {
    Reduce *r;
    InitSystem *s;
    Vec(Expr) leaf; /* found so far, */
    Vec(int) row;   /* and the equation that was differentiated for each */
    const Match *match;
} Wanted;

/* Each equation of the Dae with an unknown of it. */
static const Match *match_model(Reduce *r, const InitSystem *s, int n)
{
    const Dae *d = r->dae;
    EdgeList edges = edges_begin(r->tmp);
    for (int i = 0; i < n; i++) {
        const SysEqn *e = &s->eqn.at[i];
        bool discrete = reduce_is_discrete_valued(r, e);
        Expr *leaf;
        int nleaf = reduce_eqn_leaves(r, e, &leaf, r->tmp);
        for (int k = 0; k < nleaf; k++) {
            int at = reduce_init_column(s, leaf[k]) - d->nstate;
            bool can = discrete ? reduce_is_side(r, e, leaf[k])
                                : expr_type(r->dag, leaf[k]) == ET_REAL;
            if (can && at >= 0 && at < d->nunknown)
                edges_add(&edges, i, at, EDGE_NONLINEAR, 0);
        }
    }
    const Incidence *inc = edges_end(&edges, n, d->nunknown, r->tmp);
    Match *m = match_new(inc, r->tmp);
    match_grow(inc, NULL, m);
    return m;
}

/* A derivative that is no unknown yet. */
static bool is_new(const Wanted *w, Expr leaf)
{
    int v, order;
    return expr_is_var(w->r->dag, leaf, &v, &order) && order > 0 &&
           w->r->sys->var[v].role == SR_UNKNOWN &&
           reduce_init_column(w->s, leaf) == NONE;
}

static void want(Wanted *w, Expr leaf)
{
    for (int k = 0; k < w->leaf.n; k++)
        if (w->leaf.at[k] == leaf)
            return;
    vec_push(w->r->tmp, &w->leaf, leaf);
    vec_push(w->r->tmp, &w->row, NONE);
}

static void want_leaves(Wanted *w, const SysEqn *e)
{
    Expr *leaf;
    int n = reduce_eqn_leaves(w->r, e, &leaf, w->r->tmp);
    for (int k = 0; k < n; k++)
        if (is_new(w, leaf[k]))
            want(w, leaf[k]);
}

/* The row that determines VAR(var, order), or NONE. */
static int row_of(const Wanted *w, Expr leaf)
{
    int at = reduce_init_column(w->s, leaf);
    for (int k = 0; k < w->leaf.n; k++)
        if (w->leaf.at[k] == leaf)
            return w->row.at[k];
    at -= w->r->dae->nstate;
    return at >= 0 && at < w->r->dae->nunknown ? w->match->eqn_of[at] : NONE;
}

/* The derivative of an input is not known at the start. */
static bool needs_input(Reduce *r, const SysEqn *e)
{
    Expr *leaf;
    int n = reduce_eqn_leaves(r, e, &leaf, r->tmp);
    for (int k = 0; k < n; k++) {
        int v, order;
        if (expr_is_var(r->dag, leaf[k], &v, &order) && order > 0 &&
            r->sys->var[v].role == SR_INPUT)
            return true;
    }
    return false;
}

/* Adds the equation for wanted leaf k. Returns false if there is none. */
static bool add_equation(Wanted *w, int k)
{
    Reduce *r = w->r;
    int v, order;
    expr_is_var(r->dag, w->leaf.at[k], &v, &order);
    int from = row_of(w, reduce_leaf_of(r, v, order - 1));
    if (from == NONE)
        return false;
    SysEqn e = w->s->eqn.at[from];
    e.lhs = expr_total_diff(r->dag, e.lhs, r->varies, r->sys->nvar);
    e.rhs = expr_total_diff(r->dag, e.rhs, r->varies, r->sys->nvar);
    if (e.lhs == EXPR_NONE || e.rhs == EXPR_NONE || needs_input(r, &e))
        return false;
    w->row.at[k] = w->s->eqn.n;
    vec_push(r->tmp, &w->s->eqn, e);
    want_leaves(w, &e);
    return true;
}

enum { MOST = 10000 };

void reduce_add_derivatives(InitSystem *s, int nmodel, int from, int to)
{
    Reduce *r = s->r;
    Wanted w = {.r = r, .s = s};
    int had = s->eqn.n;
    for (int i = from; i < to; i++)
        want_leaves(&w, &s->eqn.at[i]);
    if (w.leaf.n == 0)
        return;
    w.match = match_model(r, s, nmodel);
    for (int k = 0; k < w.leaf.n; k++)
        if (k > MOST || !add_equation(&w, k)) {
            s->eqn.n = had; /* as if nobody had asked */
            return;
        }
    for (int k = 0; k < w.leaf.n; k++)
        vec_push(r->tmp, &s->unknown, w.leaf.at[k]);
}
