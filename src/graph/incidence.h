/* incidence.h - which unknowns occur in which equation.
 *
 *   in    pairs (equation, unknown), in any order
 *   out   Incidence   the pairs by equation; Transpose the same by unknown
 *   next  match.h, blt.h, dm.h, tear.h, signature.h, cuts.h, color.h
 *
 * All of src/graph/ works on these integers: it knows neither expressions nor
 * the model. Equations and unknowns are numbered from 0 in source order; an
 * edge is one place of `var`. Nothing here or in the other files recurses, so
 * a chain of a million equations is a normal input.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_GRAPH_INCIDENCE_H
#define TAKT_GRAPH_INCIDENCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/vec.h"

/* Can an equation be solved for an unknown, the other unknowns being known? */
typedef enum EdgeClass {
    EDGE_NONLINEAR = 0, /* no: not linear in it, or its factor can vanish */
    EDGE_VARYING = 1,   /* linear, the factor varies with other unknowns */
    EDGE_CONSTANT = 2,  /* linear, the factor is constant and not zero */
} EdgeClass;

typedef struct Incidence {
    int neqn;                 /* number of equations */
    int nvar;                 /* number of unknowns */
    int nedge;                /* number of edges */
    const int *start;         /* size neqn+1: equation i has the edges
                                 start[i] .. start[i+1]-1 */
    const int *var;           /* size nedge, ascending within an equation */
    const unsigned char *cls; /* size nedge, EdgeClass */
    const int *weight;        /* size nedge; for signature.h the order of the
                                 derivative, for tear.h a penalty */
} Incidence;

/* Unknown j occurs in the equations eqn[k], start[j] <= k < start[j+1],
 * ascending; edge[k] is the place of that occurrence in the Incidence. */
typedef struct Transpose {
    const int *start; /* size nvar+1 */
    const int *eqn;   /* size nedge */
    const int *edge;  /* size nedge */
} Transpose;

typedef struct Edge {
    int eqn, var;
    int cls;    /* EdgeClass */
    int weight; /* any integer */
} Edge;

/* Collects edges in `arena`, which may be freed after incidence_end(). */
typedef struct EdgeList {
    Arena *arena;
    Vec(Edge) edge;
} EdgeList;

EdgeList edges_begin(Arena *arena);
void edges_add(EdgeList *list, int eqn, int var, EdgeClass cls, int weight);
/* The edges as an Incidence in `out`. Of several edges between the same two,
 * one is kept, with the smallest class and the largest weight. Every number
 * must lie in range (asserted). O(nedge + neqn + nvar). */
const Incidence *edges_end(const EdgeList *list, int neqn, int nvar,
                           Arena *out);

const Transpose *incidence_transpose(const Incidence *inc, Arena *out);

/* The place of unknown `var` in equation `eqn`, or NONE. O(log). */
int incidence_find(const Incidence *inc, int eqn, int var);

/* The part of `inc` with the given equations and unknowns, renumbered by
 * their place in these lists. `edge`, if not NULL, receives for each edge of
 * the part its place in `inc`. O(size of the part), with work arrays of `inc`'s
 * size kept in `map`. */
typedef struct IncidenceMap {
    int *var_to; /* size nvar of the whole, NONE outside of incidence_part() */
} IncidenceMap;
IncidenceMap incidence_map(const Incidence *inc, Arena *arena);
const Incidence *incidence_part(const Incidence *inc, const int *eqn, int neqn,
                                const int *var, int nvar, IncidenceMap map,
                                const int **edge, Arena *out);

/* The same without the edges for which drop[edge] is true; `edge` as above. */
const Incidence *incidence_without(const Incidence *inc, const bool *drop,
                                   const int **edge, Arena *out);

/* Asserts what the comments above promise. */
void incidence_check(const Incidence *inc);

#endif
