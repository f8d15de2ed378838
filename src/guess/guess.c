/* guess.c - what start values say of the unknowns that have none.
 *
 * An iteration begins at start values, and at 0 where there is none. A model
 * gives them where somebody thought of a value: the position of a point
 * between springs, not the unit vectors along them, and these are what the
 * equations are iterated in. So the start values that are given are taken as
 * if they were the solution, and every equation in which one unknown without a
 * value is left, and that linearly, gives it one, until no equation is left
 * that does. Then several that are linear in what they leave open give that
 * together (together.c), equations that choose between pieces come last,
 * with the piece that relations say. What comes out is a guess. The work is in
 * proportion to the equations. */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

#include "guess/guess_internal.h"

/* Somebody gave a start value, or the iteration does not look for it. */
static bool is_given(const Inlined *d, int i)
{
    const InlinedVar *v = &d->var[i];
    if (v->type != ET_REAL || v->is_discrete)
        return true;
    return v->sys_var != NONE && v->order == 0 &&
           d->sys->var[v->sys_var].start != EXPR_NONE;
}

static void begin_values(Guess *p, Arena *a)
{
    const Inlined *d = p->low->inlined;
    p->value = NEW_ARRAY(a, double, d->nvar + 1);
    p->is_known = NEW_ARRAY(a, bool, d->nvar + 1);
    for (int i = 0; i < d->nvar; i++) {
        int slot = p->low->slot[i];
        p->value[i] = slot == NONE ? 0 : p->r[slot];
        p->is_known[i] = true;
    }
    for (int k = 0; k < p->init->nunknown; k++) {
        int i = p->init->unknown[k];
        p->is_known[i] = is_given(d, i);
    }
}

/* The unknowns of equation i that have no value yet. */
static void find_unknowns(Guess *p, int i, Arena *a)
{
    Dag *dag = p->low->inlined->dag;
    const InlinedEqn *e = &p->init->eqn[i];
    Expr side[2] = {e->lhs, e->rhs}, *leaf[2];
    int n[2], var = NONE, order = 0;
    for (int k = 0; k < 2; k++)
        n[k] = expr_leaves(dag, side[k], &leaf[k], a);
    p->unknown[i] = NEW_ARRAY(a, int, n[0] + n[1] + 1);
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < n[k]; j++) {
            bool seen =
                !expr_is_var(dag, leaf[k][j], &var, &order) || p->is_known[var];
            for (int m = 0; m < p->nunknown[i] && !seen; m++)
                seen = p->unknown[i][m] == var;
            if (!seen)
                p->unknown[i][p->nunknown[i]++] = var;
        }
    p->nleft[i] = p->nunknown[i];
}

static void begin_equations(Guess *p, Arena *a)
{
    int n = p->init->neqn, nvar = p->low->inlined->nvar;
    p->unknown = NEW_ARRAY(a, int *, n + 1);
    p->nunknown = NEW_ARRAY(a, int, n + 1);
    p->nleft = NEW_ARRAY(a, int, n + 1);
    p->queue = NEW_ARRAY(a, int, n + 1);
    p->start = NEW_ARRAY(a, int, nvar + 2);
    for (int i = 0; i < n; i++) {
        find_unknowns(p, i, a);
        for (int k = 0; k < p->nunknown[i]; k++)
            p->start[p->unknown[i][k] + 2]++;
        if (p->nleft[i] == 1)
            p->queue[p->nqueue++] = i;
    }
    for (int v = 0; v < nvar; v++)
        p->start[v + 2] += p->start[v + 1];
    p->eqn_of = NEW_ARRAY(a, int, p->start[nvar + 1] + 1);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < p->nunknown[i]; k++)
            p->eqn_of[p->start[p->unknown[i][k] + 1]++] = i;
}

double guess_residual(Guess *p, const InlinedEqn *e, int var, double x)
{
    const Inlined *d = p->low->inlined;
    InlinedPoint at = {p->value, p->r[p->low->tape->time]};
    p->value[var] = x;
    return expr_eval(d->dag, e->lhs, inlined_leaf_value, &at) -
           expr_eval(d->dag, e->rhs, inlined_leaf_value, &at);
}

/* Solves an equation that is linear in `var` by its values at three points. */
static bool solve_for(Guess *p, const InlinedEqn *e, int var)
{
    if (expr_type(p->low->inlined->dag, e->lhs) != ET_REAL)
        return false;
    double f0 = guess_residual(p, e, var, 0), f1 = guess_residual(p, e, var, 1);
    double f3 = guess_residual(p, e, var, -3), slope = f1 - f0;
    double size = fabs(f0) + fabs(f1);
    bool is_linear = fabs(f3 - f0 + 3 * slope) <= 1e-9 * size;
    double x = -f0 / slope;
    bool fine = is_linear && fabs(slope) > 1e-12 * size && isfinite(x);
    p->value[var] = fine ? x : 0;
    return fine;
}

/* `var` has a value now: which equations have one unknown left? */
void guess_mark_known(Guess *p, int var)
{
    p->is_known[var] = true;
    for (int k = p->start[var]; k < p->start[var + 1]; k++)
        if (--p->nleft[p->eqn_of[k]] == 1)
            p->queue[p->nqueue++] = p->eqn_of[k];
}

/* Does it choose between pieces? */
static bool has_pieces(const Guess *p, const InlinedEqn *e)
{
    const Dag *dag = p->low->inlined->dag;
    return expr_has_op(dag, e->lhs, EX_IF) || expr_has_op(dag, e->rhs, EX_IF);
}

/* Gives values by equations with one unknown left; the others of these are kept
 * for another time. Returns how many it gave. */
static int spread(Guess *p, bool with_pieces)
{
    int nguess = 0, nkept = 0;
    for (int k = 0; k < p->nqueue; k++) {
        int i = p->queue[k], var = NONE;
        for (int j = 0; j < p->nunknown[i]; j++)
            if (!p->is_known[p->unknown[i][j]])
                var = p->unknown[i][j];
        if (var == NONE || p->low->slot[var] == NONE)
            continue;
        if (!with_pieces && has_pieces(p, &p->init->eqn[i])) {
            p->queue[nkept++] = i;
            continue;
        }
        if (!solve_for(p, &p->init->eqn[i], var))
            continue;
        p->r[p->low->slot[var]] = p->value[var];
        guess_mark_known(p, var);
        nguess++;
    }
    p->nqueue = nkept;
    return nguess;
}

bool guess_starts(const Lowered *low, double *r)
{
    const Inlined *d = low->inlined;
    Arena *a = arena_new();
    Guess p = {.low = low, .r = r, .init = &d->system[d->init]};
    begin_values(&p, a);
    begin_equations(&p, a);
    int all = 0, last;
    do {
        last = all;
        all += spread(&p, false);
        all += guess_together(&p, a);
    } while (all > last);
    all += spread(&p, true);
    arena_free(a);
    return all > 0;
}
