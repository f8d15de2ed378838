/* inline.h - put the integration method into the equations of the model.
 *
 *   in    Dae + Plan    the index-1 system, and the method as data
 *         Sys + Plan    --direct: a system of any index
 *   out   Inlined          difference equations (inlined.h)
 *   next  schedule.h    orders and tears them
 *
 * One mechanism serves all methods (Cellier, Kofman 8.5, 8.6). The equations of
 * the model are instantiated once per stage, with every quantity VAR(v, k)
 * replaced by the unknown that stands for it in that stage, and an integration
 * formula is added for each state and stage:
 *
 *   Runge-Kutta   X_i = x_n + h sum_j a_ij X'_j          stage i
 *                 x_{n+1} = x_n + h sum_j b_j X'_j       IE_ADVANCE, and the
 *                 model once more at t_{n+1}; both fall away if the method is
 *                 stiffly accurate: then the last stage is the end of the step.
 *                 A first stage with c_1 = 0, a_1j = 0 has the values at t_n,
 *                 which the step before has left; it has no equations.
 *   multistep     sum alpha_k x_{n+1-k} = h sum beta_k x'_{n+1-k}, old values
 *                 as known entries; the start method gives them
 *   one-leg       X = sum beta_k x_{n+1-k}, h X' = sum alpha_k x_{n+1-k}, the
 *                 model at (X, X'), then once more at t_{n+1}
 *
 *   Rosenbrock    stages by rosenbrock.c: the model at known points, and linear
 *                 equations for increments
 *
 * A state with mode "explicit" in the plan takes X_i = x_n + c_i h x'_n in
 * every stage. A cut of kind "step" replaces the variable in that equation by
 * its old value.
 *
 * Equations that only say that one quantity is another (der(x) = v) are taken
 * out, unless keep_aliases.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INLINE_INLINE_H
#define TAKT_INLINE_INLINE_H

#include "inline/inlined.h"

typedef struct InlineOptions {
    bool keep_aliases;
    bool order_buildup; /* multistep methods start with those of lower order
                           (it costs order) instead of Runge-Kutta */
    bool write_newton;  /* methods with one iteration: the equations are those
                           of the iteration, whoever solves them (newton.c) */
} InlineOptions;

/* The difference equations of `dae` with the method `m` (plan->method is not
 * read). `m` of kind MK_NONE gives the event system only. Everything lives in
 * `arena`; new expressions in the DAG of the Dae. NULL after reports: a state
 * or equation named in the plan that does not exist, or a mode the method
 * cannot have. */
Inlined *inline_dae(const Dae *dae, const Plan *plan, const Method *m,
                    const InlineOptions *options, Arena *arena, Diag *diag);
/* The same for a system of any index. The states are all variables whose
 * derivative occurs. */
Inlined *inline_sys(const Sys *sys, const Plan *plan, const Method *m,
                    const InlineOptions *options, Arena *arena, Diag *diag);

#endif
