/* interval.h - enclosures of what expressions are worth.
 *
 * Every operation and every constant may be off by a few units of the last
 * place of a double; the interval of an expression holds every value that can
 * come of it. So two expressions that are equal in exact arithmetic have
 * intervals that meet, whatever was folded or reordered, and no tolerance has
 * to be guessed: a badly conditioned expression has a wide interval.
 *
 * `known` is false where the value hangs on rounding (a relation between equal
 * values, a division by what may be zero), or is out of domain or range.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_INTERVAL_H
#define TAKT_TESTS_INTERVAL_H

#include "prop/expr/point.h"

typedef struct Interval {
    long double lo, hi;
    bool known;
} Interval;

/* The interval of `e`. Where `over` is not EXPR_NONE, that node counts as
 * `with`. */
Interval interval_eval(const Dag *d, Expr e, const Point *p, Expr over,
                       Interval with);
bool interval_meets(Interval a, Interval b);
bool interval_holds(Interval a, long double v);
/* Known, and narrow enough to tell something. */
bool interval_tells(Interval a);

#endif
