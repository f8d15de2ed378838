/* sim_parts.h - the parts of a run that other integrators use too. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_PARTS_H
#define TAKT_SIM_PARTS_H

#include "past/past.h"
#include "sim/sim.h"
#include "spread/spread.h"

/* The past of a delayed expression. */
typedef struct SimDelay {
    Past past;
    SpreadMemory spread; /* that of spatialDistribution() instead */
} SimDelay;

/* Sets inputs and delayed values for a step from `old` to `new`. At its end a
 * jump in the input table has not happened yet; with old == new it has. */
void sim_set_inputs(Sim *s, double old, double new);
/* A time a little beside `time`, on the side of a jump there that inputs are
 * on in such a step. */
double sim_input_side(const Sim *s, double time, double old, double new);
/* Jumps at the present time happen. Returns whether an input changed. */
bool sim_jump_inputs(Sim *s);
/* Does an input jump or bend at this time? */
bool sim_is_bent(const Sim *s, double time);
void sim_record_delays(Sim *s, double time);
/* How long a step may be at most, so that what flows through the pipe of memory
 * number i is told well by a few points; INFINITY: as long as it likes. */
double sim_spread_while(const Sim *s, int i);

/* Brings relations, discrete variables and reinit to rest at the present
 * point. Returns false after a report. *changed tells whether anything did. */
bool sim_settle(Sim *s, bool *changed);
/* pre(v) of continuous variables: their values before the event. */
void sim_set_left(Sim *s);
/* pre(v) := v, and what the next step starts from (old values one step back)
 * := the present values. */
void sim_set_pre(Sim *s);
/* Slots that a run is to go on with were set: the choice of states follows P
 * in them, and what follows from parameters and carried slots is computed
 * again. */
void sim_restore_sets(Sim *s);
void sim_continue(Sim *s);
/* Chooses other states where the ones in use become bad; returns whether. */
bool sim_reselect(Sim *s);

/* States that are not variables of the model, those of sets and combinations,
 * take the values that the variables have which they stand for. */
void sim_follow_states(Sim *s);
/* The slot of state `number` of the Dae, in a set of the candidate chosen. */
int sim_state_slot(const Sim *s, int number);

/* The first time in (from, to] at which something happens that depends on time
 * alone: a relation, an instant of sample(), a jump of the input. `to` if there
 * is nothing before it. */
double sim_next_time_event(Sim *s, double from, double to);
/* Has a relation that depends on more than time another value at the present
 * point than the frozen one? */
bool sim_has_crossed(Sim *s);
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

/* From now on relations have bands (bands.c). */
void sim_begin_bands(Sim *s);
/* How far the present point is beyond equality, for each relation that compares
 * what moves, and the width of its band; NAN for the others. There are bands.
 */
void sim_relation_gaps(Sim *s, CrestSides *at);
/* How far each relation is beyond the point at which it changes, its band
 * counted; less than 0: it has not changed. NAN: it compares nothing. */
void sim_crossing_depths(Sim *s, double *depth);
/* The present point is accepted: relations may have left their bands. */
void sim_leave_bands(Sim *s);
/* Events are counted from one point of output to the next: this is one. */
void sim_forget_events(Sim *s);
/* Has no relation changed more than `most` times since? Else a report. */
bool sim_check_crowd(Sim *s, int most);
enum { SIM_MOST_EVENTS = 100 };

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

/* sample() may be true now that the continuous values have reached the present
 * point: the discrete equations see it, and pre(x) of a continuous x is the
 * value that x came with. Returns false after a report. */
bool sim_begin_sampling(Sim *s);
/* sample() is over when its event is: the conditions fall back, so that the
 * next instant is a new event even one step later. */
void sim_end_sampling(Sim *s);

/* A run is at `time`. Returns whether it shall go on. */
bool sim_show_progress(const Sim *s, double time);

/* Says which block failed, with its variables, equations and lines. */
void sim_report_block(Sim *s, int system, const char *when);
/* Assertions, and min and max of variables. Returns false after a report. */
bool sim_check_asserts(Sim *s);
/* Looks for values that are not finite or out of bounds; reports and returns
 * false if there are any. */
bool sim_check_values(Sim *s);
/* Is the model singular at the present point, or was it since the last one?
 * Points must not lie so near that differences are rounding. */
void sim_look_for_singular(Sim *s);
/* `cause` happened in a step, in a block or in none. */
void sim_note(Sim *s, StatusCause cause, int block);

#endif
