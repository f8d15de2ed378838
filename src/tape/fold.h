/* fold.h - arithmetic that is known beforehand.
 *
 *   in    a segment of a Tape, values of slots that are fixed (or none)
 *   out   the same segment: what is always the same has become a constant, what
 *         is a copy is read where it comes from
 *   next  tape/prune.h takes out what nobody reads any more
 *
 * Results are what they were, but for the sign of a zero: 0 x = 0, x + 0 = x,
 * 1 x = x, operations on constants are done. This is worth much where an
 * iteration begins at 0 and is done once: derivatives that begin at 0 take
 * whole parts of a Jacobian with them.
 *
 * tape_merge() goes further: divisions by numbers become products, and factors
 * of a product are multiplied beforehand; results then differ by roundings.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_FOLD_H
#define TAKT_TAPE_FOLD_H

#include "tape/tape.h"

/* `value` of each of the first nvalue slots, for those of parameters and what
 * follows from them; NULL: nothing is fixed. Constants are added to the tape.
 */
void tape_fold(Tape *t, const TapeSegment *segment, const double *value,
               int nvalue);
void tape_merge(Tape *t, const TapeSegment *segment, const double *value,
                int nvalue);

#endif
