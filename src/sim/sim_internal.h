/* sim_internal.h - what the files of sim/ share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_SIM_INTERNAL_H
#define TAKT_SIM_INTERNAL_H

#include "lower/sides.h"
#include "point/point_parts.h"
#include "pulse/narrow.h"
#include "pulse/pulse.h"
#include "sim/sim_parts.h"

/* ---- often.c ---- */
typedef struct SimOften SimOften;
/* The first point in (from, to) at which a relation of time has changed that
 * may have changed back at `to`, or `to`; *before: one at which it had not. */
double sim_next_often(Sim *s, double from, double to, double *before);
/* Says which of them the grid loses. */
void sim_warn_often(Sim *s);

/* ---- within.c ---- */
/* What functions of time do between points, on the grid or off it. */
const PulseList *sim_pulses(Sim *s);
/* What functions of states do there; NULL: none can do anything. */
Narrow *sim_narrow(Sim *s);
/* What happened between the points of the grid and is over at their ends, and
 * what it does to the states; late.c has the values there. The events of the
 * step are over. */
void sim_look_within(Sim *s, bool at_event);
void sim_within(const Sim *s, SimTrust *t);

/* ---- advance.c ---- */
/* Solves a step from `from` to `to`, or a part of it that ends at *reached.
 * is_whole: the history fits; is_exact: it ends at a crossing. s->system tells
 * which system did it; its carry list comes next. Returns false after a
 * report. */
bool sim_advance(Sim *s, double from, double to, bool is_whole, bool is_exact,
                 double *reached);

/* A part from the saved slots on, or from the present ones; nothing is said
 * where it fails. */
bool sim_try_part(Sim *s, double from, double to, bool is_whole);
bool sim_try_next(Sim *s, double from, double to, bool is_whole);
/* The first point between low and high where a relation has changed in a part
 * that begins at `from`, to rounding. It has not at low, and has (or nothing is
 * solved) at high. */
double sim_bisect(Sim *s, double from, double low, double high);
/* The same part once more, to say why it fails. Returns false. */
bool sim_report_part(Sim *s, double from, double to);

/* ---- jump.c ---- */
/* Does a branch of equations end in the part that was tried last? */
bool sim_has_jumped(const Sim *s);
/* Then *to, its end, becomes the last point on the branch, or `from`. Only with
 * exact events. */
void sim_find_branch_end(Sim *s, double from, double *to);
/* States that have a slope of their own go on by it for a time. */
void sim_move_states(Sim *s, double length);

/* ---- control.c ---- */
/* A part whose error is within the tolerance. */
bool sim_control(Sim *s, double from, double to, bool is_exact,
                 double *reached);

/* ---- turns.c ---- */
/* A part from `from` to `to` was solved, and is kept: crests of relations in
 * it. Returns a point where one seems to be another than at both ends, and is
 * if the part has no polynomial; or NAN. */
/* After that and all events: is an assertion broken in it? False after a
 * report. crossed: a relation has changed at its end. */
bool sim_keeps_guards(Sim *s, double from, double to, bool crossed);
double sim_see_crests(Sim *s, double from, double to);

/* ---- control.c ---- */
/* What state k may be off by at the present point, and its slope there or
 * NaN. */
double sim_bound(const Sim *s, int k);
double sim_slope(const Sim *s, int k);

/* What lies before the present point does not count any more: an event, other
 * states. */
void sim_control_break(Sim *s);

/* The length that the next part wants; 0: not known yet. */
double sim_control_length(const Sim *s);

/* ---- levels.c ---- */
typedef struct SimLevels SimLevels;
/* So much of the tolerance is for one step of an extrapolation: its last row
 * takes little from the error that the one before it had, at least on DAEs, and
 * the errors of many steps add up. */
#define SIM_EXTRAPOLATED (1.0 / 100)
/* NULL: the order stays that of the method. */
SimLevels *sim_levels_new(Sim *s);
int sim_levels_system(const Sim *s); /* of the next part */
/* A part began with the states `old`, had this ratio of error to tolerance, and
 * the next one, or another attempt, may be `own` times as long with the same
 * order: chooses that order, and returns the factor for it. */
double sim_levels_next(Sim *s, SimLevels *l, double error, double own,
                       const double *old, const double *atol);
bool sim_levels_is_new(const SimLevels *l); /* no part had this order yet */
void sim_levels_fail(SimLevels *l);         /* it has no solution */

/* ---- dense.c ---- */
typedef struct SimDense SimDense;
/* Does a relation depend on more than time? */
bool sim_has_state_events(const Inlined *d);
/* May parts reach beyond points of output? */
bool sim_dense_possible(Sim *s);
double sim_dense_time(const Sim *s); /* where the run is */
/* Is that `time`, but for rounding? */
bool sim_dense_is_at(const Sim *s, double time);
/* A part that goes no further than `to`; the next point of output is `row`. */
void sim_dense_before(Sim *s, double to, double row);
/* It has reached this point, where the event has not been looked at. */
void sim_dense_after(Sim *s, double reached, double row);
/* The part that was solved is looked at before it is kept: */
void sim_dense_hold(Sim *s, double from, double to);
/* The slots become those of a point within it; false: there is no solution. */
bool sim_dense_place(Sim *s, double time);
void sim_dense_release(Sim *s); /* the slots are those of its end */
/* The slots become those of an earlier point; false after a report. */
bool sim_dense_show(Sim *s, double time);
void sim_dense_return(Sim *s); /* the slots are those of the run again */

/* The same for parts that end at points of output: */
bool sim_look_possible(Sim *s);
/* A part begins here, with these slopes. */
void sim_look_before(Sim *s, double from, const double *slope);

/* ---- switches.c ---- */
typedef struct SimSwitches SimSwitches;
void sim_switches_begin(Sim *s, double from); /* a part will be tried */
/* Do slopes jump without an event within the part that was tried? Then *low is
 * the last point before, or `from`. The slots stay as they are. */
bool sim_finds_switch(Sim *s, double from, double to, double *low);
/* From the saved slots over a jump next to `from`; parts have about the length
 * `step`. Returns false after a report. */
bool sim_cross_switch(Sim *s, double from, double step, double *reached);
/* The time until slopes jump without an event, for the saved slots moved on by
 * their slopes, `within` at most; NaN: they do not, or a branch of equations
 * ends there. */
double sim_switch_ahead(Sim *s, double from, double within);
/* So much time before it states go over it by their slopes. */
double sim_switch_near(const Sim *s);
/* A part of this length will be tried: *is_here: slopes jump so soon that the
 * run goes over it. Returns false after a report. */
bool sim_at_switch(Sim *s, double from, double length, bool *is_here);
/* Is the model on other pieces now than where the part begins? */
bool sim_has_switched(Sim *s);
/* Then a part of length `over` has gone over a jump. Returns false after a
 * report. */
bool sim_note_switch(Sim *s, double time, double over);
void sim_switches_end(Sim *s, double time); /* a part is kept */

/* ---- passage.c ---- */
/* A part was solved: ends it where a relation changes first. The slots are
 * those of its end. False after a report. */
bool sim_find_passage(Sim *s, double from, double to, double turn,
                      double *found);

/* ---- predict.c ---- */
typedef struct SimPredictor SimPredictor;
/* NULL: the method has no polynomial that could be followed. */
SimPredictor *sim_predictor_new(Sim *s);
/* The part is kept that began with these states. */
void sim_predictor_keep(SimPredictor *p, const double *old);
/* First values of a part of length h, `ratio` times shorter than the last. */
void sim_predict(Sim *s, const SimPredictor *p, double ratio, double h);

/* ---- roots.c ---- */
/* The slots hold a solution of the start, found from Sim.saved by `solve`: then
 * that one, or another one that is nearer to the start values that are given.
 * Returns what `solve` did. */
bool sim_choose_root(Sim *s, bool (*solve)(Sim *s));

/* ---- ramp.c ---- */
/* The initial system failed from Sim.saved on: a pre-simulation finds other
 * values to begin with, which are then in the slots. */
bool sim_ramp(Sim *s);

/* ---- domain.c ---- */
void sim_find_ranges(Sim *s);
void sim_check_ranges(Sim *s); /* after a step */
/* ---- change.c ---- */
typedef struct SimChange SimChange;
void sim_change_before(Sim *s); /* a step is solved */
/* False after a report: the change ends the run. */
bool sim_change_after(Sim *s);

/* ---- estimate.c ---- */
typedef struct SimEstimate SimEstimate;
void sim_estimate_before(Sim *s); /* a step is solved */
void sim_estimate_after(Sim *s, bool is_whole);

/* ---- delay_error.c ---- */
void sim_delay_error_begin(Sim *s); /* of the first step */
void sim_delay_error_free(Sim *s);
/* A step was made and its error estimated by `system`. */
void sim_delay_error_step(Sim *s, int system);
/* What states are off by, as delayed values are; NULL: there are none. */
double *sim_delay_off(const Sim *s);
/* The present values have been recorded. */
void sim_delay_error_record(Sim *s, double time);
/* An event happened `since` before the present point, at which the slots were
 * `before` before it was seen; of_time: stages of the step had seen it. */
void sim_delay_error_jump(Sim *s, const double *before, double since,
                          bool of_time);
void sim_delay_trust(const Sim *s, SimTrust *t);

/* ---- samples.c ---- */
/* Says which sample() is never true. */
void sim_warn_samples(Sim *s);

/* ---- pieces.c ---- */
/* Instructions of the event system that can jump; what only Jacobians are made
 * of is left out. Returns how many. */
int sim_find_pieces(Sim *s, int **at);
/* On which piece is one? */
double sim_piece(const Exec *e, const TapeInstr *in);

/* ---- leaps.c ---- */
/* Is there anything that jumps without an event? */
bool sim_has_leaps(Sim *s);

/* ---- late.c ---- */
typedef struct SimHeld {
    int now, pre, old; /* slots of v, pre(v), and old(v) or NONE */
} SimHeld;

struct SimLate {
    double *last; /* slots at the end of the step before */
    double *here; /* slots before the events of this one */
    int n;
    int *state, *slope; /* slots, NONE: the slope is no unknown */
    int *kept; /* slots of the running errors that the next step reads, NULL */
    double *off;     /* what each state is off by, as events were late */
    double *cost;    /* and was at most */
    double most;     /* largest tau */
    double *changed; /* of each relation: when it was, */
    long *changes;   /* how often before the events of this step, */
    long *played;    /* and before one that is played */
    int nheld;
    SimHeld *held;      /* discrete Reals, which are off by the errors of the */
    double *held_error; /* run; by late events: off[n ..] */
    double *push_error; /* and move each state by this per unit of time, */
    double *push;       /* or by this */
    bool ends;          /* one that was played is terminate() */
    bool is_sampling;   /* something is sampled at them */
    double *due;        /* slots, had the last event not been late (due.c), */
    double *mean;       /* and slopes of states from there on */
    int *old_slope; /* slots of slopes at the end of the step before, or NONE */
    bool has_due;   /* of the present event, */
    bool has_spark; /* and its slopes are none to begin the next step with, */
    bool is_due_same; /* but no other relation changes on the way to it */
};
/* Brings the present point to rest as an event does, and leaves nothing of it
 * but slots (near.c). Returns false where it comes to none. */
bool sim_play(Sim *s, bool *changed);
/* The slot that keeps the running error of a state from step to step. */
int sim_kept_slot(const Sim *s, int state);
/* The relation that was the first to change within this step, as its sides
 * crossed; EXPR_NONE: the event is one of time, or of nothing in the step.
 * *since: the time since it changed before; infinite if it has its value again,
 * as a clause that sets the next time of itself leaves it. */
Expr sim_late_first(const Sim *s, double *since);
void sim_late_begin(Sim *s);  /* of the first step */
void sim_late_before(Sim *s); /* events are looked at */
void sim_late_after(Sim *s, bool at_event);
/* The old slopes that the estimate of the step after an event reads become
 * those of SimLate.due, and the other way round. */
void sim_late_swap(Sim *s);
/* Between events: takes what states are off by out of the errors that the next
 * step reads, and gives these as they were; false: there is nothing to take. */
bool sim_late_without(Sim *s, double *running);
/* The errors with it and without it, a step later. */
void sim_late_flow(Sim *s, const double *with, const double *without);
double sim_late_cost(const Sim *s, int state); /* in units of the state */
double sim_late_most(const Sim *s);            /* largest lateness, s */

/* ---- due.c ---- */
/* The slots `after` are those after an event that the run sees tau late; flow:
 * what slopes before it become. Finds SimLate.mean and SimLate.due; false: only
 * the first, as there is no such point. Spoils the slots. */
bool sim_find_due(Sim *s, const double *after, const double *flow, double tau);

/* A part of a step from the present point on, by the method of the run, which
 * leaves nothing but slots. False: there is no solution. */
bool sim_go_on(Sim *s, double from, double to);

/* ---- saltation.c ---- */
/* The errors of the run so far after an event that the run sees tau late; what
 * was before it is in s->late. Returns how much too early the run saw the event
 * by these errors. */
double sim_carry_error(Sim *s, double tau);
/* The same after other states were chosen: errors are those of the new ones. */
void sim_carry_choice(Sim *s);

/* ---- lag_error.c ---- */
void sim_watch_lags(Sim *s); /* after a step is solved */

/* ---- watch.c ---- */
typedef struct SimWatched {
    const int *block; /* with a defect */
    int n;
} SimWatched;
void sim_find_watched(Sim *s);
/* A part was solved by this system: keeps what it said, */
void sim_watch_part(Sim *s, int system);
/* The first point at which sim_look_for_singular() looks: a start may be
 * singular. */
void sim_begin_singular(Sim *s);
/* and counts it, as the part is kept. */
void sim_note_part(Sim *s);

/* ---- sim.c ---- */
/* The first iteration of each stage starts from the values at the end. */
void sim_begin_stages(Sim *s);

#endif
