/* certificate.h - the cost of a step, for people, machines and files. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_CLI_CERTIFICATE_H
#define TAKT_CLI_CERTIFICATE_H

#include <stdio.h>

#include "driver/realtime.h"
#include "tape/cost.h"

typedef struct Certificate {
    const char *model, *method, *scalar;
    double step;
    const Tape *tape;
    const CostTable *table; /* of the costliest step function */
    long data_bytes;        /* of an instance */
    PivotReport pivots;
} Certificate;

Certificate *certificate_make(const Compilation *c, const Realtime *rt,
                              bool is_float, Arena *arena);
void certificate_print(const Certificate *k, FILE *out);
void certificate_json(const Certificate *k, FILE *out);

#endif
