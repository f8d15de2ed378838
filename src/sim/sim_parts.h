/* sim_parts.h - the parts of a run that other integrators use too. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_PARTS_H
#define TAKT_SIM_PARTS_H

#include "point/point.h"
#include "sim/sim.h"

/* Slots that a run is to go on with were set: what follows from parameters and
 * carried slots is computed again. */
void sim_continue(Sim *s);
/* After that, where parameters are others than those of the run so far: slopes
 * are those of now, and the history counts no more. False after a report. */
bool sim_continue_otherwise(Sim *s);
/* Chooses other states where the ones in use become bad; returns whether. */
bool sim_reselect(Sim *s);

/* The first time in (from, to] at which something happens that depends on time
 * alone: a relation, an instant of sample(), a jump of the input. `to` if there
 * is nothing before it. */
double sim_next_time_event(Sim *s, double from, double to);
/* Did a branch of equations end since the last call? Counts it if so. */
void sim_count_jumps(Sim *s);
/* All slots that outlive a segment are kept, with what is known of branches;
 * and are as they were then. */
void sim_save_slots(Sim *s);
void sim_restore_slots(Sim *s);
/* From the saved slots over the end of a branch, to *reached. Returns false
 * after a report. */
bool sim_jump(Sim *s, double from, double *reached);

/* Steps of about this length are many, and one begins at the saved slots. Do
 * slopes on both sides of a jump without an event lead back to it, as they did
 * at the calls before? Returns false after a report. */
bool sim_check_short(Sim *s, double from, double length);

/* What a step of any length passes over because it is narrow in a state: NAN,
 * or where the step should end instead, `from`: nowhere; and a point at which a
 * relation is another than at both ends. */
typedef struct SimMiss {
    double end, turn;
} SimMiss;
/* A step begins at the present slots. */
void sim_missed_before(Sim *s);
/* The step from there, at `from`, has led to the present slots, at `to`. */
void sim_has_missed(Sim *s, double from, double to, double rtol, double atol,
                    SimMiss *miss);
/* The same of a step of the grid: where relations are first another than at
 * both ends, by the cubics; NAN: nowhere. */
double sim_turn_within(Sim *s, double from, double to);
/* The next step should not be longer. */
double sim_miss_length(const Sim *s, double from);

/* A step that has led to the present slots, and what makes the slots those of a
 * point of it; false: there is no solution. Sides of an assertion that come
 * beyond equality by `least` of what they were apart are equal. */
typedef bool GuardPlace(void *context, double time);
typedef struct SimGuardStep {
    double from, to;
    double least;
    GuardPlace *place;
    void *context;
} SimGuardStep;
/* The assertion that holds at both ends and is broken at *time between, or
 * NONE. The slots are any of the step then. */
int sim_see_guards(Sim *s, const SimGuardStep *step, double *time);
/* Are there any? */
bool sim_has_guards(Sim *s);
/* Something has happened: points before do not count. */
void sim_forget_guards(Sim *s);

/* sample() may be true now that the continuous values have reached the present
 * point: the discrete equations see it, and pre(x) of a continuous x is the
 * value that x came with. Returns false after a report. */
bool sim_begin_sampling(Sim *s);
/* sample() is over when its event is: the conditions fall back, so that the
 * next instant is a new event even one step later. */
void sim_end_sampling(Sim *s);

/* Is the model singular at the present point, or was it since the last one?
 * Points must not lie so near that differences are rounding. */
void sim_look_for_singular(Sim *s);
#endif
