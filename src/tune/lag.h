/* lag.h - where a block may work with old information.
 *
 *   in    LagBlock   a block of a schedule: who occurs where, with numbers
 *   out   LagList    small sets of occurrences without which it falls apart,
 *                    each with what it costs in convergence
 *   next  the plan: cuts of kind "step" or "iterate"
 *
 * Let A be the Jacobian of the block and B = A without some entries (the cut).
 * Two kinds of lag ("delay of information" in plans and options, which is not
 * Modelica's delay()) use B (Gustafsson 2021, 5.3, 5.4, 6):
 *
 *   between iterations   residuals stay exact, the iteration matrix is B. The
 *                        error of an iterate is multiplied by
 *                            G = I - B^-1 A = B^-1 (B - A)
 *                        With A + UCV = B this is his matrix in (105), by
 *                        Woodbury's identity. It converges if and only if the
 *                        spectral radius is below 1; the norm is a sufficient
 *                        test only, and depends on the units of the unknowns.
 *                        The number of iterations comes from |G^k|.
 *   between steps        the equation itself takes the value of the last step.
 *                        One solve, but another discretisation: with C the
 *                        derivatives by the old values, a step multiplies
 *                        errors by R = -B^-1 (C + A - B), without the delay by
 *                        R0 = -A^-1 C. What the equations without old values
 * have left over is logged in a run (his question in 8).
 *
 * All figures are the worst over all samples, the kept-back ones too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNE_LAG_H
#define TAKT_TUNE_LAG_H

#include "graph/incidence.h"
#include "schedule/schedule.h"
#include "tune/pencil.h"

/* n equations with n unknowns, one strong component. Edge k is an occurrence of
 * unknown inc->var[k] in the equation whose places hold k. */
typedef struct LagBlock {
    int n;
    const char **eqn;     /* size n: names as in a plan */
    const char **var;     /* size n */
    const Incidence *inc; /* n x n */
    const bool *allowed;  /* size nedge: may it be cut? NULL: all. Edges of
                             unknowns without a value at t_n may not. */
    int nsample;
    const double *value;   /* nsample * nedge: A, sample after sample */
    const double *old;     /* nsample * n * n by columns: C, the derivative by
                              the value at t_n of the same unknown; NULL: not
                              known, then step radii are NaN */
    const bool *kept_back; /* size nsample, or NULL: none */
} LagBlock;

typedef struct LagCut {
    int nedge;
    const int *edge;         /* of the block, ascending */
    const char **eqn, **var; /* size nedge: names for the plan */
    int nblock;              /* blocks that are left */
    const int *size;         /* size nblock, descending */
    bool parallel;           /* no block needs another: as in the circuit of
                                5.3, they can be solved at the same time */
    /* between iterations */
    double norm;    /* (105), the 2-norm of G */
    double radius;  /* of G */
    int iterations; /* smallest k with |G^k| <= tolerance; NONE: more than
                       most_iterations */
    double work;    /* estimate: factors of the blocks once, `iterations`
                       solutions; INFINITY where there is no number */
    /* between steps */
    double step_radius; /* of R */
    double step_work;   /* estimate: factors and one solution */
    bool step_sound;    /* step_radius <= max(1, own) (1 + margin) in every
                           sample */
} LagCut;

typedef struct LagOptions {
    double tolerance;    /* of an iterate, default 1e-6 */
    int most_iterations; /* default 1000 */
    int most_edges;      /* of a cut, default 2 */
    int most_cuts;       /* kept in the list, default 20 */
    double margin;       /* default 1e-3 */
    long work;           /* limit of the search for cuts, default 1e8 */
} LagOptions;

typedef struct LagList {
    double own_radius; /* of R0, largest; NaN without `old` */
    double full_work;  /* estimate without a cut */
    int n;
    const LagCut *cut; /* converging ones first; then the smaller largest
                            block, fewer edges, smaller radius */
    bool complete;     /* false: the search was ended by its limit */
} LagList;

LagOptions lag_defaults(void);
const LagList *lag_find(const LagBlock *b, const LagOptions *o, Arena *arena);
/* The figures of one cut (edges of the block, ascending). Returns false if the
 * block has no matching without them, or B is singular in a sample. */
bool lag_judge(const LagBlock *b, const int *edge, int nedge,
               const LagOptions *o, LagCut *cut, Arena *arena);
/* The edge of an equation and an unknown by their names, or NONE. */
int lag_edge(const LagBlock *b, const char *eqn, const char *var);

/* A block of a schedule, torn or not: all its equations with all its unknowns,
 * as they stand in the system. Values come from `samples`, at the times `time`
 * (NULL: 0); samples in which an entry is not finite are left out. NULL if no
 * sample is left, or the block is an assignment. Everything lives in `arena`;
 * new expressions in the DAG. */
LagBlock *lag_from_schedule(const Schedule *s, int block,
                            const SchedSamples *samples, const double *time,
                            const bool *kept_back, Arena *arena);

/* The blocks of the iteration matrix L - tau Df, as a plan with `algebraic` of
 * the pencil iterates on them: cuts found here are places that "iterate" cuts
 * can name. Cuts of kind "step" are named by the equations of the model: take
 * lag_from_schedule() for them. Blocks of one unknown are left out; *n is the
 * number of the others, the largest first. */
LagBlock **lag_from_pencil(const PencilSet *p, double tau, int *n,
                           Arena *arena);

/* Writes a cut into a plan: CUT_STEP, or CUT_ITERATE with as many Newton
 * iterations as it needs (and no fewer than the plan has). */
void lag_to_plan(const LagCut *cut, PlanCutKind kind, Plan *plan, Arena *arena);

#endif
