/* attack_internal.h - what the files of an attack share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_ATTACK_INTERNAL_H
#define TAKT_TUNING_ATTACK_INTERNAL_H

#include "tuning/box.h"
#include "tuning/seen.h"

#define FINER 4.0 /* parts of a step that it is compared with */

typedef enum AttackStep {
    ATTACK_PLAN,
    ATTACK_FULL,
    ATTACK_FINE,
    ATTACK_LOOSE, /* the full step, whatever its defect */
    ATTACK_NSTEP
} AttackStep;

/* A run. */
typedef struct March {
    Curves *curves;
    bool ran;
    bool is_flagged;
    double eta;
    const char *why; /* not run: the first message */
} March;

typedef struct AttackWhole AttackWhole;

typedef struct Attacker {
    Compilation *c;
    const AttackOptions *o;
    const char *const *watch;
    int nwatch;
    const Box *box;
    const Step *plan; /* the step under attack, */
    const Step *full; /* the one that it is compared with, and */
    const Step
        *fine; /* the same at a quarter of the step; NULL: there is none */
    const Seen *seen;
    int longest;        /* steps of a run at most */
    AttackWhole *whole; /* what runs are cut off; NULL: each is made. Each
                           process makes its own */
} Attacker;

/* Are all runs the beginning of one, which is not too long to be kept? */
bool attack_is_line(const Attacker *a);
AttackWhole *attack_whole(Arena *arena);
/* One run with one of the steps; low and high as below, or NULL. */
March attack_march(const Attacker *a, AttackStep which, const BoxRun *run,
                   double *low, double *high, Arena *arena);

/* One run, x NULL: scenario number `nominal`. low and high get the ranges of
 * seen->n quantities in the run with the plan. */
/* is_checked: against a finer step too, though it is near the full one. */
void attack_try(const Attacker *a, const double *x, int nominal,
                bool is_checked, AttackOutcome *out, double *low, double *high);

#endif
