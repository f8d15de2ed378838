/* fuse_internal.h - what the files of fuse share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_STEP_FUSE_INTERNAL_H
#define TAKT_STEP_FUSE_INTERNAL_H

#include "step/fuse.h"
#include "tape/fold.h"
#include "tape/share.h"

/* What becomes of variables that change at the ticks of a rate only. */
typedef enum FuseRates {
    RATES_RUN,   /* they are computed like others */
    RATES_KEEP,  /* they keep their values: nothing ticks now */
    RATES_GUARD, /* they are computed if their rate ticks */
} FuseRates;

typedef struct Fuse {
    const Lowered *low;
    const Inlined *d;
    const FuseOptions *options;
    Tape *t;
    Arena *arena, *local;
    Fused *out;
    bool *wanted; /* Fused.wanted */
    int *system;  /* Fused.system */
    int zero, one;
    const TapeSegment *event; /* the model at an event; NULL: there is none */
    int *input_before; /* of each input: slot of its last value, or NONE */
    int after_step;    /* in place of the step size in `after`; 0: itself */
    bool names;        /* a look finds a name for who has not come to rest: */
    int name;          /* slot: number of a message so far; NONE */
    FuseRates rates;
    int *rate; /* of each slot of `low`: rate of its variable, NONE; NULL: no
                  variable has one */
    int *tick; /* of each rate: slot, is it its tick? */
    int *old;  /* of each variable of Sys: slot of its value before, NONE */
    bool *own; /* of each variable of Sys: what it was before is asked for at
                  ticks of rates only */
    int *ticked_of; /* the same of each rate, where parts are asked for; NULL */
    int *begin; /* of each x of a block that is_passed: slot of its value before
                   the passes; NULL: outside of them */
    int ticked; /* slot: one of these has changed and the event has not come to
                   rest yet */
} Fuse;

/* --- fuse.c */
/* The instructions of a segment once more, with new temporaries. */
void fuse_copy_segment(Fuse *f, const TapeSegment *s);
/* The same, and what it writes besides them goes to slots of its own:
 * now[s] is where slot s is, of the first nnow, before and after. */
void fuse_copy_apart(Fuse *f, const TapeSegment *s, int *now, int nnow);
int fuse_apart(Fuse *f, int slot); /* a temporary for its new value */
/* The body of a block once more, with new temporaries: map[s] is what slot s
 * has become. */
void fuse_copy_again(Fuse *f, const TapeSegment *body, int *map, int nmap);
void fuse_copy(Fuse *f, int to, int from);
void fuse_want(Fuse *f, int slot); /* it is read from outside; NONE: nothing */
void fuse_copy_after(Fuse *f);     /* the segment `after` */

/* --- fuse_between.c */
void fuse_set_pre(Fuse *f);      /* sim_set_pre */
void fuse_set_left(Fuse *f);     /* sim_set_left */
void fuse_set_old_left(Fuse *f); /* and in old values of the last step */
void fuse_hold_inputs(Fuse *f);
void fuse_place_inputs(Fuse *f);
void fuse_keep_inputs(Fuse *f);         /* until the next step begins: */
void fuse_end_sampling_before(Fuse *f); /* sim_end_sampling with them */
void fuse_end_sampling(Fuse *f);        /* and with the present ones */
void fuse_begin_sampling(Fuse *f);      /* sim_begin_sampling */

/* --- fuse_events.c */
bool fuse_has_events(const Fuse *f);
/* Events come to rest: sim_settle. */
void fuse_settle(Fuse *f, int most);
void fuse_or(Fuse *f, int *flag, int slot); /* *flag NONE: there is none yet */
/* Relation `number`, or discrete variable after them, changes in this look. */
void fuse_name(Fuse *f, int number, int changes);
/* Slots for the numbers of messages, NONE where the model has none. */
void fuse_place_messages(Fuse *f);
void fuse_clear_messages(Fuse *f);
void fuse_check_asserts(Fuse *f);

/* --- fuse_rates.c */
/* Finds the rates of slots. */
void fuse_place_rates(Fuse *f);
/* Has the variable a rate, and is its pre value set at ticks (fuse_end_ticks)
 * while a step is made? */
bool fuse_is_own(const Fuse *f, int var);
/* After what happens at ticks: new pre values there. */
void fuse_end_ticks(Fuse *f);
/* The rate of what an instruction of `low` computes; NONE: none. */
int fuse_rate(const Fuse *f, const TapeInstr *in);
/* The same steps, where guards have what only they read in them, and there are
 * as few of them as can be. */
Tape *fuse_gather_guards(Tape *from, Arena *arena);

/* --- fuse_parts.c */
/* The same with segments for Fused.parts, where they are asked for and can be.
 */
Pruned *fuse_parts(Fuse *f, Pruned *from);

/* --- fuse_passes.c */
/* The same steps, where the loops of events compute once before them what does
 * not change from pass to pass, and once after them what no pass reads. */
const Tape *fuse_split_passes(const Tape *from, Arena *arena);

/* --- fuse_write_out.c */
/* The same steps, where few passes of little code stand one after the other. */
Pruned *fuse_write_out(Fuse *f, const Pruned *p);

/* --- fuse_modes.c */
typedef struct FuseModes FuseModes;
/* A path for the relations begins here, outside of the loop that looks. */
FuseModes *fuse_begin_modes(Fuse *f, bool is_init);
/* sim_move_modes; returns a slot, or NONE where there are no relations. */
int fuse_move_modes(Fuse *f, const FuseModes *m);

/* --- fuse_bounds.c */
/* States against their scales, variables against min and max. */
void fuse_check_bounds(Fuse *f);

/* --- fuse_delay.c */
void fuse_place_delays(Fuse *f);
/* Delayed values for a step that began at slot `old`. */
void fuse_set_delays(Fuse *f, int old);
void fuse_record_delays(Fuse *f);
/* The same after the segment `relations`; delays: also those of delay(). */
void fuse_note_all(Fuse *f, bool delays);
/* dst = what an entry of spatialDistribution() is at the time in slot `at`. */
int fuse_read_spread(Fuse *f, const InlinedVar *v, int dst, int at);

/* --- fuse_states.c */
void fuse_place_sets(Fuse *f);
void fuse_reset_sets(Fuse *f); /* the choice of the start */
void fuse_choose_states(Fuse *f);

/* --- fuse_estimate.c */
void fuse_place_estimate(Fuse *f);
void fuse_estimate(Fuse *f, int system); /* sim_estimate_after */
void fuse_count_since(Fuse *f);          /* steps since a break */
void fuse_reset_estimate(Fuse *f);       /* for a new start */
void fuse_want_estimate(Fuse *f);

/* --- fuse_tangent.c */
/* Emits how the results of instructions move where slot[i] moves by seed[i], n
 * of them: (*by)[s], of the first *nby slots, is the slot of what s moves by,
 * NONE: it does not. False: some function has no derivative. */
bool fuse_tangent(Fuse *f, int first, int count, const int *slot,
                  const int *seed, int n, int **by, int *nby);

/* --- fuse_exchange.c */
/* Makes Fused.exchange and adds its segments after segment[n-1]; returns how
 * many there are. */
int fuse_exchange(Fuse *f, TapeSegment *segment, int n);
void fuse_want_exchange(Fuse *f);
/* Its slots can be asked for by name. */
void fuse_name_exchange(Fuse *f, Tape *t);

/* --- fuse_start.c */
/* Initialisation as one segment, sim_init. */
void fuse_start(Fuse *f);

#endif
