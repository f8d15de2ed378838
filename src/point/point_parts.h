/* point_parts.h - what the files of point/ share among them and with sim/. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_POINT_POINT_PARTS_H
#define TAKT_POINT_POINT_PARTS_H

#include "lower/lasting.h"
#include "point/point.h"

/* An entry of the Inlined table that holds an input. */
typedef struct SimInput {
    int slot;
    bool is_given;   /* by the table; else its start value */
    TableInput from; /* it */
    int order;       /* derivative */
    double c;        /* at t_n + c h */
} SimInput;

/* r[to] := r[from] */
typedef struct SimCopy {
    int to, from;
} SimCopy;

typedef struct SimLists {
    SimCopy *left; /* pre(v) and v of continuous variables, and old values one
                      step back, which are their pre values too */
    int nleft;
    SimCopy *pre; /* the same of all, and old values one step back with the
                     present ones, in the order of the Inlined table */
    int npre;
    SimCopy *discrete; /* pre(v) and v of discrete variables */
    SysFelt *felt;     /* of each of these: SysVar.felt */
    int ndiscrete;
    int *state; /* slots of states at the end of a step */
    int nstate;
    int *other; /* and of all other values there */
    int nother;
    int *passed;   /* slots that blocks with TapeBlock.is_passed solve for */
    double *begin; /* and where they begin */
    int npassed;
    SlotRange *lasting; /* lower_lasting() */
    int nlasting;
} SimLists;

/* ---- lists.c ---- */
void sim_find_lists(Sim *s);

/* ---- inputs.c ---- */
bool sim_find_inputs(Sim *s);
/* The past of delayed expressions begins with the present values. Returns
 * whether they are others than it began with before. */
bool sim_begin_delays(Sim *s, double time);

/* The first jump in (from, to], or `to`. */
double sim_next_jump(const Sim *s, double from, double to);

/* ---- states.c ---- */
typedef struct SimSet SimSet;
void sim_find_sets(Sim *s);
/* Looks at the state sets; returns whether another choice was made. */
bool sim_choose_states(Sim *s);
/* The slot of the candidate that is this state now; NONE: it is a fixed one. */
int sim_chosen_slot(const Sim *s, int state);

/* ---- bands.c ---- */
/* What relations are at the present point, options.shift counted. */
void sim_run_relations(Sim *s);
/* What relation i becomes now, by its band where it has one; `relations` and
 * `sides` have been run. */
double sim_next_relation(Sim *s, int i);
void sim_set_relation(Sim *s, int i, double value);
/* Are its sides so many widths of its band apart? `sides` has been run. */
bool sim_is_far(const Sim *s, int i, double widths);

/* ---- modes.c ---- */
/* A relation within a loop, on the way from a to b. */
typedef struct SimMode {
    double gap;                     /* lhs - rhs at b */
    double start;                   /* and at a */
    double size;                    /* of its sides at b */
    double place;                   /* where it is 0 between a and b */
    bool disagrees, entered, flips; /* with b; its boundary is where a is */
    bool is_tie; /* it was flipped where both sides are equal to rounding */
    bool rests;  /* flipped at this event, it stays within the band */
} SimMode;

typedef struct SimModes {
    SimMode *at;                  /* as Lowered.mode or init_mode */
    bool *in_loop, *in_init_loop; /* of each relation */
    int *stays;   /* LoweredMode.stays of each relation; NONE: it has none */
    double band;  /* within it a relation that was flipped last is kept */
    int ties;     /* moves that led nowhere, in a row */
    bool is_lost; /* there was no boundary to go to */
    int moves;    /* of the path since it began */
    bool is_ambiguous; /* one of several solutions was taken: said */
    bool is_decided;   /* at equality relations are what they say */
    bool has_sense;    /* of the event: a relation in a loop has changed, */
    int sense;         /* and before it the orientation was this (exec_sense) */
    double *before; /* all slots, before the model is evaluated at an event */
} SimModes;

void sim_find_modes(Sim *s);
/* Relations take the values that the present point gives them, those in loops
 * the ones at the next place of their path. Returns whether one changed: then
 * the model is to be evaluated again. LOOK_FIRST: the present point is where
 * the path begins; LOOK_LAST: the model will not be evaluated again, relations
 * take the values of the present point all at once. */
typedef enum SimLook { LOOK_NEXT, LOOK_FIRST, LOOK_LAST } SimLook;
bool sim_move_modes(Sim *s, bool is_init, SimLook look);

/* ---- rhythm.c ---- */
/* Relation i takes another value. On the grid it is said once of each whether
 * its events come without end. */
void sim_see_rhythm(Sim *s, int i, double value);
/* The present point is accepted. Where events came ever faster, and their limit
 * was passed without a guard: a report, and Sim.is_over. */
void sim_watch_limits(Sim *s);
/* Do the events of relation i, or of any, come ever faster? */
bool sim_is_near_limit(const Sim *s, int i);
bool sim_is_near_any(const Sim *s);

/* ---- enumerate.c ---- */
/* Is the path so long that it leads nowhere? Only with exact events. */
bool sim_is_path_lost(const Sim *s);
/* The modes nearest to the present ones that agree with what they decide on,
 * for each group of relations that does not. The model has been evaluated with
 * them then. Returns false after a report: there are none, or a block failed.
 */
bool sim_enumerate_modes(Sim *s);
/* The relations at the start leave the initial system without a solution (two
 * diodes that conduct against each other): the nearest combination of those in
 * loops that has one. From the slots `begin`; `solve` is tried. */
bool sim_find_regular(Sim *s, const double *begin, bool (*solve)(Sim *s));
/* The equations at an event contradict each other with the relations as they
 * are: other ones of a group, the nearest first, with which they do not and
 * which agree with the values they lead to. Returns false if there is none. */
bool sim_resolve_conflict(Sim *s);
/* Are both sides of a relation equal to rounding, for exact events? */
bool sim_is_even(const Sim *s, const SimMode *m);
/* The same, to the rounding of values of this size. */
bool sim_is_even_beside(const Sim *s, const SimMode *m, double size);
/* Have the relations another orientation than those at which the event began?
 * Then their solution is not stable, whatever rounding says of it. */
bool sim_is_turned(Sim *s);
/* Does relation k of Lowered.mode disagree with the present values? */
bool sim_mode_disagrees(Sim *s, int k);
/* The model at the present time with the states as they are. Returns false
 * after a report. */
bool sim_evaluate_event(Sim *s, const char *when);
/* The same for a point that is kept: iterations that did not end are noted. */
bool sim_make_event(Sim *s, const char *when);
/* The component of an equation that reads the relation, and its place. */
const char *sim_reader_of(const Sim *s, int relation, Span *span);
/* The band of relation i is at least so wide until it has been left. */
void sim_widen_band(Sim *s, int i, double width);
/* Do both values of the relation suit, by what it did at the last events? */
bool sim_is_undecided(const Sim *s, int i);
/* An event goes round: from now on no relation is taken for one of these, if
 * one was. */
void sim_decide(Sim *s);

/* ---- events.c ---- */
/* Assertions for the start only. Returns false after a report. */
bool sim_check_initial_asserts(Sim *s);

/* ---- bounds.c ---- */
/* min and max of variables: reports each once. `asserts` has been run. Returns
 * false if the run ends with them. */
bool sim_check_bounds(Sim *s);

/* ---- report.c ---- */
void sim_find_scales(Sim *s); /* from initial values */

#endif
