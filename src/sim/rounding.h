/* rounding.h - what rounding leaves of the variables of a model.
 *
 *   in    Sim, at points of its run
 *   out   variables that are differences of numbers so large that their digits
 *         are lost
 *
 * At some points of a run the model is evaluated again with operations that
 * round to either side by chance, and with states that are off by their last
 * bit (tape/exec_rough.c). What a variable differs by is its rounding error: no
 * step and no tolerance makes it smaller. A slope counts by what it does to its
 * state.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_ROUNDING_H
#define TAKT_SIM_ROUNDING_H

#include "sim/sim.h"

typedef struct SimRounding SimRounding;

/* A variable, or a relation by what it compares. */
typedef struct SimRounded {
    const char *name;
    Span span;
    bool is_relation;
    double size;  /* largest at the points that were looked at */
    double error; /* that rounding makes of it, */
    double time;  /* here */
} SimRounded;

/* NULL: functions of the model do more than give values. Lives in `arena`. */
SimRounding *sim_rounding_new(const Sim *s, Arena *arena);
void sim_rounding_free(SimRounding *w);
/* A row of the run: it is looked at if it is its turn. */
void sim_rounding_see(SimRounding *w, const Sim *s, double time);
/* The one with the fewest digits left; false: all have enough. */
bool sim_rounding_worst(SimRounding *w, SimRounded *worst);

#endif
