/* settings.h - what holds for a compilation: the command line's word over the
 * plan's, the plan's over the model's annotation, that over the default. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_SETTINGS_H
#define TAKT_DRIVER_SETTINGS_H

#include "driver/driver.h"

/* c->plan, which is finished by this, c->method, c->start, c->stop and c->size.
 * Returns false after a report. */
bool settings_decide(Compilation *c, const DriverOptions *o);
/* Has every wanted state of the plan become one? A name that does not exist is
 * an error: false. */
bool settings_check_states(Compilation *c);
/* Says which values of the run are outside the ranges of the plan
 * (domain.c). */
void settings_warn_domain(Compilation *c, const DriverOptions *o);

#endif
