/* curves.h - some variables along a run, and how far two runs are apart. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_CURVES_H
#define TAKT_TUNING_CURVES_H

#include "base/vec.h"
#include "sim/sim.h"

typedef struct Curves {
    int n;             /* variables */
    const char **name; /* size n */
    Vec(double) time;  /* ascending; the later of two equal ones counts */
    Vec(double) value; /* n a row */
    const TapeSymbol **symbol;
    Arena *arena;
} Curves;

/* Curves of the named variables of a tape; a name it does not have is left
 * out. */
Curves *curves_new(const Tape *tape, const char *const *name, int n,
                   Arena *arena);
void curves_row(Curves *c, const Exec *exec, double time);

/* Which curve has this name; NONE. */
int curves_find(const Curves *c, const char *name);
/* Largest less smallest value; of a curve that stays constant its size, 1e-9 at
 * least. */
double curves_range(const Curves *c, int curve);
/* Of all curves, what deviations are counted in: the range, but of an element
 * of an array a hundredth of the largest range in it at least. The temperature
 * that stays 0 in the middle of a rod is no output of its own. */
const double *curves_ranges(const Curves *c, Arena *arena);

typedef struct Deviation {
    double percent; /* largest distance over the range of the reference */
    int curve;      /* where, NONE if nothing was compared */
    double time;
    bool complete; /* the run reached the end of the reference */
} Deviation;

/* What runs of a method of order 1 tend to: of `coarse` with a step of h and
 * `fine` with h/ratio, at the points of the first. */
Curves *curves_extrapolated(const Curves *coarse, const Curves *fine,
                            double ratio, Arena *arena);

/* Compares at the times of `run`; the reference is interpolated. */
Deviation curves_deviation(const Curves *run, const Curves *reference);

#endif
