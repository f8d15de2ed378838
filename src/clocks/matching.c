/* matching.c - which equation of a clocked partition is for which variable.
 *
 * An equation in a state of a machine is for a variable of that state, or gives
 * a value to one that is declared around it; several states may give values to
 * one variable, at different ticks (17.3).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "clocks/clocks_internal.h"

bool clocks_is_unknown(const Clocks *c, int v)
{
    return flat_is_unknown(c->out, v) && c->out->var[v].type != FT_CLOCK;
}

void clocks_add_unknown(Clocks *c, Matching *m, int v)
{
    m->column[v] = m->var.n;
    vec_push(c->local, &m->var, v);
}

/* The column of `var` for an equation in `state`; NONE: it is no unknown
 * there. */
static int column_in(Clocks *c, Matching *m, int var, int state)
{
    int k = m->column[var];
    int home = clocks_state(c, c->out->var[var].component);
    if (k == NONE || clocks_is_inside(c, home, state))
        return k != NONE && m->taken[k] ? NONE : k;
    if (!clocks_is_inside(c, state, home))
        return NONE;
    for (int i = 0; i < m->given.n; i++)
        if (m->given.at[i].var == var && m->given.at[i].state == state)
            return m->var.n + i;
    vec_push(c->local, &m->given, ((Given){var, state}));
    return m->var.n + m->given.n - 1;
}

static int column_of(Clocks *c, Matching *m, Expr e, int state)
{
    int var, order;
    return expr_is_var(c->dag, e, &var, &order) && order == 0
               ? column_in(c, m, var, state)
               : NONE;
}

/* The difference equation of a state is for the state, at the first tick and at
 * all others: pivots stay the same. */
static void match_states(const Matching *mm, Match *m)
{
    for (int i = 0; i < mm->pair.n; i++) {
        int next = mm->pair.at[i].next;
        int k = next ? mm->column[next - 1] : NONE;
        if (k == NONE || m->eqn_of[k] != NONE)
            continue;
        m->eqn_of[k] = i;
        m->var_of[i] = k;
        m->size++;
    }
}

/* Equations that have a variable alone on a side are for that variable. */
static void match_first(Clocks *c, Matching *mm, Match *m, int most)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < mm->pair.n; i++) {
            const Pair *p = &mm->pair.at[i];
            Expr lhs = p->has_first ? p->first_lhs : p->lhs;
            Expr rhs = p->has_first ? p->first_rhs : p->rhs;
            Expr e = side ? rhs : lhs, other = side ? lhs : rhs;
            int k = column_of(c, mm, e, p->state);
            if (k == NONE || k >= most || m->eqn_of[k] != NONE ||
                m->var_of[i] != NONE || expr_contains(c->dag, other, e))
                continue;
            m->eqn_of[k] = i;
            m->var_of[i] = k;
            m->size++;
        }
}

/* All that the equation asks for. */
static Expr both_sides(Clocks *c, const Pair *p)
{
    Dag *d = c->dag;
    Expr both = expr_make_raw(d, EX_SUB, p->lhs, p->rhs, EXPR_NONE);
    if (!p->has_first)
        return both;
    Expr first =
        expr_make_raw(d, EX_SUB, p->first_lhs, p->first_rhs, EXPR_NONE);
    return expr_make_raw(d, EX_ADD, both, first, EXPR_NONE);
}

/* Which equation has which unknown; of the first `most` columns only. */
static const Incidence *incidence(Clocks *c, Matching *mm, bool own)
{
    EdgeList list = edges_begin(c->local);
    for (int i = 0; i < mm->pair.n; i++) {
        Expr *leaf, both = both_sides(c, &mm->pair.at[i]);
        int n = expr_leaves(c->dag, both, &leaf, c->local);
        for (int k = 0; k < n; k++) {
            int column = column_of(c, mm, leaf[k], mm->pair.at[i].state);
            if (column != NONE && (!own || column < mm->var.n))
                edges_add(&list, i, column, EDGE_NONLINEAR, 0);
        }
    }
    return edges_end(&list, mm->pair.n, mm->var.n + mm->given.n, c->local);
}

bool clocks_is_given(const Matching *mm, const Match *m, int var)
{
    for (int i = 0; i < mm->given.n; i++)
        if (mm->given.at[i].var == var && m->eqn_of[mm->var.n + i] != NONE)
            return true;
    return false;
}

/* Has every equation and every variable its other one, just one? */
static bool is_complete(const Matching *mm, const Match *m)
{
    for (int k = 0; k < mm->var.n; k++)
        if ((m->eqn_of[k] != NONE) == clocks_is_given(mm, m, mm->var.at[k]))
            return false;
    for (int i = 0; i < mm->pair.n; i++)
        if (m->var_of[i] == NONE && mm->pair.at[i].from != NONE)
            return false;
    return true;
}

/* First every variable gets an equation of its own level; what is left over in
 * a state gives a value to a variable around it. */
static Match *match_once(Clocks *c, Matching *mm)
{
    const Incidence *all = incidence(c, mm, false);
    Match *m = match_new(all, c->local);
    match_states(mm, m);
    match_first(c, mm, m, mm->var.n);
    match_grow(incidence(c, mm, true), NULL, m);
    match_first(c, mm, m, mm->var.n + mm->given.n);
    match_grow(all, NULL, m);
    return m;
}

/* Variables that stand alone on the left of equations in states which they are
 * declared around. Returns how many there are. */
static int note_taken(Clocks *c, Matching *mm)
{
    int n = 0;
    for (int i = 0; i < mm->pair.n; i++) {
        const Pair *p = &mm->pair.at[i];
        int k =
            column_of(c, mm, p->has_first ? p->first_lhs : p->lhs, p->state);
        if (k < mm->var.n)
            continue;
        k = mm->column[mm->given.at[k - mm->var.n].var];
        n += !mm->taken[k];
        mm->taken[k] = true;
    }
    return n;
}

/* An equation around the states may ask for what they give, as in o = p where p
 * is given in states inside. So what does not fit at once is tried again with
 * nothing around the states determining what they give. */
Match *clocks_match(Clocks *c, Matching *mm)
{
    mm->taken = NEW_ARRAY(c->local, bool, mm->var.n + 1);
    Match *m = match_once(c, mm);
    if (is_complete(mm, m) || note_taken(c, mm) == 0)
        return m;
    Match *other = match_once(c, mm);
    return is_complete(mm, other) ? other : m;
}

/* 16.8: constraints between the states of a partition. */
static bool has_constraint(Clocks *c, const Matching *mm, const Match *m)
{
    for (int i = 0; i < mm->pair.n; i++) {
        int node = mm->pair.at[i].node;
        if (m->var_of[i] != NONE || !c->rewrite[node].state.n)
            continue;
        diag_report(c->diag, c->node.at[node].span, DIAG_U1901,
                    "not supported yet: a partition with the solverMethod "
                    "\"%s\" whose states depend on each other",
                    c->node.at[node].solver);
        c->failed = true;
        return true;
    }
    return false;
}

bool clocks_check_match(Clocks *c, const Matching *mm, const Match *m)
{
    if (has_constraint(c, mm, m))
        return false;
    for (int k = 0; k < mm->var.n; k++)
        if (m->eqn_of[k] == NONE && !clocks_is_given(mm, m, mm->var.at[k])) {
            const FlatVar *v = &c->out->var[mm->var.at[k]];
            diag_report(c->diag, v->span, DIAG_E1905,
                        "no equation of its clock is left to determine '%s'",
                        v->name);
            c->failed = true;
        }
    for (int k = 0; k < mm->var.n; k++)
        if (m->eqn_of[k] != NONE && clocks_is_given(mm, m, mm->var.at[k])) {
            const FlatVar *v = &c->out->var[mm->var.at[k]];
            diag_report(c->diag, v->span, DIAG_E1907,
                        "'%s' is given a value in a state and outside of it",
                        v->name);
            c->failed = true;
        }
    for (int i = 0; i < mm->pair.n; i++)
        if (m->var_of[i] == NONE && mm->pair.at[i].from != NONE) {
            diag_report(c->diag, c->in->eqn[mm->pair.at[i].from].span,
                        DIAG_E1905,
                        "no variable of its clock is left for this equation "
                        "to determine");
            c->failed = true;
        }
    return !c->failed;
}
