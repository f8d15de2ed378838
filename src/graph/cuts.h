/* cuts.h - which edges hold a block together, and what is left without them.
 *
 *   in    Incidence   a block of blt.h
 *   out   CutList     small sets of edges without which it falls apart
 *   next  src/tune/   decides where an old value may be used ("delay of
 *                     information", Gustafsson 2021, section 5)
 *
 * To use an old value of unknown j in equation i is to remove the edge (i, j).
 * Two tools:
 *   cuts_blocks   the blocks without some edges
 *   cuts_find     good sets of edges: all single ones, and sets of two or more
 *                 by minimum cuts (maximum flow) between equations
 * A single edge that does it is a strong bridge of the directed graph "equation
 * i needs the equation that is solved for j"; these are found in near-linear
 * time with dominators (Italiano, Laura and Santaroni, 2012).
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_CUTS_H
#define TAKT_GRAPH_CUTS_H

#include "graph/blt.h"

/* The blocks without the given edges; NULL if there is no matching left. */
const Blt *cuts_blocks(const Incidence *inc, const int *edge, int nedge,
                       Arena *out);

/* Marks the strong bridges among the edges that are not matched by `m`
 * (complete); is_bridge has size nedge. Returns their number. The graph must be
 * one block. */
int cuts_bridges(const Incidence *inc, const Match *m, bool *is_bridge);

typedef struct Cut {
    int nedge;
    const int *edge; /* size nedge, ascending */
    int nblock;      /* blocks that are left */
    int largest;     /* size of the largest of them */
} Cut;

typedef struct CutOptions {
    const bool *allowed; /* size nedge: may it be cut? NULL: all */
    int most_edges;      /* largest set, default 2 */
    int most_cuts;       /* how many of each size to keep, default 20 */
    long work;           /* limit of the search, default 1e8 */
} CutOptions;

typedef struct CutList {
    int n;
    const Cut *cut; /* by number of edges, then by largest block */
    bool complete;  /* false: the limit of work ended the search */
} CutList;

CutOptions cuts_defaults(void);
/* `inc` must be one block (else the list is empty). Sets of edges are listed
 * only if no smaller set separates the same two equations. */
const CutList *cuts_find(const Incidence *inc, const CutOptions *o, Arena *out);

#endif
