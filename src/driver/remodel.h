/* remodel.h - what to do where structural analysis is wrong. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_DRIVER_REMODEL_H
#define TAKT_DRIVER_REMODEL_H

#include "driver/driver.h"

typedef enum RemodelResult {
    REMODEL_DONE,    /* c->sys has rows of its derivative array */
    REMODEL_REFUSED, /* c->sys is as it was */
    REMODEL_BROKEN,  /* it must be made again */
} RemodelResult;

/* Rows of the derivative array take the place of the equations of c->sys
 * (array/select.h), which is said (W1708), or why not. */
RemodelResult remodel(Compilation *c);

#endif
