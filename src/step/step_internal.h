/* step_internal.h - what the files of step/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_STEP_INTERNAL_H
#define TAKT_STEP_STEP_INTERNAL_H

#include "step/step.h"

/* ---- weights.c ---- */
/* How far 1 of each residual of `b` moves its unknowns, in their own sizes,
 * from `nsample` matrices; `size` of each entry. NULL: too large, or nothing is
 * known. */
double *pivots_weigh(const Inlined *d, const SchedBlock *b,
                     const double *sample, int nsample, const double *size,
                     Arena *arena);

/* ---- pushes.c ---- */
/* A point of a run. */
typedef struct PushPoint {
    double *r;    /* all slots */
    double *unit; /* of each state of the Dae */
} PushPoint;

typedef struct Pushes {
    Vec(PushPoint) point;
} Pushes;

/* Keeps the present point, where the method asks for pushes; `size` of each
 * entry so far. */
void pushes_keep(Pushes *p, const Sim *sim, const double *size, Arena *arena);
/* LowerOptions.push. NULL: nobody asks for it, there are too many states. */
const double *pushes_weigh(const Pushes *p, const Sim *sim, Arena *arena);

/* ---- numbers.c ---- */
/* Parameters with the values that they have become numbers in all segments but
 * `param` and `init` (or NULL). Values of slots that are no numbers are lost.
 */
void step_put_numbers(Tape *t, const TapeSegment *init, double *value);

/* ---- realtime.c ---- */
/* Has the method steps at all? Else it is said (U1403). */
bool step_can_be_static(const Step *s, Diag *diag);
/* Initial values and the fused tape, of a static step. False after a report. */
bool step_fuse(Step *s, Arena *arena, Diag *diag);

#endif
