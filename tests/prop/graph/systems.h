/* systems.h - random systems and obviously right ways to analyse small ones. */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_TESTS_SYSTEMS_H
#define TAKT_TESTS_SYSTEMS_H

#include "graph/incidence.h"
#include "support/random.h"

/* n equations in n unknowns with a complete matching and about `extra` more
 * edges per equation, classes and weights 0 .. `weights` at random. */
const Incidence *random_regular(Random *r, int n, double extra, int weights,
                                Arena *out);
/* Any shape, any edges, with probability `density` each. */
const Incidence *random_any(Random *r, int neqn, int nvar, double density,
                            Arena *out);
/* Mostly small sizes, up to `most`. */
int random_size(Random *r, int most);

/* The size of a maximum matching without equation `eqn` and unknown `var`
 * (NONE: with all), by plain augmenting paths. */
int plain_matching(const Incidence *inc, int eqn, int var);

#endif
