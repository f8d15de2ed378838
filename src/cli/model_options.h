/* model_options.h - what every verb with a MODEL tells the driver. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_MODEL_OPTIONS_H
#define TAKT_CLI_MODEL_OPTIONS_H

#include "cli/options.h"
#include "driver/driver.h"

/* MODEL, -L DIR ..., --set NAME=VALUE ...: the texts are those of the lists. */
static inline void model_options(DriverOptions *d, const TextList *args,
                                 const TextList *library, const TextList *set)
{
    d->model = args->at[0];
    d->library = library->at;
    d->nlibrary = library->n;
    d->set = set->at;
    d->nset = set->n;
}

#endif
