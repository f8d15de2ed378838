/* recall.h - what the last step has computed is not computed again.
 *
 *   in    a Tape with a segment that is run again and again
 *   out   the same: where it begins with operations on what it left the last
 *         time, and has done the same with these values before it ended, the
 *         results are kept from run to run
 *
 * A step of a method that linearises where it begins, or whose plan lets
 * equations see old values, evaluates the model at the point at which the
 * events of the last step have evaluated it: sines of joint angles, mass
 * matrices, what friction needs of the speeds. Nothing is kept that depends on
 * a parameter, an input, or what can be set from outside. Results are the same
 * to the last bit.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_RECALL_H
#define TAKT_TAPE_RECALL_H

#include "tape/tape.h"

typedef struct RecallOptions {
    int step;  /* segment */
    int start; /* segment that makes what the first run finds; NONE: values do
                  alone */
    const bool *wanted;  /* of each slot: seen, and perhaps set, from outside */
    const bool *live;    /* of each slot: read after the step */
    const double *value; /* of each slot: what the first run finds */
    int nvalue;          /* of others: Tape.initial */
} RecallOptions;

/* Returns the number of values that are kept. */
int tape_recall(Tape *t, const RecallOptions *o);

#endif
