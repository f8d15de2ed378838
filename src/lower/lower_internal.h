/* lower_internal.h - what the files of lower/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_LOWER_INTERNAL_H
#define TAKT_LOWER_INTERNAL_H

#include "lower/lower.h"

/* How soon is the value of an expression known? */
typedef enum Level {
    LEVEL_UNSEEN,
    LEVEL_NUMBER,
    LEVEL_PARAM, /* parameters and the step size */
    LEVEL_STEP,
} Level;

/* The system of a block that is solved by tables. */
typedef struct LowFactors {
    const SchedBlock *block;
    const struct FactorTable *table;
    int system;
} LowFactors;

/* The list of calls of a function, of parameters and numbers. */
typedef struct LowList {
    const Expr *e; /* size n */
    int n;
    int first; /* slot; NONE: not yet */
} LowList;

/* `here` of the tape before the node at `place` of the stack. */
typedef struct LowOuter {
    int place, here;
} LowOuter;

/* What cheap.c gathers from the blocks of a step: slots, NONE: nothing yet. */
typedef struct LowProbe {
    int residual, drift, correction; /* weighted sums */
    int jump, njump;                 /* sum of relations; how many */
    int sign;                        /* product of signs of pivots */
    int block, variable;             /* to be named */
    Vec(Expr) leaf;                  /* that have changed, */
    Vec(int) change;                 /* and by how much */
} LowProbe;

typedef struct Low {
    const Inlined *d;
    const Dag *dag;
    const LowerOptions *options;
    Tape *tape;
    Arena *arena; /* of the result */
    Arena *local; /* freed at the end */
    Lowered *out;
    int *computed; /* slots of the SR_COMPUTED ones, once there are symbols */
    double *start; /* value of each Sys variable at the start point */
    bool *is_late; /* entry is a parameter that initialisation finds */
    int nnode;     /* nodes of the DAG when lowering began */
    /* for each node: */
    int *memo; /* its slot, if memo_of equals segment */
    int *memo_of;
    int *derived; /* slot in TR_DERIVED of a node moved to `param` */
    bool *is_moved;
    int *hint; /* origin of what the node needs; 0: that of its user */
    Vec(LowOuter) outer;
    uint8_t *level;
    int *depends; /* +block: depends on the block's unknowns, -block: not */
    int *seen;    /* block whose invariants were looked for here */
    /* where we are */
    const Schedule *schedule;  /* whose blocks come next, */
    const BlockFactor *factor; /* their factors; NULL: none */
    int segment;               /* number, from 1 */
    bool in_param, in_init, in_rates;
    int block;      /* number of the current block, from 1 */
    int *block_var; /* entry -> number of the block that solves it */
    bool undo_on;   /* remember memos made now ... */
    Vec(Expr) undo; /* ... to forget them at the end of the block */
    Vec(Expr) stack;
    Vec(Expr) sample;         /* nodes sample() that were lowered */
    Vec(LowList) list;        /* of calls, kept from `param` on */
    Vec(LowFactors) constant; /* factorised in `param` */
    Vec(LowFactors) made;     /* in the present segment */
    int increments; /* the first block of increments of the segment, or NONE */
    int eta, fall;  /* LoweredSystem.eta, fall, of the segment */
    LowProbe probe; /* of the present schedule */
} Low;

/* The blocks of system number `system` come next. */
void lower_enter(Low *l, const Schedule *s, int system);
/* How the block of the present schedule is solved. */
const BlockFactor *lower_factor_of(const Low *l, const SchedBlock *b);
/* Is the block solved by tables, and do they stay the same during a run? */
bool lower_is_constant(Low *l, const SchedBlock *b);
/* What comes next is there for equation `eqn` of the present schedule and entry
 * `entry`; both may be NONE. */
void lower_from_eqn(Low *l, TapeRole role, int eqn, int entry);
/* Or for number `number` of another list, or for an entry without equation. */
void lower_from(Low *l, TapeRole role, int number, int entry, Span span);
/* Entry k of the Jacobian of `b`, column `col`. */
void lower_from_entry(Low *l, const SchedBlock *b, int k, int col);
/* Factorises them in `param`, the present segment. */
void lower_constant_tables(Low *l, const Schedule *s);

/* ---- lower_expr.c ---- */
Level lower_level(Low *l, Expr e);
/* Finds the parameter-level parts of `e` that other levels need: they are
 * moved to `param`. */
void lower_mark_moved(Low *l, Expr e);
/* The slot that holds the value of `e` at this place of the segment. */
int lower_expr(Low *l, Expr e);
/* The value of `e` in slot `dst`. */
void lower_to(Low *l, Expr e, int dst);
/* From here on to the end of the segment the value of `e` is that of `slot`. */
void lower_remember(Low *l, Expr e, int slot);
/* Does `e` depend on the unknowns of the current block? */
bool lower_depends(Low *l, Expr e);
/* Computes the parts of `e` that do not depend on the current block. */
void lower_invariants(Low *l, Expr e);
void lower_begin(Low *l, const char *name);
TapeSegment lower_end(Low *l);

/* ---- lower.c ---- */
/* `e` in a slot of its own, so that it can be read after the segment. */
int lower_value_slot(Low *l, const char *name, Expr e);

/* ---- modes.c ---- */
/* Finds the relations within loops; the segment `gaps`. After the segments
 * `relations`, `event` and `init`. */
void lower_modes(Low *l);

/* ---- catch_up.c ---- */
void lower_catch_up(Low *l);

/* --- lower_call.c */
/* The list of the call `e`, if it is one of parameters, will be needed: it is
 * to be there from `param` on. */
void lower_mark_list(Low *l, Expr e);
/* The lists that were marked, in `param`. */
void lower_lists(Low *l);
/* The call `e`, whose arguments and first result have slots; `dst` NONE:
 * anywhere. */
int lower_call(Low *l, Expr e, int dst);
/* The node that makes the results of the call `e`: itself for other nodes. */
Expr lower_first_result(const Low *l, Expr e);
/* A new slot for node `e`, with those of its other results after it. */
int lower_results(Low *l, Expr e, TapeRegion region);

/* --- reference.c */
typedef void LowerRoot(Low *l, Expr e);
/* NULL if the system has none (no Dae, or not as many equations as unknowns).
 * Makes new nodes: to be called before lowering begins. */
LoweredReference *reference_make(const Inlined *d, Arena *arena);
void reference_roots(const LoweredReference *ref, Low *l, LowerRoot *on);
void reference_lower(LoweredReference *ref, Low *l);

/* ---- damping.c ---- */
/* Where the options ask for it and the block has algebraic unknowns in
 * nonlinear equations: its corrections become damped ones, by code after its
 * solution. `eval`: its first instruction. */
void lower_damping(Low *l, const Schedule *s, const SchedBlock *b, int number,
                   int eval);

/* ---- lower_block.c ---- */
void lower_schedule(Low *l, const Schedule *s);
/* The size of entry `entry` that counts as 1. */
double lower_nominal(const Low *l, int entry);
/* A system with the factors of `system`, which is solved by tables, and with
 * room for another right-hand side. */
int lower_table_again(Low *l, const SchedBlock *b, int system);
/* Factorises the matrix of a block that is solved by tables; slots of the
 * inverses of its pivots. */
void lower_table_pivots(Low *l, const SchedBlock *b, int *pivot);
/* The same of factors that are there. */
void lower_table_places(const Low *l, const SchedBlock *b, int system,
                        int *pivot);

/* ---- defect.c ---- */
/* A slot that is kept from step to step and is 0 at a start: Lowered.memory. */
int lower_memory(Low *l);
/* Slots of the factors of a block that is solved by expressions. */
typedef struct LowFactorSlots {
    int *entry, *pivot, *swap; /* as in FactorParts */
} LowFactorSlots;
/* Is the defect of the block computed? */
bool lower_has_defect(const Low *l, const SchedBlock *b);
/* To be called in the block, behind its solution. */
LowFactorSlots lower_hold_factors(Low *l, const SchedBlock *b);
/* After block `number` and its chain; `system`: of tables or pivots, NONE: `f`
 * has the factors. */
void lower_defect(Low *l, const SchedBlock *b, int number, int system,
                  const LowFactorSlots *f);
/* After all blocks: that of a step as a whole, and of equations with old values
 * by the plan. */
void lower_defect_of_step(Low *l, const Schedule *s);
/* The size that counts as 1 of unknown i of the block, as code. */
int lower_unit(Low *l, const SchedBlock *b, const TapeBlock *t, int i);

/* ---- singular.c ---- */
/* Is the model itself looked at, after each step? */
bool lower_looks_for_singular(const Low *l);
/* The segment `singular`; `event`: the schedule of that system, or NULL. */
void lower_singular(Low *l, const Schedule *event);

/* ---- cheap.c ---- */
/* Is the block judged one step late? */
bool lower_is_late(Low *l, const SchedBlock *b, int iterations);
/* In the block, after its residuals; and after the block. Between them goes
 * what the corrections weigh. */
double *lower_late(Low *l, const SchedBlock *b, int number);
void lower_end_late(Low *l, const SchedBlock *b, int number,
                    const double *weight);
/* Is the sign of its determinant looked at? Then in the block, after its
 * factors, or after the block. */
bool lower_has_sign(Low *l, const SchedBlock *b, int iterations);
void lower_sign_of_parts(Low *l, const SchedBlock *b);
void lower_sign_of_table(Low *l, const SchedBlock *b, int system);
/* Is `left` above what counts as 1 of the limit for a step of this size?
 * Slots; block: NONE, or who is to be named. */
void lower_judge_cheap(Low *l, int left, int size, int block);
/* InlinedSystem.beyond, as one sum. */
void lower_cheap_beyond(Low *l, const InlinedBeyond *b);
/* A state of the Dae in this step: its entry, and the slot of its change; NONE:
 * it is none here (defect.c). */
int lower_find_state(Low *l, int k, int *delta);
/* Before and after the blocks of a schedule. */
void lower_begin_late(Low *l);
void lower_judge_late(Low *l);

#endif
