/* known.h - unknowns that are functions of time.
 *
 * v = e(t), or with other such unknowns in e: whoever has v as given, as a part
 * of a system has the unknowns of others (parts.h), knows its derivatives too.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_KNOWN_H
#define TAKT_ARRAY_KNOWN_H

#include "array/array.h"

typedef struct KnownFunctions KnownFunctions;

/* Those of the Sys of `a`, with derivatives up to `most`. Lives in `arena`. */
KnownFunctions *known_find(const Array *a, int most, Arena *arena);
/* The Taylor coefficients of variable v at time t. False: it is none of them,
 * or of higher degree than asked for at first. */
bool known_series(KnownFunctions *k, int v, double t, int degree, double *coef);

#endif
