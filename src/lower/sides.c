/* sides.c - the sides of relations at points of a run (sides.h). Between two
 * points their distance is taken to be a line.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include "lower/sides.h"

#include <math.h>

/* Slots of a point of the run, and which of them the variables have. */
typedef struct SlotsAt {
    const Lowered *low;
    const double *r;
} SlotsAt;

static double value_at(void *slots, const Dag *d, Expr leaf)
{
    const SlotsAt *p = slots;
    int var, order;
    if (expr_op(d, leaf) == EX_TIME)
        return p->r[p->low->tape->time];
    if (!expr_is_var(d, leaf, &var, &order) || p->low->slot[var] == NONE)
        return 0;
    return p->r[p->low->slot[var]];
}

/* Argument `side` of a relation or of floor and the like, with slots r. */
static double side_at(const Lowered *low, Expr now, int side, const double *r)
{
    const Dag *d = low->inlined->dag;
    SlotsAt at = {low, r};
    return expr_eval(d, expr_arg(d, now, side), value_at, &at);
}

double sides_distance(const Lowered *low, Expr now, const double *r)
{
    ExprOp op = expr_op(low->inlined->dag, now);
    if (op != EX_LT && op != EX_LE && op != EX_GT && op != EX_GE)
        return NAN;
    return side_at(low, now, 0, r) - side_at(low, now, 1, r);
}

/* The same of floor and its like, from the last whole number on the way to the
 * end of the step: at its beginning and at its end. */
static void find_jump(const Lowered *low, Expr now, const double *last,
                      const double *here, double *a, double *b)
{
    ExprOp op = expr_op(low->inlined->dag, now);
    *a = *b = NAN;
    if (op != EX_FLOOR && op != EX_CEIL && op != EX_INTEGER)
        return;
    double from = side_at(low, now, 0, last), to = side_at(low, now, 0, here);
    double near =
        to + INLINED_EDGE * (to - from); /* or one at the end itself */
    double whole = to > from ? floor(near) : ceil(near);
    *a = from - whole;
    *b = to - whole;
}

double sides_part_after(const Lowered *low, Expr now, const double *last,
                        const double *here)
{
    double a = sides_distance(low, now, last);
    double b = sides_distance(low, now, here);
    if (isnan(b))
        find_jump(low, now, last, here, &a, &b);
    if (a * b > 0 || a == b) /* it follows other events */
        return 0;
    double part = b / (b - a);
    return part >= 0 && part <= 1 ? part : 0.5;
}
