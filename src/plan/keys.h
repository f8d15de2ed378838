/* keys.h - the decisions of a plan, one row each (keys.def).
 *
 * The table serves
 *   plan.c        the default, reading
 *   plan_write.c  writing
 *   compare.c     what two plans decide differently
 *   edit.c        the command line of every verb: a decision that is given
 *                 there is an edit of the plan
 *   keys_page.c   the table in docs/guide/plan.md
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_PLAN_KEYS_H
#define TAKT_PLAN_KEYS_H

#include <stddef.h>

#include "plan/plan.h"

typedef enum PlanKeyKind {
    KEY_BOOL,
    KEY_COUNT,    /* int, from `least` to 1e6 */
    KEY_POSITIVE, /* double > 0 */
    KEY_TIME,     /* double > 0 in seconds; on the command line with a unit */
    KEY_WORD,     /* enum: the place in `word` */
    KEY_TEXT,     /* const char * */
    KEY_OWN,      /* `part` knows */
} PlanKeyKind;

/* Verbs that take the option of a key. */
enum {
    PLAN_SIM = 1,
    PLAN_CHECK = 2,
    PLAN_STEP_VERBS = 4, /* build, cost, run */
    PLAN_TUNE = 8,
    PLAN_ANY_VERB = PLAN_SIM | PLAN_CHECK | PLAN_STEP_VERBS,
};

/* Goals at which a decision is obeyed; 0: at all. */
enum {
    PLAN_AT_DESK = 1 << PLAN_DESK,
    PLAN_IN_REALTIME = 1 << PLAN_REALTIME,
};

struct PlanPart;

typedef struct PlanKey {
    const char *key; /* in the file; NULL: an option that edits the key `of` */
    const char *sub; /* member of the object that stands there, or NULL */
    PlanKeyKind kind;
    size_t at;                   /* place in a Plan, not of KEY_OWN */
    int least;                   /* KEY_COUNT */
    double standard;             /* default of numbers, words and bools */
    const char *text;            /* default of a KEY_TEXT, and */
    const char *realtime_text;   /* that of a real-time step, where it differs;
                                    of a KEY_WORD too */
    const char *const *word;     /* ended by NULL */
    const char *old_word;        /* earlier plans have it for the last word */
    const char *option;          /* without dashes, or NULL */
    const char *metavar;         /* NULL: the option is a flag */
    unsigned verbs;              /* that have the option */
    unsigned goals;              /* that obey it, 0: all */
    PlanField of;                /* with key NULL */
    int excludes;                /* 1 + the key of which only one may be given;
                                    0: none */
    const struct PlanPart *part; /* KEY_OWN */
    void (*edit)(Plan *p, const char *text,
                 Arena *arena); /* or NULL: by kind */
    const char *value; /* what it looks like, for people; NULL: by kind */
    const char *standard_text; /* the default in words; NULL: by its value */
    const char *help;          /* one line */
} PlanKey;

extern const PlanKey plan_keys[PLAN_NFIELD];

/* The row of a key (and member) of the file; PLAN_NFIELD if there is none. */
PlanField plan_find_key(const char *key, const char *sub);
/* The row of an option, without dashes. */
PlanField plan_find_option(const char *option);
/* Number of words of a row. */
int plan_count_words(const PlanKey *k);
/* The place of `text` in the words of a row, NONE if it has no such word. */
int plan_find_word(const PlanKey *k, const char *text);
/* "solve, keep-small or keep" */
const char *plan_word_list(const PlanKey *k, const char *last, Arena *arena);

/* Values of rows that are not KEY_OWN. */
double plan_get_number(const Plan *p, const PlanKey *k); /* words: the place */
void plan_set_number(Plan *p, const PlanKey *k, double x);
const char *plan_get_text(const Plan *p, const PlanKey *k);
void plan_set_text(Plan *p, const PlanKey *k, const char *text);
/* Is there a value that can be written? A step of 0 is none. */
bool plan_has_value(const Plan *p, const PlanKey *k);

/* The table of docs/guide/plan.md. */
void plan_print_keys(FILE *out);
void plan_print_cuts(FILE *out); /* the kinds of cut */

#endif
