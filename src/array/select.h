/* select.h - rows and columns of a derivative array that make an index-1
 * system.
 *
 *   in    Array, ArrayIndex with its uniform index nu
 *   out   Selection    rows F_i^(p), p <= nu - 1, and columns of (x, x', w)
 *   next  remodel.h    writes them as a Sys
 *
 * Dense combinations of the array would do; concrete rows and columns keep the
 * equations of the model, so that a step can be compiled from them. Chosen for
 * several consistent points at once: a pivot is worth what it is at the worst
 * of them.
 *
 *   1. Rows by rising order: a basis of the rows of [G_x' G_w]. Each other row
 *      depends on it: a circuit, which is a constraint on x.
 *   2. Rows taken: all of f, and those of the circuits.
 *   3. x1, which the constraints determine: constraints of low order first, of
 *      variables without derivatives, of those new at that order, of any. The
 *      others, x2, are the states. Where no choice serves at all points, there
 *      are sets of candidates, and the run chooses.
 *   4. Columns: x1, x2' and as many of x1' and w, low orders first, as make the
 *      system square. The rest is set to 0, which x1 and x2' must not feel.
 *
 * Where every choice of these columns is singular somewhere, as the mixture of
 * derivatives in the rows turns, combinations of derivatives with constant
 * factors take the place of single ones.
 *
 * Derivatives of what is given in the array that x1 and x2' do not feel are set
 * to 0 as well. Where others need derivatives of all x, these are found too,
 * with more rows.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TAKT_ARRAY_SELECT_H
#define TAKT_ARRAY_SELECT_H

#include "array/index.h"

/* Candidates of which some are states, others at other points of the run. Which
 * choice is good, the matrix of these rows by the candidates and the eliminated
 * columns says: without the columns of the states it must be regular. */
typedef struct SelectSet {
    int n, nstate;
    int *candidate;               /* n columns j */
    int *initial;                 /* nstate places in it: states at the start */
    int nrow, *row;               /* of the array, order * n + row */
    int neliminated, *eliminated; /* columns q * n + j */
} SelectSet;

typedef struct Selection {
    int k;          /* highest order of a row */
    int m;          /* rows, and columns */
    int *row;       /* order * n + row of the array, ascending */
    bool *taken;    /* of each column q * n + j */
    bool *is_state; /* of each j: x2 */
    int nstate;
    int nset;
    SelectSet *set;   /* is_state is that of the start in these */
    int dropped;      /* derivatives set to 0, or to combinations of others */
    double *mix;      /* factor of column j in column i, which is not taken:
                         [i * (k+2) n + j]; NULL: all are 0 */
    double condition; /* the largest over the points */
    double felt;      /* by x1, x2' of what was dropped */
    int npoint;
    int order;       /* derivatives of all x up to this one are found too */
    int ngiven;      /* of others and inputs (given.h), as the rows have them */
    int *given;      /* variables of the Sys */
    unsigned *feels; /* of each: derivative q is felt if bit q is set */
} Selection;

/* With derivatives up to `order` of all x beside x1 and x2'. Lives in `arena`.
 * NULL: there is none that is well conditioned at all points; *why then says
 * what failed. */
const Selection *array_select(Array *a, const ArrayIndex *x, double length,
                              int order, Arena *arena, const char **why);
/* Is derivative q of variable v, which is none of the array, felt by what is
 * found? What is not may have any value there, 0 too. */
bool selection_feels(const Selection *s, int v, int q);

#endif
