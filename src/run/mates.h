/* mates.h - other models in the same run, with steps that are multiples of the
 * first one's.
 *
 * In a tick the first model takes what the others gave last, makes its step,
 * and then each of the others whose turn it is takes what there is and makes
 * its own. So what a model gives is seen by the others at their next step, and
 * holds until then: a loop through them has a delay, and no iteration. The work
 * of a tick is that of all whose turn it is.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_MATES_H
#define TAKT_RUN_MATES_H

#include <stdint.h>

#include "run/model.h"

/* A quantity of one model that is an input of another; NONE: the first model.
 */
typedef struct MateLink {
    int from, to; /* models */
    int source, sink;
} MateLink;

typedef struct Mate {
    RunModel *m;
    const char *name;
    int64_t every;     /* steps of the first model in one of this */
    const int *number; /* of what is recorded, n */
    int n;
    int64_t steps;
} Mate;

typedef struct Mates {
    Mate *at;
    int n;
    const MateLink *link;
    int nlink;
} Mates;

/* Initial values. Returns a status below 0 with its number in `which`. */
int mates_start(Mates *s, RunModel *first, int *which);
/* Inputs of the first model. */
void mates_give(const Mates *s, RunModel *first);
/* After step k of the first model. The same return. */
int mates_step(Mates *s, RunModel *first, int64_t k, int *which);
/* What is recorded of all of them. */
void mates_get(const Mates *s, double *value);

#endif
