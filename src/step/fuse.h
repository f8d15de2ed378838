/* fuse.h - a whole step as one segment.
 *
 *   in    Lowered   segments that sim/ strings together
 *   out   Fused     a tape of the segments `param` and one `step` for each
 *                   system of the method, with nothing in them that nobody
 *                   reads
 *   next  emit/     writes it as C; tape/cost.h counts it
 *
 * A fused step does what sim_step() does, in the same order, with the same
 * results to the last bit: time goes on, the system is solved, old values move
 * on, events come to rest (a loop with a constant number of iterations, whose
 * results are kept only while something changes), outputs follow.
 * After it the states of sets are chosen again.
 *
 * The segment `start` does what sim_init() does, for parameters, inputs and
 * start values that may have changed. It begins at the solution that was found
 * before (FuseOptions.value).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_FUSE_H
#define TAKT_STEP_FUSE_H

#include "sim/sim.h"
#include "tape/prune.h"

typedef struct FuseOptions {
    double start;       /* time of the initial values */
    int events_max;     /* event iterations per step */
    const bool *wanted; /* of each symbol of the tape: read from outside */
    double step;
    const double *value; /* of each slot: consistent initial values */
    int nvalue;
    const double *delay_max; /* longest delay of each delayed expression, s */
    int points;              /* of spatialDistribution() */
    bool start_too;          /* make `start` */
    bool fixed;              /* parameters never change: they become numbers */
    PlanBounds bounds;       /* min and max */
    bool exchange;           /* make Fused.exchange */
    const bool *output;      /* then: of each symbol, is it an output? */
    bool parts;              /* make Fused.parts */
} FuseOptions;

/* Slots of the error estimate; NONE: there is none. */
typedef struct FusedEstimate {
    int inaccurate; /* number of the state, from 1, of an error above its
                       tolerance; 0: all are below */
    int worst;      /* largest error of the last step over max(nominal, |x|) */
    int largest, largest_state, largest_time; /* of the run, state from 0 */
} FusedEstimate;

#define FUSE_NEVER 1e300 /* there is no next event */

/* The model without a method (fuse_exchange.c); slots and segments. */
typedef struct FusedExchange {
    int rates, accept, event; /* segments */
    int tangents;             /* the same, if `moves` */
    bool moves;               /* everything has a derivative */
    int nz, *indicator;       /* above 0 or not */
    int next;                 /* time of the next event of time, FUSE_NEVER */
    int asks;                 /* after `accept`: 1 where an event has to be */
    int nknown, *known;       /* states, inputs, time */
    int *seed;                /* of each: what it moves by */
    int nunknown, *unknown;   /* derivatives, outputs, indicators, each once */
    int *tangent;             /* of each: what it moves by then */
    bool *depends;            /* unknown i on known k: i * nknown + k */
} FusedExchange;

/* The step as parts that others schedule (fuse_parts.c); segments and slots. */
typedef struct FusedParts {
    int advance, settle;
    int nrate; /* those of Flat */
    int *tick; /* of each rate: segment */
    int *rank; /* of each rate: its place among those that tick at once */
    int *due;  /* of each rate: slot, after `advance`: it ticks now */
} FusedParts;

typedef struct Fused {
    const Lowered *low;
    const Tape *tape;    /* segments: param, the steps, start if asked for */
    const bool *carried; /* of each slot: must live from call to call */
    const bool *wanted;  /* of each slot */
    int nstep;           /* step segments */
    const int *system;   /* of the Inlined behind each step segment */
    int count;           /* slot: steps done */
    int broken; /* slot: 1 when an event broke the history; NONE: never */
    /* slots: number of the first message, 0: none; NONE: there is never one.
     * Assertions are counted from 1, actions of when clauses after them, then
     * relations and discrete variables that have not come to rest, and one for
     * modes that do not agree. */
    int unsettled; /* when events were left; NONE: no events */
    int asserted, warned, terminated;
    FusedEstimate estimate;
    int start; /* segment of the initialisation, NONE: not asked for */
    const FusedExchange *exchange; /* NULL: not asked for */
    const FusedParts *parts;       /* NULL: not asked for, or there are none */
} Fused;

/* Can it be left to integrators of others? Not with delays or with states that
 * are chosen as it runs, and only if the sides of relations were lowered. */
bool fuse_can_exchange(const Lowered *low);
/* Is entry i of the Inlined table a discrete variable that events compare? */
bool fused_is_discrete(const Lowered *low, int i);
int fused_first_unsettled(const Lowered *low); /* number of a message */
int fused_nmessage(const Lowered *low);

/* Lives in `arena`. */
const Fused *fuse(const Lowered *low, const FuseOptions *options, Arena *arena);

#endif
