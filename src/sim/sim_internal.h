/* sim_internal.h - what the files of sim/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_INTERNAL_H
#define TAKT_SIM_INTERNAL_H

#include "sim/sim.h"

/* An entry of the Diff table that holds an input. */
typedef struct SimInput {
    int slot;
    int column; /* of the table, NONE: constant start value */
    int order;  /* derivative */
    double c;   /* at t_n + c h */
} SimInput;

/* The past of a delayed expression, and the entries that read it. */
typedef struct SimDelay {
    Vec(double) time;
    Vec(double) value;
    int first; /* entries before it are too old to be asked for */
} SimDelay;

/* --- inputs.c ----------------------------------------------------------------
 */
bool sim_find_inputs(Sim *s);
/* Sets inputs and delayed values for a step from `old` to `new`. */
void sim_set_inputs(Sim *s, double old, double new);
void sim_record_delays(Sim *s, double time);

/* --- events.c
 * ------------------------------------------------------------------ */
/* Brings relations, discrete variables and reinit to rest at the present
 * point. Returns false after a report. *changed tells whether anything did. */
bool sim_settle(Sim *s, bool *changed);
/* pre(v) of continuous variables: their values before the event. */
void sim_set_left(Sim *s);
/* pre(v) := v, and what the next step starts from (old values one step back)
 * := the present values. */
void sim_set_pre(Sim *s);
bool sim_check_asserts(Sim *s);

/* --- states.c
 * -------------------------------------------------------------------- */
typedef struct SimSet SimSet;
void sim_find_sets(Sim *s);
/* Looks at the state sets; returns whether another choice was made. */
bool sim_choose_states(Sim *s);

/* --- report.c
 * -------------------------------------------------------------------- */
/* Says which block failed, with its variables, equations and lines. */
void sim_report_block(Sim *s, int system, const char *when);
/* Looks for values that are not finite or out of bounds; reports and returns
 * false if there are any. */
bool sim_check_values(Sim *s);

#endif
