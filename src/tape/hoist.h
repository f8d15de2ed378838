/* hoist.h - parameters combined before a run.
 *
 *   in    a segment of a Tape, values of parameters
 *   out   the same segment: factors and addends that are parameters are
 *         combined, and computed by the segment `param`
 *
 * A step is full of products like c1 (x - y) / c2: divisions by parameters
 * become products, c1 / c2 is computed once, a factor of a sum goes into its
 * terms where these are products with parameters already, addends are added.
 * An operation is only ever replaced by one that costs no more, and a sum is
 * only multiplied out where its terms were rounded before, so that differences
 * of nearly equal numbers stay what they are. Results differ by roundings.
 *
 * `value` are the default values: what would overflow or vanish with them is
 * left alone.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TAPE_HOIST_H
#define TAKT_TAPE_HOIST_H

#include "tape/tape.h"

/* Rewrites the segments in place and makes `param` longer. value[i] belongs to
 * slot i, for parameters, what follows from them, and the step size. */
void tape_hoist(Tape *t, const TapeSegment *segment, int nsegment,
                const double *value);

#endif
