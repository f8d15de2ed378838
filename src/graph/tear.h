/* tear.h - make a block of coupled equations smaller by tearing it.
 *
 *   in    TearProblem   a block of blt.h: n equations in n unknowns, which
 *                       equation may be solved for which unknown, and, where
 *                       known, the numbers of its Jacobian at some points
 *   out   Tear          which unknowns to iterate on (torn), in which order
 *                       the others follow from them, which equations are left
 *                       over as residuals, and what else was tried
 *   next  src/schedule/ builds the iteration from it
 *
 * If the torn unknowns are known, the other equations can be solved one by one
 * (L is lower triangular with the solved unknowns on its diagonal):
 *
 *                       solved   torn
 *       causal eqns   [   L       B   ]        solved = -L⁻¹ B torn + ...
 *       residual eqns [   C       D   ]        0 = (D - C L⁻¹ B) torn + ...
 *
 * Four ways to choose them:
 *
 *   cellier   the heuristic of Cellier and Kofman, Continuous System
 *             Simulation, ch. 7: of the equations with most open unknowns, the
 *             unknown that occurs in most open equations, and of those the one
 *             that lets most equations be solved; the equation becomes a
 *             residual
 *   modified  their modified form, 8.9: all open unknowns of those equations
 *   front     equations with fewest open unknowns first: all but one are torn.
 *             Finds very few torn unknowns, and often useless ones
 *   exact     the smallest number, by search over what can be known (branch
 *             and bound); for small blocks, within a limit of work
 *
 * The number of torn unknowns is not all. Growth, the largest entry of L⁻¹ B,
 * says how much an error in a torn unknown is blown up on the way. The heat
 * equation on 50 points can be torn with 2 unknowns and growth 1e53. A choice
 * whose growth exceeds the bound is refused and repaired: it is followed as
 * far as the bound allows, and where it does not, an unknown is torn more.
 * Every choice that was looked at is listed in the result.
 *
 * A penalised pivot (weight of the edge > 0: a division by the step size) is
 * used only where it saves more than it costs; see TearOptions.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_TEAR_H
#define TAKT_GRAPH_TEAR_H

#include "graph/incidence.h"

/* What a caller can say about an unknown. Other values rank it among equals:
 * unknowns of larger preference are torn rather (accelerations). */
enum {
    TEAR_MUST = 100,   /* is torn in any case */
    TEAR_NEVER = -100, /* is torn only where nothing else is possible */
};

typedef struct TearProblem {
    const Incidence *inc;      /* n x n. Class: may the equation be solved for
                                  the unknown? weight > 0: penalised */
    int nsample;               /* number of points with numbers, may be 0 */
    const double *value;       /* size nsample * nedge: value[s*nedge + k] is
                                  the derivative of edge k at point s. Scale
                                  by nominal values if units differ much */
    const signed char *prefer; /* size n, or NULL: all 0 */
} TearProblem;

typedef enum TearMethod {
    TEAR_CELLIER,
    TEAR_MODIFIED,
    TEAR_FRONT,
    TEAR_EXACT,
    TEAR_NMETHOD
} TearMethod;

typedef struct TearOptions {
    unsigned methods;    /* which to try, bits 1 << TearMethod */
    EdgeClass least;     /* the worst class that is solved for */
    double bound;        /* largest growth accepted, INFINITY: any */
    double penalty_cost; /* torn unknowns that a penalised pivot is worth: with
                            1, the default, none is used, for it can always be
                            torn instead; with 0 they are free */
    long work;           /* limit of the search, in edges looked at (1e8 is
                            about a second); 0: by the size of the block */
    int exact_limit;     /* largest block tried by `exact` */
} TearOptions;

/* All methods, EDGE_CONSTANT, bound 1e3, penalty 1, work by the size (0.3 s for
 * 100 equations), exact up to 150 equations. */
TearOptions tear_defaults(void);

/* One choice that was looked at. */
typedef struct TearAlternative {
    TearMethod method;
    bool penalties;       /* penalised pivots were allowed */
    bool repaired;        /* the growth bound was obeyed in the search */
    bool proven;          /* exact: no choice has fewer (growth aside) */
    int least;            /* exact: none has fewer than this */
    bool accepted;        /* growth within the bound */
    bool chosen;          /* this is the result */
    int ntorn;            /* number of torn unknowns */
    int npenalty;         /* penalised pivots used */
    double growth;        /* NAN without numbers */
    bool growth_is_bound; /* an upper bound: too large to compute */
} TearAlternative;

typedef struct Tear {
    int n;          /* size of the block */
    int ncausal;    /* n - ntorn */
    const int *eqn; /* size ncausal: solve eqn[k] for var[k], in order */
    const int *var; /* size ncausal */
    int ntorn;
    const int *torn;     /* size ntorn: unknowns to iterate on, ascending */
    const int *residual; /* size ntorn: equations left over, ascending */
    int npenalty;        /* pairs of (eqn, var) with weight > 0 */
    int nforbidden;      /* torn although TEAR_NEVER */
    double growth;
    bool growth_is_bound;
    int growth_var; /* the unknown that grows most, or NONE */
    TearMethod method;
    int nalternative;
    const TearAlternative *alternative;
} Tear;

/* Never fails: tearing everything is always possible. Blocks of more than
 * 1,000 equations are searched in near-linear time, with fewer alternatives
 * and with an upper bound in place of the growth. */
const Tear *tear_block(const TearProblem *p, const TearOptions *o, Arena *out);

/* The tearing by the given torn unknowns (a plan's): the others are solved as
 * far as they can be, what remains is torn too. */
const Tear *tear_given(const TearProblem *p, const TearOptions *o,
                       const int *torn, int ntorn, Arena *out);

typedef struct TearGrowth {
    double value;  /* NAN without numbers; INFINITY if a pivot is zero */
    bool is_bound; /* the row sums of |L|⁻¹|B|, which are not smaller */
    int var;       /* the solved unknown that grows most, or NONE */
    int torn;      /* the torn unknown it grows with (NONE with is_bound) */
    int sample;    /* the point where it does */
} TearGrowth;

/* Growth of a causal order, over all points of `p`. */
TearGrowth tear_growth(const TearProblem *p, const int *eqn, const int *var,
                       int ncausal);

const char *tear_method_name(TearMethod m); /* "cellier" ... */
/* Asserts that the order can be followed and that the counts agree. */
void tear_check(const TearProblem *p, const Tear *t);

#endif
