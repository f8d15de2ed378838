/* perturb.h - the model as it is, evaluated in a point and beside it. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TUNING_PERTURB_H
#define TAKT_TUNING_PERTURB_H

#include "tuning/reference.h"

typedef struct Perturb {
    const Lowered *low;
    Sim *sim;
    Exec *exec;
    int slot;   /* of the value that was moved */
    double old; /* what it was */
} Perturb;

/* Starts with the model of the reference; perturb_close() ends it either way.
 * False if that fails, which the user is not told: the figures that are made
 * here can be missed. */
bool perturb_open(Perturb *p, const Compilation *c, const Reference *reference,
                  Arena *arena);
void perturb_close(Perturb *p);
/* All values as in the point, evaluated. */
bool perturb_at(Perturb *p, const SamplePoint *at);
/* Evaluates with the value in `slot` moved a little, which perturb_back()
 * undoes when the results have been read; they start the next iterations.
 * Returns by how much it was moved, 0 if the evaluation fails. */
double perturb_move(Perturb *p, int slot);
void perturb_back(Perturb *p);

#endif
