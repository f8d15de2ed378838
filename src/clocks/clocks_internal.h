/* clocks_internal.h - partitions and their clocks; for src/clocks only. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLOCKS_CLOCKS_INTERNAL_H
#define TAKT_CLOCKS_CLOCKS_INTERNAL_H

#include <stdint.h>

#include "graph/match.h"
#include "base/vec.h"
#include "clocks/clocks.h"
#include "plan/method.h"

/* ---- partitions ---- */

/* What has one clock: variables, `when clock` clauses, equations, and parts of
 * equations inside an operator are joined by union-find. */
typedef struct Node {
    int up;             /* itself: the name of its partition */
    bool clocked;       /* it has a tick */
    bool continuous;    /* it has none: outside of all operators */
    const char *solver; /* method, NULL: none was given */
    Span span;          /* for messages */
} Node;

/* clock(a) = kind(clock(b)). */
typedef struct Relation {
    int a, b;
    ExprClocked kind; /* EC_SUB, EC_SUPER, EC_SHIFT, EC_BACK */
    int64_t num, den; /* factor/1 (0: to be inferred), counter/resolution */
    Span span;
} Relation;

/* A clock that says when it ticks. */
typedef struct Definition {
    int node;
    ExprClocked kind; /* EC_PERIOD, EC_COUNT, EC_EVENT */
    Expr a, b;
    Span span;
} Definition;

/* The argument of an operator that stands in `cur` belongs to `inner`. */
typedef struct Site {
    Expr op;
    int cur, inner;
} Site;

/* ---- timing ---- */

typedef struct Ratio {
    int64_t num, den; /* den > 0, no common factor */
} Ratio;

/* Of a partition, by the number of its node. */
typedef struct Timing {
    bool known;
    int base;             /* number of the base clock */
    Ratio period, start;  /* in periods of the base clock's definition */
    int64_t every, first; /* in ticks of the base clock */
} Timing;

typedef struct BaseClock {
    int definition;
    bool is_event;   /* ticks when a condition rises */
    double interval; /* of the definition; event clocks: of the first tick */
    Ratio unit;      /* a tick, in periods of the definition */
    double tick;     /* the same in seconds */
} BaseClock;

/* What ticks mean in the new model. */
typedef struct Tick {
    int base;
    int64_t every, first;
    Expr active;   /* Boolean: now */
    int var;       /* a variable that is that; NONE: not made, not periodic */
    int ticked;    /* variable: has ticked before, NONE: not asked for */
    int last;      /* variable: time of the last tick, NONE */
    Expr interval; /* EXPR_NONE: not asked for */
} Tick;

/* ---- state machines (machine.c) ---- */

typedef struct State {
    int component, machine;
    int number;       /* in its machine, from 1; the initial one is 1 */
    int active;       /* variable: active at the last tick; NONE: not made */
    int reset;        /* variable: its variables start anew at this tick */
    int entered;      /* variable: it became active at this tick; NONE */
    int ticks, since; /* variables for ticksInState, timeInState; NONE */
    bool is_final;    /* no transition leaves it */
    Span span;
} State;

typedef struct Machine {
    int node;   /* its partition */
    int parent; /* the state it stands in, NONE: none */
    int nstate;
    int next;        /* variable: number of the active state */
    int fired;       /* variable: number of the transition at this tick, or 0 */
    int *transition; /* lowest priority first; counted from 1 in `fired` */
    int ntransition;
    Span span;
} Machine;

typedef struct Fixed {
    Expr op, value;
} Fixed;

/* How expressions of a partition are rewritten. */
typedef struct Rewrite {
    ExprMap *map;
    Vec(Fixed) fixed;
    int tick;              /* NONE: continuous, or not made yet */
    Vec(int) state, slope; /* variables x, der(x) (solver.c) */
    Vec(int) own;          /* further variables of the partition, and */
    Vec(Expr) first;       /* residuals of its first tick, one for each state,
                              if it was reduced (constraints.c) */
} Rewrite;

/* rates.c: a variable that changes at the ticks of a partition only. */
typedef struct Rated {
    int var, node;
} Rated;

/* stages.c: an input of a partition, kept from tick to tick. */
typedef struct Input {
    int node;
    Expr value;
    int var;
} Input;

/* stages.c: what a variable was one tick before the last. */
typedef struct Kept {
    int of, var;
} Kept;

typedef struct Clocks {
    const Flat *in;
    Flat *out;
    Dag *dag;
    Arena *arena, *local;
    Diag *diag;
    bool failed;
    Vec(Node) node; /* first the variables, then CONTINUOUS, `when` clauses */
    int continuous; /* number of the node */
    int first_when;
    Vec(Relation) relation;
    Vec(Definition) definition;
    Vec(Site) site;
    Vec(State) state;
    Vec(Machine) machine;
    int *state_of; /* by component: the innermost state around it, NONE */
    int *owner;    /* of each equation: its node */
    int *assert_owner;
    Timing *timing; /* by node */
    Vec(BaseClock) base;
    Vec(Tick) tick;
    Rewrite *rewrite; /* by node */
    bool *observed;   /* by variable: its value before a tick is asked for */
    Vec(Input) input;
    Vec(Kept) kept;
    Vec(Rated) rated;
    Vec(int) aux_base; /* of each new variable: base clock, NONE: none */
    Vec(int) extra;    /* variables of stages, unknowns of their partitions */
    Vec(Expr) found;   /* of a walk */
    int naux;
    Span span; /* of what is being translated */
    int component;
} Clocks;

int clocks_find(Clocks *c, int node);

/* clocks.c: the partition of an initial equation that has a clock, NONE. */
int clocks_initial(Clocks *c, const FlatEqn *q);
/* partition.c: fills node, relation, definition, site. */
void clocks_partition(Clocks *c);
int clocks_inner(Clocks *c, Expr op, int cur);
/* timing.c: fills base, timing. */
void clocks_time(Clocks *c);
Ratio ratio_make(int64_t num, int64_t den);
/* ticks.c */
const Tick *clocks_tick(Clocks *c, int node);
Expr clocks_first(Clocks *c, int node);    /* firstTick() */
Expr clocks_interval(Clocks *c, int node); /* interval() */
/* A new variable with the equation `value`, EXPR_NONE: none yet. */
int clocks_aux(Clocks *c, const char *what, FlatType type,
               FlatVariability variability, Expr start, Expr value);
Expr clocks_leaf(Clocks *c, int var);
Expr clocks_pre(Clocks *c, int var);
void clocks_add_eqn(Clocks *c, Expr lhs, Expr rhs);
/* machine.c */
/* Finds states and machines; false after a report. */
bool clocks_machines(Clocks *c);
/* The innermost state around a component, NONE. */
int clocks_state(const Clocks *c, int component);
/* Variables and equations of all machines. */
void clocks_run_machines(Clocks *c);
Expr clocks_active(const Clocks *c, int state);
/* Does the clock of `node` tick, and is the state (NONE: none) active? */
Expr clocks_when(Clocks *c, int node, int state);
/* The value before this tick, the start value if its state starts anew. */
Expr clocks_previous(Clocks *c, int var);
/* activeState(), ticksInState(), timeInState(); EXPR_NONE after a report. */
Expr clocks_state_operator(Clocks *c, Expr op);
/* Is state a inside of b, or b itself? b NONE: the model. */
bool clocks_is_inside(const Clocks *c, int a, int b);
/* Can both never be active at one tick? */
bool clocks_exclude(const Clocks *c, int a, int b);
/* rates.c: variable `var` becomes `value` at ticks, and changes at no other
 * moment. */
void clocks_note_rate(Clocks *c, int node, int var, Expr value);
void clocks_add_rates(Clocks *c); /* to the new model */
/* translate.c */
Expr clocks_rewrite(Clocks *c, Expr e, int cur);
void clocks_equations(Clocks *c);
/* solver.c: equations for the states of a partition, appended to `eqn`. */
typedef struct Pair {
    Expr lhs, rhs;
    int node, from; /* partition; number of the equation, NONE: a new one */
    int state;      /* it holds while this is active, NONE: always */
    int next;       /* variable, whose value at a tick follows from the last
                       one by it, + 1; 0: none */
    bool is_later;  /* it does not hold at the first tick */
    bool has_first; /* at the first tick another one holds: */
    Expr first_lhs, first_rhs;
} Pair;
typedef Vec(Pair) Pairs;

/* A variable that a state gives a value, though it is declared around it. */
typedef struct Given {
    int var, state;
} Given;

typedef struct Matching {
    Pairs pair;
    int *column; /* of a variable, NONE: not an unknown of a clock */
    Vec(int) var;
    Vec(Given) given; /* columns after those of `var` */
    bool *taken;      /* of each of `var`: states inside give it its values */
} Matching;

bool clocks_is_unknown(const Clocks *c, int v);
void clocks_add_unknown(Clocks *c, Matching *m, int v);
/* Of all columns of `mm`; some may be without a pair. */
Match *clocks_match(Clocks *c, Matching *mm);
/* False after a report: an equation or a variable is left over. */
bool clocks_check_match(Clocks *c, const Matching *mm, const Match *m);
/* Do states give values to the variable? */
bool clocks_is_given(const Matching *mm, const Match *m, int var);

/* outputs.c: how many equations from number i on are a connection of outputs of
 * states; their meaning is appended to `pairs`. 0: it is none. */
int clocks_merge_outputs(Clocks *c, int i, Pairs *pairs);
Expr clocks_slope(Clocks *c, int node, int var);
void clocks_integrate(Clocks *c, int node, Pairs *pairs);
/* constraints.c: equations of index 1 and new states where those of the
 * partition depend on each other. */
void clocks_reduce(Clocks *c, int node, Pairs *pairs);
/* stages.c: is it a variable of the partition, or a derivative? */
bool clocks_is_own(Clocks *c, int node, int var);
/* The formulas of the method for a partition whose states begin anew while
 * `anew`: next[k] is what state k is at a tick, equations of stages are
 * appended to `pairs`. False after a report. */
bool clocks_discretise(Clocks *c, int node, const Method *m, Expr anew,
                       Pairs *pairs, Expr *next);

#endif
