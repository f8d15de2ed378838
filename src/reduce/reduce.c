/* reduce.c - the steps from Sys to Dae. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

/* Tables with an entry for each variable and equation, after some were
 * added. */
static void fill_tables(Reduce *r)
{
    const Sys *s = r->sys;
    r->varies = NEW_ARRAY(r->tmp, bool, s->nvar);
    for (int v = 0; v < s->nvar; v++)
        r->varies[v] =
            s->var[v].role == SR_UNKNOWN || s->var[v].role == SR_INPUT;
    r->start = NEW_ARRAY(r->tmp, double, s->nvar);
    sys_start_values(s, r->options.set, r->options.nset, r->start, NULL);
}

/* The index of the model, without what was differentiated for a preferred
 * state alone. */
static int own_index(const Reduce *r)
{
    return r->part.offsets->index - r->preferred;
}

enum { MOST_ROUNDS = 60 };

/* Offsets, dependencies, states: repeated while equations are replaced or
 * added. Returns false after an error. */
static bool analyse(Reduce *r, CandidatesVec *sets)
{
    int first = NONE; /* index before that */
    for (int round = 0;; round++) {
        fill_tables(r);
        if (!reduce_check_structure(r) || !reduce_find_part(r))
            return false;
        if (round <= MOST_ROUNDS && reduce_ask_told(r))
            continue;
        if (first != NONE)
            r->preferred = r->part.offsets->index - first;
        first = NONE;
        if (round == 0 && reduce_differentiate_preferred(r)) {
            first = r->part.offsets->index;
            continue;
        }
        if (reduce_remove_dependencies(r, round))
            continue;
        r->is_deceived |= r->options.asks_numbers &&
                          r->options.most_index > 0 &&
                          own_index(r) > r->options.most_index;
        if (r->zero.n > 0 || (r->is_deceived && r->options.asks_numbers))
            return true;
        if (r->dae->structural_index == NONE)
            r->dae->structural_index = own_index(r);
        vec_clear(sets);
        reduce_select_states(r, sets);
        if (r->told_fails) {
            if (r->keeps_lost)
                reduce_write_told_out(r);
            r->keeps_lost = true;
            continue;
        }
        if (round > MOST_ROUNDS || !reduce_name_derivative_states(r))
            return true;
    }
}

/* ---- index ---- */
/* Leaves of a table of unknowns: number by variable and order. */
static int *unknown_table(Reduce *r, int *width)
{
    const Dae *d = r->dae;
    *width = 1;
    for (int k = 0; k < d->nunknown; k++) {
        if (d->unknown[k].order >= *width)
            *width = d->unknown[k].order + 1;
    }
    int *table = NEW_ARRAY(r->tmp, int, (size_t)r->sys->nvar *(size_t)*width);
    for (int k = 0; k < r->sys->nvar * *width; k++)
        table[k] = NONE;
    for (int k = 0; k < d->nunknown; k++)
        table[d->unknown[k].var * *width + d->unknown[k].order] = k;
    return table;
}

/* Is there a block of more than one equation? */
static bool has_loop(Reduce *r)
{
    const Dae *d = r->dae;
    int width, *table = unknown_table(r, &width);
    EdgeList edges = edges_begin(r->tmp);
    for (int i = 0; i < d->neqn; i++) {
        bool discrete = reduce_is_discrete_valued(r, &d->eqn[i]);
        Expr *leaf;
        int n = reduce_eqn_leaves(r, &d->eqn[i], &leaf, r->tmp);
        for (int k = 0; k < n; k++) {
            int v, order;
            expr_is_var(r->dag, leaf[k], &v, &order);
            if (order >= width || table[v * width + order] == NONE)
                continue;
            bool real = r->sys->var[v].type == FT_REAL;
            bool can = discrete ? reduce_is_side(r, &d->eqn[i], leaf[k]) : real;
            edges_add(&edges, i, table[v * width + order],
                      can ? EDGE_CONSTANT : EDGE_NONLINEAR, 0);
        }
    }
    const Incidence *inc = edges_end(&edges, d->neqn, d->nunknown, r->tmp);
    Match *m = match_new(inc, r->tmp);
    match_grow(inc, inc->cls, m);
    if (m->size < d->neqn)
        return true;
    const Blt *blt = blt_order_matched(inc, m, r->tmp);
    return blt_largest(blt) > 1;
}

static void find_index(Reduce *r)
{
    const Part *p = &r->part;
    bool constraint = false;
    for (int i = 0; i < p->n && !constraint; i++)
        constraint = p->offsets->c[i] > 0;
    r->dae->index = constraint ? own_index(r) : has_loop(r) ? 1 : 0;
    r->dae->structural_index = own_index(r);
}

static void forget_initial(Reduce *r)
{
    ExprMap *m = expr_map_new(r->dag, NULL, NULL, r->tmp);
    Expr initial =
        expr_make(r->dag, EX_INITIAL, EXPR_NONE, EXPR_NONE, EXPR_NONE);
    expr_map_fix(m, initial, expr_bool(r->dag, false));
    for (int i = 0; i < r->dae->neqn; i++) {
        SysEqn *e = &r->dae->eqn[i];
        Expr lhs = expr_map(m, e->lhs), rhs = expr_map(m, e->rhs);
        r->dae->has_initial |= lhs != e->lhs || rhs != e->rhs;
        e->lhs = lhs;
        e->rhs = rhs;
    }
}

static bool run(Reduce *r)
{
    CandidatesVec sets = {0};
    for (int i = 0; i < r->sys->neqn; i++)
        vec_push(r->tmp, &r->eqn, r->sys->eqn[i]);
    r->has_told = reduce_sees_told(r);
    reduce_differentiate_always(r);
    fill_tables(r);
    if (r->options.ngiven == 0) /* whose candidates must stay */
        reduce_find_natural_states(r);
    if (!analyse(r, &sets))
        return false;
    if (r->zero.n > 0)
        return reduce_give_zeros(r), true;
    r->dae->is_deceived = r->is_deceived && r->options.asks_numbers;
    r->dae->is_doubtful = r->is_deceived;
    if (r->dae->is_deceived)
        return true;
    if (!reduce_assemble(r))
        return false;
    reduce_add_state_sets(r, &sets);
    reduce_close_inputs(r);
    find_index(r);
    if (!reduce_make_initial(r))
        return false;
    reduce_forget_told(r);
    forget_initial(r);
    return true;
}

Dae *reduce(Sys *sys, ReduceOptions options, Arena *arena, Diag *diag)
{
    Dae *d = NEW(arena, Dae);
    d->sys = sys;
    d->dag = sys->dag;
    d->structural_index = NONE;
    Reduce r = {
        .sys = sys,
        .dag = sys->dag,
        .options = options,
        .arena = arena,
        .tmp = arena_new(),
        .diag = diag,
        .dae = d,
    };
    bool fine = run(&r);
    arena_free(r.tmp);
#ifndef NDEBUG
    if (fine && d->nzero == 0 && !d->is_deceived)
        dae_check(d);
#endif
    return fine ? d : NULL;
}
