/* follow.h - what the errors of states do to variables that follow from them.
 *
 *   in    Sim, at points of a run with a fixed step
 *   out   the variable that is off most, by the estimated errors of states
 *
 * At some points of a run the model is evaluated again with states and discrete
 * Reals displaced by their estimated errors. A variable may make much of errors
 * that are nothing to the states: a small difference of large ones, log(x) of
 * an x near 0, a quotient of two differences.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TRAIL_FOLLOW_H
#define TAKT_TRAIL_FOLLOW_H

#include "trail/trail.h"

typedef struct Follow Follow;

/* The errors of states, and of discrete Reals that are computed of them. */
typedef enum FollowKind {
    FOLLOW_STEPS, /* of the integration */
    FOLLOW_ALL,   /* and what late events have cost */
    FOLLOW_KINDS
} FollowKind;

/* A row of a run, number `row`: it is looked at if it is its turn. With row 0
 * *f becomes that of the run, and lives in `arena`; NULL: errors are not
 * estimated, or functions of the model do more than give values. */
void follow_row(Follow **f, const Sim *s, long row, double time, Arena *arena);
/* The share of its range that the worst one is off by; name NULL: there is
 * none. */
TrailDifference follow_worst(const Follow *f, FollowKind kind);
/* Why it is off where no state is, for "which ...". */
const char *follow_why(const TrailDifference *x);
void follow_free(Follow *f);

#endif
