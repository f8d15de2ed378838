/* trail.h - what a run went through, beside another one. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TRAIL_TRAIL_H
#define TAKT_TRAIL_TRAIL_H

#include "sim/sim.h"

/* All variables, row by row. */
typedef struct Trail Trail;

typedef struct TrailDifference {
    const char *name; /* of the variable that differs most; NULL: there is none
                       */
    double share;     /* of its range */
    double time;      /* from here on */
    bool follows;     /* from others, by an equation without der() */
    double size;      /* of its values, */
    double beside;    /* and of the largest of its array, unit or component */
} TrailDifference;

/* Of a range: what is worth a second look, and a word. The truth is a little
 * farther than a run with a smaller tolerance. */
#define TRAIL_DIFFERS 0.006

Trail *trail_begin(const Sim *sim, double rtol, Arena *arena);
void trail_row(Trail *a, const Sim *sim, double time);
/* How many rows were kept; 0 where there is nothing to watch. */
int trail_rows(const Trail *a);
/* How far b, of the same model and with as many rows, is from a: a state or a
 * discrete variable if one differs, else any variable. With `faint` only states
 * count that stay near their absolute tolerance, begin below it or sink below
 * it and would grow again, */
TrailDifference trail_compare(const Trail *a, const Trail *b, bool faint);
/* of which this is the smallest size; INFINITY: there are none. */
double trail_faintest(const Trail *a);

/* The same of variables that follow from others, */
TrailDifference trail_compare_followers(const Trail *a, const Trail *b);
/* and the smallest size of a state below its absolute tolerance; INFINITY: none
 * was there. */
double trail_least(const Trail *a);

#endif
