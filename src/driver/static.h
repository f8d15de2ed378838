/* static.h - real-time tapes: every operation of a step is known beforehand.
 *
 * Comes behind driver_compile(..., PHASE_TAPE): samples the model along a run,
 * fixes pivot orders, lowers again.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_STATIC_H
#define TAKT_DRIVER_STATIC_H

#include "driver/driver.h"
#include "sample/pivots.h"

/* The run behind generated code: Newton counts are fixed, states are kept. */
SimOptions driver_static_options(const Compilation *c);
/* Replaces c->lowered by a tape that pivots in its initialisation only. Returns
 * false after a report. */
bool driver_static(Compilation *c, PivotReport *report);

#endif
