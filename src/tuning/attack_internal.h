/* attack_internal.h - what the files of an attack share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_ATTACK_INTERNAL_H
#define TAKT_TUNING_ATTACK_INTERNAL_H

#include "tuning/box.h"
#include "tuning/seen.h"

#define FINER 4.0 /* parts of a step that it is compared with */

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
    int longest; /* steps of a run at most */
} Attacker;

/* One run, x NULL: scenario number `nominal`. low and high get the ranges of
 * seen->n quantities in the run with the plan. */
/* is_checked: against a finer step too, though it is near the full one. */
void attack_try(const Attacker *a, const double *x, int nominal,
                bool is_checked, AttackOutcome *out, double *low, double *high);

#endif
