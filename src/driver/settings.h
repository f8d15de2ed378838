/* settings.h - what holds for a compilation: the command line's word over the
 * plan's, the plan's over the model's annotation, that over the default. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_SETTINGS_H
#define TAKT_DRIVER_SETTINGS_H

#include "driver/driver.h"

/* c->plan and c->method. Returns false after a report. */
bool settings_plan(Compilation *c, const DriverOptions *o);
/* c->start, c->stop, c->size, and the step of the plan. */
void settings_times(Compilation *c, const DriverOptions *o);

#endif
