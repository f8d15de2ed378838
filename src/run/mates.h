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

#include "run/alarms.h"
#include "run/model.h"

/* A quantity that is an input of another model; numbers are those of the run.
 */
typedef struct MateLink {
    int to; /* the model that has the input; NONE: the first */
    int source, sink;
} MateLink;

typedef struct Mate {
    RunModel *m;
    const char *name;
    int64_t every; /* steps of the first model in one of this */
    int64_t steps;
    RunAlarms alarms;
} Mate;

typedef struct Mates {
    Mate *at; /* in the order of RunModel.next */
    int n;
    const MateLink *link;
    int nlink;
} Mates;

/* Initial values; inputs and parameters have been set. Returns a status below 0
 * with the number of its model in `which`. */
int mates_start(Mates *s, RunModel *first, int *which);
/* Inputs of the first model. */
void mates_give(const Mates *s, RunModel *first);
/* After step k of the first model. Returns a status that ends the run, below 0
 * or STATUS_TERMINATED, with the model in `which`; else 0. */
int mates_step(Mates *s, RunModel *first, int64_t k, int *which);

#endif
