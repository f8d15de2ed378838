/* prefer.c - derivatives of preferred variables that nobody differentiates.
 *
 * StateSelect.prefer asks for a variable as a state also where it does not
 * appear differentiated (specification 4.8.8). A relative speed v = der(s) of
 * two masses is one: its derivative follows from equations that say no more
 * than which position is which. Where these are linear with factors that never
 * change, and lead to derivatives that the model has, v gets a derivative and
 * competes for being a state. That is more than taste: reinit() of a speed
 * keeps the other states, so states say what else jumps.
 *
 * Or it follows from states that are not preferred, by equations of any kind:
 * then it may take the place of one of them (specification 4.8.8 again; the
 * pressure of a volume that balances its mass).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "reduce/reduce_internal.h"

#include <string.h>

enum { MOST_ROWS = 60 }; /* that are differentiated once more for a variable */

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

/* ---- in exchange for a state ---- */

typedef struct Exchange {
    Reduce *r;
    int *row_of; /* of each column: the row that gives it; NONE: a state */
    int *from;   /* of each row: the row before it on the path, or NONE */
    int *by;     /* of each row: the column that leads there from it */
    int *seen;   /* of each row: number of the search that met it */
    int search;
    Vec(int) list; /* rows of the search */
} Exchange;

/* What the model has as a state and would give away for a preferred one. */
static bool is_offered(const Reduce *r, int v)
{
    const SysVar *x = &r->sys->var[v];
    const Part *p = &r->part;
    if (x->role != SR_UNKNOWN || x->state_select > SS_DEFAULT ||
        x->derivatives != 1 || p->offsets->d[p->column[v]] != 1)
        return false;
    for (int i = 0; i < r->sys->naction; i++)
        if (r->sys->action[i].kind == FA_REINIT && r->sys->action[i].var == v)
            return false;
    for (int k = 0; k < r->options.nwished; k++)
        if (!strcmp(x->name, r->options.state[k]))
            return false;
    return true;
}

/* May the equation be differentiated? Neither time nor numbers that jump at
 * events are in it (regions of a medium may change: their properties meet), and
 * its derivative is known. */
static bool is_smooth(Reduce *r, int row, Expr *leaf, int n)
{
    const SysEqn *e = &r->eqn.at[r->part.eqn[row]];
    Expr whole = expr_sub(r->dag, e->lhs, e->rhs);
    bool smooth = r->part.offsets->c[row] == 0 &&
                  !expr_has_op(r->dag, whole, EX_TIME) &&
                  !expr_has_op(r->dag, whole, EX_PRE);
    for (int k = 0; smooth && k < n; k++) {
        int v = NONE, order = 0;
        expr_is_var(r->dag, leaf[k], &v, &order);
        const SysVar *x = &r->sys->var[v];
        bool jumps = x->role == SR_DISCRETE && x->type == FT_REAL;
        smooth =
            x->role != SR_INPUT && !jumps &&
            (!r->varies[v] || expr_diff(r->dag, whole, leaf[k]) != EXPR_NONE);
    }
    return smooth;
}

/* Turns the path over that ends with `state` in `row`. */
static void turn_over(Exchange *x, int row, int state)
{
    for (int j = state; row != NONE; row = x->from[row]) {
        x->row_of[j] = row;
        j = x->by[row];
    }
}

static void meet_row(Exchange *x, int row, int from, int by)
{
    x->seen[row] = x->search;
    x->from[row] = from;
    x->by[row] = by;
    vec_push(x->r->tmp, &x->list, row);
}

/* The unknowns of a row: a state that is offered ends the path, rows that give
 * others are met. Returns false where the row cannot be differentiated. */
static bool visit_row(Exchange *x, int row, int *end, int *state)
{
    Reduce *r = x->r;
    const Part *p = &r->part;
    Expr *leaf;
    int n = reduce_eqn_leaves(r, &r->eqn.at[p->eqn[row]], &leaf, r->tmp);
    bool fine = is_smooth(r, row, leaf, n);
    for (int k = 0; k < n && fine; k++) {
        int w = NONE, order = 0;
        expr_is_var(r->dag, leaf[k], &w, &order);
        int j = p->column[w], next = j == NONE ? NONE : x->row_of[j];
        if (j == NONE)
            continue;
        fine = order == 0 || order < p->offsets->d[j];
        if (next == NONE && *end == NONE && order == 0 && is_offered(r, w))
            *end = row, *state = j;
        if (order == 0 && next != NONE && x->seen[next] != x->search)
            meet_row(x, next, row, j);
    }
    return fine;
}

/* A path from the equation that gives v to a state that is offered, along
 * equations that can be differentiated: with v known, it gives the state. All
 * equations that v follows from are looked at, as they are differentiated for
 * its derivative. */
static bool find_exchange(Exchange *x, int v)
{
    const Part *p = &x->r->part;
    int end = NONE, state = NONE, j = p->column[v];
    vec_clear(&x->list);
    x->search++;
    meet_row(x, x->row_of[j], NONE, j);
    for (int at = 0; at < x->list.n; at++)
        if (at >= MOST_ROWS || !visit_row(x, x->list.at[at], &end, &state))
            return false;
    if (end == NONE)
        return false;
    turn_over(x, end, state);
    x->row_of[j] = NONE;
    return true;
}

/* Properties of a medium follow from the mass and energy that are balanced, by
 * functions that have to be inverted for it; a model that prefers pressure and
 * temperature as states asks for the balances of mass and energy to be turned
 * into differential equations of these. `nvar`: variables that the part knows.
 */
static int exchange_states(Reduce *r, int nvar)
{
    const Part *p = &r->part;
    Exchange x = {.r = r,
                  .row_of = NEW_ARRAY(r->tmp, int, p->n + 1),
                  .from = NEW_ARRAY(r->tmp, int, p->n + 1),
                  .by = NEW_ARRAY(r->tmp, int, p->n + 1),
                  .seen = NEW_ARRAY(r->tmp, int, p->n + 1)};
    for (int j = 0; j < p->n; j++)
        x.row_of[j] =
            p->offsets->d[j] > 0 ? NONE : p->offsets->match->eqn_of[j];
    int found = 0;
    for (int v = 0; v < nvar; v++) {
        const SysVar *s = &r->sys->var[v];
        int j = p->column[v];
        if (s->role != SR_UNKNOWN || s->state_select != SS_PREFER ||
            j == NONE || x.row_of[j] == NONE || !find_exchange(&x, v))
            continue;
        reduce_add_derivative(r, v);
        found++;
    }
    return found;
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
    return found + (p->offsets ? exchange_states(r, nvar) : 0) > 0;
}
