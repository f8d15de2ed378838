/* spread.h - spatialDistribution() (Modelica 3.6, 3.7.4.2): a function of the
 * DAG that stands for it, and its memory at the desk.
 *
 *   in    what flows in at both ends, the way x, the direction, first values
 *   out   calls; inline/ makes known entries of them, one for each part
 *   next  sim/ keeps the memory here, generated code in takt_rt_spread.h
 *
 * A call has the arguments x, time, in0, in1, positiveVelocity, then npoint
 * places of the first values, then these. Before a step the memory tells a line
 * on which z lies near each end, the step looks at it with the x it finds.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SPREAD_SPREAD_H
#define TAKT_SPREAD_SPREAD_H

#include "base/vec.h"
#include "expr/expr.h"

enum {
    SPREAD_X,
    SPREAD_TIME,
    SPREAD_IN0,
    SPREAD_IN1,
    SPREAD_SIDE,
    SPREAD_LIST
};

/* Results of a call. */
enum {
    SPREAD_LOST,  /* points that found no room; 0 at the desk */
    SPREAD_LEFT,  /* z(0) if that is where it flows out */
    SPREAD_RIGHT, /* z(1) likewise */
    SPREAD_LEFT_BY_X,
    SPREAD_RIGHT_BY_X, /* their derivatives by x */
    SPREAD_NRESULT
};

/* What the memory is asked for: 2 * part, and 1 more for the right end. */
typedef enum SpreadPart {
    SPREAD_ANCHOR, /* a label s = y - x */
    SPREAD_VALUE,  /* z there */
    SPREAD_SLOPE,  /* dz/ds */
    SPREAD_NOROOM, /* how many points found no room */
} SpreadPart;

int spread_function(Dag *d, int npoint);
/* Is it a call of it? */
bool spread_is(const Dag *d, Expr e);
/* How many first values a call has. */
int spread_npoint(const Dag *d, Expr call);
/* The result `out` of the same call. */
Expr spread_result(Dag *d, Expr call, int out);

/* Numbers of a memory with room for `size` points. */
int spread_room(int size);
/* Instructions in generated code; three parts of an end share a search. */
int spread_record_instructions(int size);
int spread_read_instructions(int size, SpreadPart part);

/* A memory that grows. */
typedef Vec(double) SpreadMemory;
/* `from` are npoint places and their values. */
void spread_begin(SpreadMemory *m, double x, double time, double inflow,
                  bool positive, const double *from, int npoint, Arena *arena);
void spread_record(SpreadMemory *m, double x, double time, double inflow,
                   bool positive, Arena *arena);
double spread_read(const SpreadMemory *m, double time, int part);
/* Could these numbers be a memory? */
bool spread_is_sound(const SpreadMemory *m);
/* How long it takes at least until `way` of the pipe has moved on. */
double spread_while(const SpreadMemory *m, double way);

#endif
