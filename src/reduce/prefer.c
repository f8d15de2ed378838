/* prefer.c - derivatives of preferred variables that nobody differentiates.
 *
 * StateSelect.prefer asks for a variable as a state also where it does not
 * appear differentiated (specification 4.8.8). A relative speed v = der(s) of
 * two masses is one: its derivative follows from equations that say no more
 * than which position is which. Where these are linear with factors that never
 * change, and lead to derivatives that the model has, v gets a derivative and
 * competes for being a state. That is more than taste: reinit() of a speed
 * keeps the other states, so states say what else jumps.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

enum { MOST_ROWS = 30 }; /* that are differentiated once more for a variable */

typedef struct Closure {
    Reduce *r;
    int *order;      /* of each column: what is asked for so far */
    Vec(int) column; /* those asked for more than the model has */
    bool is_open;    /* something cannot be differentiated */
} Closure;

static void ask(Closure *c, int column, int order)
{
    if (order <= c->order[column])
        return;
    c->order[column] = order;
    vec_push(c->r->tmp, &c->column, column);
}

/* Equation `row`, differentiated `times` more often than it is. */
static void differentiate(Closure *c, int row, int times)
{
    Reduce *r = c->r;
    const Part *p = &r->part;
    const SysEqn *e = &r->eqn.at[p->eqn[row]];
    Expr *leaf, whole = expr_sub(r->dag, e->lhs, e->rhs);
    int n = reduce_eqn_leaves(r, e, &leaf, r->tmp);
    c->is_open |= expr_has_op(r->dag, whole, EX_TIME);
    for (int k = 0; k < n && !c->is_open; k++) {
        int v = NONE, order = 0;
        expr_is_var(r->dag, leaf[k], &v, &order);
        if (!r->varies[v])
            continue;
        Expr factor = expr_diff(r->dag, whole, leaf[k]);
        c->is_open = p->column[v] == NONE || factor == EXPR_NONE ||
                     !reduce_is_parametric(r, factor);
        if (!c->is_open)
            ask(c, p->column[v], order + p->offsets->c[row] + times);
    }
}

/* Does the derivative of v follow from what is there? */
static bool is_closed(Closure *c, int v)
{
    const Part *p = &c->r->part;
    vec_clear(&c->column);
    c->is_open = false;
    for (int j = 0; j < p->n; j++)
        c->order[j] = p->offsets->d[j];
    ask(c, p->column[v], 1);
    for (int k = 0; k < c->column.n && !c->is_open; k++) {
        int j = c->column.at[k];
        differentiate(c, p->offsets->match->eqn_of[j],
                      c->order[j] - p->offsets->d[j]);
        c->is_open |= k >= MOST_ROWS;
    }
    return !c->is_open;
}

/* Marks v where the equation says v = der(s). */
static void see_definition(Reduce *r, const SysEqn *e, bool *is_derivative)
{
    int v = NONE, s = NONE, first = 0, second = 0;
    if (expr_is_var(r->dag, e->lhs, &v, &first) &&
        expr_is_var(r->dag, e->rhs, &s, &second) && first + second == 1)
        is_derivative[first == 0 ? v : s] = true;
}

bool reduce_differentiate_preferred(Reduce *r)
{
    const Part *p = &r->part;
    int nvar = r->sys->nvar, found = 0;
    bool *is_derivative = NEW_ARRAY(r->tmp, bool, nvar);
    for (int row = 0; p->offsets && row < p->n; row++)
        see_definition(r, &r->eqn.at[p->eqn[row]], is_derivative);
    Closure c = {.r = r, .order = NEW_ARRAY(r->tmp, int, p->n + 1)};
    for (int v = 0; v < nvar; v++) {
        const SysVar *x = &r->sys->var[v];
        if (!is_derivative[v] || x->role != SR_UNKNOWN ||
            x->state_select != SS_PREFER || p->offsets->d[p->column[v]] > 0 ||
            !is_closed(&c, v))
            continue;
        reduce_add_derivative(r, v);
        found++;
    }
    return found > 0;
}
