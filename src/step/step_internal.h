/* step_internal.h - what the files of step/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_STEP_INTERNAL_H
#define TAKT_STEP_STEP_INTERNAL_H

#include "step/step.h"

/* ---- realtime.c ---- */
/* Has the method steps at all? Else it is said (U1403). */
bool step_can_be_static(const Step *s, Diag *diag);
/* Initial values and the fused tape, of a static step. False after a report. */
bool step_fuse(Step *s, Arena *arena, Diag *diag);

#endif
