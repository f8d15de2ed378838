/* distance.h - how far two names are apart, for "did you mean". */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_BASE_DISTANCE_H
#define TAKT_BASE_DISTANCE_H

/* The candidate nearest to `name`: least number of letters inserted, removed,
 * replaced or swapped with their neighbour; a change of case counts as
 * nothing but loses against an exact match. NULL if none is as near as a third
 * of the length of `name` (at least one). Of equals the first one. */
const char *distance_nearest(const char *name, const char *const *candidate,
                             int ncandidate);

#endif
