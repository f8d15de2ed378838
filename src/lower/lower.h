/* lower.h - from schedules to a tape.
 *
 *   in    Inlined, a Schedule for each of its systems
 *   out   Lowered   a Tape, and where the quantities live in it
 *   next  tape/exec.h runs it, emit/ writes it as C
 *
 * Every entry of the Inlined table that is used gets a slot. Expressions become
 * instructions; an expression that occurs twice in a segment is computed once.
 * What depends on parameters and the step size only is moved to the segment
 * `param`, which runs once; what does not change during the iteration of a
 * block is computed before it. Segments:
 *
 *   param        dependent parameters and everything moved there
 *   init         the initialisation system (damped)
 *   first        moves initial values to the old values of the first step
 *   SYSTEM       the schedule of each other system under its name: step, ...
 *   rates        that of the events once more, iterated to convergence
 *   carry.SYSTEM what moves from one step to the next after that system
 *   relations    the present value of each frozen relation
 *   sides        what each of them compares, for runs at the desk
 *   gaps         the same for those whose own value decides on it (modes.c)
 *   catch-up.*   before and after a step and its events (catch_up.c)
 *   actions      reinit, assert and terminate of when clauses
 *   asserts      conditions of assertions
 *   lagged       what equations with lagged variables have left over
 *   singular     is the model singular at this point? (singular.c)
 *   output       variables that only a reader wants
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_LOWER_H
#define TAKT_LOWER_LOWER_H

#include "lower/factor.h"
#include "schedule/schedule.h"
#include "tape/tape.h"

typedef struct LowerOptions {
    int newton;        /* iterations of nonlinear blocks where the system does
                          not prescribe them; 0: 3 */
    const SysSet *set; /* parameters set by the user: their bindings are not
                          evaluated */
    int nset;
    const BlockFactor *const *factor; /* of each block of each system, or NULL
                                         for a system, or for all: fixed code
                                         in place of pivoting */
    bool keep_guess; /* initialisation begins where the slots stand, not at
                        start values that depend on parameters */
    bool reference;  /* make LoweredReference too */
    bool sides;      /* and the segment `sides` */
    bool rates;      /* and the segment `rates` */
    bool damping;    /* of algebraic unknowns in steps */
    PlanDefect defect;
    const double *size; /* of each entry along a run, or NULL */
    const double *push; /* of each state of the Dae: what 1 more in the drive of
                           its increment moves the states by, over their sizes;
                           or NULL */
} LowerOptions;

/* Limits of the defect (lower/defect.c). */
static const double DEFECT_FAILED = 0.1, DEFECT_DOUBTFUL = 0.01;
static const double DEFECT_SLOW = 0.001; /* where the next correction would
                                            not be much smaller */
/* The next correction is not much smaller: this many times it is more than the
 * last one. With factors of the step's begin it is a quarter of that at a
 * double root, where two solutions meet. */
static const double DEFECT_STAYS = 4.5;
static const double DEFECT_FORGETS = 0.99; /* a step, of what values were */
static const double DEFECT_MARGIN = 1.5;   /* over what a plan has seen */

/* The segments of one system of the Inlined. */
typedef struct LoweredSystem {
    TapeSegment run;
    TapeSegment carry;
    int eta, fall; /* slots: defect of the step where no block has it, and the
                      correction made; 0: none */
} LoweredSystem;

typedef struct LoweredAction {
    int active; /* slot: not 0 when the action happens */
    int value;  /* FA_REINIT: slot of the new value */
    int target; /* FA_REINIT: slot of the state at the end of the step */
} LoweredAction;

/* The model as F(t, y, y') = 0, for integrators with a step of their own. */
typedef struct LoweredReference {
    int n;         /* unknowns: the states first */
    int *y;        /* their slots */
    int *yp;       /* slots of the states' derivatives, NONE for the others */
    int *residual; /* slots */
    int nnz;
    int *row, *col; /* of each entry */
    bool *is_yp;    /* the entry is a derivative by y' */
    int *entry;     /* slots */
    int nu; /* inputs, and their derivatives where equations have them */
    int *u; /* their entries of the Inlined table */
    int nnz_u;
    int *row_u, *col_u; /* of each entry of dF/du; col_u counts in u */
    int *entry_u;       /* slots */
    TapeSegment eval, jacobian;
    Expr *residual_expr;
    const Expr *entry_expr; /* EXPR_NONE: a function without a derivative */
    const Expr *entry_u_expr;
} LoweredReference;

/* The attributes min and max of a variable: slots, min and max computed by
 * `asserts`; NONE: not given. */
typedef struct LoweredBound {
    int sys_var;
    int value, min, max;
} LoweredBound;

/* What a relation compares, lhs < rhs, or the argument of floor and the like
 * (div: both): slots that `sides` computes; NONE: there is none. */
typedef struct LoweredSides {
    int lhs, rhs;
} LoweredSides;

/* A relation within a loop: its value decides on what it compares. */
typedef struct LoweredMode {
    int relation;
    int group;    /* the loop, from 0; relations of a group stand in a row */
    int lhs, rhs; /* slots that `gaps` computes */
    double even;  /* its value where both are equal */
    int stays; /* slot: it has changed where a block of its loop may have many
                  solutions, and both were equal ever since; NONE: none may */
} LoweredMode;

/* sample(start, interval): slots that `relations` computes. */
typedef struct LoweredSample {
    int start, interval;
    Expr e;
} LoweredSample;

/* What states do to catch up on late events (catch_up.c). */
typedef struct LoweredCatchUp {
    bool is_there;     /* the plan asks for it, and the model has such events */
    TapeSegment start; /* at the first point */
    TapeSegment begin; /* before a step */
    TapeSegment end;   /* after its solution, before events */
    TapeSegment after; /* after them */
} LoweredCatchUp;

typedef struct Lowered {
    const Tape *tape;
    const Inlined *inlined;
    int *slot;    /* of each entry of the Inlined table, NONE: not used */
    int *pre;     /* slot of pre(v) for each entry, NONE: nobody asks */
    int initial;  /* slots of flags: 1 during initialisation, */
    int terminal; /* at the last point, */
    int sampling; /* and while sample() may be true */
    int lambda;   /* homotopy: 1 is the actual model */
    LoweredSystem *system; /* one for each system of the Inlined */
    TapeSegment rates;     /* empty: not asked for */
    TapeSegment first, relations, actions, asserts, lagged, output;
    TapeSegment singular; /* empty: not asked for, or nothing can be */
    int *relation_now;    /* slot of each relation's present value */
    int *relation_after;  /* the same, but of time alone: just after the present
                             point, by `after` */
    TapeSegment after;
    LoweredSides *side; /* of each relation; NULL: not asked for */
    TapeSegment sides;  /* computes them */
    LoweredMode *mode;  /* relations within loops of the event system; size
                           nmode */
    int nmode;
    LoweredMode *init_mode; /* and of the initial system */
    int ninit_mode;
    TapeSegment gaps; /* computes what both compare */
    LoweredCatchUp catch_up;
    int *delay_now;        /* slot of each delayed expression's present value */
    int *delay_time;       /* slot of its delay */
    LoweredAction *action; /* of Sys.action */
    int **set_entry;       /* slots of the entries of each set of states */
    TapeSegment sets;      /* computes them */
    int *assertion;        /* slot of each Sys.assertion's condition */
    Vec(int) memory;       /* slots of what watches over steps, 0 at a start */
    int *lagged_now;       /* slot of each Inlined.lagged's residual */
    int *initial_assertion; /* and of each of those for the start */
    LoweredBound *bound;    /* variables with min or max; size nbound */
    int nbound;
    LoweredReference *reference; /* NULL: not asked for */
    bool has_sample;             /* some expression uses sample() */
    bool has_terminal;           /* or terminal() */
    LoweredSample *sample;       /* each sample(); size nsample */
    int nsample;
} Lowered;

/* Lowers the schedules; schedule[s] belongs to inlined->system[s] and may be
 * NULL for a system that is not wanted. Everything lives in `arena`. Cannot
 * fail. */
const Lowered *lower(const Inlined *inlined, const Schedule *const *schedule,
                     const LowerOptions *options, Arena *arena);

/* The slot of what entry old(x) is after an event: x, which may be an input, or
 * NONE. */
int lower_source(const Lowered *low, int entry);

#endif
