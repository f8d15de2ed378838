/* api.h - what stands behind include/takt/takt.h. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_API_API_H
#define TAKT_API_API_H

#include "takt/takt.h"

#include "driver/driver.h"

struct TaktModel {
    Arena *arena; /* of the model: what was asked for */
    const char *name;
    Vec(const char *) library;
    Vec(const char *) set; /* "name=value" */
    PlanEdits edits;
    const char *plan;
    char *own; /* file of a text, to be removed; or NULL */
    /* of the last call: */
    Arena *said;
    Vec(TaktMessage) message;
    int status;
};

/* What a call does. Everything that it allocates is freed if it dies. */
typedef bool ApiWork(TaktModel *m, Compilation *c, void *context);

/* Runs `work` with a compilation of its own, keeps what was said, and gives the
 * status. */
int api_call(TaktModel *m, ApiWork *work, void *context);
/* Work that says that a name is missing. */
ApiWork api_refuse;
DriverOptions api_options(TaktModel *m);

#endif
