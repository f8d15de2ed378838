/* tangent.h - runs a tape together with derivatives of its values.
 *
 *   in    Tape, values of its slots, directions in which some of them move
 *   out   the slots after a segment, and how they move in each direction
 *   next  tuning/maps.h: the matrix of a linearised step
 *
 * Forward differentiation: each slot that depends on what moves has a vector
 * of derivatives beside its value, one number per direction; an instruction
 * applies the chain rule (expr_apply_partial). Blocks iterate as often as
 * generated code does, systems are solved once more for each direction:
 * A x = b gives A x' = b' - A' x. There are no difference quotients, so that
 * nothing depends on the size of a perturbation.
 *
 * For tapes that look for their pivots as they run (step/step.h, STEP_HOST).
 * What comes from the past of a delay does not move.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_TANGENT_H
#define TAKT_TAPE_TANGENT_H

#include "tape/tape.h"

typedef struct Tangent {
    const Tape *tape;
    int n;           /* directions */
    double *r;       /* the slots, size tape->nslot */
    double **by;     /* of each slot: size n, or NULL: it does not move */
    bool failed;     /* a system is singular, or of a kind not known here */
    const char *why; /* then: one line */
    struct TangentWork *work;
} Tangent;

/* Slots at their initial values, nothing moves. Freed by tangent_free. */
Tangent *tangent_new(const Tape *tape, int n);
void tangent_free(Tangent *t);
/* No slot moves any more; values stay. */
void tangent_rest(Tangent *t);
/* The slot moves with speed 1 in this direction, as in no other. */
void tangent_seed(Tangent *t, int slot, int direction);
/* Runs a segment. False once something failed. */
bool tangent_run(Tangent *t, const TapeSegment *segment);
double tangent_of(const Tangent *t, int slot, int direction);

#endif
