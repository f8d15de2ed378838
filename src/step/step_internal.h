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

/* ---- realtime.c ---- */
/* Has the method steps at all? Else it is said (U1403). */
bool step_can_be_static(const Step *s, Diag *diag);
/* Initial values and the fused tape, of a static step. False after a report. */
bool step_fuse(Step *s, Arena *arena, Diag *diag);

#endif
