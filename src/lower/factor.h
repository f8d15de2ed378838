/* factor.h - static factorisations as expressions.
 *
 *   in    SchedBlock with its Jacobian, StaticLu with its pivots
 *   out   BlockFactor   the Newton correction, delta = J^-1 residual, and an
 *                       alarm > 0 where the factors are bad, if watched
 *   next  lower.h       obeys it
 *
 * The elimination is carried out on handles of the DAG instead of numbers. So
 * the factorisation is straight-line code like everything else: constants
 * fold, what depends on parameters only is computed once before the run, and
 * whatever the Jacobian shares with the residuals is computed once.
 *
 * factor_dense needs no pivots from samples: it looks for the largest entry of
 * each column at run time, and exchanges rows by selections, so that its work
 * is constant too. That pays for a few unknowns only.
 *
 * The alarm is that of num/table.h with sums of squares in place of maxima: a
 * pivot is what rounding left of a difference, or the factors have grown.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_FACTOR_H
#define TAKT_LOWER_FACTOR_H

#include "num/static_lu.h"
#include "schedule/schedule.h"

/* How fixed code solves the linear systems of a block: by tables, or by
 * expressions. All 0: by pivots that are looked for at run time. */
typedef struct BlockFactor {
    const struct FactorTable *table; /* num/table.h; or NULL */
    Expr *delta;   /* correction, over residuals and entries of the Jacobian;
                      or NULL */
    Expr alarm;    /* with delta, if is_watched: > 0 where factors are bad */
    Expr *partial; /* its sums in the order of the pivots, to be evaluated so */
    int npartial;
    bool is_watched;
    const double *weight; /* of each residual along a run: what 1 of it moves
                             the unknowns by, in their own sizes; NULL: not
                             known */
    struct FactorParts *parts; /* with delta: L and U, for other right-hand
                                  sides */
} BlockFactor;

/* What the elimination on expressions has left: to solve with it once more, by
 * the loops of factor.c. */
typedef struct FactorParts {
    const StaticLu *lu;  /* NULL: dense */
    const Expr *entry;   /* sparse: lu->nentry; dense: n * n, by rows */
    const Expr *inverse; /* of each pivot, */
    const Expr *pivot;   /* and the pivot itself */
    const Expr *swap;    /* dense: the condition of each exchange */
    int nswap;
    bool by_inverse; /* multiply by the inverse, or divide by the pivot */
} FactorParts;

/* Unknowns; of factor_least(), whose blocks have no other way. */
enum { FACTOR_DENSE_MOST = 8, FACTOR_LEAST_MOST = 16 };

typedef struct FactorOptions {
    bool watch;    /* make the alarm */
    bool refine;   /* one step of iterative refinement */
    bool is_float; /* the code will work in single precision */
    bool shared;   /* other blocks have the same matrix */
} FactorOptions;

/* Entry k of the Jacobian (by columns) is entry k of the tables. */
BlockFactor factor_unroll(Dag *dag, const SchedBlock *b, const StaticLu *lu,
                          const FactorOptions *options, Arena *arena);
/* For at most FACTOR_DENSE_MOST unknowns. */
BlockFactor factor_dense(Dag *dag, const SchedBlock *b,
                         const FactorOptions *options, Arena *arena);
/* The same for a linear block whose matrix may be singular in some modes: the
 * nearest solution then, if there is one (factor_least.c). */
BlockFactor factor_least(Dag *dag, const SchedBlock *b,
                         const FactorOptions *options, Arena *arena);

#endif
