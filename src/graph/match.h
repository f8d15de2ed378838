/* match.h - give each equation an unknown that it can determine.
 *
 *   in    Incidence
 *   out   Match       at most one unknown an equation, one equation an unknown
 *   next  blt.h       orders a complete matching; dm.h explains one that is not
 *
 * Hopcroft and Karp (SIAM J. Comput. 2(4), 1973): many shortest augmenting
 * paths are found in one pass, O(nedge sqrt(n)) at worst. The start is the
 * rule of Karp and Sipser (1981), which alone matches chains and trees.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_MATCH_H
#define TAKT_GRAPH_MATCH_H

#include "graph/incidence.h"

typedef struct Match {
    int size;    /* number of pairs */
    int *var_of; /* size neqn: the unknown of an equation, or NONE */
    int *eqn_of; /* size nvar: the equation of an unknown, or NONE */
} Match;

/* An empty matching. */
Match *match_new(const Incidence *inc, Arena *out);

/* A matching with the most pairs. */
Match *match_maximum(const Incidence *inc, Arena *out);

/* Adds pairs to `m` until it is maximum in the graph of the edges with
 * allowed[edge] != 0 (all edges if NULL). Returns true if pairs were added.
 * Equations and unknowns that are matched stay matched. */
bool match_grow(const Incidence *inc, const unsigned char *allowed, Match *m);

/* Asserts that `m` is a matching of `inc`. */
void match_check(const Incidence *inc, const Match *m);

#endif
