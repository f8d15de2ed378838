/* search.c - where in a piece of time is an expression far from what is seen?
 *
 * A cell in which the range of the expression is small has nothing to hide; all
 * others are halved, those that reach farthest first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <float.h>
#include <math.h>

#include "pulse/pulse_internal.h"

void search_new(Search *x, const Dag *dag, ExprLeafValue *leaf,
                ExprLeafRange *leaf_range, void *context, Arena *arena)
{
    x->dag = dag;
    x->leaf = leaf;
    x->leaf_range = leaf_range;
    x->context = context;
    x->value = NEW_ARRAY(arena, double, dag_count(dag));
    x->range = NEW_ARRAY(arena, ExprRange, dag_count(dag));
    x->caller = caller_new(dag, arena);
}

void search_begin(Search *x, Expr root, Arena *arena)
{
    x->root = root;
    x->n = expr_order(x->dag, &root, 1, &x->order, arena);
    x->has_calls = caller_is_needed(x->dag, x->order, x->n);
    x->low = INFINITY;
    x->high = -INFINITY;
    x->scale = 0;
}

double search_value(Search *x, double time)
{
    x->from = time;
    expr_eval_order(x->dag, x->order, x->n, x->leaf, x->context, x->value);
    double v = x->value[x->root];
    x->work += x->n;
    if (isfinite(v)) {
        x->low = fmin(x->low, v);
        x->high = fmax(x->high, v);
        x->scale = x->high - x->low;
    }
    return v;
}

ExprRange search_range(Search *x, double from, double to)
{
    x->from = from;
    x->to = to;
    if (x->has_calls)
        caller_enclose(x->caller, x->order, x->n, x->leaf_range, x->context,
                       x->range);
    else
        expr_enclose_order(x->dag, x->order, x->n, x->leaf_range, x->context,
                           x->range);
    x->work += x->n;
    return x->range[x->root];
}

SearchCell search_cell(Search *x, double from, double to)
{
    SearchCell c = {.from = from, .to = to, .range = search_range(x, from, to)};
    c.mid = search_value(x, from + (to - from) / 2);
    return c;
}

void search_halve(Search *x, int k)
{
    SearchCell c = x->cell[k];
    double half = c.from + (c.to - c.from) / 2;
    x->cell[k] = search_cell(x, c.from, half);
    x->cell[x->ncell] = search_cell(x, half, c.to);
}

double range_beyond(ExprRange r, ExprRange inside)
{
    return fmax(0, fmax(r.max - inside.max, inside.min - r.min));
}

static double value_beyond(double v, ExprRange inside)
{
    return isfinite(v) ? range_beyond((ExprRange){v, v}, inside) : 0;
}

/* Is there more to know of a cell, with a peak of that size in the step? */
static bool is_open(const Search *x, const SearchCell *c, double reach,
                    double peak)
{
    return reach > fmax(0.01 * peak, SEARCH_SMALL * x->scale) &&
           !(c->range.max - c->range.min < 0.2 * peak);
}

/* The cell that reaches farthest of those of which more is to be known; reach
 * has how far each does. */
static int farthest(const Search *x, const double *reach, double peak,
                    double least)
{
    int best = NONE;
    double most = 0;
    for (int i = 0; i < x->ncell; i++) {
        const SearchCell *c = &x->cell[i];
        if (reach[i] > most && c->to - c->from > least &&
            is_open(x, c, reach[i], peak)) {
            most = reach[i];
            best = i;
        }
    }
    return best;
}

double search_least(double from, double to)
{
    return fmax(1e-12 * (to - from), 8 * DBL_EPSILON * fabs(to));
}

bool search_piece(Search *x, ExprRange inside, Pulse *piece)
{
    double least = search_least(x->cell[0].from, x->cell[0].to);
    double peak = value_beyond(x->cell[0].mid, inside);
    double reach[SEARCH_CELLS];
    for (int i = 0; i < x->ncell; i++)
        reach[i] = range_beyond(x->cell[i].range, inside);
    for (int k; x->ncell < SEARCH_CELLS; x->ncell++) {
        if ((k = farthest(x, reach, peak, least)) == NONE)
            break;
        search_halve(x, k);
        reach[k] = range_beyond(x->cell[k].range, inside);
        reach[x->ncell] = range_beyond(x->cell[x->ncell].range, inside);
        peak = fmax(peak, value_beyond(x->cell[k].mid, inside));
        peak = fmax(peak, value_beyond(x->cell[x->ncell].mid, inside));
    }
    piece->from = INFINITY;
    piece->to = -INFINITY;
    for (int i = 0; i < x->ncell; i++) {
        const SearchCell *c = &x->cell[i];
        if (!(reach[i] > 0.01 * peak))
            continue;
        piece->from = fmin(piece->from, c->from);
        piece->to = fmax(piece->to, c->to);
    }
    return peak > SEARCH_SMALL * x->scale && piece->from < piece->to;
}
