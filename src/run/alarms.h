/* alarms.h - what the steps of a model had to say, counted by cause and by what
 * a cause speaks of: a block, a message or a variable. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_ALARMS_H
#define TAKT_RUN_ALARMS_H

#include <stdint.h>

#include "base/status.h"
#include "run/model.h"

typedef struct RunAlarms {
    int64_t *cause[STATUS_NCAUSE]; /* steps of each row of base/status.def by
                                      what it speaks of, from 1; 0: all */
} RunAlarms;

/* The largest number of what a cause speaks of. */
int alarms_nplace(const RunModel *m, StatusCause cause);
/* All are 0. */
void alarms_init(RunAlarms *a, const RunModel *m, Arena *arena);
/* Of the step that the model has just made. */
void alarms_note(RunAlarms *a, const RunModel *m);

#endif
