/* inline_internal.h - what the files of inline.h share.
 *
 *   table.c     entries of the Inlined table, found by what they stand for
 *   stage.c     an expression of the model at one stage
 *   discrete.c  which discrete variables are late
 *   formula.c   the integration formulas of a method
 *   position.c  states by the trapezoidal rule
 *   linear.c    the model linearised
 *   rosenbrock.c  the formulas of a Rosenbrock method
 *   newton.c    the one iteration of a method as equations
 *   estimate.c  error estimates as equations
 *   lagged.c    old values where the plan wants them
 *   invariants.c  what ought to stay 0
 *   alias.c     equations that only rename
 *   inline.c    the systems
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_INLINE_INTERNAL_H
#define TAKT_INLINE_INTERNAL_H

#include "base/vec.h"
#include "inline/inline.h"

/* A quantity VAR(var, order) of the model. */
typedef struct Quantity {
    int var, order;
} Quantity;

/* The state that the derivative of a state is, up to its sign; 0: none. */
typedef struct Speed {
    Quantity of;
    int sign;
    bool is_of_time; /* the derivative is a function of time */
} Speed;

/* A Dae or, inlined directly, a Sys: the same view of both. */
typedef struct Model {
    const Sys *sys;
    const Dae *dae;
    const SysEqn *eqn;
    int neqn;
    Quantity *state; /* integrated: its derivative has the order + 1 */
    int nstate;
    Quantity *unknown; /* found by the equations, the states being known */
    int nunknown;
    bool *is_late;         /* size sys->nvar: discrete.c */
    bool *is_discrete_eqn; /* size neqn */
    Speed *speed;          /* size nstate: position.c */
} Model;

typedef struct Table Table;
typedef struct Stage Stage;

typedef struct Inliner {
    Inlined *d;
    Model model;
    const Plan *plan;
    InlineOptions options;
    Table *table;
    Stage *event;  /* at the end of the step, everything in its new value */
    Stage *end;    /* the same with late variables in their old value */
    Expr *special; /* nodes that stage.c replaces as a whole, ascending */
    int nspecial;
    Vec(InlinedVar) var;
    Vec(InlinedRelation) relation;
    Vec(InlinedInside) inside;
    bool *by_mean; /* as Inlined.by_mean */
    Vec(InlinedDelay) delay;
    Vec(Expr) spread; /* of each delay: the call behind it, or EXPR_NONE */
    Vec(InlinedSystem) system;
    Vec(InlinedLagged) lagged;
    Vec(Expr) invariant;   /* over Sys; invariants.c */
    Vec(Expr) multiplier;  /* of each, if they are projected */
    struct LaggedCut *cut; /* lagged.c: the plan's cuts of kind "step" */
    int ncut;
    Arena *arena; /* of the result */
    Arena *work;
    Diag *diag;
    bool failed;
} Inliner;

/* ---- table.c ---- */
Table *table_new(Inliner *in);
/* The leaf of an entry, which is added when it is new. Those of order 0 at the
 * end of the step are the variables of Sys themselves. */
Expr table_value(Inliner *in, Quantity q, int stage, double c);
Expr table_increment(Inliner *in, Quantity q, int stage, double c);
Expr table_forcing(Inliner *in, Quantity q, int stage, double c);
Expr table_time_increment(Inliner *in, int stage, double c);
Expr table_old(Inliner *in, Quantity q, int back);
Expr table_input(Inliner *in, Quantity q, double c);
/* What is delayed, number `relation`, at part c of the step. */
Expr table_delayed(Inliner *in, int relation, double c);
Expr table_step(Inliner *in);
/* Error of a quantity in copy `copy` of the linearised model, and its source.
 */
Expr table_error(Inliner *in, Quantity q, int copy);
Expr table_source(Inliner *in, Quantity q, int copy);
Expr table_time_source(Inliner *in, int copy);
Expr table_kept(Inliner *in, Expr leaf);
int table_add(Inliner *in, InlinedKind kind, const char *name, ExprType type);
/* The number of the entry a leaf stands for. */
int table_index(const Inliner *in, Expr leaf);
int table_entry(const Table *t, InlinedKind kind, Quantity q, int stage,
                int back);
/* Remembers an entry under any other key; found as Quantity{a, b}. */
void table_note(Table *t, InlinedKind kind, int a, int b, int stage,
                int number);

/* ---- stage.c ---- */
/* Finds in->special below the given roots. */
void stage_find_special(Inliner *in, const Expr *root, int nroot);
/* How expressions of the model look at a stage: its number and its place c in
 * the step; is_init: initial() is true and homotopy stays; sees_late: late
 * variables in their new value. */
Stage *stage_new(Inliner *in, int stage, double c, bool is_init,
                 bool sees_late);
Expr stage_map(Stage *s, Expr e);
/* Fills in which relations of time alone act within a step. */
void stage_find_inside(Inliner *in);
/* Fills in what relations are just after the present point. */
void stage_find_after(Inliner *in);
/* The same, with relations evaluated in place. */
Expr stage_map_noevent(Stage *s, Expr e);

/* ---- discrete.c ---- */
void discrete_find(Inliner *in);

/* ---- formula.c ---- */
/* Adds the equations of all stages and the formulas of method `m` to the
 * system. */
void formula_add(Inliner *in, const Method *m, InlinedSystem *s);

/* A system in the making, for the files that know formulas. */
typedef struct Formulas {
    Inliner *in;
    const Method *m;
    Vec(InlinedEqn) eqn;
    Vec(int) unknown;
    Expr *defect; /* InlinedSystem.defect */
    const InlinedBeyond *beyond;
} Formulas;

/* The continuous equations and unknowns of the model at a stage. */
void formula_model(Formulas *b, Stage *stage, int number, double c);
void formula_state(Formulas *b, int state, int stage, InlinedEqnKind kind,
                   Expr lhs, Expr rhs);
void formula_unknown(Formulas *b, Expr leaf);
/* sum + factor * e; `sum` may be EXPR_NONE. */
Expr formula_plus(Formulas *b, Expr sum, double factor, Expr e);
/* Is the state explicit by "modes", or by a cut of its formula? */
bool formula_is_explicit(Formulas *b, int state);

/* X'_j of a state: slope of stage j of a Runge-Kutta method. */
Expr formula_slope(Formulas *b, Quantity q, int j);
/* X_j */
Expr formula_value(Formulas *b, Quantity q, int j);

/* ---- position.c ---- */
/* Finds model.speed. Reports where the plan wants the trapezoidal rule of a
 * method that cannot have it. */
void position_find(Inliner *in, const Method *m);
/* Is the state taken by the trapezoidal rule in a step of this method? */
bool position_is_trapezoid(Formulas *b, int state);
Expr position_past_slope(Formulas *b, int state, int i);
Expr position_value(Formulas *b, int state);

/* ---- invariants.c ---- */
/* Finds in->invariant: those of the annotation and of the plan. */
void invariants_find(Inliner *in);
/* Adds them to the system of a step, as the plan says. */
void invariants_add(Inliner *in, const Method *m, InlinedSystem *s);

/* ---- linear.c ---- */
/* The derivatives of the model at a point, and who stands for changes. */
typedef struct LinearModel {
    Formulas *b;
    int stage; /* the point: number of the stage, */
    double c;  /* its time */
    /* the leaf that stands for the change of a quantity in a copy, and that for
     * the change of time; NULL: time does not change */
    Expr (*unknown)(Formulas *b, Quantity q, int copy);
    Expr (*time)(Formulas *b, int copy);
    /* made by linear_make: */
    int opaque; /* equation with a function without a derivative, or NONE */
    int neqn;
    const int *eqn;     /* numbers of the model's equations */
    Quantity *quantity; /* of the columns: states, unknowns */
    int ncol;
    int *input; /* entries of the columns behind them: inputs, delayed ones */
    const ExprJacobian *part;
    Expr *by_time; /* by row, with the slopes of inputs; EXPR_NONE: 0 */
} LinearModel;

/* False: `opaque` is set. */
bool linear_make(LinearModel *l, Stage *at);
bool linear_has_time(const LinearModel *l);
/* Are all derivatives numbers and parameters? */
bool linear_is_affine(const LinearModel *l);
/* The equations of the model once more, for the unknowns of this copy: without
 * a formula for the states. */
void linear_add(const LinearModel *l, int copy);
bool linear_is_real(const Formulas *b, Quantity q);

/* ---- rosenbrock.c ---- */
void rosenbrock_add(Formulas *b);

/* ---- newton.c ---- */
/* The equations of a system that the method iterates once become those of the
 * iteration. */
void newton_write(Inliner *in, InlinedSystem *s);

/* ---- estimate.c ---- */
/* A system that estimates the error of a step of system number `system`, with
 * the method `m`, if the plan asks for it. */
void estimate_add(Inliner *in, int system, const Method *m);

/* ---- lagged.c ---- */
/* Reads the cuts of kind "step". Reports names that do not exist. */
void lagged_find(Inliner *in);
/* Is the formula of state q explicit by a cut of int(q)? */
bool lagged_is_explicit(Inliner *in, Quantity q);
/* Puts old values into the equations of a step: first before equations that
 * rename are taken out, and then, for variables that were not found, after it:
 * a cut may name der(x) or the v that equals it. */
void lagged_begin(Inliner *in);
void lagged_apply(Inliner *in, InlinedSystem *s);
/* Reports cuts of variables that are not in their equation. */
void lagged_end(Inliner *in);

/* ---- alias.c ---- */
void alias_remove(Inliner *in, InlinedSystem *s);

#endif
