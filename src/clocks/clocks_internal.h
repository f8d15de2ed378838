/* clocks_internal.h - partitions and their clocks; for src/clocks only. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLOCKS_CLOCKS_INTERNAL_H
#define TAKT_CLOCKS_CLOCKS_INTERNAL_H

#include <stdint.h>

#include "base/vec.h"
#include "clocks/clocks.h"

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
    int ticked;    /* variable: has ticked before, NONE: not asked for */
    int last;      /* variable: time of the last tick, NONE */
    Expr interval; /* EXPR_NONE: not asked for */
} Tick;

typedef struct Fixed {
    Expr op, value;
} Fixed;

/* How expressions of a partition are rewritten. */
typedef struct Rewrite {
    ExprMap *map;
    Vec(Fixed) fixed;
    int tick;              /* NONE: continuous, or not made yet */
    Vec(int) state, slope; /* variables x, der(x) (solver.c) */
} Rewrite;

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
    int *owner; /* of each equation: its node */
    int *assert_owner;
    Timing *timing; /* by node */
    Vec(BaseClock) base;
    Vec(Tick) tick;
    Rewrite *rewrite; /* by node */
    bool *observed;   /* by variable: its value before a tick is asked for */
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
/* translate.c */
Expr clocks_rewrite(Clocks *c, Expr e, int cur);
void clocks_equations(Clocks *c);
/* solver.c: equations for the states of a partition, appended to `eqn`. */
typedef struct Pair {
    Expr lhs, rhs;
    int node, from; /* partition; number of the equation, NONE: a new one */
} Pair;
typedef Vec(Pair) Pairs;
Expr clocks_slope(Clocks *c, int node, int var);
void clocks_integrate(Clocks *c, int node, Pairs *pairs);

#endif
