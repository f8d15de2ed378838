/* cuts.h - which edges hold a block together, and what is left without them.
 *
 *   in    Incidence   a block of blt.h
 *   out   CutList     small sets of edges without which it falls apart
 *   next  src/tune/   decides where an old value may be used ("delay of
 *                     information", Gustafsson 2021, section 5)
 *
 * To use an old value of unknown j in equation i is to remove the edge (i, j).
 * Three tools:
 *   cuts_peel     what Proposition 1 defines, round by round
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
#include "graph/incidence.h"

/* Proposition 1: an equation with one edge defines its unknown; both are
 * removed with all their edges, and again. In each round, all equations that
 * have one edge at its start are used, as in Gustafsson's figures 17 to 20. */
typedef struct Peel {
    int n; /* pairs peeled off */
    int nround;
    const int *eqn;   /* size n: eqn[k] defines var[k], in round[k] */
    const int *var;   /* size n */
    const int *round; /* size n, ascending from 0 */
    int nleft;        /* equations that are left with two or more edges: what
                         must still be solved together */
    const int *left;  /* size nleft, ascending */
    int nspare;       /* equations left without an edge: they contradict */
} Peel;

/* Time O(nedge). */
const Peel *cuts_peel(const Incidence *inc, Arena *out);

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
