/* narrow.h - what functions of states do between the ends of a step.
 *
 *   made of   inline/inlined.h   the model's equations and relations
 *   read by   sim/, adaptive/    what the steps of a run do not see
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PULSE_NARROW_H
#define TAKT_PULSE_NARROW_H

#include "inline/inlined.h"

typedef struct Narrow Narrow;

/* A state between the ends of a step, which have the values a and b and the
 * slopes fa and fb, times the length of the step: the cubic at part x, and its
 * slope. */
static inline double narrow_cubic(double a, double b, double fa, double fb,
                                  double x, double *slope)
{
    double y = 1 - x;
    *slope = 6 * x * y * (b - a) + fa * y * (1 - 3 * x) + fb * x * (3 * x - 2);
    return a + x * x * (3 - 2 * x) * (b - a) + x * y * (y * fa - x * fb);
}

/* A step, and the slots at both ends: after the events of the first, before
 * those of the second. Both hold slopes of states. */
typedef struct NarrowStep {
    double from, to;
    const double *begin, *end;
} NarrowStep;

/* A piece of it in which a term of the model is not what the ends show; or a
 * relation, at `peak`. States are taken to move on cubics. */
typedef struct NarrowFound {
    double from, to, peak;
    Expr what;
    int relation; /* number, or NONE */
    int root;     /* for narrow_in_vain() */
} NarrowFound;

/* slot: of each entry of the table, or NONE. NULL: there is nothing that could
 * be narrow. Lives in `arena`. */
Narrow *narrow_new(const Inlined *d, const int *slot, Arena *arena);
/* At most `most` of them; how many. */
int narrow_look(Narrow *n, const NarrowStep *step, NarrowFound *found,
                int most);
/* It does not matter: it is looked for less often. */
void narrow_in_vain(Narrow *n, const NarrowFound *found);

#endif
