/* scc.h - strongly connected components of a directed graph.
 *
 * Tarjan's algorithm (SIAM J. Comput. 1(2), 1972) with its own stack, linear
 * time. Components are numbered so that an edge never leads from a component
 * to one with a larger number: with edges "needs", component 0 can be computed
 * first.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_SCC_H
#define TAKT_GRAPH_SCC_H

#include "base/arena.h"

/* Node i has the edges to[k], start[i] <= k < start[i+1]; to[k] == NONE is
 * skipped. Writes the component of each node to comp (size n) and returns the
 * number of components. */
int scc_find(int n, const int *start, const int *to, int *comp);

#endif
