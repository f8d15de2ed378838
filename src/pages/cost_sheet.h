/* cost_sheet.h - the cost of a step, for people, machines and files. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAGES_COST_SHEET_H
#define TAKT_PAGES_COST_SHEET_H

#include <stdio.h>

#include "driver/driver.h"
#include "tape/cost.h"

typedef struct CostSheet {
    const char *model, *method, *scalar;
    double step;
    const Tape *tape;
    const CostTable *table;   /* of the costliest step function */
    const Schedule *schedule; /* its blocks */
    CostTable **segment;      /* of each segment of the tape */
    long code_bytes;          /* of the object, as `size` shows it: about */
    long stack_bytes;         /* of a step: about */
    long data_bytes;          /* of an instance */
    PivotReport pivots;
} CostSheet;

/* Of a compilation to a step for real time. */
CostSheet *sheet_make(const Compilation *c, Arena *arena);
void sheet_print(const CostSheet *k, FILE *out);
void sheet_json(const CostSheet *k, FILE *out);

#endif
