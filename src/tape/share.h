/* share.h - what is computed twice is computed once.
 *
 *   in    segments of a Tape
 *   out   the same: an operation on values that were operated on in the same
 *         way before, and whose result is still there, is a copy of that
 *
 * The systems of a step (the method's, that of events, assertions) are lowered
 * one by one, and say the same of a point of time again. Results are the same
 * to the last bit; copies are read through by tape_fold() and taken out by
 * tape_prune().
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_SHARE_H
#define TAKT_TAPE_SHARE_H

#include "tape/tape.h"

void tape_share(Tape *t, const TapeSegment *segment);

#endif
