/* cost_rates.h - which steps of a cyclic schedule cost how much.
 *
 *   in    CostTable   of a step, and of a tick of each rate (tape/cost.h)
 *   out   CostCycle   least, mean and worst step
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PAGES_COST_RATES_H
#define TAKT_PAGES_COST_RATES_H

#include "tape/cost.h"

typedef struct CostSteps {
    long least, worst;
    double mean;
} CostSteps;

typedef struct CostCycle {
    long length; /* steps until the schedule begins anew; 0: the ticks are not
                    at whole numbers of steps, or the cycle is too long, and
                    the worst step is one with all rates */
    CostSteps operations, instructions;
} CostCycle;

long cost_operations(const Cost *c);
/* Steps between two ticks of a rate, at least 1. */
double cost_steps_between(const TapeRate *r, double step);
CostCycle cost_cycle(const Tape *t, const CostTable *table, double step);

#endif
