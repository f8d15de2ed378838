/* lut.h - tables as opaque functions of the DAG.
 *
 *   in    abscissae and ordinates: expressions, or numbers (read.h)
 *   out   Lut, and calls of its value and its derivatives
 *   next  lower/ makes instructions of the calls, emit/ writes them as C
 *
 * A table is what Modelica.Blocks.Types.Smoothness and Extrapolation say.
 * Between two points it is constant, a line, or a cubic whose slopes at the
 * points follow from its neighbours: by Akima (Journal of the ACM 17(4), 1970;
 * in two directions Communications of the ACM 17(1), 1974), by the modified
 * weights of that (Ionita, 2019), by Fritsch and Butland (SIAM J. Sci. Stat.
 * Comput. 5(2), 1984), or by Steffen (Astronomy and Astrophysics 239, 1990).
 * The slopes are expressions of the ordinates: where these are parameters that
 * can be set, so can the table.
 *
 * All numbers of a table are the list of the function (expr/expr.h); if they
 * are constants, they belong to the function. The values are computed by
 * runtime/takt_rt_table.h, here and in generated code.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LUT_LUT_H
#define TAKT_LUT_LUT_H

#include "expr/expr.h"

/* The numbers of Modelica.Blocks.Types. */
typedef enum LutSmoothness {
    LUT_LINEAR = 1,
    LUT_AKIMA,
    LUT_CONSTANT,
    LUT_FRITSCH_BUTLAND,
    LUT_STEFFEN,
    LUT_MODIFIED_AKIMA,
} LutSmoothness;

typedef enum LutExtrapolation {
    LUT_HOLD = 1,
    LUT_LAST_TWO_POINTS,
    LUT_PERIODIC,
    LUT_NONE, /* as LUT_HOLD: the caller sees to it */
} LutExtrapolation;

enum { LUT_MOST_POINTS = 60000 }; /* arguments of a call that are a list */

typedef struct Lut {
    int kind, outside; /* TAKT_STEPS ..., TAKT_HOLD ... of takt_rt_table.h */
    int n, m;          /* points; m is 0 in one direction */
    const Expr *list;  /* size nlist */
    int nlist;
    bool has_jumps; /* some abscissae are equal */
} Lut;

/* Points (x[i], y[i]), two at least. The table lives in `arena`. */
const Lut *lut_new(Dag *d, const Expr *x, const Expr *y, int n,
                   LutSmoothness smoothness, LutExtrapolation extrapolation,
                   Arena *arena);
/* z[i * m + j] over x[i] and y[j], two at least of each; smoothness is linear,
 * constant or Akima. */
const Lut *lut_new2(Dag *d, const Expr *x, int n, const Expr *y, int m,
                    const Expr *z, LutSmoothness smoothness,
                    LutExtrapolation extrapolation, Arena *arena);

/* Derivative number `order` at u; 0: the value. */
Expr lut_value(Dag *d, const Lut *t, int order, Expr u);
/* The same over time: after a jump with side 1, before it with side -1. */
Expr lut_value_over_time(Dag *d, const Lut *t, int order, Expr u, Expr side);
/* Derivative number i by u and j by v. */
Expr lut_value2(Dag *d, const Lut *t, int i, int j, Expr u, Expr v);
/* The first of n ascending numbers that is more than u; a very large number if
 * there is none. Periodic: from x[0] to x[n-1], again and again. n > 1. */
Expr lut_next(Dag *d, const Expr *x, int n, bool is_periodic, Expr u);

/* Is `f` a function of a table? */
bool lut_is_table(const ExprFunction *f);
/* Then: between which numbers it stays while its plain arguments stay within
 * theirs; `list` are the numbers of the table. Without a bound where takt knows
 * none: cubics in two directions, their derivatives, periods of two. */
ExprRange lut_enclose(const ExprFunction *f, const ExprRange *plain,
                      const double *list);

#endif
