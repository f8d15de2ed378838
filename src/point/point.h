/* point.h - a run at one point of time: what it consists of, and what happens
 * there.
 *
 *   in    Lowered, slots    the tape of a model, its values at the point
 *   out   slots             with inputs set and events over
 *
 * Inputs and delayed values (inputs.c); relations with their bands (bands.c);
 * the event iteration (events.c) with the search for the modes of blocks
 * (modes.c, enumerate.c); the choice of states (states.c); bounds and messages
 * (bounds.c, report.c). Nothing here moves time: sim/ and adaptive/ do.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_POINT_POINT_H
#define TAKT_POINT_POINT_H

#include "base/diag.h"
#include "bdf/bdf.h"
#include "crest/crest.h"
#include "lower/lower.h"
#include "past/past.h"
#include "plan/plan.h"
#include "result/table.h"
#include "spread/spread.h"
#include "tape/exec.h"

/* A state, or the sum of the sizes of all, that is larger has left all bounds;
 * so has one with a nominal value that is SIM_BEYOND times that and its start
 * value. From SIM_FAR times on it is doubtful, and so is an algebraic variable
 * from SIM_BEYOND times on. */
static const double SIM_BOUND = 1e40, SIM_BEYOND = 1e6, SIM_FAR = 1e3;
/* min and max are left by more than this, relative to them or 1. */
static const double SIM_SLACK = 1e-8;

/* Event iterations at the first point. */
enum { SIM_FIRST_EVENTS = 100 };

/* A relation that compares lhs + by with rhs; by 0: none does. In a loop it
 * does not. */
typedef struct SimShift {
    int relation;
    double by;
} SimShift;

typedef struct SimOptions {
    double start, stop, step;
    double tolerance;   /* of the iteration in a step; 0: fixed number */
    int max_iterations; /* with a tolerance; 0: 50 */
    int events_max;     /* event iterations per step; 0: 10; more at
                           the first point */
    const Table *input; /* columns named as the inputs, and `time`; or NULL */
    bool live_inputs;   /* those without a column: somebody else will set them,
                           no warning */
    double rtol, atol;  /* of the steps: their length is controlled within the
                           grid; atol 0: 1e-3 rtol nominal; rtol 0: they are
                           those of the grid */
    long most_parts;    /* more steps of that kind in all end the run, without a
                           word; 0: any number */
    bool exact_events;  /* locate them, instead of looking at grid points */
    bool fixed_states;  /* never choose other states */
    bool keep_grid;     /* the last step ends at start + k * step, not at stop,
                           where they differ by rounding: it can be continued */
    double change;      /* states may change in a step by this relative and */
    double change_atol; /* this absolute tolerance (> 0); 0: nobody looks */
    bool change_stops;  /* a larger change ends the run */
    double bound;       /* a state larger than this is out of bounds; 0: 1e40 */
    const PlanDomain *domain; /* ranges that are looked at, or NULL */
    bool ignore_bounds;       /* min and max are not looked at */
    bool stop_at_bounds; /* who leaves them ends the run; else it is said */
    SimShift shift;      /* with exact events */
} SimOptions;

enum {
    SIM_MOST_ORDER = BDF_MOST_ORDER,
    SIM_MOST_LEVEL = 6, /* of extrapolation */
};

/* A row of base/status.def in a run. */
typedef struct SimCause {
    long count;   /* steps in which it happened */
    int block;    /* the last one, where there is one; or the entry of the
                     variable it speaks of */
    double first; /* time of the first of them */
} SimCause;

typedef struct SimStats {
    long steps;
    long parts;    /* accepted and */
    long rejected; /* rejected parts, where their length is controlled */
    long order_used[SIM_MOST_LEVEL + 1]; /* parts of each order */
    long located;                        /* events of state that were located */
    long jumps;         /* times a branch of equations ended, */
    double jump_time;   /* the first, */
    int jump_block;     /* in this block of the tape */
    long switches;      /* times slopes jumped without an event, */
    double switch_time; /* the first, */
    int switch_state;   /* that of this state of the Dae most, NONE: of none, */
    int switch_origin;  /* by this origin of the tape */
    double delay_off;   /* largest error of a delayed value of a controlled run,
                           over its tolerance, */
    double delay_time;  /* at this time */
    long crowded;       /* steps with too many events to locate them all */
    long outside;       /* variables that left their min and max */
    long halved;        /* parts of steps, as the whole had no solution */
    long newton;        /* Newton iterations of the steps in all */
    double residual;    /* largest last correction of an iteration */
    long events;        /* steps with an event */
    long event_iterations;
    int most_event_iterations; /* in one step */
    double unsettled_time;     /* the first step that ended with events left, */
    int unsettled_slot;        /* where this discrete variable changed; NONE */
    int chatter;               /* the relation that changed most often, NONE */
    long chatter_count;
    SimCause cause[STATUS_NCAUSE];
    double eta;      /* largest defect of a step (docs/methods/defect.md),
                        0: none was computed */
    double theta;    /* over the correction there, */
    int eta_block;   /* in this block of the tape, */
    double eta_time; /* at this time */
    const PlanRange *outside_range; /* the first that was left, NULL: none, */
    double outside_value;           /* by this value */
    double outside_time;            /* at this time */
    double change;      /* largest change in a step over its tolerance */
    int change_state;   /* of this state of the Dae, */
    double change_time; /* at this time */
    long change_bad;    /* steps with one above its tolerance */
    long reselected;    /* times that other states were chosen */
    bool terminated;    /* by terminate() */
    double time;        /* where the run ended */
} SimStats;

/* What an equation of Inlined.lagged has left over with the new values. */
typedef struct SimLagError {
    double largest; /* |lhs - rhs|, over the steps of the run */
    double time;    /* where */
    double squares; /* their sum; over stats.steps it is the mean */
} SimLagError;

/* Called within long runs. Returns whether they shall go on. */
typedef bool SimProgress(void *context, double time);
/* What the last part of a step, kept or not, said of itself. */
typedef struct SimPart {
    double residual;   /* last correction of its iterations */
    unsigned causes;   /* bits by row of base/status.def */
    double eta, theta; /* largest defect, and over the correction there */
    int eta_block;     /* NONE: no block has one */
    int far_out;       /* entry of a state far beyond its scale, NONE */
} SimPart;

typedef struct Sim {
    const Lowered *low;
    Exec *exec;
    SimOptions options;
    SimStats stats;
    Diag *diag;
    Arena *arena;
    long k;                       /* steps done */
    long since_break;             /* steps since the history was broken */
    long *changes;                /* of each relation */
    struct SimModes *modes;       /* relations within loops */
    struct SimBand *band;         /* of each relation; NULL: they are exact */
    long settled;                 /* calls of sim_settle() */
    double *saved;                /* the slots before the initialisation */
    double *before;               /* and before a part of a step */
    struct SimControl *control;   /* NULL: not asked for */
    Bdf *orders;                  /* NULL: the method has one order */
    struct SimLevels *levels;     /* likewise, of extrapolation */
    struct SimDense *dense;       /* NULL: steps end at the grid */
    bool is_clipped;              /* and they will */
    struct SimDense *look;        /* within a part: `dense`, or its own */
    struct SimSwitches *switches; /* NULL: no part has begun */
    long jumps;                   /* of `exec` that were counted */
    long doubts;                  /* likewise */
    double jump_from;             /* before the next one; NAN: there is none */
    double jump_length;           /* and it is so much later */
    double longest; /* part since the last failure, 0: none failed */
    int system;     /* that made the last part */
    SimPart part;   /* what it said */
    double eta;     /* defect of the last part that was kept */
    struct SimWatched *watched; /* of each system, watch.c */
    struct SimInput *input;
    int ninput;
    const bool *sharp; /* lines of the table at which an input jumps or bends */
    struct SimDelay *delay;
    struct SimLists *lists; /* slots that every step goes through */
    struct SimSet *set;     /* dynamic state selection */
    int nset;
    struct SimChange *change;          /* NULL: not asked for */
    struct SimEstimate *estimate;      /* NULL: the tape has none */
    struct SimDelayError *delay_error; /* NULL: no delays, or no estimate */
    struct SimLate *late;              /* NULL: no events, or no estimate */
    struct SimSaltation *saltation;    /* NULL: no event yet */
    SimLagError *lag_error;            /* size Inlined.nlagged, lag_error.c */
    const TapeSymbol **ranged; /* of each range of options.domain, domain.c;
                                  NULL: the model does not have it */
    bool *is_outside;          /* of each bound: it has been said */
    double *scale;             /* of each entry that is a state with a
                                  nominal value, else 0; NULL: before the
                                  first step */
    bool has_scale;            /* some state has one */
    Arena *scratch;
    bool has_smooth_past;  /* delay() reads cubic pieces, not straight lines */
    SimProgress *progress; /* NULL: nobody wants to know */
    void *progress_context;
    struct SimOften *often;         /* NULL: nobody looked */
    const struct PulseList *pulses; /* NULL: likewise */
    struct SimWithin *within;       /* likewise */
    struct Narrow *narrow;          /* NULL: likewise, or there is nothing */
    bool has_narrow;                /* it is known which */
    struct SimLeaps *leaps;         /* what jumps without an event, or NULL */
    struct SimGuards *guards;       /* comparisons of assertions, or NULL */
    struct SimMissed *missed;       /* NULL: likewise */
    Crests *crests;                 /* NULL: likewise, or steps are fixed */
    CrestSides *turn_at;            /* room for turns.c, */
    double *turn_end;               /* the same */
    double jumped;                  /* an input, the last time; or 0 */
    struct SimRhythm *rhythm; /* of each relation; NULL: none has changed */
    bool is_after_event;      /* one that was located ended the last part */
    bool is_played;    /* events are tried and leave no trace (within.c) */
    bool is_over;      /* the model has no solution from here on: reported */
    bool has_no_mode;  /* by E1347, of the values that were reached */
    bool is_exact;     /* events are where they are, not on the grid */
    bool is_shortened; /* the last step is shorter than the others */
    bool is_continued; /* by saved_read: there is nothing to initialise */
} Sim;

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
/* Has a relation that depends on more than time another value at the present
 * point than the frozen one? */
bool sim_has_crossed(Sim *s);
/* Slots were set: the choice of states follows P in them. */
void sim_restore_sets(Sim *s);
/* States that are not variables of the model, those of sets and combinations,
 * take the values that the variables have which they stand for. */
void sim_follow_states(Sim *s);
/* The slot of state `number` of the Dae, in a set of the candidate chosen. */
int sim_state_slot(const Sim *s, int number);

/* Bands of relations (bands.c): their width over the size of the sides. */
#define SIM_BAND 1e-10

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

/* A run is at `time`. Returns whether it shall go on. */
bool sim_show_progress(const Sim *s, double time);

/* Says which block failed, with its variables, equations and lines. */
void sim_report_block(Sim *s, int system, const char *when);
/* Assertions, and min and max of variables. Returns false after a report. */
bool sim_check_asserts(Sim *s);
/* The first assertion of level error that does not hold at the present slots,
 * or NONE; and its report. */
int sim_broken_assertion(Sim *s);
void sim_report_assertion(const Sim *s, int i);
/* Looks for values that are not finite or out of bounds; reports and returns
 * false if there are any. */
bool sim_check_values(Sim *s);
/* `cause` happened in a step, in a block or in none. */
void sim_note(Sim *s, StatusCause cause, int block);

#endif
