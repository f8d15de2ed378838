/* complex_step.h - derivatives by a step into the complex plane.
 *
 * f(x + i h) = f(x) + i h f'(x) + O(h^2): with h = 1e-100 the imaginary part is
 * the derivative, without subtraction and without any rule of differentiation
 * (Squire and Trapp, SIAM Review 40(1), 1998). Bounds for the rounding of
 * doubles are carried along to first order, by moving each argument by its own
 * bound; the numbers are long doubles, whose rounding is far below that.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_COMPLEX_STEP_H
#define TAKT_TESTS_COMPLEX_STEP_H

#include "prop/expr/interval.h"

/* The derivative of `e` in the direction in which variable v of order k moves
 * with speed[v][k] and time with time_speed. */
Interval complex_step(const Dag *d, Expr e, const Point *p,
                      double speed[NVAR][NORDER], double time_speed);

#endif
