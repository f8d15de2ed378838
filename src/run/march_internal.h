/* march_internal.h - the state of the loop, for its parts. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_RUN_MARCH_INTERNAL_H
#define TAKT_RUN_MARCH_INTERNAL_H

#include "run/run.h"

typedef struct March {
    RunModel *m;
    const RunOptions *o;
    RunReport *r;
    ClockTicks ticks;
    int64_t tick;      /* number of the one that is due */
    int64_t k;         /* steps that were made */
    int64_t due;       /* ns: when this tick was to begin */
    int64_t woken;     /* ns that it woke up late */
    int64_t work;      /* ns of the last step */
    bool is_paused;    /* by an order, */
    int64_t allowed;   /* but for so many steps */
    bool is_held;      /* results wait for the next tick, */
    double ready;      /* which are of this time of the model */
    bool has_datagram; /* and are to be sent as a datagram too */
    int64_t shown;     /* step of the last row for the page */
    int64_t since;     /* steps since the last datagram; NONE: none came yet */
} March;

double loop_time(const March *a, int64_t k);
/* Parameters and start values of all models as they come. */
void loop_set_defaults(RunModel *first);
/* Initial values with the present parameters. Returns false if the run ends. */
bool loop_start(March *a);
/* All of a tick after its waiting and its orders: inputs, steps, results. (A
 * function by itself, so that its instructions can be counted.) Returns false
 * if the run ends here. */
bool loop_work(March *a);

/* --- orders.c */

/* Obeys what was ordered. Returns false if the run ends here. */
bool loop_obey(March *a);
/* Orders of the scenario that are due before step k + 1, and expectations after
 * step k. */
void loop_play(March *a);
void loop_look(March *a);
/* Present values of all parameters. */
void loop_note_parameters(March *a);

#endif
