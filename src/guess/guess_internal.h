/* guess_internal.h - what the files that guess start values share. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GUESS_GUESS_INTERNAL_H
#define TAKT_GUESS_GUESS_INTERNAL_H

#include "guess/guess.h"

typedef struct Guess {
    const Lowered *low;
    double *r; /* slots */
    const InlinedSystem *init;
    double *value;       /* of each entry */
    bool *is_known;      /* of each entry */
    int *start, *eqn_of; /* the equations of an entry, compressed */
    int **unknown;       /* of each equation: the unknowns in it */
    int *nunknown, *nleft;
    int *queue, nqueue; /* equations with one unknown left */
} Guess;

/* lhs - rhs of an equation with entry `var` at x. */
double guess_residual(Guess *p, const InlinedEqn *e, int var, double x);
/* `var` has a value now: which equations have one unknown left? */
void guess_mark_known(Guess *p, int var);
/* Unknowns that several equations determine together, all of them linear in
 * what is open, get values. Returns how many did. */
int guess_together(Guess *p, Arena *a);

#endif
