/* schedule.h - order a system of equations into blocks and tear them.
 *
 *   in    Inlined, one of its systems, Samples    equations and unknowns
 *   out   Schedule                             blocks, first to solve first
 *   next  lower/                               Schedule -> Tape
 *
 * One function serves every system that has to be solved: a step, the model as
 * it is (event), the initialisation, the parameters.
 *
 * 1. Which unknown occurs in which equation, and can it be solved for
 *    (solve.h): linearly, with a factor that cannot vanish.
 * 2. Matching and strong components (graph/blt.h) give the blocks.
 * 3. A block of one equation that can be solved for its unknown is an
 *    assignment. All others are torn (graph/tear.h): iteration variables are
 *    chosen so that the other unknowns follow one after the other, within the
 *    bound on growth at the step in use.
 * 4. The Jacobian of the residuals by the iteration variables, through the
 *    chain of assignments, as expressions.
 * 5. Linear blocks of up to three iteration variables are solved symbolically
 *    where that needs fewer operations.
 *
 * To evaluate a schedule, go through the blocks in their order:
 *
 *   SK_ASSIGN     var[torn..] none: chain[0] is the assignment
 *   SK_SOLVED     torn[k] := solution[k] for all k, then the chain
 *   SK_CONSTANT, SK_LINEAR
 *                 chain at the current torn values, residuals r, Jacobian J;
 *                 J d = -r; torn += d; chain again. One pass is exact. For
 *                 SK_CONSTANT, J depends on parameters and h only, and can be
 *                 factorised before the first step.
 *   SK_NONLINEAR  the same, repeated: Newton
 *
 * then `tail`. Jacobian entries are valid after the chain was evaluated at the
 * current torn values: they mention its variables as leaves.
 *
 * In the systems of a step the plan's `algebraic` says what is iterated on
 * (view.c): the states alone, with torn variables, with all algebraic ones; by
 * default the cheapest of these and the tearing of point 3.
 *
 * Growth of a tearing: the largest intermediate value per unit of a torn
 * variable over the samples; a tearing beyond the bound is refused and more
 * variables are torn (an untorn block has growth 1).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SCHEDULE_SCHEDULE_H
#define TAKT_SCHEDULE_SCHEDULE_H

#include "inline/inlined.h"

typedef enum SchedKind {
    SK_ASSIGN,   /* one unknown := expression */
    SK_SOLVED,   /* linear, solved symbolically */
    SK_CONSTANT, /* linear, the matrix depends on parameters and h only */
    SK_LINEAR,   /* linear, the matrix varies with time or old values */
    SK_NONLINEAR,
    SK_NKIND
} SchedKind;

typedef struct SchedAssign {
    int var;    /* entry of the Inlined table */
    int eqn;    /* equation of the system that was solved for it */
    Expr value; /* over known entries, torn ones and earlier assignments */
} SchedAssign;

/* Entry k stands in column j for start[j] <= k < start[j+1], row[k] ascending.
 * Row i belongs to residual i, column j to torn variable j. */
typedef struct SchedJacobian {
    int n; /* columns: ntorn of the block */
    int nnz;
    const int *start;              /* size n+1 */
    const int *row;                /* size nnz */
    const Expr *value;             /* size nnz: derivative of the residual */
    const unsigned char *variance; /* size nnz: SchedVariance */
} SchedJacobian;

/* What the value of an expression depends on; each includes the ones before. */
typedef enum SchedVariance {
    SV_NUMBER,    /* nothing */
    SV_PARAMETER, /* parameters and the step size: fixed during a run */
    SV_STEP,      /* time, inputs, old values, relations, earlier blocks: fixed
                      during the iteration of this block */
    SV_UNKNOWN,   /* unknowns of the block */
} SchedVariance;

typedef struct SchedAlternative {
    const char *name; /* "cellier", "modified", "exact", "structure alone";
                         "tear", "solve", "keep-small", "keep" */
    int ntorn;
    double growth; /* NaN: not computed */
    bool chosen;
    bool refused;  /* growth beyond the bound */
    bool is_shown; /* what --tearing exact has found, chosen or not */
    double cost;   /* of the block with it, in operations; NaN: not counted */
} SchedAlternative;

/* An algebraic loop inside a chain: places first .. first+n-1 of the chain.
 * A linear one is solved by elimination, a small nonlinear one by a fixed
 * number of iterations. The values are expressions over what comes before. */
typedef struct SchedLoop {
    int first, n;
    int niteration; /* 0: linear */
    int nnz;        /* entries of its matrix */
    long flops;     /* of one factorisation and solution */
    const struct StaticLu *lu;
    Expr *entry, *inverse; /* its factors, as in num/static_lu.h */
} SchedLoop;

/* From the point where a step ends to that where the next one begins to iterate
 * only known values change. Residual i changes by the sum of value[k] times the
 * change of leaf[k], k = start[i] .. start[i+1]-1, and by jumps. */
typedef struct SchedDrift {
    int *start;
    Expr *leaf, *value; /* time, inputs, old values, earlier blocks */
    Expr *jump;         /* relations and discrete variables, size njump */
    int njump;
} SchedDrift;

/* A variable whose equation has old values by the plan, and what that equation
 * alone would move it by with the new ones: to first order the sum of share
 * times change. */
typedef struct SchedLagged {
    int var; /* entry of the Inlined table */
    Expr correction;
    int nlag; /* NONE: it cannot be differentiated */
    Expr *share, *change;
} SchedLagged;

typedef struct SchedBlock {
    SchedKind kind;
    PlanAlgebraic view; /* PA_TEAR: torn as it comes; PA_AUTO: assignment */
    int nstate;         /* the first torn variables are states, with their
                           integration formulas as residuals, in the same
                           order; 0 where view is PA_TEAR */
    int size;           /* equations = unknowns */
    int nchain;         /* size - ntorn */
    SchedAssign *chain; /* in the order of evaluation */
    SchedLoop *loop;    /* loops solved inside the chain */
    int nloop;
    int ntorn;         /* 0 for SK_ASSIGN */
    int *torn;         /* entries of the Inlined table */
    int *residual_eqn; /* equations of the system, size ntorn; then NONE */
    Expr *residual;    /* lhs - rhs, size ntorn; then the invariants */
    int ninvariant;    /* more residuals than unknowns: the correction is that
                          of least squares (invariants.c) */
    bool *bends;       /* SK_NONLINEAR, size ntorn: one solution leaves
                          something over of this residual, as it is not
                          linear or its row of the matrix was cut; else
                          NULL */
    SchedAssign *chain_from_zero; /* linear blocks: chain and residuals where */
    Expr *residual_from_zero;     /* all of `torn` are 0; NULL: not made */
    SchedJacobian jac;            /* n = 0 for SK_ASSIGN */
    bool has_no_matrix; /* fixed points: jac is a diagonal (fixed_point.c) */
    SchedDrift *drift;  /* where the plan's `defect` is cheap and there is one
                           iteration in a step; else NULL */
    Expr *solution;     /* SK_SOLVED: size ntorn, else NULL */
    bool is_torn;       /* false: every unknown is iterated (sparse) */
    bool may_be_undetermined; /* linear: in some modes it has many solutions
                                 (undetermined.c) */
    double cost;              /* in operations per step; NaN: not counted */
    double growth;            /* 1 if nothing was torn; NaN: no numbers */
    int ndivide_by_step;      /* assignments of the chain that divide by h */
    SchedAlternative *alternative;
    int nalternative;
    int nrefused; /* alternatives with fewer variables that were refused
                     because of their growth */
} SchedBlock;

enum {
    SCHED_UNDETERMINED_MOST = 100
}; /* unknowns of a block that is looked at
      for may_be_undetermined */

/* Residuals of a block. */
static inline int sched_nrow(const SchedBlock *b)
{
    return b->ntorn + b->ninvariant;
}

/* Why the schedule is as it is, for people. */
typedef enum SchedNoteKind {
    SN_DIVIDES_BY_STEP, /* assignment of `var` divides by h: no other way */
    SN_ASSUMES_NONZERO, /* `var` is a parameter taken to be non-zero */
    SN_MAY_VANISH,      /* assignment of `var` divides by something that takt
                           cannot tell from 0: no other way */
    SN_GROWTH_REFUSED,  /* block: a smaller tearing was refused */
    SN_LEFT_UNTORN,     /* block: too large to tear, solved as sparse */
    SN_KEPT,            /* `var` stays in the iteration: the algebraic loop it
                           belongs to is not linear */
    SN_NO_VIEW,         /* block: has not the form that the plan's `algebraic`
                           asks for */
} SchedNoteKind;

typedef struct SchedNote {
    SchedNoteKind kind;
    int block, var, eqn; /* NONE where it does not apply */
} SchedNote;

/* Which unknown occurs in which equation of the system, for pictures: equation
 * i has the places start[i] .. start[i+1]-1. */
typedef struct SchedEdges {
    const int *start;              /* size neqn+1 */
    const int *var;                /* entries of the Inlined table */
    const unsigned char *solvable; /* can the equation be solved for it? */
} SchedEdges;

typedef struct Schedule {
    const Inlined *inlined;
    const InlinedSystem *system;
    SchedBlock *block;
    int nblock;
    SchedAssign *tail; /* aliases (InlinedSystem.alias), after the blocks */
    int ntail;
    SchedNote *note;
    int nnote;
    SchedEdges edges;
    SchedLagged *lagged; /* size nlagged */
    int nlagged;
    int nassign;    /* blocks that are assignments */
    int largest;    /* size of the largest block */
    int niteration; /* torn unknowns over all blocks, symbolically solved
                       ones included */
    double growth;  /* largest of the blocks; 1 if none is torn */
} Schedule;

/* Numbers to judge pivots and growth by: value[k][i] is entry i of the Inlined
 * table in sample k. */
typedef struct SchedSamples {
    int nsample;
    int nfew; /* so many serve where switches change no slope much */
    const double *const *value;
} SchedSamples;

typedef struct SchedOptions {
    PlanTearer tearer;       /* from the plan or the command line */
    double growth_bound;     /* 1e3 */
    PlanAlgebraic algebraic; /* of the systems of a step */
    bool one_block;          /* all implicit states of a stage in one block, be
                            they coupled or not: for tune, and for plans
                            with cuts of the iteration matrix */
    bool solve_symbolic;     /* small linear blocks */
    bool jacobian;           /* make the Jacobians (not needed for pictures) */
    bool drift;              /* and SchedBlock.drift, likewise */
    const struct Schedule *step; /* that of a step, for the events; or NULL */
} SchedOptions;

SchedOptions schedule_options(const Plan *plan);

/* The start point, by sys_start_values(), with the step size `step`;
 * derivatives are 0, old values equal the new ones. If the model has switches
 * (relations, Booleans), the same with some of them the other way. NULL after
 * reports. */
SchedSamples *schedule_start_samples(const Inlined *d, double step,
                                     Arena *arena, Diag *diag);

/* The schedule of a system of `d`. NULL after reports: no complete matching (it
 * is explained with the equations and unknowns involved), or a forced choice
 * in the plan that cannot be met. Lives in `arena`; `samples` may be NULL (no
 * numbers: growth is unknown, structure alone decides). */
const Schedule *schedule_make(const Inlined *d, const InlinedSystem *system,
                              const SchedSamples *samples,
                              const SchedOptions *options, Arena *arena,
                              Diag *diag);

/* The block of the step that holds all implicit states, or NULL: for a schedule
 * made with `whole` of a method with one implicit stage. */
const SchedBlock *schedule_state_block(const Schedule *s);

/* The kind of the equations of a block, SK_SOLVED looked through. */
SchedKind sched_block_kind(const SchedBlock *b);
const char *sched_kind_name(SchedKind kind);       /* "linear" */
void schedule_print(const Schedule *s, FILE *out); /* --dump=schedule */
void schedule_check(const Schedule *s);

#endif
