/* combined_internal.h - what the files of the search for combined plans share.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_COMBINED_INTERNAL_H
#define TAKT_TUNING_COMBINED_INTERNAL_H

#include "tuning/tuning_internal.h"

enum { COMBINED_MOST_TAKEN = 40 };

/* What is taken off a plan. */
typedef struct Move {
    const char *what; /* "freeze", "drop", "delay", "explicit" */
    const PlanCut *cut;
    int ncut;
    const char *state; /* "explicit": which one, else NULL */
    long saved;        /* instructions, alone */
} Move;

typedef struct Combiner {
    Tuner *t;
    const Plan *base; /* what moves are added to, */
    long cost;        /* its instructions */
    Vec(Move) move;   /* for it */
    const Step *step;
    const Schedule *s;
    /* plan[i] has i moves; the base is plan[0] */
    int n;
    const Plan *plan[COMBINED_MOST_TAKEN + 1];
    const Move *taken[COMBINED_MOST_TAKEN + 1];
    int nexplicit;   /* states */
    bool has_trials; /* a plan on the way has to stay near in its trial */
} Combiner;

/* `from` with one move more. */
Plan *combined_with(const Combiner *k, const Plan *from, const Move *m);
/* Has the plan a cut at this place? */
bool combined_has_cut(const Plan *p, const PlanCut *c);
typedef enum MoveKind {
    MOVE_DELAYS,                /* and explicit states */
    MOVE_COEFFICIENTS,          /* delays where states make coefficients: */
    MOVE_COEFFICIENTS_IN_PARTS, /* some of the states */
    MOVE_MATRIX,                /* cuts in matrices */
} MoveKind;

/* The moves of a base in its step k->step and schedule k->s, whole blocks
 * first. */
void combined_find_moves(Combiner *k, MoveKind kind);
/* Those of one block (coefficients.c). */
void combined_find_coefficients(Combiner *k, const SchedBlock *b,
                                bool in_parts);
/* One move more, unless the base has one of its cuts. */
void combined_add_move(Combiner *k, const char *what, const PlanCut *cut,
                       int n);

/* What searches have found, as bytes that another process can read
 * (combined_text.c). */
typedef struct CombinedText {
    char *to;         /* written, */
    const char *from; /* or read */
    size_t size, at;
    bool is_sound; /* everything had room, or could be read */
} CombinedText;

CombinedText combined_write(char *to, size_t size);
/* The search of this name. */
void combined_put(CombinedText *x, const char *name, const Combiner *k);
void combined_finish(CombinedText *x);
/* `from` is NULL where nothing was found. */
CombinedText combined_read(const char *from, size_t size);
/* The moves and plans of the next search; false if it has another name, or
 * could not be written: nothing can be read after it. */
bool combined_get(CombinedText *x, const char *name, Combiner *k);

#endif
