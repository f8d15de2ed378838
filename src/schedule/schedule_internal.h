/* schedule_internal.h - what the files of schedule.h share.
 *
 *   sign_variance.c       signs and variance of expressions
 *   edges.c               which unknown occurs in which equation, and how
 *   merge.c               all states in one block
 *   invariants.c          equations beyond those that determine a step
 *   tearing.c             one block: choice of iteration variables
 *   view.c                the plan's choices: states, torn, all algebraic ones
 *   prices.c              what a tearing costs
 *   cheapest_iteration.c  of several ways to iterate, the cheapest
 *   convergence.c         does Newton converge with these variables?
 *   modes.c               what a mode switches, in the blocks of events
 *   later_stages.c        a block of a later stage like that of the first
 *   eliminate.c           linear loops inside a chain
 *   from_zero.c           linear blocks that begin at 0
 *   nonlinear_loop.c      small nonlinear loops inside a chain
 *   cuts.c                entries that the plan takes out of the matrix
 *   jacobian.c            derivatives of the residuals through the chain
 *   symbolic.c            small linear blocks in closed form
 *   cost.c                what a block costs per step
 *   formulation.c         networks as circuit simulators treat them
 *   spanning.c            a tree of the branches of a network
 *   fixed_point.c         iterations without a matrix
 *   schedule.c            the order of all this
 *   explain.c             why a system has no complete matching
 *   print.c               the schedule as text
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SCHEDULE_INTERNAL_H
#define TAKT_SCHEDULE_INTERNAL_H

#include "base/vec.h"
#include "graph/blt.h"
#include "graph/tear_price.h"
#include "expr/ops.h"
#include "schedule/schedule.h"

typedef struct Signs Signs;
typedef struct Cuts Cuts;
typedef struct Roles Roles;

/* A loop that was torn: two views have the same ones. */
typedef struct TornLoop {
    int n, rule;
    const int *eqn, *var; /* of the system */
    const Tear *tear;
} TornLoop;

typedef struct Maker {
    const Inlined *d;
    Dag *dag;
    const InlinedSystem *system;
    const SchedSamples *samples; /* NULL: no numbers */
    SchedOptions options;
    Signs *signs;
    int *column;          /* by entry: number of the unknown, NONE: known */
    Expr *residual;       /* by equation: lhs - rhs; EXPR_NONE if the sides
                             are not Real */
    const Incidence *inc; /* equations x unknowns; weight 1: solving for it
                             divides by the step size */
    Expr *slope;          /* by edge: derivative of the residual; EXPR_NONE:
                             unknown or not differentiable */
    bool *jumps;          /* by edge: the unknown stands below sign, floor, a
                             relation: the slope does not show all of it */
    int *inside;          /* by edge within a block: its number, else NONE */
    int ninside;          /* number of them */
    double *value;        /* nsample * ninside: their slopes, or NULL */
    const Blt *blt;
    int *block_of;     /* by unknown */
    int joined;        /* block that the invariants join, NONE: none */
    IncidenceMap map;  /* for incidence_part() */
    bool *is_velocity; /* by variable of Sys: it is the derivative of
                          another by an equation der(x) = v */
    Roles *roles;      /* of a network, if the plan has a formulation of it */
    Cuts *cuts;        /* of the plan, made when asked for */
    bool *is_obeyed;   /* by tearing of the plan; likewise */
    bool *is_read;     /* by entry: outside of its block; likewise */
    double *cancel;    /* places of edges_cancel(), for so many handles */
    int ncancel;
    Vec(int) leader; /* blocks of increments that were torn */
    Vec(TornLoop) torn_loop;
    Vec(SchedBlock) block;
    Vec(SchedNote) note;
    Arena *arena; /* of the result */
    Arena *work;
    Diag *diag;
    bool failed;
} Maker;

/* ---- sign_variance.c ---- */
Signs *signs_new(Maker *m);
/* Can the value of e be told from 0? Parameters keep the sign of their value;
 * those that were relied on are noted. */
bool sign_nonzero(Signs *s, Expr e);
/* The same as a callback for expr_solve(); the context is the Signs. */
ExprNonzero sign_is_nonzero;
/* Is the entry a parameter of takt's own that selects states: 0 or 1, and
 * changed during a run? */
bool variance_is_selector(const Maker *m, int entry);
/* Does e vanish with the step size? */
bool sign_vanishes_with_step(Signs *s, Expr e);
/* What e depends on, seen from block `block`. */
SchedVariance variance_of(Signs *s, Expr e, int block);
/* Parameters whose sign was relied on since signs_new(): entries. */
int sign_assumed(const Signs *s, const int **entry);
/* Forgets those beyond the first n: a choice was not taken. */
void sign_forget(Signs *s, int n);
/* Notes the parameters that a sign which is used relies on. */
void sign_rely(Signs *s, Expr e);

/* ---- edges.c ---- */
void edges_find(Maker *m);
/* Does the residual depend on the unknown in a way that its slope does not
 * show? Then no block with both is linear. */
bool edges_bend(const Maker *m, int edge);
/* Can a factor of an unknown be 0, by a mode (a clutch that is locked) or at
 * the start, where everything is unknown? There nothing is divided by it: an
 * iteration finds the solution, or the nearest of many. */
bool edges_may_vanish(Maker *m, Expr factor);
/* At the start: is it 0 at the first sample, or what rounding leaves of 0? */
bool edges_cancel(Maker *m, Expr factor);
/* x from the equation, or EXPR_NONE. linear_only: not by inverse functions,
 * which may leave their domain on the way of an iteration. */
Expr edges_solve(Maker *m, int eqn, int unknown, bool linear_only);

/* Values of the slopes within blocks in all samples, per nominal value of the
 * unknown; the blocks are known. */
void edges_sample(Maker *m);
/* The values of some expressions in a point, by entry of the Inlined table. */
void edges_evaluate(const Maker *m, const Expr *root, int n,
                    const double *point, double *out);
/* The same in several points, in turn. */
typedef struct EdgesValues {
    const Maker *m;
    const Expr *root;
    int n;
    Expr *order; /* all that the roots need, arguments first */
    int norder;
    double *node; /* by handle */
} EdgesValues;

EdgesValues edges_values(const Maker *m, const Expr *root, int n, Arena *arena);
void edges_values_at(const EdgesValues *v, const double *point, double *out);
/* The same of one: costs what it visits. */
double edges_value_at(const Maker *m, Expr e, const double *point);
/* A point around the first sample: every value that can change is moved by up
 * to its size, at least by 1, so that an entry like sin(q) that happens to
 * vanish there is seen as what it is. `random` goes on from call to call. */
void edges_shake(const Maker *m, unsigned long long *random, double *point);
/* The value of an expression in the first sample, NaN without samples. */
double edges_value(const Maker *m, Expr e);

/* ---- cuts.c ---- */
/* The cut of the plan for the place of `entry` in an equation of the system
 * (kinds that change the iteration matrix only), or NULL. */
const PlanCut *cuts_of_plan(Maker *m, int eqn, int entry);
/* Does the plan leave 0 there? */
bool cuts_drop(Maker *m, int eqn, int entry);
/* Warns of cuts that no entry was found for. */
void cuts_report_unused(Maker *m);

/* Some equations and as many unknowns of the system, to be solved together. */
typedef struct Part {
    Maker *m;
    int block;
    int n;
    const int *eqn, *var; /* of the system, size n */
    const Incidence *inc;
    const int *edge; /* place of each edge in the whole */
    double *value;   /* slopes in all samples, scaled; NULL: no numbers */
    signed char *prefer;
} Part;

/* ---- tearing.c ---- */
Part part_new(Maker *m, int block, const int *eqn, const int *var, int n);
/* Of each entry of the Inlined table: which unknown of the part it is. */
int *part_places(const Part *p);
/* What is torn in any case. */
typedef enum PartRule {
    PART_ANY,       /* nothing */
    PART_STEEP,     /* what enters an exponential or the like */
    PART_NONLINEAR, /* what enters a nonlinear function */
} PartRule;
/* The best tearing of the part. */
const Tear *part_tear(Part *p, PartRule rule);
/* The same as a problem of tear.h, and how it is to be torn. */
TearProblem part_problem(Part *p, PartRule rule);
TearOptions part_options(const Part *p);
/* Every unknown is iterated on. */
void part_untorn(Part *p, SchedBlock *b);
/* Warns of tearings of the plan whose block is not torn (W1205). */
void tearing_report_unused(Maker *m);
void tearing_make(Maker *m, int block, SchedBlock *b);
/* The block in one way, with Jacobian and, if it is small and linear, its
 * solution: torn (PA_TEAR) by `t` or, if that is NULL, by the best tearing; or
 * as a view says. False if there is no such view: then it is torn as it comes,
 * or kept as a whole. */
bool tearing_make_as(Part *p, PlanAlgebraic how, const Tear *t, SchedBlock *b);

/* ---- alike.c ---- */
/* A tearing of a linear block of the events, as large as that of `b`, by more
 * unknowns that `step` iterates on too; NULL: there is none. */
const Tear *alike_tear(Part *p, const SchedBlock *b, const Schedule *step);

/* ---- modes.c ---- */
/* A tearing of a linear block of the events, torn as `b` and by the unknowns
 * that a mode switches; NULL: there are none, or it is not worth it. */
const Tear *modes_tear(Part *p, const SchedBlock *b);

/* ---- undetermined.c ---- */
/* Has the block many solutions in some combination of modes? */
bool undetermined_by_modes(Maker *m, const SchedBlock *b);

/* ---- view.c ---- */
/* Fills torn variables, residuals and chain as `how` says. False if the part
 * has no states, or its algebraic part no solution: nothing is changed then. */
bool view_make(Part *p, PlanAlgebraic how, SchedBlock *b);
/* The unknown that an equation of the system integrates, or NONE. */
int view_state_of(const Maker *m, int eqn);

/* ---- merge.c ---- */
/* The blocks with all implicit states of a stage in one. */
const Blt *merge_states(Maker *m, const Blt *blt);
/* The same of all of a network, if the plan has a formulation of it. */
const Blt *merge_network(Maker *m, const Blt *blt);

/* Is this the formula of a state that needs more than what is known? An
 * explicit one does not: it is an assignment. */
bool merge_is_implicit(const Maker *m, int eqn);

/* The blocks with is_member set as one, with what lies between them; its number
 * in *at. */
const Blt *merge_blocks(Maker *m, const Blt *blt, bool *is_member, int *at);

/* Do the stages of the method wait for one another? */
bool merge_has_waiting_stages(const Method *m);

/* ---- invariants.c ---- */
/* The blocks with those that the invariants of the system join in one, whose
 * number is m->joined. */
const Blt *invariants_merge(Maker *m, const Blt *blt);
/* Adds the invariants to the residuals of their block, when all are made. */
void invariants_join(Maker *m);

/* ---- formulation.c ---- */
/* NULL: the system has no network, or the plan no formulation of it. */
Roles *roles_new(Maker *m);
/* Is the unknown a potential, a voltage or a flow of the network? */
bool formulation_is_member(const Maker *m, int unknown);
/* What the formulation iterates on; NULL: the part is not of the network. */
const Tear *formulation_tear(Part *p);
/* The unknown from an equation, divided by parameters that are not known to be
 * other than 0 whatever they are set to; EXPR_NONE: that is not what stands
 * there, or the plan has no formulation. */
Expr formulation_divide(Maker *m, int block, int eqn, int unknown);
/* The equation of the flat model that this one is, or NONE. */
int formulation_flat_eqn(const Maker *m, int eqn);

/* ---- spanning.c ---- */
/* Marks unknowns of the part: flows of branches outside of a tree (is_mesh), or
 * voltages of those in it. */
void spanning_choose(Part *p, bool is_mesh, bool *chosen);

/* ---- fixed_point.c ---- */
/* Does the plan ask for it, in a system of a step? */
bool fixed_point_is_on(const Maker *m);
/* Torn unknowns, each with its own equation as its residual. */
const Tear *fixed_point_tear(Part *p);
/* Makes b->jac and b->kind. False after a report. */
bool fixed_point_matrix(Maker *m, int block, SchedBlock *b);

/* ---- eliminate.c ---- */
/* Solves the part, linear in its unknowns, on handles: value[k] for unknown k
 * of the part. False if no order of pivots serves all samples, or if it would
 * be too much code. */
bool eliminate_solve(Part *p, SchedLoop *loop, Expr *value);
/* The factors of the part's slopes alone, for a loop that is solved otherwise.
 * False as above. */
bool eliminate_slopes(Part *p, SchedLoop *loop);
/* The factors of a matrix of expressions. Live in `arena`. */
void eliminate_factor(Dag *dag, const struct StaticLu *lu, const Expr *entry,
                      SchedLoop *loop, Arena *arena);
/* x = A^-1 rhs with the factors of the loop; rhs is changed. Size n. */
void eliminate_apply(Dag *dag, const SchedLoop *loop, Expr *rhs, Expr *x);

/* ---- from_zero.c ---- */

void from_zero_make(Maker *m, SchedBlock *b);

/* ---- nonlinear_loop.c ---- */
/* Solves the part, whose first ntorn unknowns are torn and whose others follow
 * from them in this order, by a fixed number of Newton iterations: value[k]
 * for unknown k. False if it is too large or nobody keeps its old values. */
bool nonlinear_loop_solve(Part *p, int ntorn, SchedLoop *loop, Expr *value);

/* ---- jacobian.c ---- */
/* Makes b->jac and b->kind. Returns false if the derivatives of a torn block
 * would be too many: then it is better left untorn. */
bool jacobian_make(Maker *m, int block, SchedBlock *b);
/* ---- lagged.c ---- */
void lagged_make(Maker *m, Schedule *s); /* Schedule.lagged */

/* Makes b->drift, unless that is too much or a function has no derivative. */
void drift_make(Maker *m, int block, SchedBlock *b);

/* ---- cost.c ---- */
/* Instructions a step, for comparing. */
double cost_of_block(Maker *m, int block, const SchedBlock *b);
/* Operations of some expressions that depend on unknowns of the block. */
double cost_of_exprs(Maker *m, int block, const Expr *root, int n);
/* Is the variable looked at after its block: by another, by the next step, or
 * from outside? */
bool cost_is_needed(Maker *m, int entry);
/* Newton iterations of a nonlinear block. */
int cost_iterations(const Maker *m);

/* ---- prices.c ---- */
/* A tearing of a low price, found from what `torn` leads to: unknowns of the
 * part; NULL: from few torn unknowns. */
const Tear *prices_tear(Part *p, const int *torn, int ntorn);

/* ---- cheapest_iteration.c ---- */
/* The block in the way that needs the fewest operations. */
void cheapest_iteration(Part *p, SchedBlock *b);

/* ---- later_stages.c ---- */
/* Makes block number `block` like that of the first stage of a Rosenbrock
 * method, if there is one whose equations differ in the stage only. */
bool later_stage_make(Maker *m, int block, SchedBlock *b);
/* The block that was made last is one to be followed, if it has increments. */
void later_stage_note(Maker *m, const SchedBlock *b);

/* ---- convergence.c ---- */
/* Do so many Newton iterations solve a step from the start point with the view,
 * but not with the tearing? */
bool convergence_prefers(const Maker *m, const SchedBlock *torn,
                         const SchedBlock *view, int iterations);

/* ---- symbolic.c ---- */
/* False: its matrix is singular at the start, as far as rounding shows. */
bool symbolic_solve(Maker *m, SchedBlock *b);

/* ---- explain.c ---- */
void explain_singular(Maker *m);

void maker_note(Maker *m, SchedNoteKind kind, int block, int var, int eqn);

#endif
