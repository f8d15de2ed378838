/* dominators.h - what every way from a root must pass.
 *
 * Node d dominates node v if every way from the root to v goes through d; the
 * nearest such d is the immediate dominator. Lengauer and Tarjan (ACM TOPLAS
 * 1(1), 1979), the version with path compression, with own stacks:
 * O(nedge log n).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_DOMINATORS_H
#define TAKT_GRAPH_DOMINATORS_H

#include "base/arena.h"

/* Node i has the edges to[k], start[i] <= k < start[i+1]. Writes idom (size n):
 * the immediate dominator, NONE for the root and for what it cannot reach. */
void dominators_find(int n, const int *start, const int *to, int root,
                     int *idom);

#endif
