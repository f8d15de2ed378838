/* sim.h - a fixed-step run of a model at the desk.
 *
 *   in    Lowered    the tape of a model with its method
 *   out   rows       one per step, handed to the caller as they come
 *
 * Time is never accumulated: step k ends at start + k * step. A step is
 *   1. inputs and delayed values are set, the system of the step is solved with
 *      relations frozen;
 *   2. relations are looked at; while one differs, a discrete variable changed
 *      or a reinit happened, the model is evaluated again at the same time with
 *      the new values, at most events_max times: bounded work, counted;
 *      The history moves on between 1 and 2.
 * With exact events a step ends early where something happens in it, and the
 * rest follows: advance.c. A step that has no solution is made in parts, unless
 * the number of iterations is fixed.
 * A value that is not finite or beyond all bounds ends the run with the name of
 * the variable; the rows so far are kept.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_SIM_H
#define TAKT_SIM_SIM_H

#include "point/point.h"

/* Called after initialisation and after each step; `at_event` tells a second
 * point at the same time. Returns false to stop the run. */
typedef bool SimRow(void *context, const Sim *sim, double time, bool at_event);

/* Prepares a run. Returns NULL after reports: an input without a column, a
 * step of zero, a stop before the start. Free with sim_free. */
Sim *sim_new(const Lowered *low, const SimOptions *options, Arena *arena,
             Diag *diag);
void sim_free(Sim *s);

/* Consistent initial values at options.start: damped Newton over the sorted
 * initial system; where that fails, on the way from a residual that is zero by
 * construction to the true one (for a circuit: its sources are ramped up), and
 * along homotopy() where the model has it. Returns false after a report that
 * names the block, its variables and equations. */
bool sim_init(Sim *s);

/* The linear block whose equations the modes of the run have left open, though
 * they were not at the start: its name, or NULL. */
const char *sim_open_later(const Sim *s);
/* One step. Returns false after a report. */
bool sim_step(Sim *s);
/* All of it: initialisation, steps, rows. Returns false after a report. */
bool sim_run(Sim *s, SimRow *row, void *context);

/* Says which instants of sample() and which changes of inputs the grid loses.
 */
void sim_warn_grid(Sim *s);

/* Estimated errors of a state at the last point; 0 where the tape has none. */
typedef struct SimError {
    double local;   /* of the last step */
    double running; /* of the run so far */
} SimError;
SimError sim_state_error(const Sim *s, int state);
/* Takes the errors of the run so far out of states and discrete Reals in
 * `slot`, all slots of the present point; with `late` also what late events
 * have cost. */
void sim_take_errors_out(const Sim *s, bool late, double *slot);

/* How far a run can be trusted, by the estimates of its tape. */
typedef struct SimTrust {
    int state;     /* of the Dae, with the largest error; NONE: no estimate */
    double error;  /* over the range of the state in the run */
    double time;   /* where */
    bool is_local; /* that of a step, not of the run so far */
    double late;   /* an event on the grid acted at most so late, s */
    double late_cost;   /* what that may have cost, over the range of */
    int late_state;     /* this state; NONE: nothing */
    double both;        /* this and the error of the run so far together, */
    int both_state;     /* of this state; NONE: likewise */
    long within;        /* so often something began and ended within a step, */
    double within_time; /* first at this time: */
    const char *within_what; /* this */
    long lost; /* events among them, the first between these times: */
    double lost_from, lost_to;
    const char *lost_what; /* this */
    long leaps;            /* in so many steps slopes jump without an event, */
    double leap_time;      /* first at this time */
    long broken;           /* so often an assertion failed within a step, */
    double broken_time;    /* first at this time, */
    int broken_what;       /* this one of Sys */
    long near;             /* so often errors decide on an event, */
    double near_time;      /* first at this time, by this relation, */
    const char *near_what; /* which */
    bool near_changed;     /* has changed */
    double delayed;        /* what delay() reads is off by at most, over the
                              range of what is delayed, */
    double delayed_time;   /* at this time, */
    int delayed_what;      /* of this delay of the Inlined */
} SimTrust;
SimTrust sim_trust(const Sim *s);

double sim_time(const Sim *s);       /* of the last point */
long sim_nstep(const SimOptions *o); /* number of steps of a run */

#endif
